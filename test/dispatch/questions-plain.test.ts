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

test('half that rules were tuned on: no wrong law, and at least 0.8 answered', () => {
  const { wrong, answered, refused } = scoreOf(plain.questions.filter((one) => !isHeld(one)));
  expect(wrong).toEqual([]);
  expect(answered).toBeGreaterThanOrEqual(0.8);
  expect(refused).toBe(1);
});

// 28 of 29 right and 6 of 7 refused when it was read once, after the rules. Before them: 27 of 29.
test('held half: at least 0.85 answered, 0.96 of them right, and 0.85 of the others refused', () => {
  const { answered, right, refused, wrong } = scoreOf(plain.questions.filter(isHeld));
  expect(answered).toBeGreaterThanOrEqual(0.85);
  expect(right, wrong.join('\n')).toBeGreaterThanOrEqual(0.96);
  expect(refused, wrong.join('\n')).toBeGreaterThanOrEqual(0.85);
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
