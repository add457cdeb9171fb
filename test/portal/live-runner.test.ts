import { afterEach, expect, test, vi } from 'vitest';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { LiveRunner } from '../../src/portal/worker/live-runner.ts';
import type { LiveFrame } from '../../src/portal/worker/messages.ts';
import { findSolver, SOLVERS } from '../../src/solvers/index.ts';
import { getArray } from '../../src/solvers/plot.ts';
import { plotFault } from '../../src/solvers/plot-fault.ts';

/** Inputs, the numbers in one frame, and the array that shows them. */
const CASES = [
  ['acoustic', { cells: 10, modes: 6 }, 'wave_number'],
  ['climate', { nx: 100 }, 'h'],
  ['climate', { dim: 2, nx: 32, ny: 24 }, 'h'],
  ['dock', {}, 'complex'],
  ['epi', { preset: 'village' }, 'I'],
  ['fea', { nx: 128, ny: 64 }, 'residual'],
  ['evolve', { N: 32, steps: 60, sample: 20 }, 'positions'],
  ['heat', { nx: 16, ny: 12, steps: 60 }, 'T'],
  ['heat', { dim: 1, nx: 16, steps: 60 }, 'T'],
  ['lorenz', { steps: 2_560 }, 'lambda'],
  ['multibody', {}, 'x'],
  ['multibody', { preset: 'springs' }, 'phi'],
  ['quant', { paths: 400_000 }, 'mean'],
  ['react', { N: 24, steps: 60 }, 'v'],
  ['tumor', { nx: 64 }, 'u'],
  ['flow', { N: 24 }, 'speed'],
  ['tumor', { map: 'ggw\nggw', nx: 32, t_end: 200 }, 'u'],
  ['fracture', { nx: 16, ny: 8 }, 'damage'],
  ['fracture', { load: 'grips', nx: 24, ny: 12 }, 'damage'],
  ['wave', { nx: 24, ny: 24, steps: 60 }, 'u'],
  ['wave', { mode: 'wave1d', steps: 60 }, 'u'],
  ['react', { N: 24, steps: 60, dim: 1, model: 'fitzhugh-nagumo' }, 'u'],
] as const;

/** Far more than the run takes by the clock of the test. */
const NO_DEADLINE = { deadlineMs: 1e9 };

afterEach(() => vi.restoreAllMocks());

test('every solver with live frames has a case', () => {
  const live = SOLVERS.filter((solver) => solver.live).map(({ id }) => id);
  expect([...new Set(CASES.map(([slug]) => slug))].sort()).toEqual(live.sort());
});

test.each(CASES)('a run of %s draws recorded frames: %o', async (slug, given, name) => {
  const solver = findSolver(slug);
  if (!solver?.live) throw new Error(`${slug} has no live frames.`);
  const { live } = solver;
  const input = solver.inputs.parse(given);
  const [run] = solver.plan(input).runs;
  if (!run) throw new Error('The plan has no run.');
  // A clock that jumps at every look makes short chunks, and shows frames however fast the machine is.
  let ms = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    ms += 100;
    return ms;
  });
  const seen: LiveFrame[] = [];
  const runner = new LiveRunner(live, input, (frame) => seen.push(frame));
  const { views } = await runner.run(await loadKernel(slug), run, NO_DEADLINE);
  const recorded = views[live.view] ?? new Float64Array();
  const parameter = (key: string) => run.parameters[key] ?? 0;
  const length = live.frameLength(parameter);
  // A list that grows is cut at the end.
  if (recorded.length > length) expect(recorded.length % length).toBe(0);
  expect(seen.length).toBeGreaterThan(10);
  for (const { plot, arrays, fraction } of seen) {
    expect(plotFault(plot, arrays)).toBeUndefined();
    const { data } = getArray(arrays, name);
    expect(data.length).toBeGreaterThan(0);
    // A view of one frame has moved on since, and some views are drawn but not kept.
    if (recorded.length <= length) continue;
    const index = Math.floor(fraction * (recorded.length / length - 1));
    const frame = recorded.slice(index * length, (index + 1) * length);
    expect(data).toEqual(getArray(live.draw(frame, { input, parameter })?.arrays ?? [], name).data);
  }
  const drawn = new Set(seen.map(({ arrays }) => getArray(arrays, name).data.join()));
  expect(drawn.size).toBeGreaterThan(5);
});
