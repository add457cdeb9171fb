// The reactor kernel compared with scipy's integrators, and with its method in C and in plain JavaScript, at equal
// accuracy: a step of reactivity from equilibrium.
//
//   node bench/reactor.ts [rounds]
//
// CPU time, the minimum over interleaved rounds. Needs python3 with numpy and scipy, and a C compiler.

import type { KernelRun } from '../src/kernels/abi.ts';
import type { ReactorFace } from '../src/solvers/reactor/face.ts';
import { GROUPS } from '../src/solvers/reactor/groups.ts';
import { inputs } from '../src/solvers/reactor/inputs.ts';
import { planOf } from '../src/solvers/reactor/plan.ts';
import { startKernel } from './harness/kernel.ts';
import { startCompiledPeer, startPythonPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, type Timing, timeBatch } from './harness/timing.ts';
import { powerByCollocation } from './peers/reactor.ts';

const ACCURACY = 1e-6;
const LAMBDA = 2e-5;
/** solvers.md, eigen-decomposition with 40 digits. */
const CASES = [
  { rho: 0.003, end: 20, n: 28.297399781012 },
  { rho: 0.0055, end: 10, n: 138860.22560167 },
  { rho: -0.007, end: 10, n: 0.23508140672695 },
] as const;

const rounds = Number(process.argv[2] ?? 5);
const runKernel = await startKernel('reactor');
const scipy = startPythonPeer('reactor.py');
const compiled = startCompiledPeer('reactor.c', ['-lm']);
const { beta, lambda } = GROUPS.benchmark;

type Contender = (rtol: number) => Timing<number> | Promise<Timing<number>>;

printHead('step of ρ', 'peer', 'kernel ms', 'peer ms', 'peer / kernel', 'error of the kernel', 'error of the peer');
for (const { rho, end, n } of CASES) {
  const parsed = inputs.parse({
    groups: 'benchmark',
    Lambda: LAMBDA,
    reactivity: { value: rho },
    t_end: end,
    output_points: 1,
  });
  const [run] = planOf(parsed).runs as [KernelRun<ReactorFace>];
  const errorOf = (found: number) => Math.abs(found / n - 1);
  const ofScipy =
    (method: string): Contender =>
    async (rtol) => {
      const { time, result } = await scipy.time(rho, end, LAMBDA, method, rtol, ...beta, ...lambda);
      return { time, result: result[0] ?? Number.NaN };
    };
  const contenders: Readonly<Record<string, Contender>> = {
    kernel: (rtol) =>
      timeBatch(() => {
        const rows = runKernel({ ...run, parameters: { ...run.parameters, rtol } }).views.samples;
        return rows?.[12] ?? Number.NaN;
      }, 0.05),
    'scipy DOP853': ofScipy('DOP853'),
    'scipy Radau': ofScipy('Radau'),
    'scipy LSODA': ofScipy('LSODA'),
    'C -O2, same method': async (rtol) => {
      const { time, result } = await compiled.time(rho, end, LAMBDA, rtol, ...beta, ...lambda);
      return { time, result: result[0] ?? Number.NaN };
    },
    'plain JavaScript, same method': (rtol) =>
      timeBatch(() => powerByCollocation(rho, end, LAMBDA, rtol, beta, lambda), 0.05),
  };
  const chosen: Record<string, () => Timing<number> | Promise<Timing<number>>> = {};
  for (const [name, contender] of Object.entries(contenders)) {
    let rtol = 1e-2;
    while (rtol > 1e-12 && errorOf((await contender(rtol)).result) > ACCURACY) rtol /= 10;
    chosen[name] = () => contender(rtol);
  }
  const best = await fastestOf(rounds, chosen);
  const { kernel } = best;
  for (const [name, { time, result }] of Object.entries(best)) {
    if (name === 'kernel' || kernel === undefined) continue;
    const times = [kernel.time, time].map((one) => fixed(one * 1e3, 4));
    const errors = [kernel.result, result].map((one) => scientific(errorOf(one), 1));
    printRow(`${rho}, ${end} s`, name, ...times, fixed(time / kernel.time, 1), ...errors);
  }
}
scipy.stop();
compiled.stop();
