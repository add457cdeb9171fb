// One function twice, one function in two fields, one shape with other numbers: what is refused and what is allowed.

import { describe, expect, test } from 'vitest';
import { matchings } from '../../../src/operators/lint/input-matchings.ts';
import { findEquivalentPairs } from '../../../src/operators/lint/numeric-identity.ts';
import type { OperatorInput, OperatorRecord } from '../../../src/operators/operator.ts';
import { evaluator, lint, preparedOf, SOUND, sound } from './registry.ts';

interface Law {
  readonly equation: string;
  readonly units: Readonly<Record<string, string | OperatorInput>>;
  readonly output?: string;
  readonly id?: string;
}

const REASON = 'the two fields mean different things by the same formula';

function record({ equation, units, output = '1', id = 'AA6' }: Law): OperatorRecord {
  const [symbol = ''] = equation.split(' = ');
  const inputs = Object.fromEntries(
    Object.entries(units).map(([name, unit]) => [
      name,
      typeof unit === 'string' ? { unit, description: 'of the test', min: 0.1, max: 5 } : unit,
    ]),
  );
  const values = Object.fromEntries(Object.keys(inputs).map((name, i) => [name, 2 + (i % 3)]));
  return {
    id,
    name: `Further law ${'abcdefghijklmnopqrst'[Number(id.slice(2)) - 6]}`,
    tier: 2,
    equation,
    output: { symbol, unit: output },
    inputs,
    examples: [{ inputs: values, expected: 1, source: 'not looked at here' }],
    source: { cite: 'Author of the book 1950', locator: id },
    validity: 'in this test only',
  };
}

const ratio = (one: Law, other: Law) =>
  findEquivalentPairs([preparedOf(record(one)), preparedOf(record(other))], evaluator)[0]?.ratio;

describe('numeric identity sees', () => {
  const resistors = { a: 'ohm', b: 'ohm' };

  test('a rewritten reciprocal', () => {
    const harmonic: Law = { equation: 'R = 1/(1/a + 1/b)', units: resistors, output: 'ohm' };
    expect(ratio(harmonic, { equation: 'R = a*b/(a + b)', units: resistors, output: 'ohm' })).toBe(1);
    expect(ratio(harmonic, { equation: 'R = (a + b)*a*b/(a + b)^2', units: resistors, output: 'ohm' })).toBe(1);
    expect(ratio(harmonic, { equation: 'R = sqrt(a*b)', units: resistors, output: 'ohm' })).toBeUndefined();
  });

  test('another base of the logarithm', () => {
    const units = { p: '1', q: '1' };
    const natural: Law = { equation: 'y = log(p/q)', units };
    expect(ratio(natural, { equation: 'y = log(10)*(log10(u) - log10(v))', units: { v: '1', u: '1' } })).toBe(1);
    const decibels = ratio(natural, { equation: 'y = 10*log10(p/q)', units }); // of p to q or of q to p
    expect(Math.abs(decibels ?? 0)).toBeCloseTo(10 / Math.LN10, 9);
    expect(ratio(natural, { equation: 'y = log1p(p/q)', units })).toBeUndefined();
  });

  test('a difference in either order, the same before the opposite', () => {
    const difference: Law = { equation: 'y = a - b', units: { a: 'm', b: 'm' }, output: 'm' };
    for (const equation of ['y = p - q', 'y = q - p']) {
      expect(ratio(difference, { equation, units: { p: 'm', q: 'm' }, output: 'm' })).toBe(1);
    }
  });

  test('inputs of other names in any of 720 orders', () => {
    const units = Object.fromEntries('abcdef'.split('').map((name) => [name, '1']));
    const other = Object.fromEntries('uvwxyz'.split('').map((name) => [name, '1']));
    const law: Law = { equation: 'y = a + b^2 + exp(c)*d - e/f', units };
    expect(ratio(law, { equation: 'r = z^2 + (y*exp(w)*x - v + u*x)/x', units: other })).toBe(1);
  });

  test('eight inputs of one dimension, by their responses', () => {
    const names = (text: string) => Object.fromEntries(text.split('').map((name) => [name, '1']));
    const law: Law = { equation: 'y = a + 2*b + 3*c + 4*d + 5*e + 6*f + 7*g*h', units: names('abcdefgh') };
    const copy: Law = { equation: 'y = z + y*2 + 3*x + 4*w + (5*v + 6*u) + 7*t*s', units: names('stuvwxyz') };
    expect(ratio(law, copy)).toBe(1);
    expect(ratio(law, { ...copy, equation: 'y = z + y*2 + 3*x + 4*w + (5*v + 6*u) + 7*t/s' })).toBeUndefined();
  });

  test('laws of which one asks for whole numbers', () => {
    const whole: OperatorInput = { unit: '1', description: 'count', min: 1, max: 9, integer: true };
    const total: Law = { equation: 's = sum(k, 1, n, k)', units: { n: whole } };
    expect(ratio(total, { equation: 's = n*(n + 1)/2', units: { n: '1' } })).toBe(1);
    expect(ratio({ equation: 's = n*(n + 1)/2', units: { n: whole } }, total)).toBe(1);
  });

  test('no pair of laws that are only approximately equal', () => {
    const units = { m: 'kg', v: 'm/s' };
    const classical: Law = { equation: 'E = m*v^2/2', units, output: 'J' };
    expect(
      ratio(classical, {
        equation: 'E = m*v^2/2*(1 + 1e-9*m/m*exp(v/v - m/m)*v^2/v^2*cos(v/(v + v)))',
        units,
        output: 'J',
      }),
    ).not.toBe(1);
    expect(
      ratio(classical, { equation: 'E = m*v^2/2 + m*v^2*1e-8*min(v/v, abs(sin(m/m)))', units, output: 'J' }),
    ).not.toBe(1);
  });

  test('no pair of laws that are equal only in the box of the first', () => {
    const short: OperatorInput = { unit: 'rad', description: 'small angle', min: 1e-9, max: 1e-7 };
    const sine: Law = { equation: 'y = sin(x)*h', units: { x: 'rad', h: 'm' }, output: 'm' };
    expect(ratio({ equation: 'y = x*h', units: { x: short, h: 'm' }, output: 'm' }, sine)).toBeUndefined();
  });

  test('the equivalent pairs among many laws of one signature', () => {
    const units = { a: '1', b: '1' };
    const many = Array.from({ length: 60 }, (_, i) => ({ equation: `y = a^${i + 2} + ${i + 1}/b`, units }));
    const duplicate: Law = { equation: 'y = (p*q^7 + 6)/p', units: { p: '1', q: '1' } };
    const wild = [
      { equation: 'y = 1/(a - b)', units },
      { equation: 'y = 1/(q - p)', units: { p: '1', q: '1' } },
    ];
    const pairs = findEquivalentPairs(
      [...many, duplicate, ...wild].map((law) => preparedOf(record(law))),
      evaluator,
    );
    expect(
      pairs
        .map(({ one, other }) => [one.operator.equation, other.operator.equation])
        .sort()
        .reverse(),
    ).toEqual([
      ['y = a^7 + 6/b', 'y = (p*q^7 + 6)/p'],
      ['y = 1/(a - b)', 'y = 1/(q - p)'],
    ]);
  });

  test('an input for each input, none twice', () => {
    const units = { a: 'm', b: 's', c: 'm' };
    const law = preparedOf(record({ equation: 'y = a*c/b', units, output: 'm^2/s' }));
    const copy = preparedOf(record({ equation: 'y = p*q/r', units: { r: 's', p: 'm', q: 'm' }, output: 'm^2/s' }));
    expect(matchings(law, copy, () => [1, 1, 1]).sort()).toEqual([
      [1, 0, 2],
      [1, 2, 0],
    ]);
  });
});

describe('policy', () => {
  const beam = record({
    id: 'AA6',
    equation: 'd = F*L^3/(3*E*I)',
    units: { F: 'N', L: 'm', E: 'Pa', I: 'm^4' },
    output: 'm',
  });
  const renamed = (id: string): OperatorRecord => ({
    ...beam,
    id,
    name: `${beam.name} ${id}`,
    equation: 'y = P*(a^3/3)/(Y*J)',
    output: { symbol: 'y', unit: 'mm' },
    inputs: Object.fromEntries(Object.values(beam.inputs).map((input, i) => [['P', 'a', 'Y', 'J'][i] ?? '', input])),
    examples: [{ inputs: { P: 2, a: 3, Y: 4, J: 2 }, expected: 1, source: 'not looked at here' }],
  });
  const withFactor = (id: string, factor: number): OperatorRecord => ({
    ...beam,
    id,
    name: `${beam.name} ${id}`,
    equation: `d = F*L^3/(${factor}*E*I)`,
  });

  /** The diagnostics about duplicates. */
  const reported = (records: readonly OperatorRecord[], others: readonly OperatorRecord[] = [], budget = 100) =>
    lint({ records: [...SOUND, ...records], others, budget })
      .filter(({ check }) => ['shape', 'numeric identity', 'variants'].includes(check))
      .map(({ id, check, severity, text }) => `${severity} ${id} [${check}] ${text}`);

  const variantOf = (id: string) => ({ variantOf: { id, reason: REASON } });
  const analogOf = (id: string) => ({ analogOf: { id, reason: REASON } });

  test('one function twice in a domain is refused, whatever is declared', () => {
    const refused = ['error AA7 [shape] is the same function as AA6 (Further law a)'];
    expect(reported([beam, renamed('AA7')])).toEqual(refused);
    expect(reported([beam, { ...renamed('AA7'), ...variantOf('AA6') }])).toEqual(refused);
    expect(reported([beam, { ...renamed('AA7'), ...analogOf('AA6') }])).toEqual(refused);
  });

  test('a rewritten copy is refused by its numbers', () => {
    const copy = { ...renamed('AA7'), equation: 'y = P*hypot(0.6*a^3, 0.8*a^3)/(3*Y*J)' };
    expect(reported([beam, copy])).toEqual([
      'error AA7 [numeric identity] is the same function as AA6 (Further law a)',
    ]);
  });

  test('one function in two domains needs analogOf', () => {
    const others = [renamed('BB1')];
    expect(reported([beam], others)).toEqual(['error BB1 [shape] is the same function as AA6 (Further law a) of AA']);
    expect(reported([beam], [{ ...renamed('BB1'), ...analogOf('AA6') }])).toEqual([]);
    expect(reported([{ ...beam, ...analogOf('BB1') }], others)).toEqual([]);
    expect(reported([beam], [{ ...renamed('BB1'), ...variantOf('AA6') }])).toContain(
      'error BB1 [shape] is the same function as AA6 (Further law a) of AA',
    );
  });

  test('the fault is reported where only one of the two domains is selected', () => {
    const planted = { records: [...SOUND, beam], others: [renamed('BB1')], budget: 40 };
    const seen = (only: string) =>
      lint(planted, { only: [only] })
        .filter(({ check }) => check === 'shape')
        .map(({ prefix, id, text }) => [prefix, id, text]);
    expect(seen('BB')).toEqual([['BB', 'BB1', 'is the same function as AA6 (Further law a) of AA']]);
    expect(seen('AA')).toEqual([['AA', 'AA6', 'BB1 of BB is the same function as AA6 (Further law a) of AA']]);
  });

  test('another number needs variantOf in the domain, or either link in another', () => {
    expect(reported([beam, withFactor('AA7', 48)])).toHaveLength(1);
    expect(reported([beam, withFactor('AA7', 48)])[0]).toMatch(
      /error AA7 \[(shape|numeric identity)\].*only literals differ/,
    );
    expect(reported([beam, { ...withFactor('AA7', 48), ...variantOf('AA6') }])).toEqual([]);
    expect(reported([beam, { ...withFactor('AA7', 48), ...analogOf('AA6') }])).toHaveLength(1);
    expect(reported([beam], [{ ...withFactor('BB1', 48), ...analogOf('AA6') }])).toEqual([]);
  });

  test('two variants of one base need no link between them', () => {
    const variants = [48, 192].map((factor, i) => ({ ...withFactor(`AA${i + 7}`, factor), ...variantOf('AA6') }));
    expect(reported([beam, ...variants])).toEqual([]);
  });

  test('a base has at most three variants, a domain a tenth', () => {
    const factors = [48, 192, 8, 185, 77];
    const variants = factors.map((factor, i) => ({ ...withFactor(`AA${i + 7}`, factor), ...variantOf('AA6') }));
    const few = reported([beam, ...variants.slice(0, 4)]);
    expect(few).toEqual(['error AA10 [variants] too many variants of AA6 (4 of 3)']);
    expect(reported([beam, ...variants], [], 40)).toContain('error AA11 [variants] too many variants in AA (5 of 4)');
  });

  test('the registry has few analogs', () => {
    // Two of a hundred times 45 operators round down to none.
    const text = lint({ records: [...SOUND, beam], others: [{ ...renamed('BB1'), ...analogOf('AA6') }], budget: 40 });
    expect(text.map((finding) => finding.text)).toContain('too many analogs in the registry (1 of 0)');
  });

  test('links name a base, and only between duplicates or variants', () => {
    expect(reported([{ ...beam, ...variantOf('AA66') }])[0]).toContain(
      'variantOf names AA66, which is not another operator',
    );
    expect(reported([{ ...beam, ...variantOf('AA6') }])[0]).toContain('not another operator');
    expect(reported([{ ...beam, ...variantOf('AA1') }])).toEqual([
      'warning AA6 [variants] variantOf names AA1, but the two are neither equal nor variants',
    ]);
    const chain = [
      beam,
      { ...withFactor('AA7', 48), ...variantOf('AA6') },
      { ...withFactor('AA8', 192), ...variantOf('AA7') },
    ];
    expect(reported(chain)).toContain('error AA8 [variants] variantOf names AA7, which has a variantOf itself');
  });

  test('pure numbers share a masked shape without a word, but not a function', () => {
    const pure = (id: string, equation: string) => record({ id, equation, units: { p: '1', q: '1' } });
    expect(reported([pure('AA6', 'y = p + 2*q'), pure('AA7', 'y = p + 3*q')])).toEqual([]);
    expect(reported([pure('AA6', 'y = p + 2*q'), pure('AA7', 'y = 2*p + 4*q')])).toEqual([
      'error AA7 [numeric identity] is proportional to AA6 (Further law a): only literals differ',
    ]);
  });

  test('the sound laws are unlike each other', () => {
    expect(reported([])).toEqual([]);
    expect(reported([{ ...sound('AA5'), id: 'AA6', name: 'Further law a' }])).toHaveLength(1);
  });
});
