// The heat kernel compared with scipy and numpy: the same problem and steps, one thread each, in turn.
//
//   node bench/heat.ts [rounds]
//
// CPU time, the minimum over interleaved rounds. Needs python3 with numpy and scipy on the PATH.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { KernelRun } from '../src/kernels/abi.ts';
import { compileKernel, drive, instantiate } from '../src/kernels/instance.ts';
import { loadKernel } from '../src/kernels/load-node.ts';
import { rowsOf } from '../src/kernels/rows.ts';
import { initialProfile } from '../src/solvers/heat/axis.ts';
import type { HeatFace } from '../src/solvers/heat/face.ts';

const BATCH_SECONDS = 0.1;

interface Case {
  readonly name: string;
  readonly peer: string;
  readonly peerCase: string;
  readonly cells: number;
  readonly steps: number;
  readonly tEnd: number;
  readonly axes: 1 | 2;
}

const CASES: readonly Case[] = [
  {
    name: 'rod, Crank–Nicolson',
    peer: 'scipy solve_banded',
    peerCase: 'rod',
    cells: 1024,
    steps: 1600,
    tEnd: 0.1,
    axes: 1,
  },
  {
    name: 'plate, ADI',
    peer: 'numpy Thomas over rows',
    peerCase: 'plate-thomas',
    cells: 128,
    steps: 100,
    tEnd: 0.02,
    axes: 2,
  },
  {
    name: 'plate, ADI',
    peer: 'scipy solve_banded',
    peerCase: 'plate-banded',
    cells: 128,
    steps: 100,
    tEnd: 0.02,
    axes: 2,
  },
  {
    name: 'plate, ADI',
    peer: 'numpy dense matrices',
    peerCase: 'plate-dense',
    cells: 128,
    steps: 100,
    tEnd: 0.02,
    axes: 2,
  },
];

interface Timing {
  /** CPU seconds of one run. */
  readonly seconds: number;
  readonly centre: number;
}

/** Starts a Python process that runs each case written to its standard input. */
function startPeer() {
  const script = fileURLToPath(new URL('peers/heat.py', import.meta.url));
  const env = { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' };
  const child = spawn('python3', [script], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async time(peerCase: string): Promise<Timing> {
      child.stdin.write(`${peerCase}\n`);
      const line = await lines.next();
      if (line.done) throw new Error('The Python peer exited.');
      const [seconds = Number.NaN, runs = Number.NaN, centre = Number.NaN] = line.value.split(' ').map(Number);
      return { seconds: seconds / runs, centre };
    },
    stop: () => child.stdin.end(),
  };
}

function kernelRun({ cells, steps, tEnd, axes }: Case): KernelRun<HeatFace> {
  const r = (tEnd / steps) * cells * cells;
  const profile = initialProfile({ cells, length: 1, halfWaves: 1, mode: 'sine', isInsulated: false });
  return {
    parameters: {
      cellsX: cells,
      cellsY: cells,
      isImplicit: 1,
      dim: axes,
      rx: r,
      ry: r,
      steps,
      historyEvery: steps,
      frameEvery: steps,
      probeX: cells / 2,
      probeY: cells / 2,
    },
    inputs: { profileX: profile, ...(axes === 2 ? { profileY: profile } : {}) },
    steps,
    outputs: ['history'],
  };
}

const image = await loadKernel('heat');
const instance = instantiate(await compileKernel(image));

function timeKernel(testCase: Case): Timing {
  const run = kernelRun(testCase);
  let centre = Number.NaN;
  let runs = 0;
  let seconds = 0;
  const before = process.cpuUsage();
  while (seconds < BATCH_SECONDS) {
    const chunks = drive(instance, run, () => performance.now());
    let next = chunks.next();
    while (!next.done) next = chunks.next();
    const { views, columns } = next.value;
    const history = rowsOf(views.history ?? new Float64Array(), columns.history);
    centre = history.at(history.count - 1, 'probe');
    runs++;
    const { user, system } = process.cpuUsage(before);
    seconds = (user + system) / 1e6;
  }
  return { seconds: seconds / runs, centre };
}

const rounds = Number(process.argv[2] ?? 7);
const peer = startPeer();
console.log(
  '| case | peer | kernel ms | peer ms | kernel / peer | kernel ns per node-step | difference at the centre |',
);
console.log('|---|---|---|---|---|---|---|');
for (const testCase of CASES) {
  const kernel: Timing[] = [];
  const other: Timing[] = [];
  for (let round = 0; round < rounds; round++) {
    kernel.push(timeKernel(testCase));
    other.push(await peer.time(testCase.peerCase));
  }
  const fastest = (timings: readonly Timing[]) => Math.min(...timings.map((timing) => timing.seconds));
  const [a, b] = [fastest(kernel), fastest(other)];
  const difference = Math.abs((kernel[0]?.centre ?? Number.NaN) - (other[0]?.centre ?? Number.NaN));
  const nodeSteps = testCase.steps * testCase.cells ** testCase.axes;
  const grid = `${testCase.cells}${testCase.axes === 2 ? '²' : ''} × ${testCase.steps} steps`;
  console.log(
    `| ${testCase.name} ${grid} | ${testCase.peer} | ${(a * 1e3).toFixed(2)} | ${(b * 1e3).toFixed(1)} | ${(a / b).toFixed(3)} | ` +
      `${((a / nodeSteps) * 1e9).toFixed(2)} | ${difference.toExponential(1)} |`,
  );
}
peer.stop();
