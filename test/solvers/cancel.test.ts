// A run can be cancelled between two chunks only, so no stretch between two of them may be long: of the field solvers at
// their largest. What is measured is processor time, which others on the machine do not take part in.

import { describe, expect, test } from 'vitest';
import { compileKernel, drive, instantiate } from '../../src/kernels/instance.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { definitionOf, LARGEST, type LargestProblem, stretchesOf } from '../suites/largest-problems.ts';

const isSlowRun = process.env.SVC_SLOW === '1';
/** Processor time, ms. */
const MAX_MS = 100;
/** A run ends after this processor time, ms. */
const LIMIT_MS = 6_000;

const planOf = ({ solver, input }: LargestProblem) => {
  const definition = definitionOf(solver);
  return definition.plan(definition.inputs.parse(input));
};

// Timed, so only where nothing else runs.
describe.skipIf(!isSlowRun)('between two looks at the cancel word', () => {
  test.each(LARGEST)('$solver, $title', { timeout: 60_000 }, async (problem) => {
    const [run] = planOf(problem).runs;
    if (run === undefined) throw new Error('The plan has no run.');
    const options = { isAccelerated: false, limitMs: LIMIT_MS };
    let { longestMs, checks } = await stretchesOf(problem.solver, run, options);
    // Once more: what others do to the caches of a processor takes processor time of this thread, too.
    if (longestMs >= MAX_MS) longestMs = (await stretchesOf(problem.solver, run, options)).longestMs;
    expect(longestMs).toBeLessThan(MAX_MS);
    expect(checks).toBeGreaterThan(4);
  });
});

/** Looks at the cancel word while `done` goes from 0 to `end`, if every chunk is of one step. */
async function checksUntil(solver: string, input: LargestProblem['input'], end: number): Promise<number> {
  const { runs } = planOf({ solver, title: '', input });
  const [run] = runs;
  if (run === undefined) throw new Error('The plan has no run.');
  const instance = instantiate(await compileKernel(await loadKernel(solver)));
  let now = 0;
  let checks = 0;
  for (const fraction of drive(instance, run, () => (now += 1e6))) {
    checks++;
    if (fraction * run.steps >= end) break;
  }
  return checks;
}

describe('a long step is done in parts', () => {
  const custom = { model: 'custom', steps: 3, dt: 1e-6, method: 'rk4' };

  test('of react: by rows, and by stages', async () => {
    const long = `${'sin(u*v)+exp(-u)*tanh(v)+'.repeat(24)}0`;
    const kinetics = { reaction_u: long, reaction_v: long };
    expect(await checksUntil('react', { ...custom, ...kinetics, N: 100 }, 1)).toBeGreaterThan(4 * 4);
    expect(await checksUntil('react', { ...custom, reaction_u: 'u', reaction_v: 'v', N: 16 }, 1)).toBe(2 + 4);
  });

  test('of react: the state at the start', async () => {
    const initial_u = `${'sin(x*y)+exp(-x)*tanh(y)+'.repeat(24)}0`;
    const few = await checksUntil('react', { ...custom, reaction_u: 'u', reaction_v: 'v', N: 100, method: 'euler' }, 1);
    const many = await checksUntil(
      'react',
      { ...custom, reaction_u: 'u', reaction_v: 'v', N: 100, method: 'euler', initial_u },
      1,
    );
    expect(many - few).toBeGreaterThan(2);
  });

  test('of flow: by iterations about what stands in it', async () => {
    const channel = { case: 'channel', N: 24, steps: 4, dt: 0.01, obstacles: [[0.8, 0.5, 0.15]] };
    expect(await checksUntil('flow', channel, 1)).toBeGreaterThan(2 + 2);
  });

  test('of fea: each iteration in three, and the smoother of a mesh by products', async () => {
    const count = await checksUntil('fea', { problem: 'cantilever', nx: 16, ny: 8 }, Number.POSITIVE_INFINITY);
    const definition = definitionOf('fea');
    const input = definition.inputs.parse({ problem: 'cantilever', nx: 16, ny: 8 });
    const [run] = definition.plan(input).runs;
    expect(count).toBeGreaterThan(2 * 16 + 3 * 10);
    expect(run?.steps).toBeGreaterThan(count / 3);
  });

  test('of acoustic: factors by columns', async () => {
    const count = await checksUntil(
      'acoustic',
      { shape: 'rectangle', lx: 1, ly: 1, cells: 40, modes: 2 },
      1600 / 32 + 1,
    );
    // The ordering, 1600 nodes in batches, and the factor after it.
    expect(count).toBeGreaterThan(1600 / 32 + 1600 / 32);
  });
});
