// Forty everyday things, searched for in a few words and asked with numbers; the file says how they were written.

import { expect, test } from 'vitest';
import { searchOperators } from '../../src/operators/search.ts';
import { answerOf } from './questions.ts';
import everyday from './questions-everyday.json' with { type: 'json' };

const { questions } = everyday;

/** A number without a place is refused, as by the service. */
const answeredBy = (query: string): string | undefined => {
  const outcome = answerOf({ query, target: null });
  return outcome.kind === 'chosen' && outcome.dispatch.unused.length === 0 ? outcome.dispatch.target.id : undefined;
};

test('no wrong law and no wrong solver is chosen for a sentence', () => {
  const wrong = questions.flatMap(({ query, answered }) => {
    const id = answeredBy(query);
    return id === undefined || answered?.includes(id) === true ? [] : [`${id}: ${query}`];
  });
  expect(wrong).toEqual([]);
});

// 18 of 34 when they were written: the others lack a number, or state a gravity that the law holds itself.
test('what was answered is answered still', () => {
  const right = questions.filter(({ query, answered }) => answered?.includes(answeredBy(query) ?? '') === true);
  expect(right.length).toBeGreaterThanOrEqual(18);
});

test('the search finds the law first', () => {
  const known = questions.filter(({ found }) => found !== null);
  const firstOf = (words: string) => searchOperators(words, 1).operators[0]?.id ?? '';
  const first = known.filter(({ search, found }) => found?.includes(firstOf(search)) === true);
  expect(known.length).toBe(33);
  expect(first.length / known.length).toBeGreaterThanOrEqual(0.85);
});
