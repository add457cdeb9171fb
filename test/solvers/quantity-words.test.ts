// Words of quantities: numbers and symbols in names, and how many quantities of the solvers have words.

import { expect, test } from 'vitest';
import { solverSamples } from '../../scripts/portal/docs/solver-samples.ts';
import { SOLVERS } from '../../src/solvers/index.ts';
import { quantityWords } from '../../src/solvers/quantity-words.ts';

/** Those whose meaning depends on the inputs. */
const UNNAMED = ['action.crossings', 'solve.term_spring', 'quant.shift'];

test('a number in a name stands in the words too, and a symbol before its ending', () => {
  const words = { 'creutz_#_#': 'Creutz ratio # × #', '*_end': '* at the end', t_end: 'End time' };
  expect(quantityWords(words, 'creutz_2_12')).toBe('Creutz ratio 2 × 12');
  expect(quantityWords(words, 'theta_end')).toBe('theta at the end');
  expect(quantityWords(words, 't_end')).toBe('End time');
  const gains = { 'steady_gain_*_*': 'Steady gain of * from *', 'sd_*': 'Deviation of *' };
  expect(quantityWords(gains, 'steady_gain_velocity_position')).toBe('Steady gain of velocity from position');
  expect(quantityWords(gains, 'sd_velocity')).toBe('Deviation of velocity');
  expect(quantityWords(gains, 'other_sd_x')).toBeUndefined();
  expect(quantityWords(words, 'steps')).toBeUndefined();
  expect(quantityWords(words, 'toString')).toBeUndefined();
});

test('the quantities of every default have words, each its own', async () => {
  const samples = await solverSamples(SOLVERS);
  let named = 0;
  const missing: string[] = [];
  for (const { id, form } of SOLVERS) {
    const names = (samples[id]?.quantities ?? []).map(({ name }) => name);
    const found = names.map((name) => [name, quantityWords(form?.quantities ?? {}, name)] as const);
    const words = found.flatMap(([, text]) => (text === undefined ? [] : [text]));
    missing.push(...found.filter(([, text]) => text === undefined).map(([name]) => `${id}.${name}`));
    expect([id, new Set(words).size]).toEqual([id, words.length]);
    for (const text of words) expect(text).toMatch(/^\p{L}/u);
    named += words.length;
  }
  expect(missing.toSorted()).toEqual(UNNAMED.toSorted());
  expect(named).toBeGreaterThan(380);
});
