// Model-based test of the contract lifecycle. Ten thousand sequences run in the slow suite.

import { afterAll, expect, test } from 'vitest';
import { openStorage } from '../../../src/storage/storage.ts';
import { inMemory } from '../../storage/migrated-database.ts';
import { compareWithModel } from './compare-with-model.ts';

const storage = await openStorage(await inMemory());
afterAll(() => storage.close());

const SEQUENCES = 60;

test('after any sequence of commands a contract is in the state of the model', async () => {
  const { fires } = await compareWithModel(storage, SEQUENCES, 1287);
  expect(fires).toBeGreaterThan(SEQUENCES);
}, 120_000);

test('the same of one with collections, money, and a deadline on a stopwatch, which only admins hold back', async () => {
  const { fires } = await compareWithModel(storage, SEQUENCES, 1288, true);
  expect(fires).toBeGreaterThan(SEQUENCES);
}, 120_000);
