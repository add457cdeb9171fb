// The wave kernel compared with its method in plain TypeScript, in turn. Replace this peer by the program that people
// would otherwise use (bench/harness/peer.ts starts Python, C and C++), at equal accuracy.
//
//   node bench/wave.ts [rounds]
//
// CPU time, the minimum over interleaved rounds.

import { planOf } from '../src/solvers/wave/plan.ts';
import { inputs } from '../src/solvers/wave/problem.ts';
import { midpointValue } from '../src/solvers/wave/reference.ts';
import { startKernel } from './harness/kernel.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';

const CASES = [1_000, 100_000];

const runKernel = await startKernel('wave');
const rounds = Number(process.argv[2] ?? 7);
console.log('No other program yet: the peer is the plain TypeScript of reference.ts.\n');
printHead('steps', 'kernel ms', 'plain TypeScript ms', 'kernel / peer', 'kernel ns per step', 'relative difference');
for (const steps of CASES) {
  const input = inputs.parse({ dt: 1 / steps, steps });
  const [run] = planOf(input).runs;
  if (!run) throw new Error('The plan has no run.');
  const { kernel, plain } = await fastestOf(rounds, {
    kernel: () => timeBatch(() => runKernel(run).views.history?.at(-1) ?? Number.NaN),
    plain: () => timeBatch(() => midpointValue(input.u0, input.k, input.dt, steps)),
  });
  printRow(
    String(steps),
    fixed(kernel.time * 1e3, 3),
    fixed(plain.time * 1e3, 3),
    fixed(kernel.time / plain.time, 2),
    fixed((kernel.time * 1e9) / steps, 2),
    scientific(Math.abs(kernel.result / plain.result - 1), 1),
  );
}
