// The kalman kernel compared with a loop of numpy and with the plain TypeScript of the reference; and the steady state by
// doubling with scipy's solve_discrete_are.
//
//   node bench/kalman.ts [rounds]
//
// CPU time, the minimum over interleaved rounds. The kernel also records, smooths and checks eigenvalues.

import { inputs } from '../src/solvers/kalman/inputs.ts';
import { diagonal, type Matrix, matrixOf } from '../src/solvers/kalman/matrix.ts';
import { planOf } from '../src/solvers/kalman/plan.ts';
import { plainFilter } from '../src/solvers/kalman/reference.ts';
import { steadyOf } from '../src/solvers/kalman/steady.ts';
import { startKernel } from './harness/kernel.ts';
import { startPythonPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';

const rounds = Number(process.argv[2] ?? 5);
const runKernel = await startKernel('kalman');
const peer = startPythonPeer('kalman.py');

const F: Matrix = [
  [1, 1],
  [0, 1],
];
const H: Matrix = [[1, 0]];
const Q: Matrix = [
  [0.01, 0.02],
  [0.02, 0.04],
];

printHead(
  'filter, 2 states',
  'kernel µs a row',
  'numpy µs a row',
  'TypeScript µs a row',
  'numpy / kernel',
  'difference of P',
);
for (const rows of [1_000, 10_000]) {
  const series = Array.from({ length: rows }, (_, i) => [i % 7]);
  const [run] = planOf(inputs.parse({ ...cv(series), P0: [10, 1] })).runs;
  if (!run) throw new Error('The plan has no run.');
  const model = { F, H, Q, R: [[1]], x0: [0, 0], P0: diagonal([10, 1]) };
  const { kernel, numpy, plain } = await fastestOf(rounds, {
    kernel: () => timeBatch(() => runKernel(run).views.filteredVariance?.at(-2) ?? Number.NaN),
    numpy: () => peer.time('filter', rows),
    plain: () => timeBatch(() => plainFilter(model, series).P[0]?.[0] ?? Number.NaN),
  });
  printRow(
    `${rows} rows`,
    ...[kernel.time, numpy.time, plain.time].map((one) => fixed((one * 1e6) / rows, 3)),
    fixed(numpy.time / kernel.time, 1),
    scientific(Math.abs(kernel.result - (numpy.result[0] ?? Number.NaN)), 1),
  );
}

function cv(series: readonly (readonly number[])[]) {
  return { x0: '0 0', measurements: series.join('\n') };
}

console.log('');
printHead('steady state', 'doubling with ± ms', 'scipy ms', 'scipy / doubling', 'difference');
for (const n of [2, 4, 8]) {
  const chain = matrixOf(n, n, (i, j) => (i === j ? 1 : j === i + 1 ? 0.5 : 0));
  const first = matrixOf(1, n, (_, j) => Number(j === 0));
  const noise = diagonal(new Array<number>(n).fill(0.01));
  const [f, q] = n === 2 ? [F, Q] : [chain, noise];
  const { own, scipy } = await fastestOf(rounds, {
    own: () => timeBatch(() => steadyOf(f, first, q, [[1]])?.predicted[0]?.[0] ?? Number.NaN),
    scipy: () => peer.time('steady', n),
  });
  printRow(
    `${n} states`,
    ...[own.time, scipy.time].map((one) => fixed(one * 1e3, 3)),
    fixed(scipy.time / own.time, 2),
    scientific(Math.abs(own.result - (scipy.result[0] ?? Number.NaN)), 1),
  );
}
peer.stop();
