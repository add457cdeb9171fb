import { afterEach, expect, test, vi } from 'vitest';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { LiveRunner } from '../../src/portal/worker/live-runner.ts';
import { LIVE_VIEWS } from '../../src/portal/worker/live-views.ts';
import type { LiveFrame } from '../../src/portal/worker/messages.ts';
import { findSolver } from '../../src/solvers/index.ts';

/** Inputs, and the numbers in one frame. */
const CASES = [
  ['heat', { nx: 16, ny: 12, steps: 60 }, 17 * 13],
  ['heat', { dim: 1, nx: 16, steps: 60 }, 17],
  ['evolve', { N: 32, steps: 60, sample: 20 }, 3 * 32],
] as const;

/** Far more than the run takes by the clock of the test. */
const NO_DEADLINE = { deadlineMs: 1e9 };

afterEach(() => vi.restoreAllMocks());

test('every solver with a live view has a case', () => {
  expect([...new Set(CASES.map(([slug]) => slug))].sort()).toEqual(Object.keys(LIVE_VIEWS).sort());
});

test.each(CASES)('a run of %s shows recorded frames: %o', async (slug, input, length) => {
  const [solver, view] = [findSolver(slug), LIVE_VIEWS[slug]];
  if (!solver || !view) throw new Error(`${slug} has no live view.`);
  const [run] = solver.plan(solver.inputs.parse(input)).runs;
  if (!run) throw new Error('The plan has no run.');
  // A clock that jumps at every look makes short chunks, and shows frames however fast the machine is.
  let ms = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    ms += 100;
    return ms;
  });
  const seen: LiveFrame[] = [];
  const runner = new LiveRunner(view, (frame) => seen.push(frame));
  const { views } = await runner.run(await loadKernel(slug), run, NO_DEADLINE);
  const recorded = views[view.view] ?? new Float64Array();
  expect(recorded.length % length).toBe(0);
  expect(seen.length).toBeGreaterThan(20);
  for (const { values, parameters, fraction } of seen) {
    expect(values.length).toBe(length);
    expect(parameters).toBe(run.parameters);
    const index = Math.floor(fraction * (recorded.length / length - 1));
    expect(values).toEqual(recorded.slice(index * length, (index + 1) * length));
  }
});
