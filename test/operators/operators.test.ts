// The registry: its files, the equation, dimensions and examples of every operator, and the binding of inputs.

import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { CODATA } from '../../src/core/codata.ts';
import { DomainError } from '../../src/core/errors.ts';
import { parseUnit, printDimension } from '../../src/core/units.ts';
import { dimensionOf, withDefinitions } from '../../src/expressions/dimensions.ts';
import { RESCALING_TOLERANCE, rescalingDeviation } from '../../src/expressions/dimensions-rescaled.ts';
import { EXPRESSION_KERNEL } from '../../src/expressions/evaluate.ts';
import { symbolsOf } from '../../src/expressions/tree.ts';
import { compileKernel, instantiate, type KernelInstance } from '../../src/kernels/instance.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { bindOperator, compileOperator, evaluateOperator, printOperator } from '../../src/operators/evaluate.ts';
import { findOperator, OPERATORS } from '../../src/operators/load.ts';
import { thrownDomainError } from '../suites/domain-error.ts';

const OPERATORS_FOLDER = new URL('../../src/operators/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, OPERATORS_FOLDER), 'utf8');
const operators = [...OPERATORS.values()];

let instance: KernelInstance;

beforeAll(async () => {
  instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
});

describe('the files', () => {
  const names = readdirSync(new URL('domains/', OPERATORS_FOLDER));
  const validate = new Ajv2020({ allErrors: true, strict: true, strictRequired: false }).compile(
    JSON.parse(read('schema.json')),
  );

  test.each(names)('%s follows the schema, is ASCII and is named by its prefix', (name) => {
    const text = read(`domains/${name}`);
    const file: unknown = JSON.parse(text);
    expect(validate(file), JSON.stringify(validate.errors)).toBe(true);
    expect(text).toMatch(/^[\x20-\x7e\n]*$/);
    expect(file).toHaveProperty('prefix', name.replace(/\.json$/, ''));
  });

  test('all operators are loaded, and each id is unique', () => {
    const ids = names.flatMap((name) => [...read(`domains/${name}`).matchAll(/"id": "([^"]+)"/g)].map(([, id]) => id));
    expect([...OPERATORS.keys()].sort()).toEqual(ids.sort());
  });

  test('the schema rejects an operator without a source', () => {
    const file = JSON.parse(read('domains/QM.json')) as { operators: Record<string, unknown>[] };
    delete file.operators[0]?.source;
    expect(validate(file)).toBe(false);
  });
});

describe.each(operators.map((operator) => [operator.id, operator] as const))('%s', (_, operator) => {
  test('its equation defines the output and uses exactly the declared inputs and constants, but for those of limits', () => {
    const { equation, where, requirements } = compileOperator(operator);
    const used = new Set(
      [equation.expression, ...where.map(({ expression }) => expression)].flatMap((tree) => [...symbolsOf(tree)]),
    );
    const limits = new Set(requirements.flatMap(({ condition }) => [...symbolsOf(condition)]));
    const declared = [
      ...Object.keys(operator.inputs),
      ...Object.keys(operator.constants ?? {}).filter((name) => used.has(name) || !limits.has(name)),
      ...where.map(({ name }) => name),
    ];
    expect(equation.symbol).toBe(operator.output.symbol);
    expect([...used].sort()).toEqual(declared.sort());
  });

  test('its dimensions balance, by the rules and under a change of units', () => {
    const { equation, where, program } = compileOperator(operator);
    const symbols = new Map(
      [...Object.entries(operator.inputs), ...Object.entries(operator.constants ?? {})].map(([name, one]) => {
        const unit = typeof one === 'string' ? CODATA.get(one)?.unit : one.unit;
        return [name, parseUnit(unit ?? '').dimension];
      }),
    );
    const result = parseUnit(operator.output.unit).dimension;
    const found = dimensionOf(equation.expression, withDefinitions(where, symbols));
    expect(printDimension(found)).toBe(printDimension(result));
    for (const { inputs } of operator.examples) {
      const values = bindOperator(operator, inputs);
      const slots = program.slots.map((name) => values[name] ?? Number.NaN);
      const deviation = rescalingDeviation(instance, { program, dimensions: symbols, result }, slots);
      expect(deviation).toBeLessThan(RESCALING_TOLERANCE);
    }
  });

  test('its examples give the expected values', () => {
    for (const { inputs, expected, rtol } of operator.examples) {
      const deviation = Math.abs(evaluateOperator(instance, operator, inputs) - expected);
      expect(deviation).toBeLessThanOrEqual((rtol ?? 1e-4) * Math.abs(expected));
    }
  });
});

describe('single operators', () => {
  test('hbar equals h / (2 pi) to the last bit', () => {
    // mpmath, 40 digits: 1.054571817646156391262428003302280744723e-34
    expect(CODATA.get('reduced Planck constant')?.value).toBe(1.0545718176461565e-34);
  });

  test('KO42 is printed with its numbers and with t left as a symbol', () => {
    const printed = 'Rt = -300.5*(1 + 0.001*sin(2*pi*1.287*t + 0)) [1]';
    expect(printOperator(findOperator('KO42'), { S: -300.5 })).toBe(printed);
  });

  test('KO42 never changes a value by more than alpha', () => {
    for (let i = 0; i < 200; i++) {
      const value = evaluateOperator(instance, findOperator('KO42'), { S: 2, t: i * 0.0173 });
      expect(Math.abs(value / 2 - 1)).toBeLessThanOrEqual(0.001 * (1 + 1e-12));
    }
  });

  test('CHE17 in one dimension: ky y = pi/2 and no second rate', () => {
    const inputs = { T0: 40, kx: 3, x: 0.2, ky: 1e-9, y: (Math.PI / 2) * 1e9, alpha: 1e-4, t: 500 };
    // mpmath, 40 digits, 40 sin(0.6) exp(-0.45): 14.40127746552090790
    expect(evaluateOperator(instance, findOperator('CHE17'), inputs)).toBeCloseTo(14.4012774655209, 12);
  });

  test('QM5 is printed with its constant', () => {
    const printed = printOperator(findOperator('QM5'), { n: 1, m: 2e-31, L: 1e-9 });
    expect(printed).toBe('E = 1^2*pi^2*1.0545718176461565e-34^2/(2*2e-31*1e-9^2) [J]');
  });
});

describe('inputs', () => {
  const box = findOperator('QM5');

  test('every invalid input is reported with its allowed range', () => {
    const error = thrownDomainError(() => bindOperator(box, { n: 1.5, m: -1 }));
    expect(error.code).toBe('VALIDATION_FAILED');
    expect(error.details.map(({ path, code }) => [path, code])).toEqual([
      ['inputs.n', 'OUT_OF_RANGE'],
      ['inputs.m', 'OUT_OF_RANGE'],
      ['inputs.L', 'MISSING'],
    ]);
    expect(error.details[2]?.message).toBe('QM5.L is missing; a finite number from 1e-18 up to 1 [m] is expected.');
    for (const n of [Number.NaN, Number.POSITIVE_INFINITY, 0, 2e6]) {
      expect(() => bindOperator(box, { n, m: 1e-30, L: 1e-9 })).toThrow(DomainError);
    }
  });

  test('a missing input takes its default, and a given value replaces it', () => {
    const modulation = findOperator('KO42');
    expect(bindOperator(modulation, { S: 1, t: 2 })).toEqual({ alpha: 0.001, f: 1.287, S: 1, t: 2, phi0: 0 });
    expect(bindOperator(modulation, { S: 1, t: 2, phi0: 0.5 }).phi0).toBe(0.5);
  });

  test('an unknown id is rejected with the nearest id as suggestion', () => {
    const error = thrownDomainError(() => findOperator('BLACK_SHCOLES'));
    expect(error.code).toBe('OPERATOR_UNKNOWN');
    expect(error.message).toContain('Did you mean BLACK_SCHOLES?');
    expect(error.facts.nearest).toEqual(['BLACK_SCHOLES']);
    expect(() => findOperator('__proto__')).toThrow(DomainError);
  });
});
