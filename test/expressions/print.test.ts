import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CONDITION_SYNTAX, parseEquation, parseExpression } from '../../src/expressions/parse.ts';
import { printEquation, printExpression } from '../../src/expressions/print.ts';
import type { Expression } from '../../src/expressions/tree.ts';
import { trees } from './trees.ts';

/** The tree without its positions and remainders, which belong to the text. */
const OF_TEXT = ['start', 'end', 'remainder'];
const bare = (tree: Expression): unknown =>
  JSON.parse(JSON.stringify(tree, (key, value: unknown) => (OF_TEXT.includes(key) ? undefined : value)));

test('numbers stand where symbols stood, and the unit at the end', () => {
  const equation = parseEquation('T = T0*sin(kx*x)*exp(-alpha*kx^2*t)');
  const numbers = new Map(Object.entries({ T0: 300, kx: Math.PI, x: 0.5, alpha: 1e-7, t: 1e21 }));
  expect(printEquation(equation, numbers, 'K')).toBe(
    'T = 300*sin(3.141592653589793*0.5)*exp(-1e-7*3.141592653589793^2*1e+21) [K]',
  );
});

test('a symbol without a number stays, and so does an index of the same name', () => {
  const numbers = new Map([['k', 7]]);
  expect(printExpression(parseExpression('k*t + sum(k, 1, k, k*t)'), numbers)).toBe('7*t + sum(k, 1, 7, k*t)');
});

test('a negative number keeps its sign to itself', () => {
  const numbers = new Map([['a', -2]]);
  const printed = (text: string) => printExpression(parseExpression(text), numbers);
  expect(printed('a^2')).toBe('(-2)^2');
  expect(printed('2^a')).toBe('2^-2');
  expect(printed('1 - a')).toBe('1 - (-2)');
  expect(printed('3*a + a')).toBe('3*(-2) + (-2)');
  expect(printed('a*3')).toBe('-2*3');
  expect(printed('-a')).toBe('--2');
  expect(printed('b < a ? a : sin(a)')).toBe('b < -2 ? -2 : sin(-2)');
});

test.each([
  'a - (b - c) - d',
  'a/(b*c)/d',
  '(a^b)^c^d',
  '(-a)^2 - -a^2*b',
  'not (a and b) or not c',
  '(a or b) and c',
  '(a < b) == (c < d)',
  '(a ? b : c) ? d : e ? f : g',
  '(a ? 1 : 2) + 3',
  'sum(k, 1, a ? 2 : 3, k and b)',
  'event.by == "say \\"\\\\\\"" and true',
])('%s survives printing', (text) => {
  const tree = parseExpression(text, CONDITION_SYNTAX);
  expect(bare(parseExpression(printExpression(tree), CONDITION_SYNTAX))).toEqual(bare(tree));
});

test('any tree survives printing', () => {
  fc.assert(
    fc.property(trees, (tree) => {
      const text = printExpression(tree);
      fc.pre(text.length <= 640);
      expect(bare(parseExpression(text))).toEqual(bare(tree));
    }),
    { numRuns: 1_000 },
  );
});
