import { expect, test } from 'vitest';
import { z } from 'zod';
import { DomainError } from '../../src/core/errors.ts';
import { parseOrThrow, quoteValue } from '../../src/core/validation.ts';

const Rod = z.strictObject({
  nx: z.int().min(8).max(128),
  method: z.enum(['explicit', 'implicit']).optional(),
  dt: z.number().positive().optional(),
});

function errorOf(value: unknown): DomainError {
  try {
    parseOrThrow(Rod, value, Object.keys(Rod.shape));
  } catch (error) {
    if (error instanceof DomainError) return error;
  }
  throw new Error('the value was accepted');
}

test('a valid value passes unchanged', () => {
  expect(parseOrThrow(Rod, { nx: 64 })).toEqual({ nx: 64 });
});

test.each([
  [{ nx: 4 }, 'nx', 'nx is 4; at least 8 is allowed.'],
  [{ nx: 1e308 }, 'nx', undefined],
  [{ nx: '64' }, 'nx', 'nx is "64"; number is expected.'],
  [{ nx: 64, dt: 0 }, 'dt', 'dt is 0; more than 0 is allowed.'],
  [{ nx: 64, dt: Number.NaN }, 'dt', 'dt is NaN; number is expected.'],
  [{ nx: 64, dt: Number.POSITIVE_INFINITY }, 'dt', undefined],
  [{ nx: 64, method: 'magic' }, 'method', 'method is "magic"; one of explicit, implicit is expected.'],
  [{}, 'nx', 'nx is missing; number is expected.'],
  [{ nx: 64, stepz: 1, metod: 1 }, 'stepz', undefined],
])('%o is rejected at %s', (value, path, message) => {
  const error = errorOf(value);
  expect(error.code).toBe('VALIDATION_FAILED');
  expect(error.details[0]?.path).toBe(path);
  if (message !== undefined) expect(error.details[0]?.message).toBe(message);
});

test('an unknown field is reported with the nearest known field', () => {
  expect(errorOf({ nx: 64, metod: 'implicit' }).details[0]?.message).toBe(
    'Unknown field "metod". Did you mean method?',
  );
});

test('an unknown field without a near name is reported with all fields, if they are few', () => {
  const [detail] = errorOf({ nx: 64, colour: 'red' }).details;
  expect(detail?.message).toMatch(/^Unknown field "colour"\. Allowed fields: nx, .*method/);
});

const Query = z.object({
  since: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(50).default(15),
  ratio: z.coerce.number().optional(),
  id: z.uuid().optional(),
  type: z.enum(['event', 'emit']).optional(),
});

test.each([
  [{ since: 'abc' }, 'since is "abc"; a whole number of at least 0 is allowed.'],
  [{ limit: 'ten' }, 'limit is "ten"; a whole number from 1 to 50 is allowed.'],
  [{ ratio: 'half' }, 'ratio is "half"; a number is allowed.'],
  [{ limit: '51' }, 'limit is 51; at most 50 is allowed.'],
  [{ id: '7' }, 'id is "7"; a UUID is expected.'],
  [{ type: 'evnt' }, 'type is "evnt"; one of event, emit is expected, perhaps event.'],
  [{ type: 'zzzzzzzz' }, 'type is "zzzzzzzz"; one of event, emit is expected.'],
])('the query value %o is reported as given', (value, message) => {
  expect(() => parseOrThrow(Query, value)).toThrow(message);
});

const Named = z.record(z.string().max(3), z.number());

test.each([
  [
    'a field that was made required',
    z.strictObject({ proof: z.string().optional() }).required(),
    {},
    'a value is expected',
  ],
  ['a record', z.strictObject({ inputs: Named }), { inputs: 7 }, 'inputs is 7; object is expected.'],
  ['a name in a record', z.strictObject({ inputs: Named }), { inputs: { long: 7 } }, 'is "long"; at most 3 characters'],
  ['a tuple', z.strictObject({ ends: z.tuple([z.number()]) }), { ends: 7 }, 'ends is 7; array is expected.'],
])('%s is rejected without terms of the schema library', (_, schema, value, message) => {
  expect(() => parseOrThrow(schema, value)).toThrow(message);
});

test('all issues are reported at once', () => {
  expect(errorOf({ nx: 4, dt: -1, method: 3 }).details.map((detail) => detail.path)).toEqual(['nx', 'method', 'dt']);
});

test('long values are shortened', () => {
  expect(quoteValue('x'.repeat(500)).length).toBeLessThan(70);
  expect(quoteValue(undefined)).toBe('nothing');
});

test('what is refused costs no more than its answer shows, however many fields or elements it has', () => {
  let looked = 0;
  let quoted = 0;
  class Known extends Array<string> {
    override [Symbol.iterator]() {
      looked++;
      return super[Symbol.iterator]();
    }
  }
  const known = Known.from(['first', 'second']) as string[];
  const unknown = Object.fromEntries(Array.from({ length: 4_000 }, (_, i) => [`field_${i}`, 1]));
  const detailsOf = (schema: z.ZodType, value: unknown) => {
    try {
      parseOrThrow(schema, value, known);
    } catch (error) {
      return (error as DomainError).details ?? [];
    }
    return [];
  };
  expect(detailsOf(z.strictObject({ first: z.number().optional() }), unknown)).toHaveLength(20);
  expect(looked).toBeLessThanOrEqual(20);
  const element = {
    toJSON: () => {
      quoted++;
      return 'x';
    },
  };
  expect(
    detailsOf(
      z.array(z.number()),
      Array.from({ length: 4_000 }, () => element),
    ),
  ).toHaveLength(20);
  expect(quoted).toBeLessThanOrEqual(20);
});
