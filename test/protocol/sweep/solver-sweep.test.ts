// Sweeps and samples of solvers: bodies, refusals, budgets, and the statistics that enter ±.

import { describe, expect, test } from 'vitest';
import { DomainError } from '../../../src/core/errors.ts';
import { loadKernel } from '../../../src/kernels/load-node.ts';
import { LocalRunner } from '../../../src/kernels/local-runner.ts';
import { definitionOf } from '../../../src/operators/definition.ts';
import { findOperator } from '../../../src/operators/load.ts';
import { pureFields } from '../../../src/protocol/pure-fields.ts';
import { replayResult } from '../../../src/protocol/replay.ts';
import { bindSolverSweep } from '../../../src/protocol/sweep/solver-request.ts';
import { tableFault } from '../../../src/protocol/sweep/table-result.ts';
import { findSolver } from '../../../src/solvers/index.ts';
import type { SolverBody } from '../../../src/solvers/request.ts';
import { assertBudget, runPlan } from '../../../src/solvers/run.ts';
import { replayTools, solve } from '../sealed-case.ts';

function bind(id: string, body: SolverBody) {
  const solver = findSolver(id);
  if (solver === undefined) throw new Error(`There is no solver ${id}.`);
  const definitions = solver.operatorChain.map((one) => definitionOf(findOperator(one)));
  return bindSolverSweep(solver, body, { laws: [], definitions });
}

async function run(id: string, body: SolverBody) {
  const bound = bind(id, body);
  if (bound.kind === 'gate') throw new Error(`The gate refused ${bound.unrecognised}.`);
  const { computation } = bound;
  const plan = computation.plan();
  assertBudget(plan);
  const image = await loadKernel(id);
  const executed = { kernelSha256: image.sha256, ...(await runPlan(plan, image, new LocalRunner())) };
  return pureFields(computation, executed, computation.collect(executed.outputs), true).pure;
}

const refusalOf = (id: string, body: SolverBody) => {
  try {
    const bound = bind(id, body);
    if ('computation' in bound) assertBudget(bound.computation.plan());
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
};

const ROD = { dim: 1, nx: 8, t_end: 0.05 };

describe('a sweep of a solver', () => {
  test('over two fields has the first outermost, and null where the solver refuses', async () => {
    const pure = await run('heat', { dim: 1, t_end: 0.05, sweep: { nx: [8, 9.5], alpha: [1, 0.5] } });
    const single = await solve('heat', { ...ROD, alpha: 0.5 });
    expect(pure.table?.rows?.map((row) => row.slice(0, 2))).toEqual([
      [8, 1],
      [8, 0.5],
      [9.5, 1],
      [9.5, 0.5],
    ]);
    expect(pure.table?.rows?.[1]).toEqual([8, 0.5, single.pure.value, single.pure.uncertainty]);
    expect(pure.table?.refused).toEqual([{ from: 2, to: 3, code: 'VALIDATION_FAILED' }]);
    // The other fields are those of the last row with a value.
    expect(pure.value).toBe(single.pure.value);
    expect(pure.series.map(({ sha256 }) => sha256)).toEqual(single.pure.series.map(({ sha256 }) => sha256));
  });

  test('over a symbol of own equations puts it into every point', async () => {
    const pure = await run('unified', { equations: 'y = k*x^2', inputs: { x: 3 }, sweep: { k: [1, 2, 3] } });
    expect(pure.table?.rows?.map(([, value]) => value)).toEqual([9, 18, 27]);
    const { claims } = await replayResult(JSON.parse(JSON.stringify(pure)), replayTools());
    expect(claims.filter(({ ok }) => ok !== true)).toEqual([]);
  });

  test('that was changed is found by its replay', async () => {
    const pure = await run('heat', { dim: 1, t_end: 0.05, sweep: { nx: [8, 16] } });
    const changed = JSON.parse(JSON.stringify(pure));
    changed.sweep = [{ name: 'nx', values: [8, 24] }];
    const report = await replayResult(changed, replayTools());
    expect(report.claims.find(({ claim }) => claim === 'plan')?.ok).toBe(false);
    expect(tableFault({ ...pure.table, rows: pure.table?.rows?.toReversed() })).toContain('differ from their hash');
  });

  test('gives every point the name that the gate refuses only once', () => {
    expect(bind('heat', { inputs: { foo: 1 }, sweep: { nx: [8, 16] } })).toMatchObject({ unrecognised: ['foo'] });
  });

  test.each<[string, string, SolverBody, string, string, RegExp]>([
    [
      'an unknown field',
      'heat',
      { sweep: { alfa: [1] } },
      'VALIDATION_FAILED',
      'sweep.alfa',
      /no numeric input of heat.*alpha/,
    ],
    ['a text', 'heat', { sweep: { mode: [1] } }, 'VALIDATION_FAILED', 'sweep.mode', /no numeric input/],
    [
      'a field that is given',
      'heat',
      { nx: 8, sweep: { nx: [8] } },
      'VALIDATION_FAILED',
      'sweep.nx',
      /in sweep and among the inputs/,
    ],
    [
      'a symbol with a value',
      'unified',
      { equations: 'y = k*x', vars: { k: 2, x: 1 }, sweep: { k: [1] } },
      'VALIDATION_FAILED',
      'sweep.k',
      /in sweep and among the inputs/,
    ],
    [
      'too many points',
      'heat',
      { sweep: { alpha: { from: 1, to: 2, count: 513 } } },
      'VALIDATION_FAILED',
      'sweep.alpha.count',
      /513; at most 512 points are allowed/,
    ],
    [
      'far too many points, with the size that fits',
      'heat',
      { sweep: { alpha: { from: 1, to: 2, count: 100_000 } } },
      'VALIDATION_FAILED',
      'sweep.alpha.count',
      /100000; at most 512 points are allowed/,
    ],
    [
      'too many points of two inputs, with the size that fits',
      'heat',
      { sweep: { alpha: { from: 1, to: 2, count: 300 }, t_end: { from: 1, to: 2, count: 400 } } },
      'VALIDATION_FAILED',
      'sweep',
      /300 × 400 = 120000 points; at most 512 are allowed/,
    ],
    [
      'too many samples',
      'heat',
      { uncertainties: { alpha: 0.1 }, samples: { count: 100_000 } },
      'VALIDATION_FAILED',
      'samples.count',
      /100000; at most 511 is allowed/,
    ],
    [
      'too much time',
      'evolve',
      { steps: 200_000, sweep: { seed: { from: 1, to: 500, count: 500 } } },
      'BUDGET_EXCEEDED',
      '',
      /Time limit|Memory limit|Limit of/,
    ],
    [
      'too much time, with the size that fits',
      'heat',
      { dim: 2, nx: 128, steps: 50_000, dt: 1e-6, sweep: { alpha: { from: 0.1, to: 0.2, count: 500 } } },
      'BUDGET_EXCEEDED',
      '',
      /About \d{2,3} of the 500 points fit\.$/,
    ],
    ['another form', 'heat', { sweep: { nx: '8..16' } }, 'VALIDATION_FAILED', 'sweep.nx', /list of numbers/],
    [
      'a misspelt part',
      'heat',
      { sweep: { nx: { from: 8, to: 16, cnt: 3 } } },
      'VALIDATION_FAILED',
      'sweep.nx.count',
      /is missing/,
    ],
    [
      'samples as well',
      'heat',
      { sweep: { nx: [8] }, samples: { count: 60 } },
      'VALIDATION_FAILED',
      'samples',
      /given together/,
    ],
    [
      'uncertainties as well',
      'heat',
      { sweep: { nx: [8] }, uncertainties: { alpha: 1 } },
      'VALIDATION_FAILED',
      'uncertainties',
      /sweep has none/,
    ],
  ])('is refused with %s', (_, id, body, code, path, message) => {
    const error = refusalOf(id, body);
    expect([error.code, error.details[0]?.path ?? '']).toEqual([code, path]);
    expect(error.message).toMatch(message);
  });
});

describe('samples of a solver', () => {
  test('widen ± by the interval that holds 95 % of them, and are the same in a replay', async () => {
    const pure = await run('heat', { ...ROD, uncertainties: { alpha: 0.05 }, samples: { count: 100, seed: 3 } });
    const single = await solve('heat', { ...ROD, alpha: 1 });
    expect(pure.value).toBe(single.pure.value);
    const spread = pure.uncertainty_budget.find(({ source }) => source === 'propagation');
    // T is about exp(−π² α t): one deviation of α moves it by π² t σ T.
    const expected = Math.PI ** 2 * 0.05 * 0.05 * single.pure.value;
    expect(spread?.value).toBeGreaterThan(0.8 * expected);
    expect(spread?.value).toBeLessThan(1.6 * expected);
    expect(pure.uncertainty).toBeGreaterThan(2 * (spread?.value ?? 0));
    expect(pure.samples).toMatchObject({ count: 100, seed: 3, within: 100 });
    expect(pure.samples?.standard_deviation).toBeGreaterThan(0.75 * expected);
    expect(pure.samples?.standard_deviation).toBeLessThan(1.3 * expected);
    expect(pure.inputs).not.toHaveProperty('alpha');
    const { claims } = await replayResult(JSON.parse(JSON.stringify(pure)), replayTools());
    expect(claims.filter(({ ok }) => ok !== true)).toEqual([]);
    const other = await run('heat', { ...ROD, uncertainties: { alpha: 0.05 }, samples: { count: 100, seed: 4 } });
    expect(other.uncertainty).not.toBe(pure.uncertainty);
  });

  test('of a seed that was changed differ from their plan', async () => {
    const pure = await run('heat', { ...ROD, uncertainties: { alpha: 0.05 }, samples: { count: 59 } });
    const changed = JSON.parse(JSON.stringify({ ...pure, samples: { ...pure.samples, seed: 2 } }));
    const { claims } = await replayResult(changed, replayTools());
    expect(claims.find(({ claim }) => claim === 'plan')?.ok).toBe(false);
  });

  test('outside the range of an input count for nothing, and too few are refused', async () => {
    const half = await run('unified', {
      equations: 'y = sqrt(k)',
      inputs: { k: 0.5 },
      uncertainties: { k: 0.1 },
      samples: { count: 100 },
    });
    expect(half.samples?.within).toBe(100);
    const wide = run('heat', { ...ROD, uncertainties: { alpha: 1e6 }, samples: { count: 80 } });
    await expect(wide).rejects.toMatchObject({ code: 'PRECISION_REFUSED' });
  });

  test.each<[string, SolverBody, string, RegExp]>([
    ['without samples', { uncertainties: { alpha: 0.1 } }, 'uncertainties', /propagated by samples/],
    ['without uncertainties', { samples: { count: 60 } }, 'samples', /nothing to draw/],
    ['of a whole number', { uncertainties: { nx: 1 }, samples: { count: 60 } }, 'uncertainties.nx', /whole number/],
    [
      'of an unknown field',
      { uncertainties: { q: 1 }, samples: { count: 60 } },
      'uncertainties.q',
      /matches no given number/,
    ],
    [
      'below zero',
      { uncertainties: { alpha: -1 }, samples: { count: 60 } },
      'uncertainties.alpha',
      /is -1; a finite number from 0/,
    ],
    ['too few', { uncertainties: { alpha: 0.1 }, samples: { count: 58 } }, 'samples.count', /58/],
    [
      'as the number of a field',
      { uncertainties: { alpha: 0.1 }, samples: 60 },
      'uncertainties',
      /propagated by samples/,
    ],
  ])('are refused: %s', (_, body, path, message) => {
    const error = refusalOf('heat', body);
    expect([error.code, error.details[0]?.path]).toEqual(['VALIDATION_FAILED', path]);
    expect(error.message).toMatch(message);
  });
});
