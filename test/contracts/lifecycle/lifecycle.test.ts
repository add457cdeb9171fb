// The whole life of a contract beside a plain model of the rules. Ten thousand sequences run in the slow suite.

import { afterAll, expect, test } from 'vitest';
import { openStorage } from '../../../src/storage/storage.ts';
import { followModel } from './follow-model.ts';

const storage = await openStorage({ inMemory: true });
afterAll(() => storage.close());

test('whatever happens to a contract, it is where the rules put it', async () => {
  const { fires } = await followModel(storage, 120, 1287);
  expect(fires).toBeGreaterThan(120);
}, 120_000);
