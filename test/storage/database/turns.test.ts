// Statements in turns: in their order, and never more at a time than allowed.

import { expect, test } from 'vitest';
import { type Executor, rows } from '../../../src/storage/database/sql.ts';
import { inTurns } from '../../../src/storage/database/turns.ts';

test('statements run in their order, at most two at a time, also after one has failed', async () => {
  let running = 0;
  let most = 0;
  const begun: string[] = [];
  const raw = async (statement: string) => {
    begun.push(statement);
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    if (statement === 'c') throw new Error('failed');
    return { rows: [statement] };
  };
  const on = inTurns({ raw } as unknown as Executor, 2);
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const outcomes = await Promise.allSettled(names.map((name) => rows<string>(on, name)));
  expect(begun).toEqual(names);
  expect(most).toBe(2);
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true, true, true]);
  expect(await rows<string>(on, 'g')).toEqual(['g']);
});
