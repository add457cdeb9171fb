import { describe, expect, test } from 'vitest';
import { definitionOf } from '../../src/operators/definition.ts';
import { definitionSha256 } from '../../src/operators/definition-hash.ts';
import { bindOperator } from '../../src/operators/evaluate.ts';
import { findOperator } from '../../src/operators/load.ts';
import { law } from './laws.ts';
import { refusal } from './refusal.ts';

const bind = (id: string, inputs: Record<string, number>) => bindOperator(findOperator(id), inputs);

describe('a law refuses inputs that are at odds with each other', () => {
  test.each([
    ['BLACK_SCHOLES', { S: 100, K: 95, r: 0.03, sig: 0.2, T: 1, phi: 0 }, /BLACK_SCHOLES\.phi is 0; one of -1, 1/],
    ['EPI2', { R0: 3, S: 1200, N: 1000 }, /EPI2 requires S <= N, .* S = 1200, N = 1000\./],
    ['EPI5', { R0: 2, s0: 0.95, i0: 0.1 }, /EPI5 requires s0 \+ i0 <= 1, .* s0 = 0\.95, i0 = 0\.1\./],
    [
      'HT17',
      { T1: 800, T2: 300, e1: 0.5, e2: 0.5, A1: 5, A2: 1, F12: 0.9 },
      /HT17 requires A1\*F12 <= A2, .* A1 = 5 m\^2, F12 = 0\.9, A2 = 1 m\^2\./,
    ],
    ['FL8', { U: 10, D: 100, nu: 15 }, /FL8 requires Re <= 2000, .* U = 10 m\/s, D = 100 mm, nu = 15 mm\^2\/s\./],
    ['FIN26', { C: 100, r: 0.02, g: 0.03 }, /FIN26 requires g < r/],
    ['CS75', { fs: 0, f0: 1, eta: 0.1, lam: 30, k: 5 }, /CS75 requires eta\*lam <= 2/],
    ['EPI13', { r: -0.5, T: 20, c: 0.9 }, /EPI13 requires .* > 0/],
    ['ICO9', { F: 0.02, k: 0.06 }, /ICO9 requires 4\*\(F \+ k\)\^2 <= F/],
    ['CS58', { Remp: 0.1, h: 2000, n: 1000, delta: 0.05 }, /CS58 requires h <= n/],
    ['EM16', { N: 3.34e28, alpha: 9e-40 }, /EM16 requires N\*alpha < 3\*eps0/],
    ['FL26', { R: 1000, rhop: 2650, rhof: 998, mu: 1 }, /FL26 requires 4\*rhof.* R = 1000 um/],
  ])('%s %j', (id, inputs, message) => {
    expect(refusal(() => bind(id, inputs)).message).toMatch(message);
  });
});

describe('a law takes ordinary inputs', () => {
  test.each([
    ['CS75', { fs: 0, f0: 1, eta: 0.001, lam: 100, k: 50 }],
    ['ICO9', { F: 0.014, k: 0.045 }],
    ['HT17', { T1: 500, T2: 300, e1: 0.8, e2: 0.6, A1: 20, A2: 30, F12: 0.9 }],
    ['EPI13', { r: -0.08, T: 5.2, c: 0.5 }],
    ['EPI13', { r: 0.01, T: 45, c: 0.5 }],
    ['FIN26', { C: 100, r: 0.04, g: 0.01 }],
    ['CS58', { Remp: 0.1, h: 10, n: 1000, delta: 0.05 }],
    ['FL26', { R: 5, rhop: 2650, rhof: 1.2, mu: 0.0181 }],
    ['EPI7', { r: 0.02, TE: 25, TI: 6 }],
    ['QM27', { Omega: 6283, Delta: 0, t: 0.01 }],
    ['EM16', { N: 3.34e28, alpha: 1.65e-40 }],
    ['CEL12', { muopt: 1.2, T: 338, Tmin: 313, Topt: 343, Tmax: 353 }],
  ])('%s %j', (id, inputs) => {
    expect(() => bind(id, inputs)).not.toThrow();
  });
});

describe('a requirement', () => {
  const SUM = law({ id: 'TST9', equation: 'y = a + b', unit: '1', inputs: { a: '1', b: '1' } });
  const requires = (...conditions: string[]) => ({ ...SUM, requires: conditions });

  test('holds where both sides differ only by rounding', () => {
    const operator = requires('3*a <= b');
    expect(() => bindOperator(operator, { a: 0.1, b: 0.3 })).not.toThrow();
    expect(() => bindOperator(operator, { a: 0.1, b: 0.2999999 })).toThrow(/requires 3\*a <= b/);
    expect(() => bindOperator(requires('3*a < b'), { a: 0.1, b: 0.3 })).toThrow(/requires 3\*a < b/);
  });

  test('that has no value does not hold', () => {
    expect(() => bindOperator(requires('log(a) < b'), { a: -1, b: 0 })).toThrow(/requires log/);
  });

  test('names every condition that does not hold', () => {
    const { details } = refusal(() => bindOperator(requires('a < b', 'a != 3'), { a: 3, b: 1 }));
    expect(details.map(({ path, code }) => [path, code])).toEqual([
      ['inputs.a', 'REQUIREMENT'],
      ['inputs.a', 'REQUIREMENT'],
    ]);
  });

  test('is one comparison of known symbols', () => {
    expect(() => bindOperator(requires('a + b'), { a: 3, b: 1 })).toThrow(/instead of one comparison/);
    expect(() => bindOperator(requires('a < q'), { a: 3, b: 1 })).toThrow(/q/);
  });

  test('is part of the sealed definition and of its hash; without one the hash is that of before', () => {
    const plain = definitionOf(findOperator('CM2'));
    expect(plain).not.toHaveProperty('requires');
    const conditioned = { ...plain, requires: ['m1 > m2'] };
    expect(definitionSha256(conditioned)).not.toBe(definitionSha256(plain));
    expect(definitionOf(findOperator('EPI2'))).toHaveProperty('requires', ['S <= N']);
  });
});
