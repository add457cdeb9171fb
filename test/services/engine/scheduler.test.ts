// Scheduler with a machine that cannot be woken.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TICK_NS } from '../../../src/core/clock.ts';
import { Scheduler } from '../../../src/services/engine/scheduler.ts';
import { rows } from '../../../src/storage/database/sql.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { createEngineFixture, OWNER } from '../../contracts/lifecycle/engine-fixture.ts';
import { testDatabases } from '../../storage/databases.ts';
import { insertMachine } from '../machines/stored-machine-fixture.ts';
import { ownersOf } from '../node/owners/owners-of.ts';

const START = 1_000;

const TICKING = {
  name: 'ticking',
  version: '1.0',
  operators: ['KO42'],
  initial: 'going',
  events: {},
  states: { going: { role: 'initial' }, over: { role: 'terminal' } },
  transitions: [
    {
      id: 'tick',
      from: 'going',
      to: 'going',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'recurring', every: 1 },
    },
    { id: 'end', from: 'going', to: 'over', operator: 'KO42', proof: false, trigger: { kind: 'one_shot', after: 1e6 } },
  ],
};

describe.each(testDatabases())('on $name', (database) => {
  let storage: Storage;
  beforeAll(async () => {
    storage = await database.open();
  });
  afterAll(() => database.dispose(storage));

  test('an unreadable contract is retried with backoff, others are on time, and after repair it continues', async () => {
    const first = await createEngineFixture(storage);
    first.setTick(START);
    const [broken, healthy] = [await insertMachine(storage), await insertMachine(storage)];
    const { id } = await first.contracts.deploy(broken, OWNER, { definition: TICKING as never });
    await first.contracts.deploy(healthy, OWNER, { definition: TICKING as never });
    const { knex } = storage.database;
    const [stored] = await rows<{ state: string }>(knex, 'select state from contract where id = ?', [id]);
    const setState = (state = '') => rows(knex, 'update contract set state = ? where id = ?', [state, id]);
    const rowsOf = async (machine: Machine) => (await storage.machines.byIds([machine.id], false))[0]?.head.seq ?? 0;
    const before = { broken: await rowsOf(broken), healthy: await rowsOf(healthy) };

    // Another node with an empty cache.
    const second = await createEngineFixture(storage);
    let tick = START;
    const failures: unknown[] = [];
    const scheduler = new Scheduler({
      engine: second.engine,
      timers: storage.timers,
      owners: ownersOf(storage, { source: 'stepped', now: () => BigInt(tick) * TICK_NS }),
      clock: { source: 'stepped', now: () => BigInt(tick) * TICK_NS },
      onError: (error) => failures.push(error),
    });
    const advance = async (ticks: number) => {
      for (let i = 0; i < ticks; i++) {
        second.setTick(++tick);
        await scheduler.poll();
        await scheduler.poll();
      }
    };

    await setState('{');
    await advance(40);
    // Immediately, and after 2, 4, 8 and 16 ticks.
    expect(failures).toHaveLength(5);
    expect((await rowsOf(healthy)) - before.healthy).toBe(40);
    await setState(stored?.state);
    await advance(40);
    expect(failures).toHaveLength(5);
    // Retried 32 ticks later; it catches up one tick and is then on time.
    expect((await rowsOf(broken)) - before.broken).toBe(18);
    await scheduler.stop();
  });

  test('a scheduler whose clock is not trusted fires nothing and leaves its shards to others', async () => {
    const fixture = await createEngineFixture(storage);
    const tick = START + 100_000;
    fixture.setTick(tick);
    const machine = await insertMachine(storage);
    await fixture.contracts.deploy(machine, OWNER, { definition: TICKING as never });
    fixture.setTick(tick + 1);
    const state = { fault: 'it has jumped.' as string | undefined, failures: [] as unknown[] };
    const scheduler = new Scheduler({
      engine: fixture.engine,
      timers: storage.timers,
      owners: ownersOf(storage, { source: 'stepped', now: () => BigInt(tick) * TICK_NS }),
      clock: { source: 'test', now: () => BigInt(tick + 1) * TICK_NS, fault: () => state.fault },
      onError: (error) => state.failures.push(error),
    });
    const head = async () => (await storage.machines.byIds([machine.id], false))[0]?.head.seq;
    const before = await head();
    await scheduler.poll();
    expect([await head(), scheduler.shards]).toEqual([before, []]);
    state.fault = undefined;
    await scheduler.poll();
    expect([await head(), state.failures]).toEqual([(before ?? 0) + 1, []]);
    await scheduler.stop();
  });
});
