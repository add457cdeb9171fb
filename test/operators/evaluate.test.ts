import { beforeAll, describe, expect, test } from 'vitest';
import { CODATA } from '../../src/core/codata.ts';
import { convert, parseUnit, type Unit } from '../../src/core/units.ts';
import { assemble } from '../../src/expressions/bytecode.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from '../../src/expressions/evaluate.ts';
import { parseEquation, parseExpression } from '../../src/expressions/parse.ts';
import { compileKernel, instantiate, type KernelInstance } from '../../src/kernels/instance.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { bindOperator, evaluateOperator, printOperator } from '../../src/operators/evaluate.ts';
import { findOperator, OPERATORS } from '../../src/operators/load.ts';
import type { OperatorDefinition } from '../../src/operators/operator.ts';
import { thrownDomainError } from '../suites/domain-error.ts';

let instance: KernelInstance;

beforeAll(async () => {
  instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
});

/** Nothing here is coherent: minutes, litres, kilojoules. */
const BINDING: OperatorDefinition = {
  id: 'BINDING',
  name: 'Free energy of binding',
  equation: 'dG = R*T*log(Kd/c0)',
  output: { symbol: 'dG', unit: 'kJ/mol' },
  inputs: { T: { unit: 'K', min: 200, max: 400, default: 298.15 }, Kd: { unit: 'mol/L', min: 1e-15, max: 1 } },
  constants: { R: 'molar gas constant', c0: { value: 1, unit: 'mol/L', note: 'standard concentration' } },
};

const LOSS: OperatorDefinition = {
  id: 'LOSS',
  name: 'Count after a time of loss',
  equation: 'n = n0*exp(-rate*t)/shape',
  where: { shape: '1 + (t/t1)^2' },
  output: { symbol: 'n', unit: 'percent' },
  inputs: {
    n0: { unit: '1', min: 0 },
    rate: { unit: '1/yr', min: 0, max: 10 },
    t: { unit: 'day', min: 0, max: 365.25, integer: true },
  },
  constants: { t1: { value: 1, unit: 'week', note: 'by definition' } },
};

/** Not coherent, and yet one system: hours and millilitres. */
const DECAY: OperatorDefinition = {
  id: 'DECAY',
  name: 'Count after a time',
  equation: 'N = N0*exp(-rate*t)',
  output: { symbol: 'N', unit: '1/mL' },
  inputs: { N0: { unit: '1/mL' }, rate: { unit: '1/h' }, t: { unit: 'h' } },
};

describe('a law is evaluated in coherent units', () => {
  test('inputs, constants and output are converted', () => {
    const R = CODATA.get('molar gas constant')?.value ?? Number.NaN;
    const value = evaluateOperator(instance, BINDING, { T: 310, Kd: 2.5e-9 });
    expect(value).toBeCloseTo((R * 310 * Math.log(2.5e-9)) / 1000, 12);
    expect(bindOperator(BINDING, { Kd: 2.5e-9 })).toEqual({ R, c0: 1000, T: 298.15, Kd: 2.5e-6 });
  });

  test('intermediate values are computed in them too', () => {
    const value = evaluateOperator(instance, LOSS, { n0: 0.8, rate: 2, t: 14 });
    // 80 exp(-2*14/365.25)/(1 + 2^2) percent
    expect(value).toBeCloseTo((80 * Math.exp(-28 / 365.25)) / 5, 12);
  });

  test('where every unit is coherent no bit changes', () => {
    const box = findOperator('QM5');
    const inputs = { n: 3, m: 9.1093837139e-31, L: 2.5e-9 };
    expect(bindOperator(box, inputs)).toEqual({ hbar: 1.0545718176461565e-34, ...inputs });
  });

  test('numbers are printed as declared where the units belong to one system, and coherent otherwise', () => {
    expect(printOperator(DECAY, { N0: 40, rate: 0.3, t: 12 })).toBe('N = 40*exp(-0.3*12) [1/mL]');
    expect(printOperator(DECAY, { N0: 40, rate: 0.3, t: 720 }, { t: 'min' })).toBe('N = 40*exp(-0.3*12) [1/mL]');
    expect(printOperator(BINDING, { T: 310, Kd: 2.5e-9 })).toBe(
      'dG = 8.31446261815324*310*log(0.0000025/1000) [J/mol]',
    );
    expect(printOperator(LOSS, { n0: 0.8, t: 1 })).toBe(
      'n = 0.8*exp(-rate*86400)/shape [1] where shape = 1 + (86400/604800)^2',
    );
  });

  test('every law that is printed with the inputs of an example holds as it stands', () => {
    let [declared, coherent] = [0, 0];
    for (const operator of OPERATORS.values()) {
      for (const { inputs } of operator.examples) {
        const { value, unit } = readBack(operator, printOperator(operator, inputs));
        const expected = convert(evaluateOperator(instance, operator, inputs), parseUnit(operator.output.unit), unit);
        expect(Math.abs(value - expected), operator.id).toBeLessThanOrEqual(1e-9 * Math.abs(expected));
        if (unit.factor === 1) coherent++;
        else declared++;
      }
    }
    expect(coherent).toBeGreaterThan(6);
    expect(declared + coherent).toBeGreaterThan(6);
  });
});

/** The number that a printed equation gives, and the unit that stands behind it. */
function readBack(operator: OperatorDefinition, text: string): { value: number; unit: Unit } {
  const [law = '', rest] = text.split(' where ');
  const [, right = '', unit = ''] = /^\w+ = (.*) \[(.*)\]$/.exec(law) ?? [];
  const names = Object.keys(operator.where ?? {});
  const where = rest === undefined ? [] : rest.split(new RegExp(`, (?=(?:${names.join('|')}) = )`));
  const definitions = where
    .map((one) => parseEquation(one))
    .map(({ symbol, expression }) => ({ name: symbol, expression }));
  const program = assemble(parseExpression(right, {}), [], definitions);
  return { value: evaluateProgram(instance, program, {}), unit: parseUnit(unit) };
}

describe('a caller may give inputs in other units', () => {
  const given = { T: 310, Kd: 2.5 };
  const units = { T: 'mK', Kd: 'nM' };

  test('and gets the same value', () => {
    const value = evaluateOperator(instance, BINDING, { T: 310, Kd: 2.5e-9 });
    expect(evaluateOperator(instance, BINDING, { ...given, T: 310_000 }, units)).toBe(value);
    expect(printOperator(BINDING, given, { Kd: 'nM' })).toBe(printOperator(BINDING, { T: 310, Kd: 2.5e-9 }));
  });

  test('while ranges stay in the declared unit', () => {
    const error = thrownDomainError(() => bindOperator(BINDING, given, units));
    expect(error.code).toBe('VALIDATION_FAILED');
    expect(error.message).toBe('BINDING.T is 0.31; a finite number from 200 up to 400 [K] is expected.');
    expect(bindOperator(LOSS, { n0: 1, rate: 1, t: 48 }, { t: 'h' }).t).toBe(172_800);
    expect(thrownDomainError(() => bindOperator(LOSS, { n0: 1, rate: 1, t: 36 }, { t: 'h' })).message).toBe(
      'LOSS.t is 1.5; a whole number from 0 up to 365.25 [day] is expected.',
    );
    expect(bindOperator(BINDING, { Kd: 1000 }, { Kd: 'mM' }).Kd).toBe(1000);
  });

  test('a unit of another dimension is refused with both', () => {
    const error = thrownDomainError(() => bindOperator(BINDING, given, { Kd: 'kg/L' }));
    expect(error.code).toBe('UNIT_MISMATCH');
    expect(error.details).toEqual([{ path: 'units.Kd', code: 'UNIT_MISMATCH', message: error.message }]);
    expect(error.message).toContain('BINDING.Kd: A value in kg/L cannot be converted to mol/L');
    expect(error.message).toContain('(kg/L = kg/m^3, mol/L = mol/m^3)');
  });

  test('a text that is not a unit is refused at its place, beside the other faults', () => {
    const error = thrownDomainError(() => bindOperator(LOSS, { n0: Number.NaN, rate: 1 }, { rate: '1/month' }));
    expect(error.code).toBe('VALIDATION_FAILED');
    expect(error.details.map(({ path, code }) => [path, code])).toEqual([
      ['inputs.n0', 'OUT_OF_RANGE'],
      ['units.rate', 'UNIT_INVALID'],
      ['inputs.t', 'MISSING'],
    ]);
    expect(thrownDomainError(() => bindOperator(LOSS, { n0: 1, rate: 1, t: 1 }, { rate: '1/month' })).code).toBe(
      'UNIT_INVALID',
    );
  });

  test('a default stays in the declared unit, whatever unit is named for it', () => {
    expect(bindOperator(BINDING, { Kd: 1 }, { T: 'mK' }).T).toBe(298.15);
    expect(bindOperator(BINDING, { Kd: 1 }, { constructor: 'm', other: 'no unit' }).Kd).toBe(1000);
  });
});

test('a name that CODATA does not have is a defect of the file', () => {
  const wrong = { ...BINDING, constants: { R: 'gas constant', c0: 'toString' } };
  expect(() => bindOperator(wrong, { Kd: 1 })).toThrow('CODATA has no constant gas constant');
});
