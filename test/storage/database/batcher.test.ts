// Questions that are asked together: which ones, in what order, and what a failure costs.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Gathered } from '../../../src/storage/database/batcher.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { plantMachine } from '../../services/machines/machines-fixture.ts';
import { testDatabases } from '../databases.ts';

/** Answers each lot when it is let go; keeps what was asked at once. */
function held() {
  const lots: number[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const gathered = new Gathered<number, string>(async (questions) => {
    lots.push([...questions]);
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    await gate.promise;
    return questions.map((one) => `answer ${one}`);
  });
  return { lots, gates, gathered };
}

test('a lone question is asked at once, and those that come meanwhile are asked together after it', async () => {
  const { lots, gates, gathered } = held();
  const first = gathered.ask(1);
  expect(lots).toEqual([[1]]);
  const others = [2, 3, 2].map((one) => gathered.ask(one));
  expect(lots).toEqual([[1]]);
  gates[0]?.resolve();
  expect(await first).toBe('answer 1');
  await expect.poll(() => lots).toEqual([[1], [2, 3, 2]]);
  gates[1]?.resolve();
  expect(await Promise.all(others)).toEqual(['answer 2', 'answer 3', 'answer 2']);
  const last = gathered.ask(4);
  expect(lots).toEqual([[1], [2, 3, 2], [4]]);
  gates[2]?.resolve();
  expect(await last).toBe('answer 4');
});

test('a failure is told to all that stood in it, and to nobody after', async () => {
  const { gates, gathered } = held();
  const failing = [gathered.ask(1)];
  const spared = gathered.ask(2);
  gates[0]?.reject(new Error('lost'));
  expect(await Promise.allSettled(failing)).toMatchObject([{ reason: { message: 'lost' } }]);
  await expect.poll(() => gates.length).toBe(2);
  gates[1]?.resolve();
  expect(await spared).toBe('answer 2');
});

test('no more than 512 are asked at once', async () => {
  const { lots, gates, gathered } = held();
  const all = Array.from({ length: 1_100 }, (_, i) => gathered.ask(i));
  for (let lot = 0; lot < 4; lot++) {
    await expect.poll(() => gates.length).toBe(lot + 1);
    gates[lot]?.resolve();
  }
  expect(await Promise.all(all)).toEqual(all.map((_, i) => `answer ${i}`));
  expect(lots.map(({ length }) => length)).toEqual([1, 512, 512, 75]);
});

describe.each(testDatabases())('machines met on $name', (database) => {
  let storage: Storage;
  beforeAll(async () => {
    storage = await database.open();
  });
  afterAll(() => database.dispose(storage));

  test('each asker learns of its own machine and its own role, whoever asks beside it', async () => {
    const [ours, theirs] = [await plantMachine(storage), await plantMachine(storage)];
    const [ann, bob] = ['a'.repeat(32), 'b'.repeat(32)];
    await storage.members.put(ours.id, { zid: ann, role: 'owner', sinceSvcond: 1 });
    await storage.members.put(ours.id, { zid: bob, role: 'viewer', sinceSvcond: 1 });
    await storage.members.put(theirs.id, { zid: bob, role: 'admin', sinceSvcond: 1 });
    const asked = [
      [ours, ann, 'owner'],
      [ours, bob, 'viewer'],
      [theirs, ann, undefined],
      [theirs, bob, 'admin'],
      [ours, undefined, undefined],
      [ours, ann, 'owner'],
    ] as const;
    const met = await Promise.all(asked.map(([{ head }, zid]) => storage.machines.meet(head.slug, zid)));
    expect(met).toEqual(asked.map(([machine, , role]) => ({ machine, role })));
    expect(await storage.machines.meet('nowhere', ann)).toBeUndefined();
    await storage.members.remove(ours.id, bob);
    expect((await storage.machines.meet(ours.head.slug, bob))?.role).toBeUndefined();
  });
});
