// Numbers and units of sentences.

import { expect, test } from 'vitest';
import { quantitiesOf } from '../../src/dispatch/quantities.ts';
import { tokensOf } from '../../src/dispatch/sentence.ts';

const read = (sentence: string) =>
  quantitiesOf(sentence, tokensOf(sentence)).map(({ value, unit, words }) => [value, unit, words]);

test.each<[string, number, string | undefined, string]>([
  ['a force of 5 kN', 5, 'kN', '5 kN'],
  ['E = 210 GPa', 210, 'GPa', '210 GPa'],
  ['1,200.5 kg', 1200.5, 'kg', '1,200.5 kg'],
  ['1.2e-3 m', 0.0012, 'm', '1.2e-3 m'],
  ['2 × 10^6 Pa', 2e6, 'Pa', '2 × 10^6 Pa'],
  ['10^5 N', 1e5, 'N', '10^5 N'],
  ['diffusivity 1.1e-4 m2/s', 1.1e-4, 'm^2/s', '1.1e-4 m2/s'],
  ['area 20 cm²', 20, 'cm^2', '20 cm²'],
  ['9.81 metres per second squared', 9.81, 'm/s^2', '9.81 metres per second squared'],
  ['0.6 W/(m K)', 0.6, 'W/(m*K)', '0.6 W/(m K)'],
  ['0.001 Pa s', 0.001, 'Pa*s', '0.001 Pa s'],
  ['5 µm', 5, 'um', '5 µm'],
  ['20 °C', 20, 'degC', '20 °C'],
  ['20 degrees celsius', 20, 'degC', '20 degrees celsius'],
  ['45 degrees', 45, 'deg', '45 degrees'],
  ['at 5%', 5, '%', '5%'],
  ['6 months', 0.5, 'yr', '6 months'],
  ['$50', 50, 'USD', '$50'],
  ['50 dollars', 50, 'USD', '50 dollars'],
  ['0.4/day', 0.4, '1/day', '0.4/day'],
  ['0.4 per day', 0.4, '1/day', '0.4 per day'],
  ['25k people', 25_000, undefined, '25k'],
  ['2 million', 2e6, undefined, '2 million'],
  ['beta = 8/3', 8 / 3, undefined, '8/3'],
  ['−3 kg', -3, 'kg', '-3 kg'],
  ['5 in the middle', 5, undefined, '5'],
  ['rho 28 beta', 28, undefined, '28'],
  ['k = 3 m = 5 kg', 3, undefined, '3'],
])('%s', (sentence, value, unit, words) => {
  expect(read(sentence.replace('−', '-'))[0]).toEqual([value, unit, words]);
});

test('parts of words and exponents are no quantities', () => {
  for (const sentence of ['S0 and R0', 'H2O', 'x^2 + y^3', 'ieee14', 'a-b']) expect(read(sentence)).toEqual([]);
});
