import { describe, expect, test } from 'vitest';
import { DomainError } from '../../src/core/errors.ts';
import { faultsOf } from '../../src/portal/kit/use-refusals.ts';

const refusal = (...details: readonly (readonly [path: string, message: string])[]) =>
  new DomainError('VALIDATION_FAILED', details[0]?.[1] ?? '', {
    details: details.map(([path, message]) => ({ path, code: 'NOT_ALLOWED', message })),
  });

describe('what was refused, by field', () => {
  test('a solver names its fields, and the entry of one with several', () => {
    const error = refusal(
      ['dt', 'dt is 5; at most 2 is allowed.'],
      ['events.2', 'events.2 (x): x never changes.'],
      ['body', 'The body is missing.'],
    );
    expect(faultsOf(error, ['dt', 'nx', 'events'])).toEqual({
      dt: 'dt is 5; at most 2 is allowed.',
      events: 'events.2 (x): x never changes.',
    });
  });

  test('parts of a request hold fields, whose sentences do without the part', () => {
    const error = refusal(
      ['parameters.limit', 'parameters.limit is 0; at least 1 is allowed.'],
      ['bindings.seller.0', 'bindings.seller.0 names no key.'],
      ['name', 'name is taken.'],
      ['limit', 'limit is unknown.'],
    );
    expect(faultsOf(error, ['limit', 'seller'], ['parameters', 'bindings'], ['name'])).toEqual({
      limit: 'limit is 0; at least 1 is allowed.',
      seller: 'seller.0 names no key.',
      name: 'name is taken.',
    });
  });

  test('the first sentence of a field stands, and other errors name none', () => {
    expect(faultsOf(refusal(['nx', 'first'], ['nx', 'second']), ['nx'])).toEqual({ nx: 'first' });
    expect(faultsOf(new Error('offline'), ['nx'])).toEqual({});
    expect(faultsOf(undefined, ['nx'])).toEqual({});
  });
});
