// The kalman kernel compared with the plain TypeScript of the reference.
//
//   node bench/kalman.ts [rounds]

import { inputs } from '../src/solvers/kalman/inputs.ts';
import { identity } from '../src/solvers/kalman/matrix.ts';
import { planOf } from '../src/solvers/kalman/plan.ts';
import { plainFilter } from '../src/solvers/kalman/reference.ts';
import { startKernel } from './harness/kernel.ts';
import { fixed, printHead, printRow } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';

const rounds = Number(process.argv[2] ?? 5);
const runKernel = await startKernel('kalman');
const ROWS = 1_000;
const series = Array.from({ length: ROWS }, (_, i) => [i % 7]);
const [run] = planOf(inputs.parse({ measurements: series.join('\n') })).runs;
if (!run) throw new Error('The plan has no run.');
const model = {
  F: [
    [1, 1],
    [0, 1],
  ],
  H: [[1, 0]],
  Q: [
    [0.01, 0.02],
    [0.02, 0.04],
  ],
  R: [[1]],
  x0: [0, 0],
  P0: identity(2),
};
printHead('filter', 'kernel µs a row, with smoother', 'plain TypeScript µs a row', 'peer / kernel');
const { kernel, plain } = await fastestOf(rounds, {
  kernel: () => timeBatch(() => runKernel(run).statistics.logLikelihood ?? Number.NaN),
  plain: () => timeBatch(() => plainFilter(model, series).logLikelihood),
});
printRow(
  `${ROWS} rows, 2 states`,
  ...[kernel.time, plain.time].map((one) => fixed((one * 1e6) / ROWS, 3)),
  fixed(plain.time / kernel.time, 2),
);
