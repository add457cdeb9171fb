// The unknown of a law: every root in its range, with a ± that holds the truth, or a refusal that says why.

import { describe, expect, test } from 'vitest';
import { cos, log, sin } from '../../../src/core/elementary.ts';
import { DomainError } from '../../../src/core/errors.ts';
import { OPERATORS } from '../../../src/operators/load.ts';
import { PULSE_OPERATOR } from '../../../src/operators/operator.ts';
import type { ComputeRequest } from '../../../src/protocol/compute-request.ts';
import type { PureFields } from '../../../src/protocol/pure-fields.ts';
import { compute } from '../../protocol/sealed-case.ts';

const solve = async (request: ComputeRequest): Promise<PureFields> => (await compute(request)).pure;
const refused = async (request: ComputeRequest): Promise<DomainError> => {
  const outcome = await compute(request).catch((error: unknown) => error);
  if (outcome instanceof DomainError) return outcome;
  throw new Error('nothing was refused');
};

const SPEED: ComputeRequest = { domain: 'CM9', inputs: { K: 100, m: 2 }, solve_for: 'v' };
const ANGLE: ComputeRequest = { domain: 'CM5', inputs: { R: 8, v: 10 }, solve_for: 'theta' };

/**
 * Laws that do not depend on the input near their example, or by less than their accuracy: a step, a branch without it,
 * a product that cancels, the edge of a plateau.
 */
const FLAT = [
  'CEL3.Sf',
  'CS23.peak',
  'EM23.a',
  'FL27.Re',
  'HT19.Tb',
  'HT19.Tw',
  'QM19.L',
  'QM19.V0',
  'QM19.m',
  'STR13.fy',
  'STR19.L',
  'SVC-PROTECT-010.cap',
  'SVC-PROTECT-011.size',
];

/** Whole numbers with a sum as long as they are, and with a value that jumps from one to the next. */
const LONG_OR_JUMPING = ['CS3.n', 'CS32.q'];

describe('every law', () => {
  test('gives back the input of its example, within ±, or refuses where it does not depend on it', async () => {
    const missed: string[] = [];
    const flat: string[] = [];
    let [solved, complete] = [0, 0];
    for (const law of OPERATORS.values()) {
      const [example] = law.examples;
      if (example === undefined || law.id === PULSE_OPERATOR) continue;
      const forward = await solve({ domain: law.id, inputs: example.inputs });
      for (const [symbol, input] of Object.entries(law.inputs)) {
        const expected = example.inputs[symbol] ?? input.default;
        if (expected === undefined || input.integer === true || input.enum !== undefined) continue;
        const { [symbol]: _, ...others } = example.inputs;
        const inputs = { ...others, [law.output.symbol]: forward.verification.reference };
        const name = `${law.id}.${symbol}`;
        try {
          const {
            quantities,
            converged,
            complete: isComplete,
          } = await solve({ domain: law.id, inputs, solve_for: symbol });
          const found = quantities.find(({ value, uncertainty = 0 }) => Math.abs(value - expected) <= uncertainty);
          if (found === undefined || !converged) missed.push(name);
          solved++;
          if (isComplete) complete++;
        } catch (error) {
          if ((error as { code?: string }).code === 'PRECISION_REFUSED') flat.push(name);
          else missed.push(`${name}: ${(error as Error).message}`);
        }
      }
    }
    expect(missed).toEqual([]);
    expect(flat.sort()).toEqual(FLAT);
    expect(solved).toBeGreaterThan(1_200);
    expect(complete / solved).toBeGreaterThan(0.95);
  });

  test('gives back the whole number of its example among those that it lists', async () => {
    const missed: string[] = [];
    let solved = 0;
    for (const law of OPERATORS.values()) {
      const [example] = law.examples;
      if (example === undefined || law.id === PULSE_OPERATOR) continue;
      for (const [symbol, input] of Object.entries(law.inputs)) {
        const expected = example.inputs[symbol] ?? input.default;
        if (expected === undefined || (input.integer !== true && input.enum === undefined)) continue;
        const forward = await solve({ domain: law.id, inputs: example.inputs });
        const { [symbol]: _, ...others } = example.inputs;
        const inputs = { ...others, [law.output.symbol]: forward.verification.reference };
        try {
          const { quantities } = await solve({ domain: law.id, inputs, solve_for: symbol });
          if (!quantities.some(({ value }) => value === expected)) missed.push(`${law.id}.${symbol}`);
        } catch {
          missed.push(`${law.id}.${symbol}`);
        }
        solved++;
      }
    }
    expect(missed.sort()).toEqual(LONG_OR_JUMPING);
    expect(solved).toBeGreaterThan(100);
  });
});

describe('roots', () => {
  test('one root of a monotone law is proved to be all', async () => {
    const { value, unit, operator_id, solve_for, complete, converged, quantities } = await solve(SPEED);
    expect({ value, unit, operator_id, solve_for, complete, converged }).toEqual({
      ...{ value: 10, unit: 'm/s', operator_id: 'CM9', solve_for: 'v', complete: true, converged: true },
    });
    expect(quantities).toHaveLength(1);
  });

  test('both angles of a throw are listed, and are proved to be all', async () => {
    const { value, quantities, complete } = await solve(ANGLE);
    const [low, high] = quantities;
    expect(complete).toBe(true);
    expect(quantities).toHaveLength(2);
    expect(value).toBe(low?.value);
    expect((low?.value ?? 0) + (high?.value ?? 0)).toBeCloseTo(90, 10);
  });

  test('the best angle is a double root: ± is of the second order', async () => {
    const { quantities, complete } = await solve({ ...ANGLE, inputs: { R: 10.197162129779283, v: 10 } });
    for (const { value, uncertainty = 0 } of quantities) {
      expect(Math.abs(value - 45)).toBeLessThanOrEqual(uncertainty);
      expect(uncertainty).toBeLessThan(1e-4);
      expect(uncertainty).toBeGreaterThan(1e-8);
    }
    expect(quantities.length).toBeGreaterThan(0);
    expect(complete).toBe(false);
  });

  test('a periodic law lists the roots that are nearest to 0, and does not claim to be complete', async () => {
    const { x: _, ...inputs } = { ...OPERATORS.get('CHE17')?.examples[0]?.inputs };
    const { complete, quantities } = await solve({ domain: 'CHE17', inputs: { ...inputs, T: 10 }, solve_for: 'x' });
    expect(complete).toBe(false);
    expect(quantities).toHaveLength(24);
  });

  test('a unit of the value, of the answer and an alias of the unknown are taken', async () => {
    const { value, unit } = await solve({ ...SPEED, units: { K: 'kJ' }, as: 'km/h', inputs: { K: 0.1, m: 2 } });
    expect(unit).toBe('km/h');
    expect(value).toBeCloseTo(36, 10);
  });

  test('a whole number is exact, and its neighbours are no answer', async () => {
    const inputs = { m: 9.11e-31, L: 1e-9, E: 5.421831e-19 };
    const { value, uncertainty, complete } = await solve({
      ...{ domain: 'QM5', inputs, uncertainties: { E: 1e-23 }, solve_for: 'n' },
    });
    expect({ value, uncertainty, complete }).toEqual({ value: 3, uncertainty: 0, complete: true });
    const { code, message } = await refused({ domain: 'QM5', inputs: { ...inputs, E: 5e-19 }, solve_for: 'n' });
    expect(code).toBe('ROOT_NOT_FOUND');
    expect(message).toContain('The nearest, n = 3, gives 5.42183e-19 J');
  });
});

describe('±', () => {
  test('of the constant of gravitation goes through the slope', async () => {
    const inputs = { m1: 5.972e24, m2: 7.348e22, F: 1.982111e20 };
    const { value, uncertainty, uncertainty_budget: budget } = await solve({ domain: 'CM2', inputs, solve_for: 'r' });
    // r is proportional to the root of G, whose standard uncertainty is 2.2e-5 of it.
    expect(uncertainty / value).toBeCloseTo(2.2476e-5, 8);
    expect(budget.map(({ source }) => source)).toContain('constants');
  });

  test('of the value and of inputs holds 95 of 100 roots of perturbed numbers', async () => {
    const { value, uncertainty } = await solve({ ...SPEED, uncertainties: { K: 8, m: 0.3 } });
    let inside = 0;
    for (const [first, second] of normals(20_000)) {
      const root = Math.sqrt((2 * (100 + 8 * first)) / (2 + 0.3 * second));
      if (Math.abs(root - value) <= uncertainty) inside++;
    }
    expect(inside / 20_000).toBeGreaterThan(0.95);
    expect(inside / 20_000).toBeLessThan(0.995);
  });

  test('of an empirical law contains its accuracy', async () => {
    const { inputs = {} } = OPERATORS.get('HT19')?.examples[0] ?? {};
    const { Nu } = { Nu: (await solve({ domain: 'HT19', inputs })).value };
    const { Re: _, ...others } = inputs;
    const {
      value,
      uncertainty,
      uncertainty_budget: budget,
    } = await solve({
      ...{ domain: 'HT19', inputs: { ...others, Nu }, solve_for: 'Re' },
    });
    const model = budget.find(({ source }) => source === 'model')?.value ?? 0;
    // Nu is proportional to Re^0.8, known to 25 %.
    expect(model / value).toBeGreaterThan(0.25 / 0.8);
    expect(uncertainty).toBeGreaterThanOrEqual(model);
  });

  test('is refused where the root vanishes two standard deviations away', async () => {
    const { code } = await refused({ ...ANGLE, inputs: { R: 10.1, v: 10 }, uncertainties: { R: 0.2 } });
    expect(code).toBe('PRECISION_REFUSED');
  });
});

describe('refusals', () => {
  test('without a root name the range and what the law gives at its ends', async () => {
    const { code, message, facts } = await refused({ ...ANGLE, inputs: { R: 12, v: 10 } });
    expect(code).toBe('ROOT_NOT_FOUND');
    expect(message).toContain('from 0 up to 90 [deg] for theta that gives R = 12 m');
    expect(facts).toMatchObject({ range: { min: 0, max: 90, unit: 'deg' }, solve_for: 'theta' });
  });

  test.each<[string, Partial<ComputeRequest>, string]>([
    ['an unknown name', { solve_for: 'w' }, 'solve_for'],
    ['the output itself', { solve_for: 'K' }, 'solve_for'],
    ['no value of the law', { inputs: { m: 2 } }, 'inputs.K'],
    ['a number for the unknown', { inputs: { K: 100, m: 2, v: 3 } }, 'inputs.v'],
    ['an unknown with a unit', { units: { v: 'km/h' } }, 'units.v'],
    ['an unknown with an uncertainty', { uncertainties: { v: 1 } }, 'uncertainties.v'],
    ['a value in another dimension', { units: { K: 'N' } }, 'units.K'],
    ['a missing input', { inputs: { K: 100 } }, 'inputs.m'],
    ['an input out of range', { inputs: { K: 100, m: -2 } }, 'inputs.m'],
    ['a negative uncertainty of the value', { uncertainties: { K: -1 } }, 'uncertainties.K'],
  ])('of %s name the field', async (_, change, path) => {
    const { details } = await refused({ ...SPEED, ...change });
    expect(details.map((one: { path: string }) => one.path)).toContain(path);
  });

  test('of a chain name its laws', async () => {
    const { message } = await refused({ domain: 'CM', operators: ['CM9', 'CM1'], inputs: { K: 1 }, solve_for: 'v' });
    expect(message).toContain('solve_for inverts one law');
  });
});

test('the wizard takes the law whose value is given and that has the unknown', async () => {
  const { operator_id, value } = await solve({
    domain: 'Classical Mechanics',
    inputs: { K: 100, m: 2 },
    solve_for: 'v',
  });
  expect({ operator_id, value }).toEqual({ operator_id: 'CM9', value: 10 });
  const { details } = await refused({ domain: 'CM', inputs: { K: 1 }, solve_for: 'zz' });
  expect(details[0]?.path).toBe('solve_for');
});

/** Pairs of normal deviates from a small generator (Box & Muller). */
function* normals(count: number): Generator<readonly [number, number]> {
  let state = 12_345;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  for (let i = 0; i < count; i++) {
    const [radius, turn] = [Math.sqrt(-2 * log(next())), 2 * Math.PI * next()];
    yield [radius * cos(turn), radius * sin(turn)];
  }
}
