// What a call with an Idempotency-Key has changed is changed once, whenever the node that answered it died.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Principal } from '../../../src/services/access/access.ts';
import { IdempotencyService } from '../../../src/services/node/idempotency.ts';
import { SealedBox } from '../../../src/services/node/sealed-box.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import { LEASE_MS } from '../../../src/storage/node/idempotency.ts';
import { type Composed, composedDatabases } from '../composed.ts';

const ANSWER = { status: 200, headers: {}, body: Buffer.from('{}') };

describe.each(composedDatabases())('on $name', (database) => {
  let svc: Composed;
  let owner: Principal;
  let machine: Machine;
  let nowMs = 0;
  let calls = 0;
  const box = new SealedBox(randomBytes(32), randomBytes);
  /** A node of its own, whose clock is late by what the others slept. */
  const node = () => new IdempotencyService(svc.storage.idempotency, box, () => nowMs);
  const call = () => ({
    principal: 'somebody',
    isKeyless: false,
    key: `key-${calls++}`,
    route: 'POST /x',
    target: '',
    body: Buffer.from('{}'),
  });
  const move = async () => {
    await svc.move(machine, owner);
    return ANSWER;
  };
  /** A node that has claimed the key and sleeps before its change. */
  const sleeping = async (one: ReturnType<typeof call>) => {
    const [claimed, awake] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const late = node().once(one, async () => {
      claimed.resolve();
      await awake.promise;
      return move();
    });
    late.catch(() => {});
    await claimed.promise;
    return { late, awake };
  };
  const rowsNow = async () => (await svc.now(machine)).head.seq;

  beforeAll(async () => {
    svc = await database.open();
    owner = await svc.somebody();
    machine = await svc.machine(owner);
    nowMs = Number(svc.clock.now() / 1_000_000n);
  });
  afterAll(() => database.dispose(svc));

  test('a node that dies between its change and its answer: the repetition changes nothing and says so', async () => {
    const one = call();
    const before = await rowsNow();
    // Its death is an answer that never comes.
    const died = Promise.withResolvers<void>();
    void node().once(one, async () => {
      await move();
      died.resolve();
      return new Promise(() => {});
    });
    await died.promise;
    await expect(node().once(one, move)).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' });
    nowMs += LEASE_MS;
    await expect(node().once(one, move)).rejects.toMatchObject({ code: 'IDEMPOTENCY_ANSWER_LOST' });
    expect(await rowsNow()).toBe(before + 1);
  });

  test('a node that slept past its lease writes nothing after another one has answered', async () => {
    const one = call();
    const before = await rowsNow();
    const { late, awake } = await sleeping(one);
    await expect(node().once(one, move)).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' });
    nowMs += LEASE_MS;
    await node().once(one, move);
    awake.resolve();
    await expect(late).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' });
    expect(await rowsNow()).toBe(before + 1);
    expect((await node().once(one, move)).isReplayed).toBe(true);
  });

  test('one that lost its key costs those who are written with it nothing', async () => {
    const one = call();
    const before = await rowsNow();
    const { late, awake } = await sleeping(one);
    await expect(node().once(one, move)).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' });
    nowMs += LEASE_MS;
    await node().once(one, move);
    const others = Array.from({ length: 5 }, () => move());
    awake.resolve();
    await expect(late).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' });
    await Promise.all(others);
    expect(await rowsNow()).toBe(before + 6);
  });

  test('a call that fails before it changes anything leaves its key free, one that fails later does not', async () => {
    const [early, later] = [call(), call()];
    const failing = () => Promise.reject(new RangeError('no'));
    await expect(node().once(early, failing)).rejects.toThrow('no');
    await node().once(early, move);
    const changing = () => move().then(failing);
    await expect(node().once(later, changing)).rejects.toThrow('no');
    await expect(node().once(later, move)).rejects.toMatchObject({ code: 'IDEMPOTENCY_ANSWER_LOST' });
  });

  test('a machine is made once', async () => {
    const one = call();
    const made: Machine[] = [];
    const making = node().once(one, async () => {
      made.push(await svc.machine(owner));
      throw new RangeError('died');
    });
    await expect(making).rejects.toThrow('died');
    const again = node().once(one, async () => {
      made.push(await svc.machine(owner));
      return ANSWER;
    });
    await expect(again).rejects.toMatchObject({ code: 'IDEMPOTENCY_ANSWER_LOST' });
    expect(made).toHaveLength(1);
  });

  test('a run is filed once, and what is only computed may be computed again', async () => {
    const box1d = { domain: 'Quantum Mechanics', operators: ['QM5'], inputs: { n: 1, m: 9.1093837139e-31, L: 1e-9 } };
    const asking = { signal: new AbortController().signal, caller: owner.keyId };
    const compute = (file: { folder: string } | undefined) => async () => {
      await svc.services.compute.run(box1d, owner, asking, file);
      throw new RangeError('died');
    };
    const [filed, passing] = [call(), call()];
    await expect(node().once(filed, compute({ folder: 'boxes' }))).rejects.toThrow('died');
    await expect(node().once(filed, compute({ folder: 'boxes' }))).rejects.toMatchObject({
      code: 'IDEMPOTENCY_ANSWER_LOST',
    });
    const { rows } = await svc.services.runs.list(owner, { folder: 'boxes', limit: 10 });
    expect(rows).toHaveLength(1);
    await expect(node().once(passing, compute(undefined))).rejects.toThrow('died');
    expect((await node().once(passing, async () => ANSWER)).isReplayed).toBe(false);
  });
});
