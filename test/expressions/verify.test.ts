import { expect, test } from 'vitest';
import { parseExpression } from '../../src/expressions/parse.ts';
import { printExpression } from '../../src/expressions/print.ts';
import { traceValue, verifyValue } from '../../src/expressions/verify.ts';

const formula = (text: string) => ({ expression: parseExpression(text), where: [] });

function trace(text: string, values: Record<string, number>): string[] {
  const told: string[] = [];
  traceValue(formula(text), new Map(Object.entries(values)), (node, value, parts) =>
    told.push(`${printExpression(node)} of ${parts.join(', ')} is ${value}`),
  );
  return told;
}

test('a value is verified with its method and its scale', () => {
  const where = [{ name: 'd', expression: parseExpression('a - b') }];
  const found = verifyValue(
    { expression: parseExpression('2*d + erf(0)'), where },
    new Map([...'ab'].map((n, i) => [n, 3 - i])),
  );
  expect(found).toEqual({
    reference: 2,
    method: 'syntax tree in double-double arithmetic; erf by another algorithm',
    scale: 6,
    bound: expect.closeTo(2.22e-16, 17),
    hasFiniteParts: true,
  });
});

test.each([
  ['a/(b*b)', false],
  ['1/(1/(a - a)) > 0 ? 1 : 2', false],
  ['(0/(a - a))^0', false],
  ['a > 0 or 0/(a - a) > 1 ? 1 : 2', true],
  ['a > 0 ? 1 : 1/(a - a)', true],
  ['min(a, b)', true],
])('%s is made of finite parts: %s', (text, expected) => {
  const values = new Map(Object.entries({ a: 1e300, b: 1e200 }));
  expect(verifyValue({ expression: parseExpression(text), where: [] }, values).hasFiniteParts).toBe(expected);
});

test('what vanishes below the smallest number is told by the bound, as large as what it is multiplied with makes it', () => {
  const boundOf = (text: string) => verifyValue({ expression: parseExpression(text), where: [] }, new Map()).bound;
  // e^-760 is 8.9e-331: each value is 0 in doubles, and the truth lies within the bound.
  expect(boundOf('1e40*exp(-760)')).toBeGreaterThan(8.9e-291);
  expect(boundOf('1e-200*1e-200*1e100')).toBeGreaterThan(1e-300);
  expect(boundOf('2^-1100/1e-20')).toBeGreaterThan(7.3e-312);
  expect(boundOf('1e-300/1e300*1e250')).toBeGreaterThan(0);
  for (const exact of ['0*exp(-760)*0', '0^2', '0/3', 'exp(-700)*0', 'log(1)'])
    expect([exact, boundOf(exact)]).toEqual([exact, 0]);
});

test('parts are told of from the inside out, and only those of the branch that is taken', () => {
  expect(trace('a > 1 ? sqrt(a + 2)*3 : 1/0', { a: 7 })).toEqual([
    'a > 1 of 7, 1 is 1',
    'a + 2 of 7, 2 is 9',
    'sqrt(a + 2) of 9 is 3',
    'sqrt(a + 2)*3 of 3, 3 is 9',
  ]);
});

test('a divisor that is 0 for the machine alone is told of as 0', () => {
  // 3 · 0.1 rounds to b, from which it differs by 3e-17.
  const [, , division] = trace('1/(3*a - b)', { a: 0.1, b: 0.30000000000000004 });
  expect(division).toBe('1/(3*a - b) of 1, 0 is NaN');
  expect(trace('1/(a - b)', { a: 2, b: 2 }).at(-1)).toBe('1/(a - b) of 1, 0 is Infinity');
});

test('where a part has no value here, only that is told of', () => {
  expect(trace('sqrt(3*a - b) + log(c)', { a: 0.1, b: 0.30000000000000004, c: 0 }).slice(2)).toEqual([
    expect.stringMatching(/^sqrt\(3\*a - b\) of [-0-9.e]+ is (NaN|[0-9.e-]+)$/),
    'log(c) of 0 is -Infinity',
    expect.stringMatching(/is (NaN|-Infinity)$/),
  ]);
});
