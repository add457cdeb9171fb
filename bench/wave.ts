// The kernel of wave compared with the same loops in C at -O3: a membrane and Yee's scheme with fixed sides.
//
//   node bench/wave.ts [rounds]
//
// CPU time, the minimum over interleaved rounds, without the runs on other grids. Needs cc; without it the peer is omitted
// with a sentence.

import type { KernelRun } from '../src/kernels/abi.ts';
import { rowsOf } from '../src/kernels/rows.ts';
import type { WaveFace } from '../src/solvers/wave/face.ts';
import { wave } from '../src/solvers/wave/solver.ts';
import { startKernel } from './harness/kernel.ts';
import { startCompiledPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';

const CASES = [
  ['membrane', 64, 2000],
  ['membrane', 128, 1000],
  ['yee', 128, 1000],
] as const;

const runKernel = await startKernel('wave');

function runOf(kind: 'membrane' | 'yee', cells: number, steps: number): KernelRun<WaveFace> {
  const mode = kind === 'yee' ? 'maxwell' : 'membrane';
  const [run] = wave.plan(wave.inputs.parse({ mode, nx: cells, ny: cells, steps })).runs;
  if (run === undefined) throw new Error('A plan has runs.');
  return { ...run, parameters: { ...run.parameters, historyEvery: steps, frameEvery: steps }, outputs: ['history'] };
}

/** The energy at the end, where the membrane's is half a step before it. */
function energyOf(run: KernelRun<WaveFace>): number {
  const { views, columns } = runKernel(run);
  const history = rowsOf(views.history ?? new Float64Array(), columns.history);
  return history.at(history.count - 1, 'closed');
}

const rounds = Number(process.argv[2] ?? 7);
const peer = startCompiledPeer('wave.c', ['-O3', '-lm']);
printHead(
  'case',
  'kernel ms',
  'C -O3 ms',
  'kernel / C',
  'kernel ns per node and step',
  'difference of energies',
  'target',
);
for (const [kind, cells, steps] of CASES) {
  const run = runOf(kind, cells, steps);
  const { kernel, other } = await fastestOf(rounds, {
    kernel: () => timeBatch(() => energyOf(run)),
    other: () => peer.time(kind, cells, steps),
  });
  printRow(
    `${kind} ${cells}² × ${steps}`,
    fixed(kernel.time * 1e3, 2),
    fixed(other.time * 1e3, 2),
    fixed(kernel.time / other.time, 2),
    fixed((kernel.time * 1e9) / (steps * (cells + 1) * (cells + 1)), 2),
    scientific(Math.abs(kernel.result - (other.result[0] ?? Number.NaN)), 1),
    '≤ 1.25, aim 1.1',
  );
}
peer.stop();
