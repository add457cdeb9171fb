// Batches of requests: which requests share one, in what order, and what a failure affects.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Batcher } from '../../../src/storage/database/batcher.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { insertMachine } from '../../services/machines/stored-machine-fixture.ts';
import { testDatabases } from '../databases.ts';

/** A batcher whose batches wait until their gate is resolved; `batches` records their requests. */
function gatedBatcher() {
  const batches: number[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const batcher = new Batcher<number, string>(async (requests) => {
    batches.push([...requests]);
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    await gate.promise;
    return requests.map((one) => `result ${one}`);
  });
  return { batches, gates, batcher };
}

test('a single request is sent at once, and requests that arrive meanwhile share the next batch', async () => {
  const { batches, gates, batcher } = gatedBatcher();
  const first = batcher.load(1);
  expect(batches).toEqual([[1]]);
  const others = [2, 3, 2].map((one) => batcher.load(one));
  expect(batches).toEqual([[1]]);
  gates[0]?.resolve();
  expect(await first).toBe('result 1');
  await expect.poll(() => batches).toEqual([[1], [2, 3, 2]]);
  gates[1]?.resolve();
  expect(await Promise.all(others)).toEqual(['result 2', 'result 3', 'result 2']);
  const last = batcher.load(4);
  expect(batches).toEqual([[1], [2, 3, 2], [4]]);
  gates[2]?.resolve();
  expect(await last).toBe('result 4');
});

test('a failure rejects every request of its batch, and none of the next', async () => {
  const { gates, batcher } = gatedBatcher();
  const failing = [batcher.load(1)];
  const next = batcher.load(2);
  gates[0]?.reject(new Error('lost'));
  expect(await Promise.allSettled(failing)).toMatchObject([{ reason: { message: 'lost' } }]);
  await expect.poll(() => gates.length).toBe(2);
  gates[1]?.resolve();
  expect(await next).toBe('result 2');
});

test('a batch holds at most 512 requests', async () => {
  const { batches, gates, batcher } = gatedBatcher();
  const all = Array.from({ length: 1_100 }, (_, i) => batcher.load(i));
  for (let batch = 0; batch < 4; batch++) {
    await expect.poll(() => gates.length).toBe(batch + 1);
    gates[batch]?.resolve();
  }
  expect(await Promise.all(all)).toEqual(all.map((_, i) => `result ${i}`));
  expect(batches.map(({ length }) => length)).toEqual([1, 512, 512, 75]);
});

describe.each(testDatabases())('machines with a role, on $name', (database) => {
  let storage: Storage;
  beforeAll(async () => {
    storage = await database.open();
  });
  afterAll(() => database.dispose(storage));

  test('each concurrent request gets its own machine and its own role', async () => {
    const [ours, theirs] = [await insertMachine(storage), await insertMachine(storage)];
    const [ann, bob] = ['a'.repeat(32), 'b'.repeat(32)];
    await storage.members.put(ours.id, { zid: ann, role: 'owner', sinceSvcond: 1 });
    await storage.members.put(ours.id, { zid: bob, role: 'viewer', sinceSvcond: 1 });
    await storage.members.put(theirs.id, { zid: bob, role: 'admin', sinceSvcond: 1 });
    const requests = [
      [ours, ann, 'owner'],
      [ours, bob, 'viewer'],
      [theirs, ann, undefined],
      [theirs, bob, 'admin'],
      [ours, undefined, undefined],
      [ours, ann, 'owner'],
    ] as const;
    const found = await Promise.all(requests.map(([{ head }, zid]) => storage.machines.findWithRole(head.slug, zid)));
    expect(found).toEqual(requests.map(([machine, , role]) => ({ machine, role })));
    expect(await storage.machines.findWithRole('nowhere', ann)).toBeUndefined();
    await storage.members.delete(ours.id, bob);
    expect((await storage.machines.findWithRole(ours.head.slug, bob))?.role).toBeUndefined();
  });
});
