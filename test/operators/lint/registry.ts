// A small registry that every check passes, and the means to plant a fault in it.

import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { EXPRESSION_KERNEL } from '../../../src/expressions/evaluate.ts';
import { compileKernel } from '../../../src/kernels/instance.ts';
import { loadKernel } from '../../../src/kernels/load-node.ts';
import type { Finding } from '../../../src/operators/lint/diagnostic.ts';
import { Evaluator } from '../../../src/operators/lint/evaluator.ts';
import { type LintOptions, lintRegistry, type Registry } from '../../../src/operators/lint/lint.ts';
import { parseOperator } from '../../../src/operators/lint/parsed-operator.ts';
import { type PreparedOperator, prepareOperator } from '../../../src/operators/lint/prepared-operator.ts';
import type { Operator, OperatorFile, OperatorRecord } from '../../../src/operators/operator.ts';

const SCHEMA = JSON.parse(readFileSync(new URL('../../../src/operators/schema.json', import.meta.url), 'utf8'));
const kernel = await compileKernel(await loadKernel(EXPRESSION_KERNEL));
const schema = {
  validate: new Ajv2020({ allErrors: true }).compile(SCHEMA),
  keys: Object.keys(SCHEMA.$defs.operator.properties),
};

export const evaluator = new Evaluator(kernel);

/** mpmath 1.3, 40 digits, each from its law with units converted by hand. */
export const SOUND: readonly OperatorRecord[] = [
  {
    id: 'AA1',
    name: 'Stokes settling speed',
    tier: 2,
    equation: 'v = 2/9*(rp - rf)*g*r^2/mu',
    output: { symbol: 'v', unit: 'm/s' },
    inputs: {
      rp: { unit: 'kg/m^3', description: 'density of the particle', min: 1, max: 2e4 },
      rf: { unit: 'kg/m^3', description: 'density of the fluid', min: 0, max: 2e4 },
      r: { unit: 'um', description: 'radius', min: 0.1, max: 1000 },
      mu: { unit: 'mPa*s', description: 'viscosity', min: 0.001, max: 1e6 },
    },
    constants: { g: 'standard acceleration of gravity' },
    examples: [
      {
        inputs: { rp: 2650, rf: 998.2, r: 12.5, mu: 1.002 },
        expected: 5.61329579382901e-4,
        rtol: 1e-12,
        source: 'mpmath',
      },
      { inputs: { rp: 1180, rf: 870, r: 37, mu: 65 }, expected: 1.4228527157265e-5, rtol: 1e-12, source: 'mpmath' },
    ],
    source: { cite: 'Stokes, Transactions of the Cambridge Philosophical Society 9 (1851) 8', locator: 'spheres' },
    validity: 'creeping flow past one rigid sphere',
  },
  {
    id: 'AA2',
    name: 'Sphere drag coefficient in two regimes',
    tier: 2,
    equation: 'Cd = Re < 1000 ? 24/Re*(1 + 0.15*Re^0.687) : 0.44',
    output: { symbol: 'Cd', unit: '1' },
    inputs: { Re: { unit: '1', description: 'Reynolds number', min: 0.1, max: 1e5 } },
    examples: [
      { inputs: { Re: 37.5 }, expected: 1.79779245206902, rtol: 1e-12, source: 'mpmath' },
      { inputs: { Re: 1040 }, expected: 0.44, rtol: 1e-12, source: 'the second branch as printed' },
    ],
    source: { cite: 'Schiller & Naumann, Zeitschrift des VDI 77 (1933) 318', locator: 'drag of spheres' },
    validity: 'smooth spheres below the drag crisis',
  },
  {
    id: 'AA3',
    name: 'Underdamped oscillator displacement',
    tier: 3,
    equation: 'x = A*exp(-b*t)*cos(w*t)',
    output: { symbol: 'x', unit: 'm' },
    inputs: {
      A: { unit: 'm', description: 'amplitude', min: 1e-6, max: 10 },
      b: { unit: '1/s', description: 'decay rate', min: 0.001, max: 2 },
      k: { unit: 'N/m', description: 'stiffness', min: 5, max: 50 },
      m: { unit: 'kg', description: 'mass', min: 0.1, max: 1 },
      t: { unit: 's', description: 'time', min: 0, max: 20 },
    },
    where: { w: 'sqrt(k/m - b^2)' },
    examples: [
      {
        inputs: { A: 0.12, b: 0.35, k: 18, m: 0.23, t: 1.7 },
        expected: -5.14381829430769e-2,
        rtol: 1e-10,
        source: 'mpmath',
      },
      {
        inputs: { A: 0.045, b: 1.1, k: 6.5, m: 0.8, t: 0.6 },
        expected: -1.62502822124915e-4,
        rtol: 1e-10,
        source: 'mpmath',
      },
    ],
    source: {
      cite: 'Kibble & Berkshire, Classical Mechanics, 5th ed., Imperial College 2004',
      locator: 'damped oscillator',
    },
    validity: 'linear damping below the critical one, release at rest at large k',
  },
  {
    id: 'AA4',
    name: 'Square-wave Fourier partial sum',
    tier: 3,
    equation: 's = 4/pi*sum(k, 1, n, sin((2*k - 1)*x)/(2*k - 1))',
    output: { symbol: 's', unit: '1' },
    inputs: {
      n: { unit: '1', description: 'number of terms', min: 1, max: 200, integer: true },
      x: { unit: 'rad', description: 'phase', min: -6, max: 6 },
    },
    examples: [
      { inputs: { n: 3, x: 0.7 }, expected: 1.09727465305172, rtol: 1e-12, source: 'mpmath' },
      { inputs: { n: 5, x: 2.2 }, expected: 1.07723233712353, rtol: 1e-12, source: 'mpmath' },
    ],
    source: { cite: 'Tolstov, Fourier Series, Dover 1976', locator: 'expansion of the square wave' },
    validity: 'every phase; overshoots by the Gibbs phenomenon',
  },
  {
    id: 'AA5',
    name: 'Arrhenius rate with molar activation energy',
    tier: 1,
    equation: 'k = A*exp(-Ea/(R*T))',
    output: { symbol: 'k', unit: '1/h' },
    inputs: {
      A: { unit: '1/h', description: 'frequency factor', min: 1, max: 1e16 },
      Ea: { unit: 'kJ/mol', description: 'activation energy', min: 0, max: 400 },
      T: { unit: 'K', description: 'temperature', min: 150, max: 2000 },
    },
    constants: { R: 'molar gas constant' },
    examples: [
      { inputs: { A: 5.2e9, Ea: 62.5, T: 298.15 }, expected: 5.84086371805802e-2, rtol: 1e-12, source: 'mpmath' },
      { inputs: { A: 3.1e7, Ea: 48, T: 345 }, expected: 1.67523375879052, rtol: 1e-12, source: 'mpmath' },
    ],
    source: { cite: 'Atkins & de Paula, Physical Chemistry, 10th ed., Oxford 2014', locator: 'Arrhenius parameters' },
    validity: 'over a range of temperature in which one step is rate-determining',
  },
];

export interface Planted {
  /** Domain AA; SOUND unless given. */
  readonly records?: readonly OperatorRecord[];
  /** Domain BB. */
  readonly others?: readonly OperatorRecord[];
  readonly budget?: number;
  readonly complete?: readonly string[];
  /** Text of AA.json in place of the records. */
  readonly text?: string;
}

export function registry({ records = SOUND, others = [], budget = 5, complete = [], text }: Planted = {}): Registry {
  const laws = Object.fromEntries([
    ...SOUND.map(({ id, name }) => [id, name]),
    ...Array.from({ length: 20 }, (_, i) => [`AA${i + 6}`, `Further law ${'abcdefghijklmnopqrst'[i]}`]),
  ]);
  const other = Object.fromEntries(others.map(({ id, name }) => [id, name]));
  const file = (prefix: string, operators: readonly OperatorRecord[]) => {
    return JSON.stringify({ prefix, operators } satisfies OperatorFile, null, 2);
  };
  return {
    files: new Map([
      ['AA', text ?? file('AA', records)],
      ['BB', file('BB', others)],
    ]),
    worklist: {
      complete,
      domains: [
        { prefix: 'AA', name: 'First', description: 'of the test', budget, laws },
        { prefix: 'BB', name: 'Second', description: 'of the test', budget: 5, laws: other },
      ],
    },
    schema,
    kernel,
  };
}

export function lint(planted: Planted = {}, options: LintOptions = {}): readonly Finding[] {
  return lintRegistry(registry(planted), options).findings;
}

/** SOUND with one operator changed. */
export function withChange(id: string, change: (record: OperatorRecord) => object): OperatorRecord[] {
  return SOUND.map((record) => (record.id === id ? ({ ...record, ...change(record) } as OperatorRecord) : record));
}

export function sound(id: string): OperatorRecord {
  const record = SOUND.find((one) => one.id === id);
  if (record === undefined) throw new Error(`no fixture ${id}`);
  return record;
}

export function preparedOf(record: OperatorRecord, prefix = 'AA'): PreparedOperator {
  const operator: Operator = { ...record, prefix };
  const parsed = parseOperator(operator);
  const prepared = 'equation' in parsed ? prepareOperator(parsed) : parsed;
  if (!('program' in prepared)) throw new Error(prepared.map(({ text }) => text).join('; '));
  return prepared;
}
