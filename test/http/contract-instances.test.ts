// Instances by key over HTTP: deployed, sent to, listed, read, verified, replayed; and fsck finds edits of them.

import { beforeAll, describe, expect, test } from 'vitest';
import { TICK_NS } from '../../src/core/clock.ts';
import type { Executor } from '../../src/storage/database/sql.ts';
import { CARDS } from '../contracts/instances/cards.ts';
import { ORDERS } from '../contracts/instances/orders.ts';
import { faultsAfter } from '../services/fsck/planted-faults.ts';
import { advanceClock, type OwnMachines, ownMachines } from './machine-fixture.ts';
import { type Json, startService, type TestService } from './service-fixture.ts';

let service: TestService;
let own: OwnMachines;
let slug: string;
let id: string;
let base: string;

/** Ticks that no test takes: timers run by the clock of the machine. */
const LONG = 1_000_000;
const UNHURRIED = { pay_within: LONG };
const SLOW_ORDERS = {
  ...ORDERS,
  transitions: ORDERS.transitions.map((one) =>
    one.trigger.kind === 'recurring' ? { ...one, trigger: { ...one.trigger, every: LONG } } : one,
  ),
};

const KEYS = ['A-1', 'b/c d', '№ 7', 'zz'];

beforeAll(async () => {
  service = await startService();
  own = ownMachines(service, 'orders');
  slug = await own.machine();
  const { contract } = await own.request(
    `POST /api/chain/${slug}/contracts/custom`,
    'admin',
    { definition: SLOW_ORDERS, parameters: UNHURRIED },
    201,
  );
  id = String((contract as Json).id);
  base = `/api/chain/${slug}/contracts/${id}`;
  for (const order_id of KEYS) await own.event(slug, 'order', { payload: { order_id, amount: 3 } });
  await own.event(slug, 'pay', { payload: { order_id: 'A-1', amount: 3 } });
  await own.event(slug, 'ship', { payload: { order_id: 'A-1' } });
  await own.event(slug, 'item', { payload: { order_id: 'zz', name: 'nut' } });
  const cards = await own.machine();
  await own.request(
    `POST /api/chain/${cards}/contracts/custom`,
    'admin',
    { definition: CARDS, parameters: { span: LONG } },
    201,
  );
  for (const name of ['issue', 'paid', 'paid']) await own.event(cards, name, { payload: { card: 'C-1', amount: 2 } });
  // As on a machine that takes a minute for the tests below: nothing may lapse meanwhile.
  advanceClock(service, 100n * TICK_NS);
});

test('an event is answered with the key, and an unknown, finished or second one is named', async () => {
  const fired = await own.event(slug, 'pay', { payload: { order_id: 'zz', amount: 1 } });
  expect(fired.fired).toMatchObject([{ transition: 'part', instance: 'zz' }]);
  for (const [name, order_id, code] of [
    ['pay', 'nobody', 'UNKNOWN_KEY'],
    ['pay', 'A-1', 'KEY_FINISHED'],
    ['order', 'A-1', 'KEY_FINISHED'],
    ['pay', '', 'BAD_KEY'],
  ])
    expect((await own.event(slug, String(name), { payload: { order_id, amount: 1 } })).refused).toMatchObject([
      { code },
    ]);
});

test('the receipt of a transition names its instance, and verify checks it', async () => {
  const machine = await own.machine();
  const transitions = SLOW_ORDERS.transitions.map((one) => ({ ...one, proof: one.id === 'settle' }));
  const route = `POST /api/chain/${machine}/contracts/custom`;
  const { contract } = await own.request(
    route,
    'admin',
    { definition: { ...ORDERS, transitions }, parameters: UNHURRIED },
    201,
  );
  for (const order_id of ['A-1', 'A-2']) {
    await own.event(machine, 'order', { payload: { order_id, amount: 3 } });
    const { fired } = await own.event(machine, 'pay', { payload: { order_id, amount: 3 } });
    expect(fired).toMatchObject([{ transition: 'settle', receipt: { kind: 'transition', instance: order_id } }]);
  }
  const verified = await own.request(
    `POST /api/chain/${machine}/contracts/${(contract as Json).id}/verify`,
    'admin',
    {},
  );
  expect(verified).toMatchObject({ valid: true, checked: { receipts: 2 } });
});

test('instances are listed in pages and filtered, and each is read by its key', async () => {
  const seen: unknown[] = [];
  for (let cursor: unknown = ''; cursor !== null; ) {
    const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(String(cursor))}`;
    const page = await own.request(`GET ${base}/instances?limit=3${query}`);
    seen.push(...(page.rows as Json[]).map(({ key }) => key));
    cursor = page.next_cursor;
  }
  expect(seen).toEqual([...KEYS].sort());
  const done = (await own.request(`GET ${base}/instances?status=completed`)).rows as Json[];
  expect(done.map(({ key, currentState }) => [key, currentState])).toEqual([['A-1', 'done']]);
  expect((await own.request(`GET ${base}/instances?state=placed`)).rows).toHaveLength(3);
  for (const key of KEYS) {
    const path = `${base}/instances/${encodeURIComponent(key)}`;
    expect((await own.request(`GET ${path}`)).instance).toMatchObject({ key });
    const { rows } = await own.request(`GET ${path}/audit`, 'admin');
    expect((rows as Json[]).every(({ instance }) => instance === key)).toBe(true);
    expect((rows as Json[]).at(-1)).toMatchObject({ transition: 'open' });
  }
  await own.request(`GET ${base}/instances/nobody`, 'admin', undefined, 404);
  expect((await own.request(`GET ${base}`)).contract).toMatchObject({ instances: { active: 3, finished: 1 } });
});

test('the contract is verified, and each instance is retraced', async () => {
  expect(await own.request(`POST ${base}/verify`, 'admin', {})).toMatchObject({ valid: true });
  for (const instance of KEYS) {
    const { replay } = await own.request(`POST ${base}/dry-run`, 'admin', { from_svcond: 1, instance });
    expect(replay).toMatchObject({ exact: true, diverges: false, first_mismatch: null });
  }
});

describe('fsck', () => {
  const edit = (sql: string) => (on: Executor) => on.raw(sql);

  test('a whole database has no faults', async () => {
    expect(await faultsAfter(service, async () => {})).toEqual([]);
  });

  test.each([
    [
      'contract_instance',
      'state',
      `update contract_instance set state = replace(state, '"fires":1', '"fires":9') where key = 'b/c d'`,
    ],
    ['contract_instance', 'current_state', `update contract_instance set current_state = 'paid' where key = 'b/c d'`],
    [
      'contract_instance',
      'state',
      `update contract_instance set state = replace(state, '"windows.fast"', '"windows.slow"') where key = 'C-1'`,
    ],
    [
      'contract_instance',
      'state',
      `update contract_instance set state = replace(state, '"windows.fast":{"held":[[', '"windows.fast":{"held":[[9') where key = 'C-1'`,
    ],
    ['contract_instance', 'status', `update contract_instance set status = 'failed' where key = 'b/c d'`],
    ['contract_instance', 'version_no', `update contract_instance set version_no = 2 where key = 'zz'`],
    ['contract_instance', 'next_fire', `update contract_instance set next_fire = next_fire + 1 where key = 'zz'`],
    ['contract_instance', 'created_svcond', `update contract_instance set created_svcond = 1 where key = 'zz'`],
    ['contract_instance', 'key', `delete from contract_instance where key = 'zz'`],
    ['contract_instance', 'key', `update contract_instance set key = 'yy' where key = 'zz'`],
    ['fire', 'instance', `update fire set instance = 'yy' where instance = 'zz'`],
  ])('an edit of %s.%s is found', async (table, column, sql) => {
    const faults = await faultsAfter(service, edit(sql));
    expect(faults.map((fault) => [fault.table, fault.column])).toContainEqual([table, column]);
  });

  test('verify finds an instance whose state is not that of its rows', async () => {
    const { knex } = service.running.storage.database;
    const set = (from: string, to: string) =>
      knex.raw(`update contract_instance set state = replace(state, ?, ?) where key = 'A-1'`, [from, to]);
    await set('"state":"done"', '"state":"lapsed"');
    expect(await own.request(`POST ${base}/verify`, 'admin', {})).toMatchObject({
      valid: false,
      first_bad: { reason: 'STATE' },
    });
    await set('"state":"lapsed"', '"state":"done"');
  });
});
