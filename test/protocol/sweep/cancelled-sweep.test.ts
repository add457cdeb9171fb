// A cancelled sweep of a solver stops before its next point and leaves its workers to others.

import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { KernelRun, KernelRunner } from '../../../src/kernels/abi.ts';
import { loadKernel } from '../../../src/kernels/load-node.ts';
import { LocalRunner } from '../../../src/kernels/local-runner.ts';
import { createPool, type Pool } from '../../../src/kernels/pool.ts';
import { definitionOf } from '../../../src/operators/definition.ts';
import { findOperator } from '../../../src/operators/load.ts';
import { bindSolverSweep } from '../../../src/protocol/sweep/solver-request.ts';
import type { StagedPlan } from '../../../src/solvers/definition.ts';
import { findSolver } from '../../../src/solvers/index.ts';
import { runPlan } from '../../../src/solvers/run.ts';

const POINTS = 200;
/** Each point takes a few milliseconds, less than the time between two yields of a runner in this thread. */
const BODY = { dim: 1, nx: 128, dt: 1e-5, t_end: 0.05, sweep: { alpha: { from: 0.5, to: 1, count: POINTS } } };

const image = await loadKernel('heat');
let pool: Pool | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  await pool?.close();
  pool = undefined;
});

function sweepPlan() {
  const solver = findSolver('heat');
  if (solver === undefined) throw new Error('There is no solver heat.');
  const definitions = solver.operatorChain.map((id) => definitionOf(findOperator(id)));
  const bound = bindSolverSweep(solver, BODY, { laws: [], definitions });
  if (bound.kind === 'gate') throw new Error('The gate refused the sweep.');
  return bound.computation.plan();
}

function firstRun({ runs: [run] }: StagedPlan): KernelRun {
  if (run === undefined || typeof run === 'function') throw new Error('Each point has a run.');
  return run;
}

/** Counts the runs that begin and those that end. */
function counting(runner: KernelRunner) {
  const runs = { begun: 0, ended: 0 };
  const counted: KernelRunner = {
    run: async (...call) => {
      runs.begun++;
      const output = await runner.run(...call);
      runs.ended++;
      return output;
    },
  };
  return { runs, counted };
}

describe('a cancelled sweep', () => {
  test('in a pool ends no further point, and its workers take the next run', async () => {
    const terminate = vi.spyOn(Worker.prototype, 'terminate');
    pool = createPool({ size: 2 });
    const { runs, counted } = counting(pool);
    const abort = new AbortController();
    let endedAtCancel = 0;
    const onProgress = () => {
      if (abort.signal.aborted) return;
      endedAtCancel = runs.ended;
      abort.abort();
    };
    const plan = sweepPlan();
    await expect(runPlan(plan, image, counted, { signal: abort.signal, onProgress })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    // Points that are running end between two chunks; up to four run at a time.
    expect(runs.ended).toBeLessThanOrEqual(endedAtCancel + 4);
    expect(runs.begun).toBeLessThanOrEqual(runs.ended + 8);
    expect(pool.load().waiting).toBe(0);
    expect((await pool.run(image, firstRun(plan))).info).toBe(0);
    await vi.waitFor(() => expect(pool?.load()).toEqual({ size: 2, running: 0, waiting: 0 }), 30_000);
    expect(terminate).not.toHaveBeenCalled();
  });

  test('in this thread sees the cancellation although each point is short', async () => {
    const runner = new LocalRunner();
    const plan = sweepPlan();
    // Compiles the kernel, which would let the timer fire.
    await runner.run(image, firstRun(plan));
    const { runs, counted } = counting(runner);
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 0);
    await expect(runPlan(plan, image, counted, { signal: abort.signal })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    expect(runs.ended).toBeLessThan(POINTS);
  });
});
