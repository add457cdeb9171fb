// Sealed payloads of private machines: unreadable in every table, decrypted only with the owner's equation, usable by
// contracts.

import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Composition } from '../../../../src/composition.ts';
import { Definition } from '../../../../src/contracts/definition.ts';
import { systemClock, tickOf } from '../../../../src/core/clock.ts';
import { LIMITS } from '../../../../src/core/limits.ts';
import { RateLimiter } from '../../../../src/services/access/rate-limit.ts';
import { DecryptionService } from '../../../../src/services/machines/sealing/decryption.ts';
import { EquationKeys } from '../../../../src/services/machines/sealing/equation-keys.ts';
import { rows } from '../../../../src/storage/database/sql.ts';
import { createOwnedMachine, dumpTables, type OwnedMachine, restartableNodes } from './sealed-machine-fixture.ts';

const LONG = 1_000_000;

/** Fires when a long window has accumulated 100 g; after a restart only if the window is restored. */
const SCALES = Definition.parse({
  name: 'scales',
  version: '1.0',
  operators: ['KO42'],
  initial: 'light',
  events: { weighed: { payload: { grams: 'number', whose: 'string' } } },
  emits: ['heavy'],
  states: { light: { role: 'initial' }, full: { role: 'terminal', outcome: 'success' } },
  transitions: [
    {
      id: 'fill',
      from: 'light',
      to: 'full',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'on_aggregate', event: 'weighed', fn: 'sum', field: 'grams', within: LONG },
      fires_when: 'agg.value >= 100',
      post: [{ emit: 'heavy' }],
    },
  ],
});

/** Fires if its oracle's value is 50. */
const gauge = (oracle: object) =>
  Definition.parse({
    name: 'gauge',
    version: '1.0',
    operators: ['KO42'],
    initial: 'waiting',
    events: { asked: { payload: {} } },
    oracle: { kind: 'push', field: 'value', ...oracle },
    states: { waiting: { role: 'initial' }, right: { role: 'terminal', outcome: 'success' } },
    transitions: [
      {
        id: 'compare',
        from: 'waiting',
        to: 'right',
        operator: 'KO42',
        proof: false,
        trigger: { kind: 'event', event: 'asked' },
        fires_when: 'oracle.value == 50',
      },
    ],
  });

describe.each(restartableNodes())('on $name', (restartable) => {
  let node: Composition;
  beforeAll(async () => {
    node = await restartable.start();
  });
  afterAll(() => restartable.dispose(node));

  const reload = async ({ machine }: OwnedMachine) => {
    const found = await node.storage.machines.bySlug(machine.head.slug);
    if (found === undefined) throw new Error('Machine not found.');
    return found;
  };
  const decrypt = async (owned: OwnedMachine, range: { from?: number; to?: number; limit?: number } = {}) =>
    node.services.decryption.decrypt(await reload(owned), owned.owner.accountId, {
      equation: owned.equation,
      limit: 1_000,
      ...range,
    });
  const log = async (owned: OwnedMachine, name: string, payload: Record<string, unknown>, key?: string) =>
    node.services.machineLog.event(await reload(owned), owned.owner, { name, payload, key });

  test('no payload is readable in any table or log, and the owner decrypts exactly what was written', async () => {
    const owned = await createOwnedMachine(node, 'canary');
    const canary = `canary-${randomBytes(12).toString('hex')}`;
    const written: unknown[] = [];
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue()), async (more) => {
        fc.pre(JSON.stringify(more).isWellFormed() && !Object.keys(more).includes('__proto__'));
        const payload = JSON.parse(JSON.stringify({ ...more, canary })) as Record<string, unknown>;
        const { seq } = await log(owned, 'noted', payload);
        written[seq] = { name: 'noted', payload };
      }),
      { numRuns: 30 },
    );
    const { slug } = owned.machine.head;
    const stored = await rows<{ seq: number }>(
      node.storage.database.knex,
      'select seq from audit where machine_id = ? and body is null and salt is null and sealed is not null',
      [owned.machine.id],
    );
    const all = (await reload(owned)).head.seq + 1;
    expect(all).toBeGreaterThan(30);
    // The first row states only what the machine's record has in plain text.
    expect(stored).toHaveLength(all - 1);
    const traces = [canary, Buffer.from(canary).toString('hex'), Buffer.from(canary).toString('base64')];
    for (const [table, text] of await dumpTables(node))
      expect([table, traces.filter((one) => text.includes(one))]).toEqual([table, []]);
    expect(restartable.logged.filter((line) => line.includes(canary) || line.includes(owned.equation))).toEqual([]);

    const { rows: seen } = await node.services.machineLog.explore(await reload(owned), { limit: 100 });
    expect(seen).toHaveLength(all);
    const closed = seen.filter(({ type }) => type !== 'genesis');
    expect(new Set(closed.map(({ payload, salt, sealed }) => JSON.stringify([payload, salt, sealed])))).toEqual(
      new Set(['[null,null,true]']),
    );
    const checked = await node.services.machineLog.validate(await reload(owned), {});
    expect(checked).toMatchObject({ valid: true, checked: all, erased: 0, sealed: all - 1 });

    const opened = await decrypt(owned);
    expect(opened).toMatchObject({ from: 0, to: all - 1, opened: all - 1, next_from: null });
    expect(opened.rows[0]).toMatchObject({ type: 'genesis', payload: { slug }, commit_ok: true });
    for (const [seq, payload] of written.entries())
      if (payload !== undefined)
        expect(opened.rows[seq]).toMatchObject({ seq, commit_ok: true, sealed: true, payload });
  });

  test('windows survive a restart, restored from samples that expire with them', async () => {
    const owned = await createOwnedMachine(node, 'windows');
    const whose = `person-${randomBytes(12).toString('hex')}`;
    const deployed = await node.services.contracts.deploy(owned.machine, owned.owner, { definition: SCALES });
    const { seq } = await log(owned, 'weighed', { grams: 60, whose });
    await log(owned, 'unheard', { grams: 60, whose });
    const kept = () =>
      rows<{ seq: number; svcond: number; until_svcond: number }>(
        node.storage.database.knex,
        'select seq, svcond, until_svcond from kept_sample where machine_id = ?',
        [owned.machine.id],
      );
    const [sample, ...others] = await kept();
    expect(others).toEqual([]);
    expect(sample).toMatchObject({ seq, until_svcond: (sample?.svcond ?? 0) + LONG });

    await node.close();
    node = await restartable.start();
    const { fired } = await log(owned, 'weighed', { grams: 40, whose });
    expect(fired).toMatchObject([{ contract: deployed.id, transition: 'fill', emitted: ['heavy'] }]);
    for (const [table, text] of await dumpTables(node)) expect([table, text.includes(whose)]).toEqual([table, false]);

    const now = tickOf(node.clock.now());
    expect(await node.storage.keptSamples.removeExpired(now, 100)).toBe(0);
    expect(await node.storage.keptSamples.removeExpired(now + LONG + 100, 1)).toBe(1);
    expect(await node.storage.keptSamples.removeExpired(now + LONG + 100, 100)).toBe(1);
    expect(await kept()).toEqual([]);
    expect((await decrypt(owned)).rows.filter(({ payload }) => JSON.stringify(payload).includes(whose))).toHaveLength(
      3,
    );
  });

  test('oracles keep their value over a restart, the newest reading at any age', async () => {
    const owned = await createOwnedMachine(node, 'oracles');
    const deploy = async (oracle: object) =>
      (await node.services.contracts.deploy(owned.machine, owned.owner, { definition: gauge(oracle) })).id;
    const [mean, last] = [await deploy({ fn: 'avg', within: LONG }), await deploy({ fn: 'last' })];
    const push = async (id: string, value: number) =>
      node.services.oracles.push(await reload(owned), owned.owner, id, { value });
    await push(mean, 40);
    await push(last, 7);
    await push(last, 50);
    // The newest reading of `last` is kept at any age.
    await node.storage.keptSamples.removeExpired(tickOf(node.clock.now()) + 1_000, 100);
    expect(await node.storage.keptSamples.since(owned.machine.id, 0, { after: -1, limit: 10 })).toHaveLength(2);
    await node.close();
    node = await restartable.start();
    await push(mean, 60);
    const { fired } = await log(owned, 'asked', {});
    expect(fired.map(({ contract }) => contract).toSorted()).toEqual([mean, last].toSorted());
    const { rows: seen } = await node.services.machineLog.explore(await reload(owned), { limit: 100, type: 'reading' });
    expect(seen.map(({ payload, sealed }) => [payload, sealed])).toEqual(Array.from({ length: 4 }, () => [null, true]));
  });

  test('an erased payload is erased for the owner too, with its stored sample', async () => {
    const owned = await createOwnedMachine(node, 'erased');
    await node.services.contracts.deploy(owned.machine, owned.owner, { definition: SCALES });
    const { seq } = await log(owned, 'weighed', { grams: 99, whose: 'a person' });
    await node.services.erasure.erase(await reload(owned), owned.owner, seq, 'Art. 17 GDPR');
    await expect(node.services.erasure.erase(await reload(owned), owned.owner, seq, 'again')).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    const opened = await decrypt(owned, { from: seq, to: seq });
    expect(opened.rows).toMatchObject([{ seq, payload: null, salt: null, commit_ok: null }]);
    expect(opened.rows[0]).not.toHaveProperty('sealed');
    expect(await node.storage.keptSamples.since(owned.machine.id, 0, { after: -1, limit: 10 })).toEqual([]);
    const checked = await node.services.machineLog.validate(await reload(owned), {});
    expect(checked).toMatchObject({ valid: true, erased: 1, sealed: checked.checked - 2 });
    // The window has forgotten as well.
    expect((await log(owned, 'weighed', { grams: 1, whose: 'a person' })).fired).toEqual([]);
  });

  test('a payload moved to another row, or changed, does not decrypt', async () => {
    const owned = await createOwnedMachine(node, 'swapped');
    const seqs: number[] = [];
    for (const name of ['a', 'b', 'c']) seqs.push((await log(owned, name, {})).seq);
    const [a = 0, b = 0, c = 0] = seqs;
    const { knex } = node.storage.database;
    await knex.raw('alter table audit disable trigger audit_append_only');
    const { id } = owned.machine;
    await rows(
      knex,
      `update audit set sealed = (select sealed from audit where machine_id = ? and seq = ?) where machine_id = ? and seq = ?`,
      [id, b, id, a],
    );
    await rows(
      knex,
      'update audit set sealed = set_byte(sealed, 60, 255 - get_byte(sealed, 60)) where machine_id = ? and seq = ?',
      [id, c],
    );
    await knex.raw('alter table audit enable trigger audit_append_only');
    const { rows: opened } = await decrypt(owned);
    for (const { seq, payload, unopened, commit_ok } of opened) {
      const isBroken = seq === a || seq === c;
      expect([seq, unopened, commit_ok]).toEqual([seq, isBroken ? 'DAMAGED' : undefined, isBroken ? null : true]);
      if (isBroken) expect(payload).toBeNull();
    }
  });

  test("sealing starts with the owner's equation, stops when the machine is public, and starts again", async () => {
    const owned = await createOwnedMachine(node, 'changing', true);
    const { machines } = node.services;
    const change = async (isPublic: boolean, equation?: string) => {
      const before = await reload(owned);
      const sealing =
        equation === undefined ? undefined : await machines.prepareSealing(before, owned.owner, equation, !isPublic);
      return machines.patch(before, owned.owner, { isPublic, ...sealing?.patch }, sealing?.writes);
    };
    await log(owned, 'open', {});
    await change(false);
    await log(owned, 'still_open', {});
    await expect(decrypt(owned)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(change(false, `${owned.equation} `)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(machines.record(await change(false, owned.equation))).toMatchObject({ is_sealed: true });
    await log(owned, 'closed', {});
    expect(machines.record(await change(true))).toMatchObject({ is_sealed: false });
    await log(owned, 'open_again', {});
    await change(false);
    await log(owned, 'closed_again', {});
    const { rows: seen } = await node.services.machineLog.explore(await reload(owned), { limit: 100 });
    const isSealed = seen
      .toReversed()
      .filter(({ type }) => type !== 'stamp')
      .map(({ type, sealed = false }) => [type, sealed]);
    expect(isSealed).toEqual([
      ['genesis', false],
      ['event', false],
      ['settings', false],
      ['event', false],
      ['settings', false],
      ['event', true],
      ['settings', false],
      ['event', false],
      ['settings', false],
      ['event', true],
    ]);
    const sealed = seen.filter((row) => row.sealed).length;
    expect(await node.services.machineLog.validate(await reload(owned), {})).toMatchObject({ valid: true, sealed });
    const opened = await decrypt(owned);
    expect([sealed, opened.opened]).toEqual([2, 2]);
    expect(opened.rows.every(({ commit_ok }) => commit_ok === true)).toBe(true);
  });

  test('a rejection by a full queue does not count as an attempt', async () => {
    const owned = await createOwnedMachine(node, 'loaded');
    await log(owned, 'closed', {});
    const { audit, sealingKeys } = node.storage;
    const equationKeys = new EquationKeys(0);
    const service = new DecryptionService({
      audit,
      sealingKeys,
      equationKeys,
      rateLimit: new RateLimiter({ clock: systemClock() }),
    });
    let isLoaded = true;
    const load = [1, 2].map(async () => {
      while (isLoaded) await equationKeys.deriveKeyPair('of another', new Uint8Array(16), 'boiler');
    });
    const { equation } = owned;
    const machine = await reload(owned);
    for (let i = 0; i <= LIMITS.rate.unlock; i++) {
      const attempt = service.decrypt(machine, owned.owner.accountId, { equation, limit: 1 });
      await expect(attempt).rejects.toMatchObject({ code: 'QUEUE_FULL' });
    }
    isLoaded = false;
    await Promise.all(load);
    expect(await service.decrypt(machine, owned.owner.accountId, { equation, from: 1, limit: 1 })).toMatchObject({
      opened: 1,
    });
  });

  test('no account gets an identity without receiving its equation', async () => {
    const { keys, access, machines } = node.services;
    const accounts = await Promise.all(
      Array.from({ length: 24 }, async () => {
        const { key } = await keys.openAccount({ name: 'load', scope: 'admin', rate_limit_tier: 'free' });
        return access.authenticate(key);
      }),
    );
    // More than may wait for their equations to be worked on.
    const made = await Promise.allSettled(
      accounts.map((by) => machines.create(by, { name: 'load', is_public: false }, 'load.test')),
    );
    const refused = made.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(refused.length).toBeGreaterThan(0);
    for (const reason of refused) expect(reason).toMatchObject({ code: 'QUEUE_FULL' });
    for (const [i, one] of made.entries()) {
      const shown = one.status === 'fulfilled' ? one.value.credentials?.zid : undefined;
      expect(await node.storage.identities.zidOf(accounts[i]?.accountId ?? '')).toBe(shown);
    }
  });
});
