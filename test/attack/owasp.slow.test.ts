// Each defence against a risk of the OWASP API Security Top 10 by itself: its test passes with it and fails without.

import { expect, test } from 'vitest';
import { HOLES } from './owasp/holes.ts';
import { outcomesWith } from './owasp/planted-project.ts';

test('with all defences the tests pass in a copy of the project', async () => {
  const outcomes = await outcomesWithout();
  for (const { risk, test: named } of HOLES) expect([risk, outcomes.get(named.name)]).toEqual([risk, 'passed']);
});

/** Nothing is taken out, and the tests of all holes run. */
const outcomesWithout = () => outcomesWith(HOLES.map((hole) => ({ ...hole, planted: hole.defence })));

test.each(HOLES)('without the defence against $risk its test fails', async (hole) => {
  const outcomes = await outcomesWith([hole]);
  expect(outcomes.get(hole.test.name)).toBe('failed');
});
