// A contract with parties against its model: twenty random sequences and two chosen ones; ten thousand in parties.slow.test.ts.

import { afterAll, expect, test } from 'vitest';
import { openStorage } from '../../../src/storage/storage.ts';
import { inMemory } from '../../storage/migrated-database.ts';
import { comparePartiesWithModel, ENDED_THEN_RESTARTED, runParties, VOTES_LAPSE } from './compare-parties.ts';
import { createEngineFixture } from './engine-fixture.ts';

const storage = await openStorage(await inMemory());
afterAll(() => storage.close());

test('signed events, votes and accepted versions do what the model says', async () => {
  const counts = await comparePartiesWithModel(storage, 20, 7);
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
}, 120_000);

test('an event to a contract that has ended is a conflict, before a restart and after it', async () => {
  const model = await runParties(storage, await createEngineFixture(storage), ENDED_THEN_RESTARTED);
  expect(model.status).toBe('completed');
});

test('a vote counts up to its last tick, and not on the next', async () => {
  const model = await runParties(storage, await createEngineFixture(storage), VOTES_LAPSE);
  expect(model.context.passed).toBe(1);
});
