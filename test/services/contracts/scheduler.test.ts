// The scheduler beside machines that cannot be woken.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TICK_NS } from '../../../src/core/clock.ts';
import { Scheduler } from '../../../src/services/contracts/scheduler.ts';
import { rows } from '../../../src/storage/database/sql.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { engineAtHand, OWNER } from '../../contracts/lifecycle/engine-at-hand.ts';
import { testDatabases } from '../../storage/databases.ts';
import { plantMachine } from '../machines/machines-fixture.ts';

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

  test('a contract that cannot be read is tried ever less often, others keep their time, and mended it goes on', async () => {
    const first = await engineAtHand(storage);
    first.setTick(START);
    const [sick, well] = [await plantMachine(storage), await plantMachine(storage)];
    const { id } = await first.contracts.deploy(sick, OWNER, { definition: TICKING as never });
    await first.contracts.deploy(well, OWNER, { definition: TICKING as never });
    const { knex } = storage.database;
    const [stored] = await rows<{ state: string }>(knex, 'select state from contract where id = ?', [id]);
    const setState = (state = '') => rows(knex, 'update contract set state = ? where id = ?', [state, id]);
    const rowsOf = async (machine: Machine) => (await storage.machines.byIds([machine.id], false))[0]?.head.seq ?? 0;
    const before = { sick: await rowsOf(sick), well: await rowsOf(well) };

    // Another node, which has read nothing yet.
    const second = await engineAtHand(storage);
    let tick = START;
    const failures: unknown[] = [];
    const scheduler = new Scheduler({
      engine: second.engine,
      contracts: storage.contracts,
      leases: storage.leases,
      clock: { source: 'stepped', now: () => BigInt(tick) * TICK_NS },
      owner: randomUUID(),
      onFailed: (error) => failures.push(error),
    });
    const pass = async (ticks: number) => {
      for (let i = 0; i < ticks; i++) {
        second.setTick(++tick);
        await scheduler.look();
        await scheduler.look();
      }
    };

    await setState('{');
    await pass(40);
    // At once, and after 2, 4, 8 and 16 ticks.
    expect(failures).toHaveLength(5);
    expect((await rowsOf(well)) - before.well).toBe(40);
    await setState(stored?.state);
    await pass(40);
    expect(failures).toHaveLength(5);
    // Tried again 32 ticks later, it makes up for one tick and then keeps time.
    expect((await rowsOf(sick)) - before.sick).toBe(18);
    await scheduler.stop();
  });
});
