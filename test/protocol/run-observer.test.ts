// Watching a run changes no bit of it, shows nothing of other runs, and every frame can be drawn elsewhere.

import { expect, test } from 'vitest';
import { decodedArray } from '../../src/client/live-run.ts';
import type { KernelOutput } from '../../src/kernels/abi.ts';
import { runToEnd } from '../../src/kernels/chunked-run.ts';
import { compileKernel } from '../../src/kernels/instance.ts';
import { InstanceCache } from '../../src/kernels/instance-cache.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { LocalRunner } from '../../src/kernels/local-runner.ts';
import { RunObserver } from '../../src/protocol/run-observer.ts';
import { findSolver, SOLVERS } from '../../src/solvers/index.ts';
import { sentFrame } from '../../src/solvers/live-frame.ts';
import { plotFault } from '../../src/solvers/plot-fault.ts';
import { runPlan } from '../../src/solvers/run.ts';

const LIMITS = { frameMs: 0, drawShare: 1, viewNumbers: 262_144 };
const CASES = [
  ['acoustic', { cells: 10, modes: 6 }],
  ['acoustic', { cells: 8, modes: 4, impedance: 'all 10' }],
  ['climate', { nx: 100 }],
  ['climate', { dim: 2, nx: 32, ny: 24 }],
  ['dock', { receptor: 'octahedron', ligand: 'dimer', exhaustiveness: 2 }],
  ['epi', { preset: 'village' }],
  ['evolve', { N: 32, steps: 2_000, sample: 20 }],
  ['fea', { nx: 128, ny: 64 }],
  ['heat', { nx: 16, ny: 12, steps: 2_000 }],
  ['heat', { dim: 1, nx: 64, steps: 20_000, dt: 1e-5 }],
  ['lorenz', { steps: 5_120 }],
  ['multibody', { preset: 'springs' }],
  ['quant', { paths: 20_000 }],
  ['react', { N: 24, steps: 600 }],
  ['tumor', { nx: 400 }],
  ['flow', { N: 24 }],
  ['tumor', { map: 'ggw\nggw', t_end: 200 }],
  ['fracture', {}],
  ['fracture', { load: 'grips' }],
  ['wave', { nx: 24, ny: 24, steps: 600 }],
  ['wave', { mode: 'wave1d', steps: 4_000 }],
] as const;

test('every solver with live frames has a case', () => {
  const live = SOLVERS.filter((solver) => solver.live).map(({ id }) => id);
  expect([...new Set(CASES.map(([slug]) => slug))].sort()).toEqual(live.sort());
});

test.each(CASES)(
  '%s %o: the same bits with frames and without, and whole pictures of every run',
  async (slug, given) => {
    const solver = findSolver(slug);
    if (!solver?.live) throw new Error(`${slug} has no live frames.`);
    const input = solver.inputs.parse(given);
    const plan = solver.plan(input);
    const image = await loadKernel(slug);
    const plain = await runPlan(plan, image, new LocalRunner());
    let frames = 0;
    const observer = new RunObserver(solver, LIMITS, (fraction, drawing) => {
      frames++;
      const { plot, arrays = [] } = sentFrame(fraction, drawing);
      if (plot) expect(plotFault(plot, arrays.map(decodedArray))).toBeUndefined();
      expect(fraction).toBeGreaterThanOrEqual(0);
      expect(fraction).toBeLessThanOrEqual(1);
    });
    const watch = observer.watchOf({ input });
    if (watch === undefined) throw new Error('Nothing is watched.');
    const watched = await runPlan(plan, image, new LocalRunner(), { watch });
    expect(frames).toBeGreaterThan(0);
    for (const [i, { views, statistics, steps, info }] of watched.outputs.entries()) {
      const { views: before, ...rest } = plain.outputs[i] as KernelOutput;
      expect({ statistics, steps, info }).toEqual({ ...rest, columns: undefined });
      for (const [name, view] of Object.entries(views))
        expect(Buffer.compare(bytesOf(view), bytesOf(before[name])), `run ${i}, ${name}`).toBe(0);
    }
  },
);

const bytesOf = (view: Float64Array = new Float64Array()) => Buffer.from(view.buffer, view.byteOffset, view.byteLength);

test('memory that is watched was never that of another run, whose caller may be another', async () => {
  const solver = findSolver('lorenz');
  const [run] = solver?.plan(solver.inputs.parse({ steps: 5_120 })).runs ?? [];
  if (!solver?.live || run === undefined) throw new Error('lorenz has no live frames.');
  const { view, frameLength } = solver.live;
  const module = await compileKernel(await loadKernel('lorenz'));
  const instances = new InstanceCache();
  const used = instances.acquire(module);
  instances.release(module, used);
  const options = { isCancelled: () => false };
  runToEnd(instances, module, run, options);
  expect(instances.acquire(module)).toBe(used);
  instances.release(module, used);
  const length = frameLength((name) => run.parameters[name] ?? 0);
  let frames = 0;
  runToEnd(instances, module, run, { ...options, frames: { view, length, intervalMs: 0, onFrame: () => frames++ } });
  expect(frames).toBeGreaterThan(0);
  expect(instances.acquire(module)).not.toBe(used);
});
