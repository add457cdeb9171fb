// Dispatch: what is chosen, what is read, and what is refused.

import { describe, expect, test } from 'vitest';
import { Dispatcher, type DispatchOptions } from '../../src/dispatch/dispatch.ts';
import { assertAllUsed, chosenOrThrow } from '../../src/dispatch/refusal.ts';
import { requestOf } from '../../src/dispatch/request.ts';
import type { SolverDefinition } from '../../src/solvers/definition.ts';
import { SOLVERS } from '../../src/solvers/index.ts';
import { lorenz } from '../../src/solvers/lorenz/solver.ts';
import { yardsticksOf } from '../suites/yardstick.ts';

const dispatcher = new Dispatcher(SOLVERS);
const chosen = (query: string, options: Partial<DispatchOptions> = {}) =>
  chosenOrThrow(dispatcher.dispatch(query, options));
const inputsOf = (query: string, options: Partial<DispatchOptions> = {}) =>
  Object.fromEntries(chosen(query, options).inputs.map(({ name, value }) => [name, value]));
const reasonOf = (query: string) => {
  const outcome = dispatcher.dispatch(query);
  return outcome.kind === 'refused' ? outcome.refusal.reason : outcome.dispatch.target.id;
};

describe('inputs', () => {
  test('a number goes where its words and its unit say, whatever the order', () => {
    const wanted = { type: 'call', style: 'european', S0: 100, K: 105, sigma: 0.2, T: 0.5 };
    expect(inputsOf('European call, spot 100, strike 105, volatility 20 %, 6 months')).toEqual(wanted);
    expect(inputsOf('6 months, volatility 20 %: European call struck at 105, spot 100')).toEqual(wanted);
  });

  test('a unit of another dimension never binds', () => {
    const { inputs, unused } = chosen('buckling load of a column, length 100 kg');
    expect(inputs.map(({ name }) => name)).not.toContain('length');
    expect(unused).toEqual(['100 kg']);
    expect(() => assertAllUsed(chosen('buckling load of a column, length 100 kg'))).toThrow('100 kg');
  });

  test('a radius is no diameter, and hertz are no radians a second', () => {
    expect(() => chosen('section modulus of a circle of radius 3 m')).toThrow();
    expect(inputsOf('section modulus of a circle of diameter 3 m')).toEqual({ d: 3 });
    // The law that fits, of the section modulus, gives no area.
    expect(() => chosen('area of a circle of diameter 3 m')).toThrow();
    expect(chosen('Duffing oscillator with drive frequency 2 Hz').unused).toEqual(['2 Hz']);
    expect(inputsOf('stress of a plate with a hole, 20 mm diameter, by finite elements')).not.toHaveProperty('length');
  });

  test('units are converted, and a duration becomes a rate', () => {
    expect(inputsOf('kinetic energy of 500 g at 36 km/h')).toEqual({ m: 0.5, v: 10 });
    expect(inputsOf('SIR epidemic, infectious period of 2 weeks')).toMatchObject({ gamma: 1 / 14 });
    expect(inputsOf('electron in an infinite well 2 nm wide')).toMatchObject({ L: 2, units: 'eV-nm' });
  });

  test('a unit behind a hyphen is read', () => {
    expect(inputsOf('a six-month European call, spot 100, strike 105')).toMatchObject({ T: 0.5 });
    expect(inputsOf('90-day European put, spot 100, strike 105').T).toBeCloseTo(90 / 365.25, 12);
    expect(inputsOf('kinetic energy of a 5-kg block at 4 m/s')).toEqual({ m: 5, v: 4 });
    expect(inputsOf('SU(2) gauge theory on a 3-D lattice, beta 2')).not.toHaveProperty('L', 3);
  });

  test('a number in words with a unit is left out by no run, unless it is said twice', () => {
    expect(chosen('Lotka-Volterra with 40 hares and 9 lynx over thirty years').unused).toEqual([]);
    expect(chosen('kinetic energy of 3 kg at 4 m/s after ten minutes').unused).toEqual(['ten minutes']);
    expect(chosen('energy in one gram of matter, E = mc2 with m = 1 g').unused).toEqual([]);
  });

  test('both ends of a window are read, also with a name', () => {
    const wanted = { task: 'list', t_min: 10, t_max: 60 };
    expect(inputsOf('list the zeta zeros between t = 10 and t = 60')).toEqual(wanted);
    expect(inputsOf('list the zeta zeros from 10 to 60')).toEqual(wanted);
  });

  test('a word of another clause names no number', () => {
    expect(inputsOf('digital option paying 1 if the stock ends above 120')).not.toHaveProperty('S0');
    expect(inputsOf('American put, stock 36, strike 40')).toMatchObject({ S0: 36, K: 40 });
  });

  test('equations are taken whole', () => {
    const { equations } = inputsOf("solve y'' = -9*y - 0.2*y', y(0) = 1 until t = 10");
    expect(equations).toBe("y'' = -9*y - 0.2*y'\ny(0) = 1");
    // A right side that is no expression is not cut to one.
    const { inputs } = chosen("differential equations y' = -2*y + $, z' = 3*z");
    expect(inputs.find(({ name }) => name === 'equations')?.value).toBe("z' = 3*z");
  });

  test('numbers by name join those of the sentence, and overrides win', () => {
    expect(inputsOf('kinetic energy of 3 kg', { constants: { v: 4 } })).toEqual({ m: 3, v: 4 });
    const request = requestOf(chosen('kinetic energy of 3 kg at 2 m/s'), { v: 5 });
    expect(request).toEqual({
      route: '/api/svc/compute',
      body: { domain: 'CM', operators: ['CM9'], inputs: { m: 3, v: 5 } },
    });
  });

  test('each input names the words that it came from', () => {
    const { inputs, defaults } = chosen('heat equation on a rod of 2 m, diffusivity 1e-4 m^2/s');
    expect(inputs.map(({ name, words }) => [name, words])).toEqual([
      ['dim', 'rod'],
      ['lx', 'rod of 2 m'],
      ['alpha', 'diffusivity 1e-4 m^2/s'],
    ]);
    expect(defaults).toContainEqual({ name: 'mode', label: 'Initial profile', unit: '1', value: 'sine' });
  });
});

describe('refusals', () => {
  test.each([
    ['heat up my microwave dinner', 'nothing'],
    ['do not compute the heat equation', 'negated'],
    ['berechne die kinetische Energie von 3 kg bei 2 m/s', 'language'],
    ['今天天气怎么样', 'language'],
    ['kinetic energy of a car of 1200 kg', 'missing'],
  ])('%s: %s', (query, reason) => expect([reason, 'unsure']).toContain(reasonOf(query)));

  test('a tie is not answered, and names what it is between', () => {
    const tie = () => chosen('KE of 2 kg moving at 3 m/s');
    expect(tie).toThrow(expect.objectContaining({ code: 'QUERY_AMBIGUOUS' }));
    expect(inputsOf('KE of 2 kg moving at 3 m/s', { target: 'CM9' })).toEqual({ m: 2, v: 3 });
  });

  test('a negation leaves the rest', () => {
    expect(chosen('not the heat equation, but the Lorenz attractor with rho = 28').target.id).toBe('lorenz');
  });

  test('a law that lacks a number says which', () => {
    expect(() => chosen('kinetic energy of a car of 1200 kg')).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED', message: expect.stringContaining('needs v') }),
    );
  });

  test('an unknown target is refused', () => {
    expect(() => chosen('heat', { target: 'nothing' })).toThrow(expect.objectContaining({ code: 'OPERATOR_UNKNOWN' }));
  });
});

test('a solver brings its own words', () => {
  const words = { names: ['bread dough'], inputs: { rho: ['yeast'] } };
  const bread = { ...lorenz, id: 'bread', title: 'Rising of loaves', words } as unknown as SolverDefinition;
  const outcome = new Dispatcher([...SOLVERS, bread]).dispatch('bread dough with yeast 3');
  expect(chosenOrThrow(outcome)).toMatchObject({
    target: { id: 'bread' },
    inputs: [{ name: 'rho', value: 3, words: 'yeast 3' }],
  });
});

test('the same sentence has the same answer, also from another dispatcher', () => {
  const query = 'SEIR with incubation period of 4 days and R0 = 2.8 in a city of 2 million';
  expect(new Dispatcher(SOLVERS).dispatch(query)).toEqual(dispatcher.dispatch(query));
});

test('a hostile sentence of 1,000 characters takes a few milliseconds', () => {
  const pieces = [
    'a ',
    '1 ',
    "x'=",
    'zzzzzzzzzz ',
    '1.',
    '5 m/s',
    '(',
    '-1e5^',
    '1+',
    '10^',
    '½',
    "'",
    '= ',
    '1,000,',
    'y = ',
  ];
  for (const piece of pieces) {
    const query = piece.repeat(1_000).slice(0, 1_000);
    expect(
      yardsticksOf(() => dispatcher.dispatch(query)),
      piece,
    ).toBeLessThan(30);
  }
});
