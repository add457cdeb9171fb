// The fracture kernel compared with LAMMPS (peri/pmb): the time of a bond in one pass over all bonds.
//
//   node bench/fracture.ts [rounds]
//
// In motion both make time steps of velocity Verlet on one layer of 64 × 40 points with bonds of up to three spacings, in double
// precision, with roots and the check of every bond's stretch; no bond breaks. LAMMPS counts each bond at both of its
// ends and keeps a third coordinate and the contact of points without a bond, which the kernel has not; the kernel keeps
// rows of grips and the budget of energy. In equilibrium the kernel makes iterations of conjugate gradients instead, which are
// put beside the steps of a cube in LAMMPS: the cost of a pass and nothing else.
//
// Processor time of LAMMPS in its loop, one thread; time of the kernel by the clock; the minimum over interleaved rounds.

import { spawnSync } from 'node:child_process';
import type { FractureInput } from '../src/solvers/fracture/inputs.ts';
import { inputs } from '../src/solvers/fracture/inputs.ts';
import { planOf } from '../src/solvers/fracture/plan.ts';
import { startKernel } from './harness/kernel.ts';
import { peerPath } from './harness/peer.ts';
import { fixed, printHead, printRow } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';

const runKernel = await startKernel('fracture');
const rounds = Number(process.argv[2] ?? 3);

/** Pairs of a point in the plane with a stencil that no side cuts. */
function pairsOf(horizon: number): number {
  let pairs = 0;
  for (let j = 0; j <= horizon; j++)
    for (let i = -4; i <= 4; i++) if ((j > 0 || i > 0) && i * i + j * j < horizon * horizon) pairs++;
  return pairs;
}

/** Nanoseconds of a bond and step; NaN if LAMMPS is missing. */
function timeLammps(script: string, steps: number): number {
  const { stdout } = spawnSync('lmp', ['-in', peerPath(script), '-log', 'none'], { encoding: 'utf8' });
  const seconds = Number(/Loop time of (\S+)/.exec(stdout ?? '')?.[1] ?? Number.NaN);
  const bonds = Number(/total # of bonds = (\d+)/.exec(stdout ?? '')?.[1] ?? Number.NaN);
  // The machine has other work: of the time of the wall, what LAMMPS had the processor.
  const share = Number(/([\d.]+)% CPU use/.exec(stdout ?? '')?.[1] ?? 100) / 100;
  // It keeps each bond at both of its ends.
  return (share * seconds * 1e9) / (steps * (bonds / 2));
}

async function compare(name: string, input: FractureInput, script: string, steps: number): Promise<void> {
  const [run] = planOf(input).runs;
  if (!run) throw new Error('The plan has no run.');
  const passes = input.load === 'static' ? (runKernel(run).statistics.iterations ?? Number.NaN) : run.steps;
  const bonds = pairsOf(input.horizonM + 0.5) * input.nx * input.ny;
  const pass = () => timeBatch(() => runKernel(run).statistics.peak ?? Number.NaN);
  let [kernel, lammps] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 0; i < rounds; i++) {
    lammps = Math.min(lammps, timeLammps(script, steps));
    kernel = Math.min(kernel, (await fastestOf(1, { pass })).pass.time);
  }
  const own = (kernel * 1e9) / (passes * bonds);
  printRow(name, String(bonds), String(passes), fixed(own, 2), fixed(lammps, 2), fixed(own / lammps, 2));
}

printHead('case', 'bonds', 'passes', 'kernel ns per bond', 'LAMMPS ns per bond', 'kernel / LAMMPS');
const moving = { load: 'grips', nx: 64, ny: 40, horizonM: 2.51, s0: 0.1, strain: 1e-4, notch: 'no' } as const;
await compare('motion, a layer in both', inputs.parse({ ...moving, t_end: 2.5e-5 }), 'fracture-plate.lmp', 300);
const held = { nx: 64, ny: 40, s0: 0.1, strain: 1e-4, loadSteps: 4 } as const;
await compare('equilibrium beside a cube', inputs.parse(held), 'fracture.lmp', 100);
