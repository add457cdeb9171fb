// The molecular dynamics kernel compared with LAMMPS: its melt benchmark with 2,000 atoms, one core each, in turn.
//
//   node bench/evolve.ts [rounds] [steps]
//
// Fcc 5 x 10 x 10 at density 0.8442, T 1.44, cut-off 2.5, skin 0.3, step 0.005, constant energy. Neighbour lists are
// rebuilt when an atom has moved half the skin, checked at every step. CPU time, the minimum over interleaved rounds:
// the loop time that LAMMPS prints, without setup; for the kernel the whole run. Needs `lmp` on the PATH (Debian
// package lammps).

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { KernelOutput, KernelRun } from '../src/kernels/abi.ts';
import { compileKernel, drive, instantiate } from '../src/kernels/instance.ts';
import { loadKernel } from '../src/kernels/load-node.ts';
import { rowsOf } from '../src/kernels/rows.ts';
import type { EvolveFace } from '../src/solvers/evolve/face.ts';
import { cubeRoot } from '../src/solvers/evolve/initial-positions.ts';
import { lennardJones } from '../src/solvers/evolve/reference.ts';

const CELLS = [5, 10, 10] as const;
const ATOMS = 4 * CELLS[0] * CELLS[1] * CELLS[2];
const DENSITY = 0.8442;
const STYLES = ['lj/cut', 'lj/cut/opt'] as const;

interface Measured {
  readonly nanoseconds: number;
  /** Potential energy per atom at the start, total energy and temperature at the end. */
  readonly start: number;
  readonly end: number;
  readonly temperature: number;
}

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

function runToEnd(chunks: Generator<number, KernelOutput<EvolveFace>, void>): KernelOutput<EvolveFace> {
  for (;;) {
    const next = chunks.next();
    if (next.done) return next.value;
  }
}

function measureKernel(instance: Parameters<typeof drive>[0], steps: number, seed: number): Measured {
  const run = meltRun(steps, seed);
  const before = process.cpuUsage();
  const { info, views, columns } = runToEnd(drive(instance, run, () => performance.now()));
  const { user, system } = process.cpuUsage(before);
  if (info !== 0) throw new Error(`The kernel returned info ${info}.`);
  const rows = rowsOf(views.frames ?? new Float64Array(0), columns.record);
  const cut = lennardJones({ eps: 1, sig: 1 }, 2.5).energy;
  const potential = (row: number) => (rows.at(row, 'energy') + cut * rows.at(row, 'inside')) / ATOMS;
  const kinetic = rows.at(1, 'kinetic') / ATOMS;
  return {
    nanoseconds: ((user + system) * 1e3) / (steps * ATOMS),
    start: potential(0),
    end: potential(1) + kinetic,
    temperature: (2 * kinetic * ATOMS) / (3 * ATOMS - 3),
  };
}

function measureLammps(style: string, steps: number): Measured {
  const script = fileURLToPath(new URL('peers/evolve.lmp', import.meta.url));
  const args = ['-in', script, '-var', 'style', style, '-var', 'steps', String(steps), '-log', 'none'];
  const { stdout, status, error } = spawnSync('lmp', args, {
    encoding: 'utf8',
    env: { ...process.env, OMP_NUM_THREADS: '1' },
  });
  if (error ?? status !== 0) throw new Error(`lmp failed: ${error?.message ?? stdout}`);
  const seconds = Number(/Loop time of (\S+)/.exec(stdout)?.[1]);
  const share = Number(/([\d.]+)% CPU use/.exec(stdout)?.[1]) / 100;
  const rows = stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter((row) => row.length === 5 && row.every(Number.isFinite));
  return {
    nanoseconds: (seconds * share * 1e9) / (steps * ATOMS),
    start: rows[0]?.[2] ?? Number.NaN,
    end: rows.at(-1)?.[3] ?? Number.NaN,
    temperature: rows.at(-1)?.[1] ?? Number.NaN,
  };
}

const best = (measured: readonly Measured[]): Measured =>
  measured.reduce((fastest, run) => (run.nanoseconds < fastest.nanoseconds ? run : fastest));

async function main(): Promise<void> {
  const rounds = Number(process.argv[2] ?? 5);
  const steps = Number(process.argv[3] ?? 1000);
  const instance = instantiate(await compileKernel(await loadKernel('evolve')));
  for (let k = 0; k < 3; k++) measureKernel(instance, 50, k);

  const kernelRuns: Measured[] = [];
  const lammpsRuns = new Map<string, Measured[]>(STYLES.map((style) => [style, []]));
  for (let round = 0; round < rounds; round++) {
    kernelRuns.push(measureKernel(instance, steps, 42));
    for (const [style, measured] of lammpsRuns) measured.push(measureLammps(style, steps));
  }
  const kernel = best(kernelRuns);
  console.log(`U/N at the start, E/N and T after ${steps} steps; CPU ns per atom-step; time relative to the peer.\n`);
  console.log('| program | U/N start | E/N end | T end | ns | kernel / peer |');
  console.log('|---|---|---|---|---|---|');
  const print = (name: string, { start, end, temperature, nanoseconds }: Measured, ratio: string) =>
    console.log(
      `| ${name} | ${start.toFixed(7)} | ${end.toFixed(5)} | ${temperature.toFixed(4)} | ${nanoseconds.toFixed(0)} | ${ratio} |`,
    );
  print('evolve', kernel, '');
  for (const [style, measured] of lammpsRuns) {
    const peer = best(measured);
    print(`LAMMPS ${style}`, peer, (kernel.nanoseconds / peer.nanoseconds).toFixed(2));
  }
}

await main();
