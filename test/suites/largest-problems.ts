// The largest problems that the field solvers admit, or nearly so: what a cancellation may have to wait for.

import type { KernelRun } from '../../src/kernels/abi.ts';
import { compileKernel, drive, instantiate } from '../../src/kernels/instance.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { accelerateRun } from '../../src/solvers/accelerate.ts';
import type { SolverDefinition } from '../../src/solvers/definition.ts';
import { SOLVERS } from '../../src/solvers/index.ts';

export interface LargestProblem {
  readonly solver: string;
  readonly title: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const rows = (count: number, row: string) => Array.from({ length: count }, () => row).join('\n');
/** About as long as an expression may be. */
const LONG = `${'sin(u*v)+exp(-u)*tanh(v)+'.repeat(24)}0`;
const LONG_START = `${'sin(x*y)+exp(-x)*tanh(y)+'.repeat(24)}0`;

export const LARGEST: readonly LargestProblem[] = [
  {
    solver: 'acoustic',
    title: 'a cube of 3,375 cells, 40 modes',
    input: { lx: 1, ly: 1, lz: 1, cells: 15, modes: 40 },
  },
  {
    solver: 'acoustic',
    title: 'a square of 19,600 cells, 13 modes',
    input: { shape: 'rectangle', lx: 1, ly: 1, cells: 140, modes: 13 },
  },
  { solver: 'buckling', title: '512 elements, 12 loads', input: { elements: 512, modes: 12 } },
  {
    solver: 'climate',
    title: '256 × 256 cells, order 2',
    input: { dim: 2, nx: 256, ny: 256, limiter: 'van-leer', bed: 'x/100', t_end: 2 },
  },
  {
    solver: 'device',
    title: '512 × 512 cells, two media',
    input: { mode: 'plane', nx: 512, ny: 512, permittivity: 'y > 0.75 ? 3.9 : 11.7' },
  },
  { solver: 'device', title: 'a stack of 8,192 cells', input: { mode: 'mos', cells: 8192, bias: 20 } },
  { solver: 'fea', title: '131,072 elements', input: { problem: 'cantilever', nx: 512, ny: 256 } },
  {
    solver: 'flow',
    title: '960 × 160 cells about a disc',
    input: { case: 'channel', N: 160, length: 6, steps: 20, dt: 0.005, obstacles: [[0.8, 0.5, 0.15]], iters: 500 },
  },
  { solver: 'flow', title: 'a cavity of 160 × 160 cells', input: { N: 160, steps: 400, dt: 0.01 } },
  { solver: 'fracture', title: '64 × 40 points in equilibrium', input: { nx: 64, ny: 40, horizonM: 4 } },
  {
    solver: 'fracture',
    title: '160 × 80 points in motion',
    input: { nx: 160, ny: 80, horizonM: 4, load: 'stress', t_end: 1e-5 },
  },
  {
    solver: 'react',
    title: '400 × 400 cells, the longest expressions',
    input: {
      ...{ N: 400, steps: 5, dt: 1e-6, model: 'custom', reaction_u: LONG, reaction_v: LONG },
      ...{ initial_u: LONG_START, initial_v: LONG_START },
    },
  },
  {
    solver: 'tumor',
    title: 'a map of 200 × 200',
    input: { map: rows(200, 'w'.repeat(200)), nx: 200, t_end: 100, L: 18 },
  },
  {
    solver: 'wave',
    title: '128 × 128 cells, open sides',
    input: { nx: 128, ny: 128, steps: 20_000, boundary: 'open', source: 'ricker' },
  },
];

/** Processor time of this thread, ms. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

export function definitionOf(slug: string): SolverDefinition {
  const solver = SOLVERS.find(({ id }) => id === slug);
  if (solver === undefined) throw new Error(`No solver is called ${slug}.`);
  return solver;
}

export interface Stretches {
  /** Between two looks at the cancel word: the longest, ms of processor time, and how many there were. */
  readonly longestMs: number;
  readonly checks: number;
}

/**
 * The stretches between two checks of a run, with chunks as the program chooses them.
 *
 * @param isAccelerated  as the service runs expressions; otherwise as replay does
 * @param limitMs        ends the run after this processor time
 */
export async function stretchesOf(
  slug: string,
  run: KernelRun,
  { isAccelerated, limitMs }: { readonly isAccelerated: boolean; readonly limitMs: number },
): Promise<Stretches> {
  const image = await loadKernel(slug);
  const instance = instantiate(await compileKernel(image));
  const compiled = isAccelerated ? accelerateRun(image, run) : undefined;
  const chunks = drive(instance, run, threadMs, compiled);
  const begin = threadMs();
  let [longestMs, checks, before] = [0, 0, begin];
  for (let isOver = false; !isOver && before - begin < limitMs; checks++) {
    isOver = chunks.next().done === true;
    const now = threadMs();
    longestMs = Math.max(longestMs, now - before);
    before = now;
  }
  return { longestMs, checks };
}
