import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { DomainError } from '../../src/core/errors.ts';
import { compileExpression, EXPRESSION_KERNEL, evaluateProgram } from '../../src/expressions/evaluate.ts';
import { FUNCTIONS } from '../../src/expressions/functions.ts';
import { OPCODE } from '../../src/expressions/opcodes.ts';
import { parseExpression } from '../../src/expressions/parse.ts';
import { printExpression } from '../../src/expressions/print.ts';
import { compileKernel, instantiate, type KernelInstance } from '../../src/kernels/instance.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { boundOf, SPECIAL_NAMES, SPECIAL_POINTS } from './special-points.ts';

let instance: KernelInstance;

beforeAll(async () => {
  instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
});

const value = (text: string, values: Readonly<Record<string, number>> = {}) =>
  evaluateProgram(instance, compileExpression(text, Object.keys(values)), values);

/** |got - expected| over the greater of |expected| and the scale. */
const errorOf = (got: number, expected: number, scale = 0) =>
  Math.abs(got - expected) / Math.max(Math.abs(expected), scale, Number.MIN_VALUE);

const points = SPECIAL_POINTS.map(([text, expected, scale = 0]) => {
  const [name = '', first] = text.split(/[(,)]/);
  return { text, expected, scale, bound: boundOf(name, Number(first)) };
});

test.each(points)('$text', ({ text, expected, scale, bound }) => {
  expect(errorOf(value(text), expected, scale)).toBeLessThan(bound);
});

test('every special function is compared at a dozen points', () => {
  const isSpecial = (opcode: number) =>
    (opcode >= OPCODE.ERF && opcode <= OPCODE.LANGEVIN) || (opcode >= OPCODE.CHOOSE && opcode <= OPCODE.LAMBERTW);
  const special = [...FUNCTIONS].filter(([, { opcode }]) => isSpecial(opcode)).map(([name]) => name);
  expect(special.sort()).toEqual([...SPECIAL_NAMES].sort());
  for (const name of special) {
    const count = SPECIAL_POINTS.filter(([text]) => text.startsWith(`${name}(`)).length;
    expect(count, name).toBeGreaterThanOrEqual(12);
  }
});

const POSITIVE = Number.POSITIVE_INFINITY;
const NEGATIVE = Number.NEGATIVE_INFINITY;

describe('at the edges of their domains', () => {
  test.each<readonly [string, number]>([
    ['erf(1/0)', 1],
    ['erf(-1/0)', -1],
    ['erf(7)', 1],
    ['erfc(1/0)', 0],
    ['erfc(-1/0)', 2],
    ['erfc(28)', 0],
    ['normcdf(1/0)', 1],
    ['normcdf(-1/0)', 0],
    ['normcdf(0)', 0.5],
    ['normpdf(-1/0)', 0],
    ['norminv(0)', NEGATIVE],
    ['norminv(1)', POSITIVE],
    ['norminv(0.5)', 0],
    ['gamma(0)', POSITIVE],
    ['gamma(-3)', POSITIVE],
    ['gamma(172)', POSITIVE],
    ['gamma(-190.5)', 0],
    ['gamma(1/0)', POSITIVE],
    ['lgamma(0)', POSITIVE],
    ['lgamma(-7)', POSITIVE],
    ['lgamma(-1e300)', POSITIVE],
    ['lgamma(1)', 0],
    ['lgamma(2)', 0],
    ['lgamma(1/0)', POSITIVE],
    ['factorial(171)', POSITIVE],
    ['choose(5, -1)', 0],
    ['choose(5, 6)', 0],
    ['choose(0, 0)', 1],
    ['choose(1e300, 1)', 1e300],
    ['choose(2000, 1000)', POSITIVE],
    ['ellipk(1)', POSITIVE],
    ['ellipk(-1/0)', 0],
    ['ellipe(1)', 1],
    ['ellipe(-1/0)', POSITIVE],
    ['expint1(0)', POSITIVE],
    ['expint1(1e6)', 0],
    ['zeta(1)', POSITIVE],
    ['zeta(-2)', 0],
    ['zeta(-44)', 0],
    ['zeta(-1000)', 0],
    ['zeta(1/0)', 1],
    ['langevin(0)', 0],
    ['langevin(1/0)', 1],
    ['langevin(-1/0)', -1],
    ['besselj(0, 0)', 1],
    ['besselj(4, 0)', 0],
    ['besselj(4, 1/0)', 0],
    ['besselj(1000, 1)', 0],
    ['besseli(0, 0)', 1],
    ['besseli(4, 0)', 0],
    ['besseli(1, -1/0)', NEGATIVE],
    ['besselk(0, 0)', POSITIVE],
    ['besselk(3, 1/0)', 0],
    ['besselk(1000, 1e-3)', POSITIVE],
    ['lambertw(0, 0)', 0],
    ['lambertw(0, 1/0)', POSITIVE],
    ['lambertw(-1, 0)', NEGATIVE],
    ['lambertw(0, -0.36787944117144233)', -1], // the double nearest to -1/e
    ['lambertw(-1, -0.36787944117144233)', -1],
  ])('%s is %d', (text, expected) => {
    expect(value(text) + 0).toBe(expected);
  });

  test.each([
    'norminv(-1e-300)',
    'norminv(1.0000000000000002)',
    'gamma(-1/0)',
    'factorial(-1)',
    'factorial(2.5)',
    'choose(5, 2.5)',
    'choose(-5, 2)',
    'choose(5.5, 2)',
    'ellipk(1.0000000000000002)',
    'ellipe(1.5)',
    'expint1(-1e-300)',
    'zeta(-1/0)',
    'besselj(0.5, 1)',
    'besselj(1001, 1)',
    'besseli(0.5, 1)',
    'besseli(-1001, 1)',
    'besselk(0, -1)',
    'besselk(1.5, 1)',
    'lambertw(0, -0.3678794411714424)',
    'lambertw(-1, -0.3678794411714424)',
    'lambertw(-1, 1e-300)',
    'lambertw(1, 1)',
  ])('%s has no value', (text) => {
    expect(value(text)).toBeNaN();
  });

  test('a value that is none passes through', () => {
    for (const [name, { arity }] of FUNCTIONS) {
      const text = arity === 1 ? `${name}(0/0)` : `${name}(0, 0/0)`;
      expect(value(text), text).toBeNaN();
    }
  });
});

describe('identities', () => {
  const holds = (property: (x: number) => void, min: number, max: number) =>
    fc.assert(
      fc.property(fc.double({ min, max, noNaN: true }), (x) => void property(x)),
      { numRuns: 300 },
    );
  const whole = (max: number) => fc.integer({ min: 0, max });

  test('erf(x) + erfc(x) = 1, and erf is odd', () => {
    holds(
      (x) => {
        expect(errorOf(value('erf(x) + erfc(x)', { x }), 1)).toBeLessThan(4e-16);
        expect(value('erf(-x)', { x })).toBe(-value('erf(x)', { x }));
      },
      -8,
      8,
    );
  });

  test('normcdf(x) = erfc(-x/sqrt(2))/2 and normcdf(x) + normcdf(-x) = 1', () => {
    holds(
      (x) => {
        expect(errorOf(value('erfc(-x/sqrt(2))/2', { x }), value('normcdf(x)', { x }))).toBeLessThan(1e-14);
        expect(errorOf(value('normcdf(x) + normcdf(-x)', { x }), 1)).toBeLessThan(4e-16);
      },
      -7,
      7,
    );
  });

  test('norminv(normcdf(x)) = x', () => {
    holds((x) => expect(errorOf(value('norminv(normcdf(x))', { x }), x, 1e-3)).toBeLessThan(1e-12), -37, 1);
  });

  test('gamma(x + 1) = x*gamma(x), and lgamma is its logarithm', () => {
    holds(
      (x) => {
        fc.pre(Math.abs(x - Math.round(x)) > 1e-3);
        // x + 1 rounds; what that does to gamma grows with the digamma function, largest next to a pole.
        expect(errorOf(value('gamma(x + 1)', { x }), value('x*gamma(x)', { x }))).toBeLessThan(2e-11);
        expect(errorOf(value('lgamma(x)', { x }), value('log(abs(gamma(x)))', { x }), 10)).toBeLessThan(1e-14);
      },
      -150,
      150,
    );
  });

  test('factorials and binomial coefficients that a double can hold are exact', () => {
    let factorial = 1n;
    for (let n = 0; n <= 22; n++) {
      factorial *= BigInt(Math.max(n, 1));
      expect(value('factorial(n)', { n })).toBe(Number(factorial));
      expect(value('gamma(n + 1)', { n })).toBe(Number(factorial));
    }
    let row = [1n];
    for (let n = 1; n <= 150; n++) {
      row = [1n, ...row.slice(1).map((one, i) => one + (row[i] ?? 0n)), 1n];
      for (const [k, exact] of row.entries()) {
        const got = value('choose(n, k)', { n, k });
        if (exact <= 2n ** 53n) expect(got).toBe(Number(exact));
        else expect(errorOf(got, Number(exact))).toBeLessThan(1e-14);
      }
    }
  });

  test('W e^W = x on both branches', () => {
    holds((x) => expect(errorOf(value('lambertw(x)*exp(lambertw(x))', { x }), x)).toBeLessThan(3e-15), 1e-300, 10);
    holds(
      (x) => {
        expect(errorOf(value('lambertw(0, x)*exp(lambertw(0, x))', { x }), x)).toBeLessThan(3e-15);
        const w = value('lambertw(-1, x)', { x }); // a rounding of w counts 1 + |w| times
        expect(errorOf(value('w*exp(w)', { w }), x)).toBeLessThan(5e-16 * (1 - w));
        expect(value('lambertw(0, x) >= -1 and lambertw(-1, x) <= -1', { x })).toBe(1);
      },
      -0.3678794411714423,
      -1e-300,
    );
  });

  test('the Wronskian of I and K is 1/x', () => {
    fc.assert(
      fc.property(whole(60), fc.double({ min: 1e-2, max: 300, noNaN: true }), (n, x) => {
        fc.pre(value('besselk(n + 1, x)', { n, x }) < 1e290);
        const text = 'x*(besseli(n, x)*besselk(n + 1, x) + besseli(n + 1, x)*besselk(n, x))';
        expect(errorOf(value(text, { n, x }), 1)).toBeLessThan(2e-14);
      }),
    );
  });

  test('J solves its recurrence, and its squares add up to 1', () => {
    fc.assert(
      fc.property(fc.integer({ min: -80, max: 80 }), fc.double({ min: 0.1, max: 150, noNaN: true }), (n, x) => {
        const left = value('besselj(n - 1, x) + besselj(n + 1, x)', { n, x });
        const scale = value('(abs(2*n/x) + 1)*(abs(besselj(n, x)) + abs(besselj(n + 1, x)))', { n, x });
        expect(errorOf(left, value('2*n/x*besselj(n, x)', { n, x }), scale)).toBeLessThan(1e-13);
        expect(errorOf(value('besselj(0, x)^2 + 2*sum(k, 1, 250, besselj(k, x)^2)', { x }), 1)).toBeLessThan(1e-13);
      }),
    );
  });

  test("Legendre's relation binds K and E", () => {
    holds(
      (m) => {
        const text = 'ellipe(m)*ellipk(1 - m) + ellipe(1 - m)*ellipk(m) - ellipk(m)*ellipk(1 - m)';
        expect(errorOf(value(text, { m }), Math.PI / 2)).toBeLessThan(3e-14);
      },
      1e-6,
      0.999_999,
    );
  });

  test('zeta keeps its reflection formula', () => {
    holds(
      (s) => {
        const text = '2*(2*pi)^(s - 1)*sin(pi*s/2)*gamma(1 - s)*zeta(1 - s)';
        expect(errorOf(value(text, { s }), value('zeta(s)', { s }))).toBeLessThan(3e-14);
      },
      0.05,
      0.95,
    );
  });

  test('expint1 and langevin have the derivatives they should', () => {
    const derivative = (text: string, x: number, h: number) =>
      (8 * (value(text, { x: x + h }) - value(text, { x: x - h })) -
        (value(text, { x: x + 2 * h }) - value(text, { x: x - 2 * h }))) /
      (12 * h);
    for (const x of [0.3, 0.9995, 1.0005, 3.9995, 4.0005, 20]) {
      expect(errorOf(derivative('expint1(x)', x, 1e-3), value('-exp(-x)/x', { x }))).toBeLessThan(1e-9);
      expect(errorOf(derivative('langevin(x)', x, 1e-3), value('1/x^2 - 1/sinh(x)^2', { x }))).toBeLessThan(1e-9);
    }
  });
});

describe('in the language', () => {
  test('lambertw with one argument is its principal branch', () => {
    for (const x of [-0.36, -0.1, 0.5, 1e10]) expect(value('lambertw(x)', { x })).toBe(value('lambertw(0, x)', { x }));
    expect(value('1 + 2*lambertw(1) + 3')).toBe(1 + 2 * value('lambertw(1)') + 3);
    expect(value('lambertw(lambertw(-1, -0.1) + lambertw(3))')).toBeNaN();
    expect(printExpression(parseExpression('lambertw(x) + lambertw(-1, x)'))).toBe('lambertw(x) + lambertw(-1, x)');
  });

  test('the implied argument needs no room on the stack beyond the nodes', () => {
    const depth = 60;
    let x = 1;
    for (let i = 0; i < depth; i++) x = value('lambertw(x)', { x });
    expect(value(`${'lambertw('.repeat(depth)}1${')'.repeat(depth)}`)).toBe(x);
  });

  test.each([
    ['lambertw(1, 2, 3)', 'lambertw of 3', 'lambertw of 1 or 2'],
    ['besselj(1)', 'besselj of 1', 'besselj of 2'],
    ['erf(1, 2)', 'erf of 2', 'erf of 1'],
    ['hypot(1)', 'hypot of 1', 'hypot of 2 or more'],
  ])('%s is refused', (text, found, expected) => {
    const refusal = () => parseExpression(text);
    expect(refusal).toThrow(DomainError);
    expect(refusal).toThrow(`got ${found} instead of ${expected}`);
  });

  test('a misspelt function is met with the nearest one, and gamma and zeta stay symbols', () => {
    expect(() => parseExpression('bessel(0, x)')).toThrow('Did you mean besse');
    expect(() => parseExpression('norminf(x)')).toThrow('Did you mean norminv?');
    expect(value('gamma*gamma(5) + zeta', { gamma: 2, zeta: 1 })).toBe(49);
  });
});
