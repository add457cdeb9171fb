import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { DomainError } from '../../src/core/errors.ts';
import { type Dimension, divide, exponentOf, multiply, printDimension } from '../../src/core/units/dimension.ts';
import { parseUnit } from '../../src/core/units.ts';
import { assemble } from '../../src/expressions/bytecode.ts';
import { DIMENSION_RULES, type Dimensions, dimensionOf, withDefinitions } from '../../src/expressions/dimensions.ts';
import { RESCALING_TOLERANCE, rescalingDeviation } from '../../src/expressions/dimensions-rescaled.ts';
import { EXPRESSION_KERNEL, evaluateRows } from '../../src/expressions/evaluate.ts';
import { FUNCTIONS } from '../../src/expressions/functions.ts';
import { CONDITION_SYNTAX, parseExpression } from '../../src/expressions/parse.ts';
import { compileKernel, instantiate, type KernelInstance } from '../../src/kernels/instance.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { thrownDomainError } from '../suites/domain-error.ts';

let instance: KernelInstance;

beforeAll(async () => {
  instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
});

const dimension = (text: string): Dimension => parseUnit(text).dimension;

const SYMBOLS: Dimensions = new Map(
  Object.entries({
    x: 'm',
    y: 'm',
    A: 'm^2',
    v: 'm/s',
    a: 'm/s^2',
    t: 's',
    m: 'kg',
    T: 'K',
    E: 'J',
    price: 'USD',
    volatility: 'yr^-1/2',
    p: '1',
    q: '1',
  }).map(([name, unit]) => [name, dimension(unit)]),
);

const dimensionText = (text: string) => printDimension(dimensionOf(parseExpression(text), SYMBOLS));

const fault = (text: string): DomainError =>
  thrownDomainError(() => dimensionOf(parseExpression(text, CONDITION_SYNTAX), SYMBOLS));

describe('the dimension of', () => {
  test.each([
    ['a number', '3.5', '1'],
    ['pi times a symbol', '2*pi*x', 'm'],
    ['a product', 'm*a*x', 'kg*m^2/s^2'],
    ['a quotient', 'x/t/t', 'm/s^2'],
    ['a sum', 'v + a*t', 'm/s'],
    ['a whole power', '-v^2', 'm^2/s^2'],
    ['a negative power', 't^-1', '1/s'],
    ['a power by a quotient of numbers', 'x^(2/3)', 'm^2/3'],
    ['a power by a decimal', '(x/t)^0.5', 'm^1/2/s^1/2'],
    ['a power by a sum of numbers', 'x^(1 + 1/2)', 'm^3/2'],
    ['a power by a difference of numbers', 'x^(3 - 2/2)', 'm^2'],
    ['a pure power of a symbol', 'p^q', '1'],
    ['a root', 'sqrt(x*A)', 'm^3/2'],
    ['a cube root', 'cbrt(A)', 'm^2/3'],
    ['an absolute value', 'abs(v)', 'm/s'],
    ['a minimum of three', 'min(x, y, sqrt(A))', 'm'],
    ['a hypotenuse', 'hypot(x, y)', 'm'],
    ['a sign', 'sign(x - y)', '1'],
    ['an angle', 'atan2(x, y)', '1'],
    ['a sine', 'sin(x/y)', '1'],
    ['a comparison', 'x < y', '1'],
    ['a choice', 'x > y ? x : -y', 'm'],
    ['a choice by a quantity that is 0 or not', 'x ? p : q', '1'],
    ['a series', 'sum(k, 1, 10, x/k^2)', 'm'],
    ['a series whose index hides a symbol', 'sum(x, 1, 3, x)', '1'],
    ['a volatility over a time', 'volatility*sqrt(t)', '1'],
    ['money over time', 'price/t', 'USD/s'],
    ['what is 0 by its text', '0', '1'],
  ])('%s: %s is %s', (_, text, expected) => {
    expect(dimensionText(text)).toBe(expected);
  });

  test('a literal 0 fits any dimension, however it is wrapped', () => {
    for (const text of ['x + 0', 'max(0, x)', 'p > 1 ? 0 : x', 'x - 0*t', '-0 + x', 'hypot(0, x)', '0*t + x']) {
      expect(dimensionText(text), text).toBe('m');
    }
    expect(dimensionText('x < 0')).toBe('1');
    expect(dimensionText('sqrt(0) + x')).toBe('m');
  });

  test('intermediate values have theirs, in order', () => {
    const where = [
      { name: 'speed', expression: parseExpression('x/t') },
      { name: 'energy', expression: parseExpression('m*speed^2/2') },
    ];
    const known = withDefinitions(where, SYMBOLS);
    expect(printDimension(dimensionOf(parseExpression('energy/E'), known))).toBe('1');
    expect(() => withDefinitions(where.toReversed(), SYMBOLS)).toThrow('the unknown symbol speed');
  });
});

describe('a fault', () => {
  test.each([
    ['x + t', 5, 's', 'm', 'the sides of + are m and s'],
    ['v - a', 5, 'm/s^2', 'm/s', 'the sides of - are m/s and m/s^2'],
    ['1 + x', 5, 'm', '1', 'the sides of + are 1 and m'],
    ['x < t', 5, 's', 'm', 'the sides of < are m and s'],
    ['p*(x == T)', 9, 'K', 'm', 'the sides of == are m and K'],
    ['sin(x)', 5, 'm', '1', 'an argument of sin is m'],
    ['exp(-t)', 5, 's', '1', 'an argument of exp is s'],
    ['log(E)', 5, 'kg*m^2/s^2', '1', 'an argument of log is kg*m^2/s^2'],
    ['floor(x)', 7, 'm', '1', 'an argument of floor is m'],
    ['2^t', 3, 's', '1', 'the exponent is s'],
    ['x^p', 3, 'm', '1', 'the base of the power is m'],
    ['x^pi', 3, 'm', '1', 'the base of the power is m'],
    ['x^(1/0)', 3, 'm', '1', 'the base of the power is m'],
    ['max(x, y, t)', 11, 's', 'm', 'the arguments of max are m and s'],
    ['max(0, x, t)', 11, 's', 'm', 'the arguments of max are m and s'],
    ['atan2(x, t)', 10, 's', 'm', 'the arguments of atan2 are m and s'],
    ['p > 0 ? x : t', 13, 's', 'm', 'the branches of ?: are m and s'],
    ['(x > t) ? 1 : 2', 6, 's', 'm', 'the sides of > are m and s'],
    ['sum(k, x, 3, k)', 8, 'm', '1', 'the first index of the sum is m'],
    ['sum(k, 1, t, k)', 11, 's', '1', 'the last index of the sum is s'],
    ['sum(k, 1, 3, k + x)', 18, 'm', '1', 'the sides of + are 1 and m'],
    ['not (x + t)', 10, 's', 'm', 'the sides of + are m and s'],
    ['p > 0 and x > t', 15, 's', 'm', 'the sides of > are m and s'],
    ['0*sin(x)', 7, 'm', '1', 'an argument of sin is m'],
  ])('in %s is named with column %i and both dimensions', (text, position, found, expected, reason) => {
    const error = fault(text);
    expect(error.code).toBe('UNIT_MISMATCH');
    expect(error.facts).toEqual({ position, found, expected });
    expect(error.message).toContain(`Column ${position}: ${reason}`);
    expect(error.details).toEqual([{ path: `column ${position}`, code: 'UNIT_MISMATCH', message: error.message }]);
  });

  test('an exponent beyond all reason is refused, not computed', () => {
    for (const text of ['x^1e300', 'x^1e-300', `x${'^999'.repeat(9)}`, 'x^0.123456789']) {
      expect(fault(text).message, text).toMatch(/^Column \d+: /);
    }
    expect(dimensionText('p^1e300')).toBe('1');
  });

  test('an unknown symbol is met with the nearest, and prototypes are no symbols', () => {
    expect(fault('pricee + 1').message).toContain('Did you mean price?');
    for (const text of ['__proto__ + 1', 'constructor', 'toString*2']) {
      expect(fault(text).code, text).toBe('EXPRESSION_INVALID');
    }
    expect(fault('"m" == 1').code).toBe('EXPRESSION_INVALID');
  });
});

test('every function of the language has its rule, and every rule its function', () => {
  expect([...DIMENSION_RULES.keys()].sort()).toEqual([...FUNCTIONS.keys()].sort());
});

// Random laws that balance: what is added, compared or chosen is brought to one dimension by powers of base symbols.

interface Law {
  readonly text: string;
  readonly dimension: Dimension;
}

/** Values are near 1, so that no term hides another. */
const LEAVES: readonly (Law & { readonly value: number })[] = [
  { text: 'x', dimension: dimension('m'), value: 1.37 },
  { text: 't', dimension: dimension('s'), value: 0.83 },
  { text: 'w', dimension: dimension('kg'), value: 1.91 },
  { text: 'n', dimension: dimension('1'), value: 1.21 },
  { text: 'u', dimension: dimension('J/(mol*K)'), value: 0.77 },
];
const BASES = [
  ['m', 'x'],
  ['s', 't'],
  ['kg', 'w'],
] as const;
const slots = LEAVES.map(({ text }) => text);
const slotDimensions: Dimensions = new Map(LEAVES.map((leaf) => [leaf.text, leaf.dimension]));
const slotValues = LEAVES.map(({ value }) => value);
const plainSymbols = LEAVES.filter(({ text }) => text !== 'u');

/** `law` times powers of x, t and w, so that it has the dimension of `target`. */
function adapted(law: Law, target: Dimension): string {
  const missing = divide(target, law.dimension);
  const factors = BASES.map(([base, symbol]) => ({ symbol, exponent: exponentOf(missing, base) }))
    .filter(({ exponent }) => exponent.numerator !== 0n)
    .map(({ symbol, exponent }) => `${symbol}^(${exponent.numerator}/${exponent.denominator})`);
  return [`(${law.text})`, ...factors].join('*');
}

const pureText = (law: Law) => adapted(law, dimension('1'));
const power = (of: Dimension, n: bigint, d: bigint) =>
  dimensionOf(parseExpression(`s^(${n}/${d})`), new Map([['s', of]]));

const laws: fc.Arbitrary<Law> = fc.letrec<{ law: Law }>((tie) => ({
  law: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<Law>(...plainSymbols, { text: '1.75', dimension: dimension('1') }),
    fc.tuple(tie('law'), tie('law'), fc.constantFrom('*', '/')).map(([a, b, operator]) => ({
      text: `(${a.text})${operator}(${b.text})`,
      dimension: (operator === '*' ? multiply : divide)(a.dimension, b.dimension),
    })),
    fc.tuple(tie('law'), tie('law'), fc.constantFrom('+', '-')).map(([a, b, operator]) => ({
      text: `(${a.text} ${operator} 0.3*${adapted(b, a.dimension)})`,
      dimension: a.dimension,
    })),
    fc.tuple(tie('law'), tie('law'), fc.constantFrom('min', 'max', 'hypot')).map(([a, b, name]) => ({
      text: `${name}(${a.text}, ${adapted(b, a.dimension)})`,
      dimension: a.dimension,
    })),
    fc.tuple(tie('law'), fc.constantFrom([2n, 1n], [-1n, 1n], [1n, 2n], [2n, 3n])).map(([a, [n = 1n, d = 1n]]) => ({
      text: `abs(${a.text})^(${n}/${d})`,
      dimension: power(a.dimension, n, d),
    })),
    tie('law').map((a) => ({ text: `sqrt(abs(${a.text}))`, dimension: power(a.dimension, 1n, 2n) })),
    fc.tuple(tie('law'), fc.constantFrom('sin', 'atan', 'tanh', 'sign')).map(([a, name]) => ({
      text: `${name}(${name === 'sign' ? a.text : pureText(a)})`,
      dimension: dimension('1'),
    })),
    fc.tuple(tie('law'), tie('law'), tie('law')).map(([a, b, c]) => ({
      text: `(${a.text} < ${adapted(b, a.dimension)} ? ${c.text} : ${adapted(a, c.dimension)})`,
      dimension: c.dimension,
    })),
  ),
})).law;

const deviationOf = (text: string, result: Dimension, seed: number) =>
  rescalingDeviation(
    instance,
    { program: assemble(parseExpression(text), slots), dimensions: slotDimensions, result },
    slotValues,
    seed,
  );

const isShort = ({ text }: Law) => text.length < 300;

describe('the rules and the rescaling', () => {
  test('agree on every law that balances', () => {
    let judged = 0;
    fc.assert(
      fc.property(laws.filter(isShort), fc.nat(), (law, seed) => {
        expect(printDimension(dimensionOf(parseExpression(law.text), slotDimensions))).toBe(
          printDimension(law.dimension),
        );
        const deviation = deviationOf(law.text, law.dimension, seed);
        if (Number.isNaN(deviation)) return;
        judged++;
        expect(deviation).toBeLessThan(RESCALING_TOLERANCE);
      }),
      { numRuns: 400, seed: 8 },
    );
    expect(judged).toBeGreaterThan(200);
  });

  test('both refuse a law in which one dimension is wrong', () => {
    let judged = 0;
    // Each makes what balances unbalanced: the operand carries one unit more than its place allows.
    const breaks: ((law: Law) => string)[] = [
      ({ text }) => `(${text}) + (${text})*x/1.37`,
      ({ text }) => `(${text}) - 0.5*(${text})*t^2/0.6889`,
      (law) => `sin(${pureText(law)}*w)`,
      (law) => `exp(-abs(${pureText(law)})*x*0.3)`,
      (law) => `2^(tanh(${pureText(law)}) + t)`,
      (law) => `hypot(${law.text}, (${law.text})*w)`,
      (law) => `(1 + atan(${pureText(law)})^2)*(1 + sqrt(x))`,
    ];
    fc.assert(
      fc.property(laws.filter(isShort), fc.constantFrom(...breaks), fc.nat(), (law, broken, seed) => {
        const value = deviationOf(`1 + ${pureText(law)}`, dimension('1'), seed);
        const scale = magnitude(law.text);
        if (Number.isNaN(value) || !(scale > 1e-3 && scale < 1e3)) return;
        judged++;
        const text = broken(law);
        expect(() => dimensionOf(parseExpression(text), slotDimensions)).toThrow(DomainError);
        for (const claimed of [law.dimension, dimension('1')]) {
          expect(deviationOf(text, claimed, seed)).toBeGreaterThan(RESCALING_TOLERANCE);
        }
      }),
      { numRuns: 300, seed: 9 },
    );
    expect(judged).toBeGreaterThan(100);
  });

  test('a value that is claimed in a wrong unit does not follow', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      expect(deviationOf('x/t', dimension('m/s'), seed)).toBe(0);
      for (const wrong of ['m', 'm/s^2', 'm*s', 'm/s*K', '1', 'mol^1/7*m/s']) {
        expect(deviationOf('x/t', dimension(wrong), seed), wrong).toBeGreaterThan(0.1);
      }
    }
  });

  test('a root of a unit is followed exactly', () => {
    expect(deviationOf('sqrt(w/x)*t', dimension('kg^1/2*s/m^1/2'), 3)).toBe(0);
    expect(deviationOf('u^(3/7)', power(dimension('J/(mol*K)'), 3n, 7n), 3)).toBeLessThan(1e-14);
  });

  test('what has no finite value is not judged', () => {
    expect(deviationOf('log(x/x - 2)', dimension('1'), 1)).toBeNaN();
    expect(deviationOf('x/(t - t)', dimension('m/s'), 1)).toBeNaN();
  });
});

/** Of the value at the point where laws are compared. */
function magnitude(text: string): number {
  const program = assemble(parseExpression(text), slots);
  const [value = Number.NaN] = evaluateRows(instance, program, Float64Array.from(slotValues), 1);
  return Math.abs(value);
}
