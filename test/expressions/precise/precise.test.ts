// The second witness against numbers of 60 digits, and beside the machine on every example of the registry.

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { assemble } from '../../../src/expressions/bytecode.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from '../../../src/expressions/evaluate.ts';
import { parseExpression } from '../../../src/expressions/parse.ts';
import { deviationFrom } from '../../../src/expressions/precise/deviation.ts';
import { evaluatePrecisely } from '../../../src/expressions/precise/evaluate.ts';
import { compileKernel, instantiate, type KernelInstance } from '../../../src/kernels/instance.ts';
import { loadKernel } from '../../../src/kernels/load-node.ts';
import { bindOperator, compileOperator } from '../../../src/operators/evaluate.ts';
import { OPERATORS } from '../../../src/operators/load.ts';
import TRUTH from '../../truth/precise.json' with { type: 'json' };
import { expressions, ofDoubles, SYMBOLS, symbolValues } from './trees.ts';

let machine: KernelInstance;
beforeAll(async () => {
  machine = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
});

const POINTS = TRUTH.points as [text: string, high: number, low: number][];
/** Elementary functions and what is made of them carry 28 digits, special ones 20. */
const SPECIAL = /^(erf|erfc|norm\w+|gamma|lgamma|ellip\w|expint1|zeta|langevin|bessel\w|lambertw|choose|factorial)\(/;

describe('numbers of 60 digits', () => {
  test.each(POINTS)('%s', (text, high, low) => {
    const found = evaluatePrecisely({ expression: ofDoubles(parseExpression(text)), where: [] }, new Map());
    const error = Math.abs(found.value - high + (found.low - low));
    expect(error).toBeLessThanOrEqual(Math.abs(high) * (SPECIAL.test(text) ? 1e-20 : 1e-28));
    expect(found.method).toContain('double-double');
  });

  test('there are many', () => expect(POINTS.length).toBeGreaterThanOrEqual(80));
});

describe('the machine', () => {
  test.each([...OPERATORS.values()].map((operator) => [operator.id, operator] as const))(
    '%s lies where roundings can bring it, at every example',
    (_, operator) => {
      const { program, equation, where } = compileOperator(operator);
      for (const { inputs } of operator.examples) {
        const values = bindOperator(operator, inputs);
        const witness = evaluatePrecisely({ expression: equation.expression, where }, new Map(Object.entries(values)));
        const { relative, isWithinBound } = deviationFrom(witness, evaluateProgram(machine, program, values));
        expect(isWithinBound).toBe(true);
        expect(relative).toBeLessThan(5e-13);
      }
    },
  );

  test('lies where roundings can bring it on random expressions', () => {
    let compared = 0;
    fc.assert(
      fc.property(expressions, symbolValues, (expression, values) => {
        const witness = evaluatePrecisely({ expression, where: [] }, new Map(Object.entries(values)));
        if (witness.method.includes('ambiguous') || !Number.isFinite(witness.bound)) return;
        const value = evaluateProgram(machine, assemble(expression, SYMBOLS), values);
        compared++;
        expect(deviationFrom(witness, value).isWithinBound).toBe(true);
      }),
      { numRuns: 500 },
    );
    expect(compared).toBeGreaterThan(100);
  });

  test('a wrong value lies outside', () => {
    const witness = evaluatePrecisely({ expression: parseExpression('exp(1)*erf(0.5)'), where: [] }, new Map());
    expect(deviationFrom(witness, witness.value * (1 + 1e-12)).isWithinBound).toBe(false);
  });
});

test('where the branch depends on the last digits it says so', () => {
  const expression = parseExpression('0.1 + 0.2 > x ? 1 : 2');
  const { method } = evaluatePrecisely({ expression, where: [] }, new Map([['x', 0.30000000000000004]]));
  expect(method).toMatch(/ambiguous/);
});
