// Mutants of a law: which are made, and which of them the examples kill.

import { describe, expect, test } from 'vitest';
import { FUNCTIONS } from '../../../src/expressions/functions.ts';
import { parseExpression } from '../../../src/expressions/parse.ts';
import { printExpression } from '../../../src/expressions/print.ts';
import { checkStrength, checkSurvivedShare } from '../../../src/operators/lint/example-strength.ts';
import { exampleRows } from '../../../src/operators/lint/examples.ts';
import { FUNCTION_MUTATIONS, mutantsOf } from '../../../src/operators/lint/mutants.ts';
import { publishedRows } from '../../../src/operators/lint/published.ts';
import { samplePoints } from '../../../src/operators/lint/sampling.ts';
import type { OperatorRecord } from '../../../src/operators/operator.ts';
import { evaluator, preparedOf, SOUND, sound } from './registry.ts';

const mutants = (text: string) => mutantsOf(parseExpression(text)).map(({ expression }) => printExpression(expression));

describe('mutants of', () => {
  test.each([
    ['a + b', ['a - b', 'a', 'b']],
    ['a/b', ['a*b', 'a', 'b']],
    ['x^2', ['x*2', 'x', 'x^3', 'x^1']],
    ['7*x', ['7/x', '7', 'x', '8*x']],
    ['x/100', ['x*100', 'x', '100', 'x/110.00000000000001']],
    ['x*0.5', ['x/0.5', 'x', '0.5', 'x*0.55']],
    ['-x', ['x']],
    ['sin(x)', ['cos(x)', 'x']],
    ['min(x, y)', ['max(x, y)', 'x', 'y']],
    ['min(x, y, z)', ['max(x, y, z)', 'min(y, z)', 'min(x, z)', 'min(x, y)']],
    ['atan2(y, x)', ['atan2(x, y)']],
    ['a < b ? x : y', ['x', 'y', 'a >= b ? x : y']],
    ['sum(k, 1, n, k)', ['sum(k, 2, n, k)']],
    ['a and b', ['a or b', 'a', 'b']],
  ])('%s', (text, expected) => {
    expect(mutants(text)).toEqual(expected);
  });

  test('an operand deep inside change only there, and say where', () => {
    const found = mutantsOf(parseExpression('a*exp(-(x + 1)/b)'));
    expect(found.map(({ change }) => change)).toContain('x + 1 becomes x - 1');
    expect(found.map(({ expression }) => printExpression(expression))).toContain('a*exp(-(x - 1)/b)');
  });

  test('every function is replaced by one with as many arguments', () => {
    for (const [name, other] of Object.entries(FUNCTION_MUTATIONS)) {
      expect(FUNCTIONS.get(name)?.arity, name).toBe(FUNCTIONS.get(other)?.arity);
      expect(FUNCTIONS.get(name)?.arity, name).toBeDefined();
    }
  });
});

function strength(record: OperatorRecord) {
  const prepared = preparedOf(record);
  const killers = { examples: exampleRows(prepared).rows, published: publishedRows(prepared).rows };
  return checkStrength(prepared, killers, samplePoints(prepared, 64), evaluator);
}

const without = (id: string, count: number): OperatorRecord => ({
  ...sound(id),
  examples: sound(id).examples.slice(0, count),
});

describe('example strength', () => {
  test('sound examples kill every mutant', () => {
    for (const record of SOUND) expect(strength(record), record.id).toMatchObject({ survived: 0, diagnostics: [] });
  });

  test('a mutant with another constant survives where the constant hardly counts', () => {
    const offset: OperatorRecord = {
      ...sound('AA2'),
      equation: 'Cd = (Re + c)/Re',
      constants: { c: { value: 1e-3, unit: '1', note: 'small' } },
      examples: [{ inputs: { Re: 9e4 }, expected: 1 + 1e-3 / 9e4, rtol: 1e-6, source: 'by hand' }],
    };
    expect(strength(offset).diagnostics[0]?.text).toContain('the constant c is a tenth larger');
  });

  test('a surviving mutant is named by the part that changed', () => {
    const record = without('AA4', 1);
    const examples = [
      { inputs: { n: 1, x: 0.7 }, expected: 0.820243434808857, rtol: 1e-6, source: 'by hand: one term' },
    ];
    const { diagnostics } = strength({ ...record, examples });
    expect(diagnostics.map(({ text }) => text).join()).toMatch(/2\*k becomes/);
  });

  test('a published value kills what the examples leave, as far as its printed digits tell', () => {
    const weak: OperatorRecord = {
      ...sound('AA4'),
      examples: [{ inputs: { n: 1, x: 0.7 }, expected: 0.820243434808857, rtol: 1e-6, source: 'by hand: one term' }],
    };
    const source = { cite: 'a printed table', locator: 'row 3', url: 'https://a.test' };
    const printed = (value: number, tolerance: number): OperatorRecord => ({
      ...weak,
      published: [{ inputs: { n: 3, x: 0.7 }, value, tolerance, source }],
    });
    const [alone, sharp, blunt] = [weak, printed(1.0973, 5e-5), printed(1.1, 0.05)].map(strength);
    expect(alone).toMatchObject({ killedByPublished: 0 });
    expect(alone?.survived).toBeGreaterThan(1);
    expect(sharp).toMatchObject({ survived: 0, diagnostics: [] });
    expect(sharp?.killedByPublished).toBe(sharp?.mutants);
    expect(blunt?.killedByPublished).toBeLessThan(blunt?.mutants ?? 0);
  });

  test('leaving out a reference of SI value 1 is an equivalent mutant', () => {
    const record: OperatorRecord = {
      ...sound('AA3'),
      equation: 'x = A*log(m/m1)',
      where: {},
      inputs: { A: { unit: 'm', description: '', min: 1, max: 5 }, m: { unit: 'kg', description: '', min: 2, max: 9 } },
      constants: { m1: { value: 1, unit: 'kg', note: 'reference' } },
      examples: [{ inputs: { A: 2.5, m: 3.7 }, expected: 3.27083204898249, rtol: 1e-9, source: 'tables' }],
    };
    const kept = strength(record);
    // m*m1 and m are the law itself; m1 alone, m1 a tenth larger, log10 and the rest are not.
    expect(kept).toMatchObject({ mutants: 7, survived: 0 });
  });

  test('at most three percent of the mutants of the registry survive', () => {
    expect(checkSurvivedShare(1000, 30)).toEqual([]);
    expect(checkSurvivedShare(1000, 31)[0]?.text).toContain('3.1 % of 1000');
    expect(checkSurvivedShare(0, 0)).toEqual([]);
  });
});
