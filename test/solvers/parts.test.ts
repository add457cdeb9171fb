// Parts that rooms of solvers share: input fields, reductions of arrays, recorded steps, errors.

import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { DomainError } from '../../src/core/errors.ts';
import { at, last, maxDeviation, maxIncrease, maxMagnitude } from '../../src/solvers/parts/arrays.ts';
import { unstableError, validationError } from '../../src/solvers/parts/errors.ts';
import { field, quantity, series } from '../../src/solvers/parts/fields.ts';
import * as fields from '../../src/solvers/parts/inputs.ts';
import { outputOf } from '../../src/solvers/parts/outputs.ts';
import { recordedSteps, recordedTimes, recordInterval } from '../../src/solvers/parts/sampling.ts';

/** The published form of a field. */
const published = (input: z.ZodType) => {
  const { $schema: _, ...schema } = z.toJSONSchema(z.strictObject({ it: input }), { io: 'input' });
  return (schema.properties as Record<string, unknown>).it;
};

describe('input fields', () => {
  test('a real number has help, unit, symbol, range and default', () => {
    const given = { unit: 'm^2/s', symbol: 'α', min: 1e-12, max: 1e6, default: 1 };
    expect(published(fields.real('Diffusivity', given))).toEqual({
      type: 'number',
      description: 'Diffusivity',
      unit: 'm^2/s',
      symbol: 'α',
      minimum: 1e-12,
      maximum: 1e6,
      default: 1,
    });
  });

  test('without a default a field may be left out, with one it is always there', () => {
    const shape = z.strictObject({
      a: fields.real('Length', { unit: 'm', min: 0, max: 1 }),
      b: fields.whole('Count', { min: 1, max: 9, default: 3 }),
    });
    expectTypeOf<z.output<typeof shape>>().toEqualTypeOf<{ a?: number | undefined; b: number }>();
    expect(shape.parse({})).toEqual({ b: 3 });
    expect(published(shape.shape.a)).not.toHaveProperty('default');
    expect(published(shape.shape.a)).not.toHaveProperty('symbol');
  });

  test('a whole number takes no fractions, and neither kind takes what is out of range', () => {
    const count = fields.whole('Count', { min: 1, max: 9, default: 3 });
    expect(count.safeParse(2.5).success).toBe(false);
    expect(count.safeParse(10).success).toBe(false);
    expect(fields.real('Length', { unit: 'm', min: 0, max: 1 }).safeParse(-1e-9).success).toBe(false);
  });

  test('the first word of a choice is its default', () => {
    const kind = fields.choice('Kind', ['open', 'closed']);
    expectTypeOf<z.output<typeof kind>>().toEqualTypeOf<'open' | 'closed'>();
    expect(kind.parse(undefined)).toBe('open');
    expect(kind.safeParse('ajar').success).toBe(false);
  });

  const standard: readonly (readonly [name: string, field: z.ZodType, facts: object])[] = [
    ['seed', fields.seed('Seed'), { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 42 }],
    ['time step', fields.timeStep('Step', { unit: 's' }), { minimum: 1e-30, maximum: 1e30, unit: 's', symbol: 'Δt' }],
    ['time step in a range', fields.timeStep('Step', { unit: 's', min: 1, max: 2 }), { minimum: 1, maximum: 2 }],
    ['steps', fields.stepCount('Steps', { max: 50 }), { type: 'integer', minimum: 1, maximum: 50, unit: '1' }],
    ['samples', fields.sampleCount('Rows', { max: 50, default: 9 }), { minimum: 2, maximum: 50, default: 9 }],
    ['relative tolerance', fields.relativeTolerance('rtol', { min: 1e-13, max: 1, default: 0.1 }), { unit: '1' }],
    ['absolute tolerance', fields.absoluteTolerance('atol', 'K'), { minimum: 1e-300, maximum: 1e30, unit: 'K' }],
    ['cells', fields.cellsAlong('y', 'not used on a rod', { min: 8, max: 128, default: 64 }), { symbol: 'N_y' }],
    ['length', fields.lengthAlong('x'), { description: 'Length along x', unit: 'm', symbol: 'L_x', default: 1 }],
  ];

  test.each(standard)('%s', (_, input, facts) => {
    expect(published(input)).toMatchObject(facts);
    expect(published(input)).toHaveProperty('description');
  });
});

describe('arrays', () => {
  test('an element outside is NaN', () => {
    expect([at([7], 0), at([7], 1), at([7], -1), last([7, 8]), last([])]).toEqual([
      7,
      Number.NaN,
      Number.NaN,
      8,
      Number.NaN,
    ]);
  });

  test('the largest magnitude counts either sign; NaN is not lost', () => {
    expect(maxMagnitude([1, -3, 2])).toBe(3);
    expect(maxMagnitude([])).toBe(0);
    expect(maxMagnitude([1, Number.NaN, 2])).toBeNaN();
  });

  test('the largest deviation is from the first value', () => {
    expect(maxDeviation(Float64Array.of(5, 6, 3, 5))).toBe(2);
    expect(maxDeviation(new Float64Array())).toBe(0);
    expect(maxDeviation(Float64Array.of(Number.NaN, 1))).toBeNaN();
    expect(maxDeviation(Float64Array.of(1, Number.NaN))).toBeNaN();
  });

  test('the largest increase is between neighbours, and 0 if there is none', () => {
    expect(maxIncrease(Float64Array.of(5, 3, 4, 1, 4))).toBe(3);
    expect(maxIncrease(Float64Array.of(5, 3, 3))).toBe(0);
    expect(maxIncrease(Float64Array.of(5))).toBe(0);
    expect(maxIncrease(Float64Array.of(5, Number.NaN, 1))).toBeNaN();
  });
});

test('recorded times are those of the recorded steps', () => {
  expect(recordedTimes(5, 2, 0.5)).toEqual(Float64Array.of(0, 1, 2, 2.5));
});

test('recorded steps start at 0, end at the last step, and are at most as many as asked for', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 300 }), (steps, max) => {
      const interval = recordInterval(steps, max);
      const recorded = recordedSteps(steps, interval);
      expect([recorded[0], recorded.at(-1)]).toEqual([0, steps]);
      expect(recorded.length).toBeLessThanOrEqual(max + 1);
      const gaps = recorded.slice(1).map((step, i) => step - (recorded[i] ?? 0));
      expect(gaps.slice(0, -1).every((gap) => gap === interval)).toBe(true);
      expect(last(gaps)).toBeGreaterThan(0);
      expect(last(gaps)).toBeLessThanOrEqual(interval);
    }),
  );
});

test('an error names the field twice: in words for people, and in its detail for programs', () => {
  const error = validationError('nx', 'nx is 3; at least 8 is expected.', 'TOO_SMALL', { nx_min: 8 });
  expect(error).toBeInstanceOf(DomainError);
  expect(error).toMatchObject({
    code: 'VALIDATION_FAILED',
    details: [{ path: 'nx', code: 'TOO_SMALL', message: error.message }],
    facts: { nx_min: 8 },
  });
  expect(unstableError('dt', 'too long', 'STEP_TOO_LONG')).toMatchObject({ code: 'UNSTABLE_SCHEME', facts: {} });
});

test('a series copies plain numbers and keeps an array as it is', () => {
  const data = Float64Array.of(1, 2);
  expect(series('t', 's', data).data).toBe(data);
  expect(series('t', 's', [1, 2])).toEqual({ name: 't', unit: 's', shape: [2], data });
  expect(field('T', 'K', [1, 2], data)).toEqual({ name: 'T', unit: 'K', shape: [1, 2], data });
  expect(quantity('r', 0.5, '1', 0.1)).toEqual({ name: 'r', value: 0.5, unit: '1', uncertainty: 0.1 });
});

test('a missing output is a defect', () => {
  expect(() => outputOf([], 1)).toThrow('Output 1 of the plan is missing.');
});
