// The kernel of react compared with the same loops in C at -O3: Gray–Scott on a periodic square, one thread each.
//
//   node bench/react.ts [rounds]
//
// CPU time, the minimum over interleaved rounds, with the records of the kernel but without the runs on other grids.
// Needs cc; without it the peer is omitted with a sentence.

import type { KernelRun } from '../src/kernels/abi.ts';
import { rowsOf } from '../src/kernels/rows.ts';
import type { ReactFace } from '../src/solvers/react/face.ts';
import { react } from '../src/solvers/react/solver.ts';
import { startKernel } from './harness/kernel.ts';
import { startCompiledPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';

const CASES = [
  ['euler', 128, 400],
  ['euler', 400, 40],
  ['rk4', 128, 100],
  ['rk4', 400, 10],
] as const;

const runKernel = await startKernel('react');

/** Pearson's square at the cells themselves, which both programs take. */
function runOf(method: 'euler' | 'rk4', N: number, steps: number): KernelRun<ReactFace> {
  const [run] = react.plan(react.inputs.parse({ method, N, steps, dt: 1 })).runs as readonly KernelRun<ReactFace>[];
  const [euler] = react.plan(react.inputs.parse({ method: 'euler', N, steps: 1, dt: 1 })).runs;
  if (run === undefined || euler === undefined) throw new Error('A plan has runs.');
  const { initialU, initialV } = euler.inputs ?? {};
  return {
    ...run,
    parameters: { ...run.parameters, historyEvery: steps, frameEvery: steps },
    inputs: { ...run.inputs, ...(initialU && initialV ? { initialU, initialV } : {}) },
    outputs: ['history'],
  };
}

function meanOf(run: KernelRun<ReactFace>): number {
  const { views, columns } = runKernel(run);
  const history = rowsOf(views.history ?? new Float64Array(), columns.history);
  return history.at(history.count - 1, 'meanU');
}

const rounds = Number(process.argv[2] ?? 7);
const peer = startCompiledPeer('react.c', ['-O3']);
printHead(
  'case',
  'kernel ms',
  'C -O3 ms',
  'kernel / C',
  'kernel ns per cell and stage',
  'difference of the means',
  'target',
);
for (const [method, cells, steps] of CASES) {
  const run = runOf(method, cells, steps);
  const { kernel, other } = await fastestOf(rounds, {
    kernel: () => timeBatch(() => meanOf(run)),
    other: () => peer.time(method, cells, steps),
  });
  const stages = steps * (method === 'rk4' ? 4 : 1);
  printRow(
    `Gray–Scott ${method} ${cells}² × ${steps}`,
    fixed(kernel.time * 1e3, 2),
    fixed(other.time * 1e3, 2),
    fixed(kernel.time / other.time, 2),
    fixed((kernel.time * 1e9) / (stages * cells * cells), 2),
    scientific(Math.abs(kernel.result - (other.result[0] ?? Number.NaN)), 1),
    '≤ 1.25, aim 1.1',
  );
}
peer.stop();
