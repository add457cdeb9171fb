// The molecular dynamics kernel compared with LAMMPS: its melt benchmark with 2,000 atoms, one core each, in turn.
//
//   node bench/evolve.ts [rounds] [steps]
//
// Fcc 5 x 10 x 10 at density 0.8442, T 1.44, cut-off 2.5, skin 0.3, step 0.005, constant energy. Neighbour lists are
// rebuilt when an atom has moved half the skin, checked at every step. CPU time, the minimum over interleaved rounds:
// the loop time that LAMMPS prints, without setup; for the kernel the whole run. Needs `lmp` on the PATH (Debian
// package lammps).

import type { KernelRun } from '../src/kernels/abi.ts';
import { rowsOf } from '../src/kernels/rows.ts';
import type { EvolveFace } from '../src/solvers/evolve/face.ts';
import { cubeRoot } from '../src/solvers/evolve/initial-positions.ts';
import { lennardJones } from '../src/solvers/evolve/reference.ts';
import { startKernel } from './harness/kernel.ts';
import { peerPath, programPeer } from './harness/peer.ts';
import { fixed, printHead, printRow } from './harness/table.ts';
import { fastestOf, type Timing, timeBatch } from './harness/timing.ts';

const CELLS = [5, 10, 10] as const;
const ATOMS = 4 * CELLS[0] * CELLS[1] * CELLS[2];
const DENSITY = 0.8442;

function lattice(edge: number): Float64Array {
  const positions: number[] = [];
  for (let z = 0; z < 2 * CELLS[2]; z++) {
    for (let y = 0; y < 2 * CELLS[1]; y++) {
      for (let x = 0; x < 2 * CELLS[0]; x++) {
        if ((x + y + z) % 2 === 0) positions.push((x * edge) / 2, (y * edge) / 2, (z * edge) / 2);
      }
    }
  }
  return Float64Array.from(positions);
}

function meltRun(steps: number, seed: number): KernelRun<EvolveFace> {
  const edge = cubeRoot(4 / DENSITY);
  return {
    parameters: {
      atoms: ATOMS,
      boxX: CELLS[0] * edge,
      boxY: CELLS[1] * edge,
      boxZ: CELLS[2] * edge,
      t0: 1.44,
      dt: 0.005,
      eps: 1,
      sig: 1,
      rc: 2.5,
      skin: 0.3,
      seed,
      steps,
      // Energies are observed at the start and the end only, as LAMMPS does here.
      frames: 2,
      recordEvery: steps,
      histogramFrom: 2,
      histogramEvery: 1,
      bins: 1,
      histogramRange: 1,
      maxNeighbours: 80,
    },
    inputs: { positions: lattice(edge) },
    steps,
    outputs: ['frames'],
  };
}

const runKernel = await startKernel('evolve');

/** Seconds of one run: potential energy per atom at the start, total energy and temperature at the end. */
function measureKernel(steps: number, seed: number): Timing<readonly number[]> {
  const run = meltRun(steps, seed);
  const { time, result } = timeBatch(() => runKernel(run), 0);
  if (result.info !== 0) throw new Error(`The kernel returned info ${result.info}.`);
  const rows = rowsOf(result.views.frames ?? new Float64Array(0), result.columns.record);
  const cut = lennardJones({ eps: 1, sig: 1 }, 2.5).energy;
  const potential = (row: number) => (rows.at(row, 'energy') + cut * rows.at(row, 'inside')) / ATOMS;
  const kinetic = rows.at(1, 'kinetic') / ATOMS;
  const temperature = (2 * kinetic * ATOMS) / (3 * ATOMS - 3);
  return { time, result: [potential(0), potential(1) + kinetic, temperature] };
}

/** The loop time that LAMMPS prints, and its potential energy at the start, total energy and temperature at the end. */
function readLammps(printed: string): Timing<readonly number[]> {
  const seconds = Number(/Loop time of (\S+)/.exec(printed)?.[1]);
  const share = Number(/([\d.]+)% CPU use/.exec(printed)?.[1]) / 100;
  const rows = printed
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter((row) => row.length === 5 && row.every(Number.isFinite));
  const of = (row: readonly number[] | undefined, column: number) => row?.[column] ?? Number.NaN;
  return { time: seconds * share, result: [of(rows[0], 2), of(rows.at(-1), 3), of(rows.at(-1), 1)] };
}

const lammps = programPeer(
  'lmp',
  ([style, steps]) => [
    '-in',
    peerPath('evolve.lmp'),
    '-var',
    'style',
    `${style}`,
    '-var',
    'steps',
    `${steps}`,
    '-log',
    'none',
  ],
  readLammps,
);
const rounds = Number(process.argv[2] ?? 5);
const steps = Number(process.argv[3] ?? 1000);
for (let k = 0; k < 3; k++) measureKernel(50, k);
const { kernel, ...peers } = await fastestOf(rounds, {
  kernel: () => measureKernel(steps, 42),
  'lj/cut': () => lammps.time('lj/cut', steps),
  'lj/cut/opt': () => lammps.time('lj/cut/opt', steps),
});

console.log(`U/N at the start, E/N and T after ${steps} steps; CPU ns per atom-step; time relative to the peer.\n`);
printHead('program', 'U/N start', 'E/N end', 'T end', 'ns', 'kernel / peer');
for (const [name, { time, result }] of Object.entries({ kernel, ...peers })) {
  const [start = Number.NaN, end = Number.NaN, temperature = Number.NaN] = result;
  const isKernel = name === 'kernel';
  printRow(
    isKernel ? 'evolve' : `LAMMPS ${name}`,
    fixed(start, 7),
    fixed(end, 5),
    fixed(temperature, 4),
    fixed((time * 1e9) / (steps * ATOMS), 0),
    isKernel ? '' : fixed(kernel.time / time, 2),
  );
}
