// Rewritten copies of a law, and laws of similar form.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExpression } from '../../../src/expressions/parse.ts';
import { canonical } from '../../../src/operators/lint/canonical.ts';
import { ColourNames, namedText } from '../../../src/operators/lint/colouring.ts';
import { shapeOf } from '../../../src/operators/lint/shape.ts';
import type { OperatorRecord } from '../../../src/operators/operator.ts';
import { preparedOf } from './registry.ts';

const text = (expression: string) => namedText(canonical(parseExpression(expression)), new Map());

describe('one canonical form for', () => {
  test.each([
    ['order of factors and terms', 'a*b + c', 'c + b*a'],
    ['quotients and powers', 'a/(b*c^2)', 'a*b^-1*c^(-2)'],
    ['roots and powers', 'sqrt(a/b)', '(a/b)^0.5'],
    ['a cube root', 'cbrt(a)', 'a^(1/3)'],
    ['a root of a product', 'sqrt(2*a*b)', 'sqrt(2)*sqrt(a)*sqrt(b)'],
    ['folded constants', '4/3*pi*r^3', '(4*pi*r^3)/3'],
    ['signs', '-k*x', 'k*(-x)'],
    ['a difference turned round', '-k*(a - b)', 'k*(b - a)'],
    ['a difference under an even power', '(a - b)^2', '(b - a)^2'],
    ['a quotient of differences', '(a - b)/(c - d)', '(b - a)/(d - c)'],
    ['a common factor of a sum', 'k*(2*a + 2*b)', '2*k*(a + b)'],
    ['like terms', 'a + b + a', '2*a + b'],
    ['what cancels', 'a + z - z', 'a*z/z'],
    ['exponentials', '1/exp(2*x)', 'exp(-x)^2'],
    ['symbolic powers', '1/x^n', 'x^(-n)'],
    ['like terms that commute', 'min(a, b) + min(b, a)', '2*min(a, b)'],
    ['nested minima', 'min(a, min(b, c))', 'min(c, a, b)'],
    ['comparisons', 'a > b ? x : y', 'b < a ? x : y'],
    ['negated comparisons', 'a >= b ? x : y', 'a < b ? y : x'],
    ['a condition turned over', 'not (a == b) ? x : y', 'b == a ? y : x'],
    ['indices', 'sum(k, 1, n, x^k)', 'sum(j, 1, n, x^j)'],
  ])('%s', (_, one, other) => {
    expect(text(one)).toBe(text(other));
  });
});

describe('different canonical forms for', () => {
  test.each([
    ['sum and difference', 'a + b', 'a - b'],
    ['a difference turned round', 'a - b', 'b - a'],
    ['quotient and product', 'a/b', 'a*b'],
    ['an even root', 'sqrt(x^2)', 'x'],
    ['two powers', 'a^2*b', 'a*b^2'],
    ['two literals', '2*a + b', '3*a + b'],
    ['two functions', 'sin(a)', 'cos(a)'],
    ['swapped branches', 'a < b ? x : y', 'a < b ? y : x'],
    ['arguments in order', 'atan2(a, b)', 'atan2(b, a)'],
    ['the two indices of nested sums', 'sum(j, 1, 3, sum(k, 1, 3, j^2*k))', 'sum(j, 1, 3, sum(k, 1, 3, j*k^2))'],
    ['a bound and a free symbol', 'sum(k, 1, 3, k)', 'sum(k, 1, 3, q)'],
  ])('%s', (_, one, other) => {
    expect(text(one)).not.toBe(text(other));
  });
});

interface Law {
  readonly equation: string;
  readonly units: Readonly<Record<string, string>>;
  readonly output: string;
  readonly constants?: OperatorRecord['constants'];
  readonly where?: OperatorRecord['where'];
}

function shape({ equation, units, output, constants = {}, where = {} }: Law, colourNames: ColourNames) {
  const inputs = Object.fromEntries(Object.entries(units).map(([name, unit]) => [name, { unit, description: '' }]));
  const [symbol = ''] = equation.split(' = ');
  const rest = {
    id: 'AA1',
    name: 'Law',
    tier: 1,
    examples: [],
    source: { cite: '', locator: '' },
    validity: '',
  } as const;
  return shapeOf(
    preparedOf({ ...rest, equation, where, output: { symbol, unit: output }, inputs, constants }),
    colourNames,
  );
}

function compare(one: Law, other: Law): 'exact' | 'masked' | 'different' {
  const colourNames = new ColourNames();
  const [a, b] = [shape(one, colourNames), shape(other, colourNames)];
  if (a.exact === b.exact) return 'exact';
  return a.masked === b.masked ? 'masked' : 'different';
}

function permutations(text: string): string[] {
  if (text.length < 2) return [text];
  return [...text].flatMap((first) => permutations(text.replace(first, '')).map((rest) => first + rest));
}

describe('shapes', () => {
  const heat: Law = {
    equation: 'q = k*A*(Th - Tc)/d',
    units: { k: 'W/(m*K)', A: 'm^2', Th: 'K', Tc: 'K', d: 'm' },
    output: 'W',
  };

  test('renaming, commuting and other units make no difference', () => {
    const copy: Law = {
      equation: 'x = (b - a)*s/(z/L)',
      units: { a: 'K', b: 'K', s: 'cm^2', z: 'mm', L: 'W/(m*K)' },
      output: 'kW',
    };
    expect(compare(heat, copy)).toBe('exact');
    expect(compare(heat, { ...copy, equation: 'x = (b + a)*s/(z/L)' })).toBe('different');
  });

  test('intermediate expressions make no difference', () => {
    const other: Law = { ...heat, equation: 'q = A*f', where: { f: 'k*(Th - Tc)/d' } };
    expect(compare(heat, other)).toBe('exact');
  });

  test('dimensions tell laws of one form apart', () => {
    const force: Law = { equation: 'F = m*a', units: { m: 'kg', a: 'm/s^2' }, output: 'N' };
    const momentum: Law = { equation: 'p = m*v', units: { m: 'kg', v: 'm/s' }, output: 'kg*m/s' };
    expect(compare(force, momentum)).toBe('different');
  });

  test('literals only: a mask sees them as one', () => {
    const units = { F: 'N', L: 'm', E: 'Pa', I: 'm^4' };
    const cantilever: Law = { equation: 'd = F*L^3/(3*E*I)', units, output: 'm' };
    const simple: Law = { equation: 'd = F*L^3/(48*E*I)', units, output: 'm' };
    const halved: Law = {
      equation: 'd = F*L^3/(E*I)*c',
      units,
      output: 'm',
      constants: { c: { value: 0.02, unit: '1', note: 'test' } },
    };
    expect(compare(cantilever, simple)).toBe('masked');
    expect(compare(cantilever, halved)).toBe('masked');
  });

  test('a fundamental constant counts by its name, another by its value', () => {
    const units = { m: 'kg' };
    const light = { c: 'speed of light in vacuum' };
    const own = (value: number) => ({ c: { value, unit: 'm/s', note: 'test' } });
    const energy = (constants: Law['constants']): Law => ({
      equation: 'E = m*c^2',
      units,
      output: 'J',
      constants: constants ?? {},
    });
    expect(compare(energy(light), energy(light))).toBe('exact');
    expect(compare(energy(light), energy(own(3e8)))).toBe('different');
    expect(compare(energy(own(2e8)), energy(own(3e8)))).toBe('masked');
  });

  test('inputs of one dimension are told apart by their positions', () => {
    const units = { a: '1', b: '1', c: '1' };
    const law = (right: string): Law => ({ equation: `y = ${right}`, units, output: '1' });
    expect(compare(law('a*exp(b) - c'), law('c*exp(a) - b'))).toBe('exact');
    expect(compare(law('a*exp(b) - c'), law('a*exp(b) - c*a'))).toBe('different');
    expect(compare(law('(a - b)*(b - c)*(c - a)'), law('(b - a)*(a - c)*(c - b)'))).toBe('exact');
    expect(compare(law('sin(a)*b - c*(a - b)'), law('sin(b)*c - a*(b - c)'))).toBe('exact');
  });

  test.each([
    'sqrt(a/(a - b)) + c',
    'exp((a - c)*a) + b',
    '(a + (a < b ? a : 2)*(a - c))^2 + b',
    '((a + sin(a))*(a - c))^3 + a + 2*b + 3*c + 4*d',
    'atan2(a, b) + atan2(b, c) + atan2(c, d)',
    '(a - b)*(b - c)*(c - d)*(d - a)',
    '1/((a - b)*c) + 1/((c - d)*a)',
  ])('%s has one shape under all 24 names', (law) => {
    const colourNames = new ColourNames();
    const units = { a: '1', b: '1', c: '1', d: '1' };
    const orders = permutations('abcd');
    const shapes = orders.map((order) => {
      const renamed = law.replace(/\b[abcd]\b/g, (name) => order['abcd'.indexOf(name)] ?? '');
      const used = Object.entries(units).filter(([name]) => new RegExp(`\\b${name}\\b`).test(renamed));
      return shape({ equation: `y = ${renamed}`, units: Object.fromEntries(used), output: '1' }, colourNames).exact;
    });
    expect(orders).toHaveLength(24);
    expect(new Set(shapes).size).toBe(1);
  });

  const SYMBOLS = ['a', 'b', 'c', 'd'];
  const trees = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'tree' },
      fc.constantFrom(...SYMBOLS),
      fc.constantFrom('2', '0.5', '3', 'pi'),
      fc.tuple(tie('tree'), fc.constantFrom('+', '-', '*', '/'), tie('tree')).map(([l, o, r]) => `(${l}${o}${r})`),
      fc.tuple(fc.constantFrom('sin', 'exp', 'sqrt', 'abs'), tie('tree')).map(([f, x]) => `${f}(${x})`),
      fc.tuple(tie('tree'), fc.constantFrom('2', '-1', '3')).map(([x, n]) => `(${x})^(${n})`),
      fc.tuple(tie('tree'), tie('tree'), tie('tree')).map(([x, y, z]) => `(${x} < ${y} ? ${z} : ${x})`),
    ),
  })).tree;

  test('a renamed and mirrored copy of any law has its shape', () => {
    const units = Object.fromEntries(SYMBOLS.map((name) => [name, '1']));
    const orders = fc.shuffledSubarray(['p', 'q', 'r', 's'], { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(trees, orders, (tree, names) => {
        const used = `${tree} + a + 2*b + 3*c + 4*d`;
        const renamed = used.replace(/\b[abcd]\b/g, (name) => names[SYMBOLS.indexOf(name)] ?? '');
        const mirrored = renamed.replace(/\((\w+)\*(\w+)\)/g, '($2*$1)').replace(/\((\w+)\+(\w+)\)/g, '($2+$1)');
        const copy = Object.fromEntries(names.map((name) => [name, '1']));
        return (
          compare(
            { equation: `y = ${used}`, units, output: '1' },
            { equation: `y = ${mirrored}`, units: copy, output: '1' },
          ) === 'exact'
        );
      }),
      { numRuns: 300 },
    );
  });
});
