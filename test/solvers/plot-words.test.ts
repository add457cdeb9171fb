// Words for the arrays of plots.

import { expect, test } from 'vitest';
import type { Field } from '../../src/solvers/field.ts';
import type { Plot } from '../../src/solvers/plot.ts';
import { inWords, withWords } from '../../src/solvers/plot-words.ts';

const array = (name: string): Field => ({ name, unit: 'm', shape: [2], data: Float64Array.of(1, 2) });
const LINE: Plot = { kind: 'line', title: 'T', x: 't', y: ['phi', 'u'], band: ['low_1', 'high_1'] };

test('a plot takes the words for its own arrays only, and its own words come first', () => {
  const [plot] = withWords([{ ...LINE, words: { u: 'mine' } }], { phi: 'φ', u: 'general', other: 'other' });
  expect(plot?.words).toEqual({ phi: 'φ', u: 'mine' });
  expect(withWords([LINE], { other: 'other' })).toEqual([LINE]);
});

test('in words, the arrays and every place that names them are renamed, and nothing else', () => {
  const words = { t: 'time', phi: 'φ', low_1: 'below', line: 'no kind', T: 'no title' };
  const { plot, arrays } = inWords({ ...LINE, words }, ['t', 'phi', 'u', 'low_1', 'high_1', 'φ'].map(array));
  expect(plot).toEqual({ ...LINE, words, x: 'time', y: ['φ', 'u'], band: ['below', 'high_1'] });
  // The last array has the name that a shown one now has; the plot does not show it.
  expect(arrays.map(({ name }) => name)).toEqual(['time', 'φ', 'u', 'below', 'high_1']);
});

test('nested names are renamed, numbers stay', () => {
  const plot: Plot = {
    kind: 'field',
    title: '',
    x: 'x',
    y: 'y',
    values: 'p',
    over: { x: 'nx', y: 'ny' },
    words: { nx: 'x of nodes', y: 'height' },
  };
  expect(inWords(plot, []).plot).toMatchObject({ y: 'height', over: { x: 'x of nodes', y: 'ny' }, values: 'p' });
  const particles: Plot = {
    kind: 'particles',
    title: '',
    positions: 'r',
    box: 'b',
    diameter: 2,
    words: { r: 'atoms' },
  };
  expect(inWords(particles, []).plot).toMatchObject({ positions: 'atoms', box: 'b', diameter: 2 });
});
