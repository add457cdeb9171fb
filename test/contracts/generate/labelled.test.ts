// Readings of labelled sentences: a wrong one is worse than none.

import { expect, test } from 'vitest';
import type { Definition } from '../../../src/contracts/definition.ts';
import { generate } from '../../../src/contracts/generate/generate.ts';
import { FRESH, HELD, type Labelled, TUNE } from './labelled-sentences.ts';
import { summarizeTransitions } from './summarize-transitions.ts';
import { MISREAD, TRADES } from './trades-sentences.ts';

/** The transitions of the contract that the text gives; null for a refusal. */
function readingOf(text: string): readonly string[] | null {
  const { definition, unparsed } = generate(text);
  if (definition === undefined || unparsed.length > 0) return null;
  return summarizeTransitions(definition as Definition).filter((line) => !/ → stopped \| stop$/.test(line));
}

const wrongIn = (sentences: readonly Labelled[]) =>
  sentences.flatMap(([text, expected]) => {
    const reading = readingOf(text);
    return reading === null || JSON.stringify(reading) === JSON.stringify(expected) ? [] : [[text, reading]];
  });
const answeredIn = (sentences: readonly Labelled[]) => {
  const sayable = sentences.filter(([, expected]) => expected !== null);
  return sayable.filter(([text]) => readingOf(text) !== null).length / sayable.length;
};

test('60 sentences are labelled, half of them held back', () => {
  expect([TUNE.length, HELD.length]).toEqual([30, 30]);
});

test.each([
  ['tuned', TUNE],
  ['held', HELD],
] as const)('no %s sentence is read wrongly, and at least nine in ten of the sayable ones are read', (_, sentences) => {
  expect(wrongIn(sentences)).toEqual([]);
  expect(answeredIn(sentences)).toBeGreaterThanOrEqual(0.9);
});

test('of 90 fresh sentences none is read wrongly, and at least half of the sayable ones are read', () => {
  expect(FRESH.length).toBe(90);
  expect(wrongIn(FRESH)).toEqual([]);
  expect(answeredIn(FRESH)).toBeGreaterThanOrEqual(0.5);
});

test('of 60 sentences of many trades none is read wrongly, and 0.96 of the sayable ones are read', () => {
  expect(TRADES.length).toBe(60);
  expect(wrongIn(TRADES)).toEqual([]);
  expect(answeredIn(TRADES)).toBeGreaterThanOrEqual(0.96);
});

test.each(MISREAD)('%s: refused, or read as it is meant', (text, expected) => {
  expect(readingOf(text)).toEqual(expected);
});

test.each([
  ['when temperature exceeds 0.125 emit hot', 'event.value > 0.125'],
  ['when speed above 80 km/h emit fast', 'event.value > 80'],
])('%s: neither the point nor the unit is in doubt', (text, condition) => {
  expect(readingOf(text)?.join('\n')).toContain(condition);
});

test('what was not read makes no contract, and is named', () => {
  expect(generate('when temperature above 80 emit alarm and wake the engineer').unparsed).toEqual(['wake', 'engineer']);
});
