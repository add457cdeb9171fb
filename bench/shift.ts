// A clock series by the shift kernel compared with the clock itself in TypeScript, which takes a sine for each step. No
// other program has this clock.
//
//   node bench/shift.ts [rounds]
//
// CPU time, the minimum over interleaved rounds.

import { inputs } from '../src/solvers/shift/inputs.ts';
import { planOf } from '../src/solvers/shift/plan.ts';
import { clockSeries } from '../src/solvers/shift/problem.ts';
import { startKernel } from './harness/kernel.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';

const T = 1_790_000_000.123;
const rounds = Number(process.argv[2] ?? 5);
const runKernel = await startKernel('shift');

printHead('steps', 'kernel µs', 'clock in TypeScript µs', 'peer / kernel', 'difference of the last R(t)');
for (const steps of [16, 64]) {
  const [run] = planOf(inputs.parse({ t: T, steps })).runs;
  if (run === undefined) throw new Error('The plan has no run.');
  const { kernel, plain } = await fastestOf(rounds, {
    kernel: () => timeBatch(() => runKernel(run).views.modulation?.at(-1) ?? Number.NaN),
    plain: () => timeBatch(() => clockSeries(T, steps).at(-1)?.R_t ?? Number.NaN),
  });
  printRow(
    String(steps),
    ...[kernel.time, plain.time].map((one) => fixed(one * 1e6, 2)),
    fixed(plain.time / kernel.time, 1),
    scientific(Math.abs(kernel.result - plain.result), 1),
  );
}
