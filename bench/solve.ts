// The solve kernel compared with scipy's DOP853 at an error of 10⁻⁶: the whole run, with the second opinion and the tuning of
// the step, and the equal steps alone that it ends with, against the loosest of the tolerances 10⁻³, 10⁻⁴, … that reaches
// it. And its equal steps of Runge and Kutta's method with the same in C at -O2 and in plain JavaScript.
//
//   node bench/solve.ts [rounds]
//
// CPU time, the minimum over interleaved rounds. Needs python3 with numpy and scipy, and a C compiler.

import type { KernelRun } from '../src/kernels/abi.ts';
import { rowsOf } from '../src/kernels/rows.ts';
import type { SolveFace } from '../src/solvers/solve/face.ts';
import { inputs } from '../src/solvers/solve/inputs.ts';
import { planOf } from '../src/solvers/solve/plan.ts';
import { problemOf } from '../src/solvers/solve/problem.ts';
import { startKernel } from './harness/kernel.ts';
import { startCompiledPeer, startPythonPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';
import { rungeKuttaState } from './peers/solve.ts';

const ACCURACY = 1e-6;
const rounds = Number(process.argv[2] ?? 5);
const runKernel = await startKernel('solve');
const scipy = startPythonPeer('solve.py');
const compiled = startCompiledPeer('solve.c', ['-lm']);

const CASES = {
  'Duffing, t = 20': { beta: 1, tMax: 20 },
  'spring with damping, t = 10': { alpha: 4, damping: 0.4, tMax: 10 },
  'driven double well, t = 20': { alpha: -1, beta: 1, damping: 0.15, drive: 0.3, position: 1, tMax: 20 },
  'fall with drag, t = 4': { alpha: 0, gravity: 9.80665, drag: 0.0025, position: 100, tMax: 4 },
} as const;

function numbersOf(input: object): readonly number[] {
  const { gravity, alpha, beta, damping, drag, drive, omega, phi0, dphi0 } = problemOf(inputs.parse(input));
  return [gravity, alpha, beta, damping, drag, drive, omega, phi0, dphi0];
}

function runOf(input: object): KernelRun<SolveFace> {
  const [run] = planOf(inputs.parse(input)).runs;
  if (!run) throw new Error('The plan has no run.');
  return run;
}

function lastOf(run: KernelRun<SolveFace>, column: 'phi' | 'phiFirst'): number {
  const { views, columns } = runKernel(run);
  const rows = rowsOf(views.history ?? new Float64Array(), columns.history);
  return rows.at(rows.count - 1, column);
}

/** The difference of two numbers of steps leaves out what runs before the equal steps. */
const STEPS = 200_000;

/** Seconds of an equal step. */
async function stepTime(input: object): Promise<{ readonly each: number; readonly phi: number }> {
  const base = runOf({ ...input, samples: 2, maxIterations: 1 });
  const { tEnd } = problemOf(inputs.parse(input));
  const at = (steps: number) => ({ ...base, parameters: { ...base.parameters, dt: tEnd / steps, tolerance: 1 } });
  const { few, many } = await fastestOf(rounds, {
    few: () => timeBatch(() => lastOf(at(STEPS), 'phi'), 0.05),
    many: () => timeBatch(() => lastOf(at(3 * STEPS), 'phi'), 0.05),
  });
  return { each: (many.time - few.time) / (2 * STEPS), phi: few.result };
}

printHead(
  'case, error 1e-6',
  'peer',
  'kernel ms, all runs',
  'steps alone',
  'peer ms',
  'peer / all',
  'peer / steps',
  'error of the kernel',
  'error of the peer',
);
for (const [name, input] of Object.entries(CASES)) {
  const run = runOf({ ...input, samples: 2, tolerance: ACCURACY, dt: 0.1 });
  const truth = lastOf(run, 'phiFirst');
  const { tEnd } = problemOf(inputs.parse(input));
  const peer = (rtol: number) => scipy.time(tEnd, rtol, ...numbersOf(input));
  let rtol = 1e-3;
  while (rtol > 1e-13 && !(Math.abs(((await peer(rtol)).result[0] ?? Number.NaN) - truth) <= ACCURACY)) rtol /= 10;
  const best = await fastestOf(rounds, {
    kernel: () => timeBatch(() => lastOf(run, 'phi'), 0.05),
    peer: () => peer(rtol),
  });
  const { each } = await stepTime(input);
  const alone = each * (runKernel(run).statistics.stepsPerSample ?? 0);
  const times = [best.kernel.time * 1e3, alone * 1e3, best.peer.time * 1e3].map((one) => fixed(one, 3));
  const ratios = [best.kernel.time, alone].map((one) => fixed(best.peer.time / one, 0));
  const errors = [best.kernel.result, best.peer.result[0] ?? Number.NaN].map((one) =>
    scientific(Math.abs(one - truth), 1),
  );
  printRow(name, 'scipy DOP853', ...times, ...ratios, ...errors);
}

console.log('');
printHead('equal steps', 'peer', 'kernel ns a step', 'peer / kernel', 'largest difference');
for (const [name, input] of Object.entries(CASES)) {
  const numbers = numbersOf(input);
  const { tEnd } = problemOf(inputs.parse(input));
  const { each, phi } = await stepTime(input);
  const peers = await fastestOf(rounds, {
    'C -O2': () => compiled.time(tEnd, STEPS, ...numbers),
    'plain JavaScript': () => timeBatch(() => rungeKuttaState(numbers, tEnd, STEPS), 0.05),
  });
  for (const [peer, { time, result }] of Object.entries(peers)) {
    const difference = scientific(Math.abs((result[0] ?? Number.NaN) - phi), 1);
    printRow(name, `${peer}, same method`, fixed(each * 1e9, 1), fixed(time / STEPS / each, 2), difference);
  }
}
scipy.stop();
compiled.stop();
