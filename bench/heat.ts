// The heat kernel compared with scipy and numpy: the same problem and steps, one thread each, in turn.
//
//   node bench/heat.ts [rounds]
//
// CPU time, the minimum over interleaved rounds. Needs python3 with numpy and scipy on the PATH.

import type { KernelRun } from '../src/kernels/abi.ts';
import { rowsOf } from '../src/kernels/rows.ts';
import { initialProfile } from '../src/solvers/heat/axis.ts';
import type { HeatFace } from '../src/solvers/heat/face.ts';
import { stencilsOf } from '../src/solvers/heat/probes.ts';
import { startKernel } from './harness/kernel.ts';
import { startPythonPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';

interface Problem {
  readonly name: string;
  readonly cells: number;
  readonly steps: number;
  readonly tEnd: number;
  readonly axes: 1 | 2;
}

const rod: Problem = { name: 'rod, Crank–Nicolson', cells: 1024, steps: 1600, tEnd: 0.1, axes: 1 };
const plate: Problem = { name: 'plate, ADI', cells: 128, steps: 100, tEnd: 0.02, axes: 2 };

/** Each with its peer in words, and by its name in bench/peers/heat.py. */
const CASES = [
  [rod, 'scipy solve_banded', 'rod'],
  [plate, 'numpy Thomas over rows', 'plate-thomas'],
  [plate, 'scipy solve_banded', 'plate-banded'],
  [plate, 'numpy dense matrices', 'plate-dense'],
] as const;

const MIDDLE = { a: 1, b: 2 };

function kernelRun({ cells, steps, tEnd, axes }: Problem): KernelRun<HeatFace> {
  const r = (tEnd / steps) * cells * cells;
  const profile = initialProfile({ cells, length: 1, halfWaves: 1, mode: 'sine', isInsulated: false });
  const grid = { cellsX: cells, cellsY: cells, dim: axes, rx: r, ry: r, probes: 1 };
  const centre = axes === 2 ? [MIDDLE, MIDDLE] : [MIDDLE];
  return {
    parameters: { ...grid, isImplicit: 1, steps, historyEvery: steps, frameEvery: steps },
    inputs: {
      profileX: profile,
      ...(axes === 2 ? { profileY: profile } : {}),
      ...stencilsOf([centre], [cells, cells], false),
    },
    steps,
    outputs: ['history'],
  };
}

const runKernel = await startKernel('heat');

/** Temperature at the centre after the last step. */
function centreOf(run: KernelRun<HeatFace>): number {
  const { views, columns } = runKernel(run);
  const history = rowsOf(views.history ?? new Float64Array(), columns.history);
  return history.at(history.count - 1, 'probe');
}

const rounds = Number(process.argv[2] ?? 7);
const peer = startPythonPeer('heat.py');
printHead(
  ...['case', 'peer', 'kernel ms', 'peer ms', 'kernel / peer', 'kernel ns per node-step', 'difference at the centre'],
);
for (const [problem, peerName, peerCase] of CASES) {
  const run = kernelRun(problem);
  const { kernel, other } = await fastestOf(rounds, {
    kernel: () => timeBatch(() => centreOf(run)),
    other: () => peer.time(peerCase),
  });
  const { name, cells, steps, axes } = problem;
  printRow(
    `${name} ${cells}${axes === 2 ? '²' : ''} × ${steps} steps`,
    peerName,
    fixed(kernel.time * 1e3, 2),
    fixed(other.time * 1e3, 1),
    fixed(kernel.time / other.time, 3),
    fixed((kernel.time * 1e9) / (steps * cells ** axes), 2),
    scientific(Math.abs(kernel.result - (other.result[0] ?? Number.NaN)), 1),
  );
}
peer.stop();
