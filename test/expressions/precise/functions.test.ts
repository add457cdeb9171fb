// Every function in double-double beside the kernel's: within the error that is declared for the kernel's, and the same
// where there is no number to compare.

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  compileExpression,
  EXPRESSION_KERNEL,
  evaluateProgram,
  evaluateRows,
} from '../../../src/expressions/evaluate.ts';
import { FUNCTIONS } from '../../../src/expressions/functions.ts';
import { parseExpression } from '../../../src/expressions/parse.ts';
import { applyFunction, exactValue } from '../../../src/expressions/precise/bounded-value.ts';
import { evaluatePrecisely } from '../../../src/expressions/precise/evaluate.ts';
import { FUNCTIONS_IN_DOUBLE_DOUBLE, STEP_FUNCTIONS } from '../../../src/expressions/precise/functions.ts';
import { compileKernel, instantiate, type KernelInstance } from '../../../src/kernels/instance.ts';
import { loadKernel } from '../../../src/kernels/load-node.ts';

let machine: KernelInstance;
beforeAll(async () => {
  machine = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
});

test('every function of the language is here', () => {
  const here = [...FUNCTIONS_IN_DOUBLE_DOUBLE.keys(), ...STEP_FUNCTIONS.keys(), 'abs', 'min', 'max'];
  expect(here.sort()).toEqual([...FUNCTIONS.keys(), '^'].sort());
});

const decades = (least: number, most: number) => fc.double({ min: least, max: most, noNaN: true }).map((e) => 10 ** e);
const signed = (sizes: fc.Arbitrary<number>) => fc.tuple(sizes, fc.boolean()).map(([x, is]) => (is ? -x : x));
const numbers = fc.oneof(
  signed(decades(-290, 300)),
  signed(decades(-3, 3)),
  fc.double({ min: -10, max: 10, noNaN: true }).filter((x) => Math.abs(x) > 1e-290),
  fc.double({ min: -750, max: 750, noNaN: true }).filter((x) => Math.abs(x) > 1e-290),
  signed(decades(-16, -1)).map((x) => 1 + x),
  fc.integer({ min: -200, max: 200 }),
);
const orders = decades(-0.5, 3).map(Math.round);
const probabilities = fc.oneof(fc.double({ min: 1e-10, max: 1, noNaN: true }), decades(-300, 0));

/** Where arguments come from that are not any number. */
const ARGUMENTS: Readonly<Record<string, readonly fc.Arbitrary<number>[]>> = {
  norminv: [probabilities],
  factorial: [fc.integer({ min: 0, max: 175 })],
  choose: [orders, orders],
  besselj: [orders, numbers],
  besseli: [orders, numbers],
  besselk: [orders, numbers],
  lambertw: [
    fc.constantFrom(0, -1),
    fc.oneof(
      numbers,
      signed(decades(-16, -1)).map((x) => x - 0.36787944117144233),
    ),
  ],
};

describe("the kernel's error is at most the declared one", () => {
  test.each([...FUNCTIONS_IN_DOUBLE_DOUBLE])('%s', (name, known) => {
    const isBinary = name === '^' || FUNCTIONS.get(name)?.arity === 2;
    const program = compileExpression(name === '^' ? 'x^y' : isBinary ? `${name}(x, y)` : `${name}(x)`, ['x', 'y']);
    const [first = numbers, second = isBinary ? numbers : fc.constant(0)] = ARGUMENTS[name] ?? [];
    const points = fc.sample(fc.tuple(first, second), { numRuns: 500, seed: 20_260_301 });
    const found = evaluateRows(machine, program, Float64Array.from(points.flat()), points.length);
    let compared = 0;
    for (const [i, [x, y]] of points.entries()) {
      const there = found[i] ?? Number.NaN;
      const { value, errorBound: spread } = applyFunction(known, exactValue(x), exactValue(y));
      const place = `${name}(${x}, ${y}): kernel ${there}, here ${value.high}, spread ${spread}`;
      if (Number.isFinite(there) && Number.isFinite(value.high)) {
        compared++;
        expect(Math.abs(there - value.high - value.low), place).toBeLessThanOrEqual(spread);
      } else {
        expect(value.high, place).toBe(there);
      }
    }
    expect(compared).toBeGreaterThan(100);
  });
});

const SPECIAL = /^(lgamma|zeta|bessel)/;

/** Poles, ends of domains, infinities and signs of zero. */
const EDGES: readonly string[] = [
  ...['exp', 'expm1', 'log', 'log1p', 'log10', 'log2', 'sqrt', 'cbrt', 'sin', 'cos', 'tan', 'sinc', 'atan', 'asin'],
  ...['acos', 'sinh', 'cosh', 'tanh', 'asinh', 'acosh', 'atanh', 'floor', 'ceil', 'round', 'sign', 'abs'],
  ...['erf', 'erfc', 'normcdf', 'normpdf', 'norminv', 'gamma', 'lgamma', 'factorial', 'ellipk', 'ellipe'],
  ...['expint1', 'zeta', 'langevin'],
].flatMap((name) =>
  ['0', '-0', '1', '-1', '2', '-2', '0.5', '-0.5', '-2.5', '1e10', 'i', '-i', 'u'].map((x) => `${name}(${x})`),
);
const PAIRS = ['^', 'atan2', 'hypot', 'min', 'max', 'choose', 'besselj', 'besseli', 'besselk', 'lambertw'].flatMap(
  (name) =>
    ['0', '-0', '1', '-1', '2.5', '-3', 'i', '-i', 'u'].flatMap((x) =>
      ['0', '-0', '1', '-1', '0.5', '-3', '4', '2000', 'i', '-i', 'u'].map((y) =>
        name === '^' ? `(${x})^(${y})` : `${name}(${x}, ${y})`,
      ),
    ),
);

test('at edges of every kind both have the same infinity, zero or NaN', () => {
  const values = { i: Number.POSITIVE_INFINITY, u: Number.NaN };
  const differing: string[] = [];
  for (const text of [...EDGES, ...PAIRS]) {
    const there = evaluateProgram(machine, compileExpression(text, ['i', 'u']), values);
    const { value } = evaluatePrecisely(
      { expression: parseExpression(text), where: [] },
      new Map(Object.entries(values)),
    );
    const isNumber = there !== 0 && Number.isFinite(there);
    // Zeros of special functions have the sign that their algorithm gives.
    const [here, expected] = SPECIAL.test(text) ? [value + 0, there + 0] : [value, there];
    const isSame = isNumber ? Math.abs(value / there - 1) < 1e-13 : Object.is(here, expected);
    if (!isSame) differing.push(`${text}: kernel ${there}, here ${value}`);
  }
  expect(differing).toEqual([]);
});
