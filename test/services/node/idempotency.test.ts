// Idempotent calls take effect once, even if the node fails before or after its response.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Principal } from '../../../src/services/access/access.ts';
import { IdempotencyService } from '../../../src/services/node/idempotency.ts';
import { SealedBox } from '../../../src/services/node/sealed-box.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import { LEASE_MS } from '../../../src/storage/node/idempotency.ts';
import { type Composed, composedDatabases } from '../composition-fixture.ts';

const ANSWER = { status: 200, headers: {}, body: Buffer.from('{}') };

describe.each(composedDatabases())('on $name', (database) => {
  let svc: Composed;
  let owner: Principal;
  let machine: Machine;
  let nowMs = 0;
  let calls = 0;
  const box = new SealedBox(randomBytes(32), randomBytes);
  /** A service per call, with a shared clock. */
  const node = () => new IdempotencyService(svc.storage.idempotency, box, () => nowMs);
  const call = () => ({
    principal: 'key-1',
    isKeyless: false,
    key: `key-${calls++}`,
    route: 'POST /x',
    target: '',
    body: Buffer.from('{}'),
  });
  const change = async () => {
    await svc.appendEvent(machine, owner);
    return ANSWER;
  };
  /** Starts a call that has claimed the key and pauses before its change. */
  const startPaused = async (request: ReturnType<typeof call>) => {
    const [claimed, resume] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const paused = node().runOnce(request, async () => {
      claimed.resolve();
      await resume.promise;
      return change();
    });
    paused.catch(() => {});
    await claimed.promise;
    return { paused, resume };
  };
  const rowsNow = async () => (await svc.reload(machine)).head.seq;

  beforeAll(async () => {
    svc = await database.open();
    owner = await svc.createOwner();
    machine = await svc.machine(owner);
    nowMs = Number(svc.clock.now() / 1_000_000n);
  });
  afterAll(() => database.dispose(svc));

  test('if a node fails between change and response, a retry changes nothing and is answered', async () => {
    const request = call();
    const before = await rowsNow();
    // The failed node never responds.
    const died = Promise.withResolvers<void>();
    void node().runOnce(request, async () => {
      await change();
      died.resolve();
      return new Promise(() => {});
    });
    await died.promise;
    await expect(node().runOnce(request, change)).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' });
    nowMs += LEASE_MS;
    expect((await node().runOnce(request, change)).answer).toEqual(ANSWER);
    expect(await rowsNow()).toBe(before + 1);
    expect((await node().runOnce(request, change)).isReplayed).toBe(true);
  });

  test('a retry continues after the changes that were made, in order', async () => {
    const request = call();
    const before = await rowsNow();
    const steps = (failAfter: number) => async () => {
      const seqs: number[] = [];
      for (let i = 0; i < 3; i++) {
        if (i === failAfter) throw new RangeError('died');
        seqs.push((await svc.services.machineLog.event(machine, owner, { name: 'moved' })).seq);
      }
      return { ...ANSWER, body: Buffer.from(JSON.stringify(seqs)) };
    };
    await expect(node().runOnce(request, steps(1))).rejects.toThrow('died');
    await change();
    await expect(node().runOnce(request, steps(2))).rejects.toThrow('died');
    const { answer } = await node().runOnce(request, steps(3));
    // The row between is of another call.
    expect(JSON.parse(Buffer.from(answer.body).toString())).toEqual([before + 1, before + 3, before + 4]);
    expect(await rowsNow()).toBe(before + 4);
  });

  test('a retry that comes to another change than the first attempt made is refused', async () => {
    const request = call();
    const other = await svc.machine(owner);
    await expect(
      node().runOnce(request, () => change().then(() => Promise.reject(new RangeError('died')))),
    ).rejects.toThrow();
    const elsewhere = node().runOnce(request, async () => {
      await svc.appendEvent(other, owner);
      return ANSWER;
    });
    await expect(elsewhere).rejects.toMatchObject({ code: 'IDEMPOTENCY_ANSWER_LOST' });
    expect((await svc.reload(other)).head.seq).toBe(0);
  });

  test('outcomes are stored encrypted', async () => {
    const request = call();
    const secret = 'a-payload-that-nobody-else-may-read';
    const failing = node().runOnce(request, async () => {
      await svc.services.machineLog.event(machine, owner, { name: 'moved', payload: { secret } });
      throw new RangeError('died');
    });
    await expect(failing).rejects.toThrow('died');
    const { rows: stored } = await svc.storage.database.knex.raw('select outcomes from idempotency where key = ?', [
      request.key,
    ]);
    expect(stored[0].outcomes.length).toBeGreaterThan(secret.length);
    expect(stored[0].outcomes.includes(secret)).toBe(false);
  });

  test('a node whose lease expired writes nothing after another one has completed the call', async () => {
    const request = call();
    const before = await rowsNow();
    const { paused, resume } = await startPaused(request);
    await expect(node().runOnce(request, change)).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' });
    nowMs += LEASE_MS;
    await node().runOnce(request, change);
    resume.resolve();
    await expect(paused).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' });
    expect(await rowsNow()).toBe(before + 1);
    expect((await node().runOnce(request, change)).isReplayed).toBe(true);
  });

  test('a call that lost its lease does not fail other writes in the same flush', async () => {
    const request = call();
    const before = await rowsNow();
    const { paused, resume } = await startPaused(request);
    await expect(node().runOnce(request, change)).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' });
    nowMs += LEASE_MS;
    await node().runOnce(request, change);
    const others = Array.from({ length: 5 }, () => change());
    resume.resolve();
    await expect(paused).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' });
    await Promise.all(others);
    expect(await rowsNow()).toBe(before + 6);
  });

  test('a call that fails before its change frees the key, one that fails afterwards is continued', async () => {
    const [early, later] = [call(), call()];
    const failing = () => Promise.reject(new RangeError('no'));
    await expect(node().runOnce(early, failing)).rejects.toThrow('no');
    await node().runOnce(early, change);
    const changing = () => change().then(failing);
    await expect(node().runOnce(later, changing)).rejects.toThrow('no');
    const before = await rowsNow();
    expect((await node().runOnce(later, change)).isReplayed).toBe(false);
    expect(await rowsNow()).toBe(before);
  });

  test('a machine is created once', async () => {
    const request = call();
    const { machines } = svc.services;
    const created: Awaited<ReturnType<typeof machines.create>>[] = [];
    const first = node().runOnce(request, async () => {
      created.push(await machines.create(undefined, { slug: `once-${database.name.toLowerCase()}` }, 'once'));
      throw new RangeError('died');
    });
    await expect(first).rejects.toThrow('died');
    await node().runOnce(request, async () => {
      created.push(await machines.create(undefined, { slug: `once-${database.name.toLowerCase()}` }, 'once'));
      return ANSWER;
    });
    // With the credentials that are shown once.
    expect(created[1]).toEqual(created[0]);
    expect(created[1]?.credentials?.key).toMatch(/^svc_ak_/);
  });

  test('a run is filed once; a computation that is not filed may run again', async () => {
    const box1d = { domain: 'Quantum Mechanics', operators: ['QM5'], inputs: { n: 1, m: 9.1093837139e-31, L: 1e-9 } };
    const controls = { signal: new AbortController().signal, caller: owner.keyId, tenant: owner.accountId };
    const envelopes: unknown[] = [];
    const compute = (file: { folder: string } | undefined) => async () => {
      envelopes.push(await svc.services.compute.run(box1d, owner, controls, file));
      throw new RangeError('died');
    };
    const [filed, unfiled] = [call(), call()];
    await expect(node().runOnce(filed, compute({ folder: 'boxes' }))).rejects.toThrow('died');
    await expect(node().runOnce(filed, compute({ folder: 'boxes' }))).rejects.toThrow('died');
    expect(envelopes[1]).toEqual(envelopes[0]);
    const { rows } = await svc.services.runs.list(owner, { folder: 'boxes', limit: 10 });
    expect(rows).toHaveLength(1);
    await expect(node().runOnce(unfiled, compute(undefined))).rejects.toThrow('died');
    expect((await node().runOnce(unfiled, async () => ANSWER)).isReplayed).toBe(false);
  });
});
