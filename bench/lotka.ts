// The lotka kernel's period compared with scipy's DOP853 and event at equal accuracy, and its loop of equal steps with the
// same loop in C and in plain JavaScript.
//
//   node bench/lotka.ts [rounds]
//
// CPU time, the minimum over interleaved rounds. Needs python3 with numpy and scipy, and a C compiler.

import type { KernelRun } from '../src/kernels/abi.ts';
import type { LotkaFace } from '../src/solvers/lotka/face.ts';
import { inputs } from '../src/solvers/lotka/inputs.ts';
import { planOf, RUNS } from '../src/solvers/lotka/plan.ts';
import { startKernel } from './harness/kernel.ts';
import { startCompiledPeer, startPythonPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, type Timing, timeBatch } from './harness/timing.ts';
import { periodByEqualSteps } from './peers/lotka.ts';

const ACCURACY = 1e-6;
/** solvers.md, mpmath with 30 digits. */
const CASES = [
  { start: [2 / 3, 4 / 3, 1, 1, 1, 1], period: 8.026636865289795 },
  { start: [1.1, 0.4, 0.4, 0.1, 10, 10], period: 14.34351365886271 },
  { start: [1, 1, 1, 1, 10, 1], period: 14.0128773274587 },
] as const;
const STEPS = 1_000;

const rounds = Number(process.argv[2] ?? 5);
const runKernel = await startKernel('lotka');
const scipy = startPythonPeer('lotka.py');
const compiled = startCompiledPeer('lotka.c', ['-lm']);

function runOf(start: readonly number[], index: number): KernelRun<LotkaFace> {
  const [alpha, beta, gamma, delta, x0, y0] = start;
  const run = planOf(inputs.parse({ alpha, beta, gamma, delta, x0, y0, steps_per_period: STEPS })).runs[index];
  if (!run) throw new Error(`The plan has no run ${index}.`);
  return run;
}

const periodOf = (run: KernelRun<LotkaFace>) => runKernel(run).statistics.period ?? Number.NaN;

type Contender = (rtol: number) => Timing<number> | Promise<Timing<number>>;

printHead('period', 'peer', 'kernel ms', 'peer ms', 'peer / kernel', 'error of the kernel', 'error of the peer');
for (const { start, period } of CASES) {
  const cycle = runOf(start, RUNS.cycle);
  const errorOf = (found: number) => Math.abs(found / period - 1);
  const contenders: Readonly<Record<string, Contender>> = {
    kernel: (rtol) => timeBatch(() => periodOf({ ...cycle, parameters: { ...cycle.parameters, rtol } }), 0.05),
    'scipy DOP853': async (rtol) => {
      const { time, result } = await scipy.time(...start, 'DOP853', rtol);
      return { time, result: result[0] ?? Number.NaN };
    },
  };
  const chosen: Record<string, () => Timing<number> | Promise<Timing<number>>> = {};
  for (const [name, contender] of Object.entries(contenders)) {
    let rtol = 1e-3;
    while (rtol > 1e-13 && errorOf((await contender(rtol)).result) > ACCURACY) rtol /= 10;
    chosen[name] = () => contender(rtol);
  }
  const { kernel, 'scipy DOP853': peer } = await fastestOf(rounds, chosen);
  if (!kernel || !peer) continue;
  const times = [kernel.time, peer.time].map((one) => fixed(one * 1e3, 4));
  const errors = [kernel, peer].map(({ result }) => scientific(errorOf(result), 1));
  printRow(
    `(${start.map((one) => fixed(one, 2)).join(', ')})`,
    'scipy DOP853',
    ...times,
    fixed(peer.time / kernel.time, 1),
    ...errors,
  );
}

console.log('');
printHead(`${STEPS} equal steps a period`, 'peer', 'kernel ms', 'peer ms', 'peer / kernel', 'difference');
for (const { start } of CASES) {
  const run = runOf(start, RUNS.equalSteps);
  const { attack = 1, loss = 1, p0 = 0, q0 = 0, step = 1 } = run.parameters;
  const best = await fastestOf(rounds, {
    kernel: () => timeBatch(() => periodOf(run), 0.05),
    'C -O2, same method': async () => {
      const { time, result } = await compiled.time(attack, loss, p0, q0, step);
      return { time, result: result[0] ?? Number.NaN };
    },
    'plain JavaScript, same method': () => timeBatch(() => periodByEqualSteps(attack, loss, p0, q0, step), 0.05),
  });
  const { kernel } = best;
  for (const [name, { time, result }] of Object.entries(best)) {
    if (name === 'kernel') continue;
    const times = [kernel.time, time].map((one) => fixed(one * 1e3, 4));
    printRow(
      `(${start.map((one) => fixed(one, 2)).join(', ')})`,
      name,
      ...times,
      fixed(time / kernel.time, 2),
      scientific(Math.abs(result - kernel.result), 1),
    );
  }
}
scipy.stop();
compiled.stop();
