// Sixty everyday sentences, written before the rules that they judge; the file says by whom and how they are split.

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { answerOf, type Question, scoreOf } from './questions.ts';
import everyday from './questions-everyday.json' with { type: 'json' };
import plain from './questions-plain.json' with { type: 'json' };

const isHeld = ({ query }: Question) => (createHash('sha256').update(query).digest()[0] ?? 0) % 2 === 1;
const chosen = (query: string) => {
  const outcome = answerOf({ query, target: null });
  return outcome.kind === 'chosen' ? outcome.dispatch : undefined;
};

test.each([
  ['half that rules were tuned on', plain.questions.filter((one) => !isHeld(one))],
  ['held half', plain.questions.filter(isHeld)],
])('%s: no wrong law, and at least 0.8 answered', (_, questions) => {
  const score = scoreOf(questions);
  expect(score.wrong).toEqual([]);
  expect(score.answered).toBeGreaterThanOrEqual(0.8);
  expect(score.refused).toBe(1);
});

test('no wrong law and no wrong solver is chosen for forty sentences of another author', () => {
  const wrong = everyday.questions.flatMap(({ query, answered }) => {
    const found = chosen(query);
    // A number without a place is refused by the service.
    if (found === undefined || found.unused.length > 0 || answered?.includes(found.target.id) === true) return [];
    return [`${found.target.id}: ${query}`];
  });
  expect(wrong).toEqual([]);
  const right = everyday.questions.filter(({ query, answered }) => answered?.includes(chosen(query)?.target.id ?? ''));
  expect(right.length).toBeGreaterThanOrEqual(18);
});
