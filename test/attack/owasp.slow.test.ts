// Each defence against a risk of the OWASP API Security Top 10 by itself: its test passes with it and fails without.

import { expect, test } from 'vitest';
import { HOLES, outcomesOf } from './holes/owasp.ts';

test('with all defences the tests pass in a copy of the project', async () => {
  const outcomes = await outcomesWithout();
  for (const { risk, test: named } of HOLES) expect([risk, outcomes.get(named.name)]).toEqual([risk, 'passed']);
});

/** Nothing is taken out, and the tests of all holes run. */
const outcomesWithout = () => outcomesOf(HOLES.map((hole) => ({ ...hole, planted: hole.defence })));

test.each(HOLES)('without the defence against $risk its test fails', async (hole) => {
  const outcomes = await outcomesOf([hole]);
  expect(outcomes.get(hole.test.name)).toBe('failed');
});
