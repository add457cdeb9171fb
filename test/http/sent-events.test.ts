// Events between machines over HTTP: taken once with consent, refused by name without; loops end; fsck finds edits.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { type Executor, rows as query } from '../../src/storage/database/sql.ts';
import { caller } from '../contracts/sends/caller.ts';
import { transition } from '../contracts/transition.ts';
import { faultsAfter } from '../services/fsck/planted-faults.ts';
import { type OwnMachines, ownMachines } from './machine-fixture.ts';
import { type Json, startService, type TestService } from './service-fixture.ts';

let service: TestService;
let own: OwnMachines;

beforeAll(async () => {
  service = await startService();
  own = ownMachines(service, 'sends');
});
afterAll(() => service.running.close());

const deploy = async (slug: string, definition: object, status = 201) =>
  String(
    (
      (await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition }, status)).contract as
        | Json
        | undefined
    )?.id,
  );
const list = (slug: string, ...from: string[]) =>
  own.request(`PATCH /api/chain/${slug}/settings`, 'admin', { events_from: from });
const contextOf = async (slug: string, id: string) =>
  ((await own.request(`GET /api/chain/${slug}/contracts/${id}`, 'admin')).contract as Json).context as Json;
const rowsOf = async (slug: string, type: string) =>
  (await own.rows(slug)).filter((row) => row.type === type).map((row) => row.payload as Json);
const received = async (slug: string) => (await rowsOf(slug, 'event')).filter(({ from }) => from !== undefined);
const refused = async (slug: string) => (await rowsOf(slug, 'refused')).filter(({ send }) => send !== undefined);

/** Counts the calls, and who made the last one. */
const counter = (more: object = {}) => ({
  name: 'counter',
  version: '1.0',
  edition: 2,
  operators: ['KO42'],
  initial: 'open',
  context: { calls: { type: 'integer', initial: 0 }, by: { type: 'string', initial: '' } },
  events: { called: { payload: { n: 'number' } }, close: {} },
  states: { open: { role: 'initial' }, shut: { role: 'terminal' } },
  transitions: [
    transition(
      'count',
      'open',
      'open',
      { kind: 'event', event: 'called' },
      {
        post: [{ set: { calls: 'calls + 1', by: 'event.actor' } }],
      },
    ),
    transition('end', 'open', 'shut', { kind: 'event', event: 'close' }),
  ],
  ...more,
});

test('an event reaches the machine that lists the sender, once, and says where it comes from', async () => {
  const [from, to] = [await own.machine(), await own.machine()];
  await list(to, from);
  const [sender, taker] = [await deploy(from, caller(to)), await deploy(to, counter())];
  for (const n of [1, 2, 3]) await own.event(from, 'call', { payload: { n } });
  await expect.poll(() => contextOf(to, taker)).toEqual({ calls: 3, by: `machine:${from}` });
  const rows = await received(to);
  expect(rows.map(({ payload }) => payload)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  const chain = await own.rows(from);
  for (const { from: origin } of rows) {
    const { machine, seq, no, row_hash, hops } = origin as Json;
    expect([machine, no, row_hash, hops]).toEqual([from, 0, chain[Number(seq)]?.row_hash, 1]);
  }
  expect(await contextOf(from, sender)).toEqual({ lost: 0, why: '' });
  for (const [slug, id] of [
    [from, sender],
    [to, taker],
  ]) {
    const replay = await own.request(`POST /api/chain/${slug}/contracts/${id}/dry-run`, 'admin', { from_svcond: 0 });
    expect(replay.replay).toMatchObject({ exact: true });
    const verified = await own.request(`POST /api/chain/${slug}/contracts/${id}/verify`, 'admin', {});
    expect(verified).toMatchObject({ valid: true });
  }
  expect(await faultsAfter(service, async () => {})).toEqual([]);
});

test('a NUL in what a machine sends stops neither the event nor fsck', async () => {
  const [from, to] = [await own.machine(), await own.machine()];
  await list(to, from);
  const definition = {
    ...{ name: 'texted', version: '1.0', edition: 2, operators: ['KO42'], initial: 'open' },
    events: { call: { payload: { text: 'string' } }, close: {} },
    states: { open: { role: 'initial' }, shut: { role: 'terminal' } },
    transitions: [
      transition(
        'pass',
        'open',
        'open',
        { kind: 'event', event: 'call' },
        {
          post: [{ send: { event: 'called', to, payload: { text: 'event.text' } } }],
        },
      ),
      transition('end', 'open', 'shut', { kind: 'event', event: 'close' }),
    ],
  };
  await deploy(from, definition);
  const texts = ['a\0b', 'a\\u0000b', '\\'.repeat(3), '\0"from":{"machine":1}'];
  for (const text of texts) await own.event(from, 'call', { payload: { text } });
  await expect.poll(async () => (await received(to)).map(({ payload }) => (payload as Json).text)).toEqual(texts);
  expect(await faultsAfter(service, async () => {})).toEqual([]);
});

test('nobody fires by hand what only the engine tells', async () => {
  const from = await own.machine();
  const id = await deploy(from, caller('no-such-machine'));
  const json = { transition: 'note', payload: { code: 'NOT_LISTED', machine: 'no-such-machine' } };
  await own.request(`POST /api/chain/${from}/contracts/${id}/transition`, 'admin', json, 403);
  expect(await contextOf(from, id)).toEqual({ lost: 0, why: '' });
});

test('without consent nothing is written there, and the sender is told once; a machine that is none tells no more', async () => {
  const [from, to] = [await own.machine(), await own.machine({ is_public: false })];
  const ids = [await deploy(from, caller(to)), await deploy(from, caller('no-such-machine', { name: 'other' }))];
  await own.event(from, 'call', { payload: { n: 1 } });
  for (const id of ids) await expect.poll(() => contextOf(from, id)).toEqual({ lost: 1, why: 'NOT_LISTED' });
  const told = await refused(from);
  expect(new Set(told.map(({ code, reason }) => `${code} ${reason}`)).size).toBe(1);
  expect(told.map(({ send }) => (send as Json).event)).toEqual(['called', 'called']);
  const { head_seq } = (
    await query<{ head_seq: number }>(
      service.running.storage.database.knex,
      'select head_seq from machine where slug = ?',
      [to],
    )
  )[0] ?? { head_seq: -1 };
  // Its first row and no other.
  expect(head_seq).toBe(0);
  expect(await faultsAfter(service, async () => {})).toEqual([]);
});

test('consent that is withdrawn holds from then on; archived machines and those of parties refuse by name', async () => {
  const [from, to] = [await own.machine(), await own.machine()];
  await list(to, from);
  const [sender, taker] = [await deploy(from, caller(to)), await deploy(to, counter())];
  await own.event(from, 'call', { payload: { n: 1 } });
  await expect.poll(() => contextOf(to, taker)).toMatchObject({ calls: 1 });
  await list(to);
  await own.event(from, 'call', { payload: { n: 2 } });
  await expect.poll(() => contextOf(from, sender)).toEqual({ lost: 1, why: 'NOT_LISTED' });
  await list(to, from);
  await own.request(`POST /api/chain/${to}/status`, 'admin', { status: 'archived' });
  await own.event(from, 'call', { payload: { n: 3 } });
  await expect.poll(() => contextOf(from, sender)).toEqual({ lost: 2, why: 'MACHINE_ARCHIVED' });
  expect(await received(to)).toHaveLength(1);
});

test('consent that is withdrawn between the look at the receiver and its change holds', async () => {
  const [from, to] = [await own.machine(), await own.machine()];
  await list(to, from);
  const [sender, taker] = [await deploy(from, caller(to)), await deploy(to, counter())];
  const { machines } = service.running.storage;
  const byIds = machines.byIds.bind(machines);
  let withdrawals = 0;
  vi.spyOn(machines, 'byIds').mockImplementation(async (...given) => {
    const found = await byIds(...given);
    const isLooked = found.some(({ head }) => head.slug === to) && found.some(({ head }) => head.slug === from);
    if (isLooked && withdrawals++ === 0) await list(to);
    return found;
  });
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  await own.event(from, 'call', { payload: { n: 1 } });
  await expect.poll(() => contextOf(from, sender), { timeout: 10_000 }).toEqual({ lost: 1, why: 'NOT_LISTED' });
  expect(withdrawals).toBeGreaterThan(0);
  expect([await contextOf(to, taker), await received(to)]).toMatchObject([{ calls: 0 }, []]);
});

test('an event that only parties may send is refused, whoever lists the machine', async () => {
  const [from, to] = [await own.machine(), await own.machine()];
  await list(to, from);
  const sender = await deploy(from, caller(to));
  const definition = counter({
    parties: { buyer: {} },
    events: { called: { payload: { n: 'number' }, from: 'buyer' }, close: {} },
  });
  await own.request(
    `POST /api/chain/${to}/contracts/custom`,
    'admin',
    { definition, bindings: { buyer: { zid: await own.zidOf('other') } } },
    201,
  );
  await own.event(from, 'call', { payload: { n: 1 } });
  await expect.poll(() => contextOf(from, sender)).toEqual({ lost: 1, why: 'FORBIDDEN_PARTY' });
  expect(await received(to)).toEqual([]);
});

test('callers cannot forge a refusal, nor the origin of an event', async () => {
  const [from, to] = [await own.machine(), await own.machine()];
  const [sender, taker] = [await deploy(from, caller(to)), await deploy(to, counter())];
  const forged = await own.event(from, 'not_taken', { payload: { code: 'NOT_LISTED', machine: to } });
  expect(forged).toMatchObject({ fired: [], ignored: [{ code: 'RESERVED_NAME' }] });
  const answer = await service.call(`POST /api/chain/${to}/event`, {
    as: 'admin',
    json: { name: 'called', payload: { n: 1 }, from: { machine: from, seq: 1, no: 0 } },
  });
  expect(answer.status).toBe(422);
  await own.event(to, 'called', { payload: { n: 1, actor: `machine:${from}` } });
  expect((await contextOf(to, taker)).by).toMatch(/^[0-9a-f]{32}$/);
  expect(await contextOf(from, sender)).toEqual({ lost: 0, why: '' });
});

test('a loop between machines ends at the limit of hops, which a row names, and the refusal goes no further', async () => {
  const pair = [await own.machine(), await own.machine()] as const;
  const echo = (to: string) => ({
    name: 'echo',
    version: '1.0',
    edition: 2,
    operators: ['KO42'],
    initial: 'open',
    context: { heard: { type: 'integer', initial: 0 } },
    events: { ball: {}, lost: {}, close: {} },
    states: { open: { role: 'initial' }, shut: { role: 'terminal' } },
    transitions: [
      ...['ball', 'lost'].map((event) =>
        transition(
          `on_${event}`,
          'open',
          'open',
          { kind: 'event', event },
          {
            post: [{ set: { heard: 'heard + 1' } }, { send: { event: 'ball', to, on_refused: 'lost' } }],
          },
        ),
      ),
      transition('end', 'open', 'shut', { kind: 'event', event: 'close' }),
    ],
  });
  const ids = [await deploy(pair[0], echo(pair[1])), await deploy(pair[1], echo(pair[0]))] as const;
  await list(pair[0], pair[1]);
  await list(pair[1], pair[0]);
  await own.event(pair[0], 'ball');
  const limits = async () => [...(await refused(pair[0])), ...(await refused(pair[1]))];
  await expect.poll(limits).toMatchObject([{ code: 'HOP_LIMIT' }]);
  const heard = Number((await contextOf(pair[0], ids[0])).heard) + Number((await contextOf(pair[1], ids[1])).heard);
  // The first ball, and one for each machine that was reached.
  expect(heard).toBe(1 + LIMITS.contracts.sends.hops);
  // Without consent the sender hears of it and sends again: a loop of one machine, which ends, too.
  await list(pair[1]);
  await own.event(pair[0], 'ball');
  await expect.poll(limits).toHaveLength(2 + LIMITS.contracts.sends.hops);
  expect((await limits()).filter(({ code }) => code === 'HOP_LIMIT')).toHaveLength(2);
});

test('an instance hears of its own events', async () => {
  const from = await own.machine();
  const keyed = caller('no-such-machine', {
    key: 'event.id',
    spawn: 'begin',
    events: {
      begin: { payload: { id: 'integer' } },
      call: { payload: { id: 'integer', n: 'number' } },
      not_taken: { payload: { id: 'integer', code: 'string' } },
      hang_up: { payload: { id: 'integer' } },
    },
  });
  const id = await deploy(from, keyed);
  for (const one of [1, 2, 3]) await own.event(from, 'begin', { payload: { id: one } });
  await own.event(from, 'call', { payload: { id: 2, n: 1 } });
  const instance = async (key: number) =>
    ((await own.request(`GET /api/chain/${from}/contracts/${id}/instances/${key}`, 'admin')).instance as Json).context;
  await expect.poll(() => instance(2)).toEqual({ lost: 1, why: 'NOT_LISTED' });
  expect(await instance(1)).toEqual({ lost: 0, why: '' });
  const replay = await own.request(`POST /api/chain/${from}/contracts/${id}/dry-run`, 'admin', {
    from_svcond: 0,
    instance: '2',
  });
  expect(replay.replay).toMatchObject({ exact: true });
});

test('only the owner says from whom events are taken; a contract sends to other machines only', async () => {
  const slug = await own.machine();
  const answer = await service.call(`PATCH /api/chain/${slug}/settings`, {
    as: 'other',
    json: { events_from: ['abc'] },
  });
  expect(answer.status).toBe(403);
  const bad = await service.call(`PATCH /api/chain/${slug}/settings`, { as: 'admin', json: { events_from: ['A B'] } });
  expect([bad.status, bad.text]).toEqual([422, expect.stringContaining('events_from')]);
  const own_ = await service.call(`POST /api/chain/${slug}/contracts/custom`, {
    as: 'admin',
    json: { definition: caller(slug) },
  });
  expect([own_.status, own_.text]).toEqual([422, expect.stringContaining('own machine')]);
});

test('whatever is sent and listed, each event is taken or refused once, in order', async () => {
  const steps = fc.array(
    fc.record({ from: fc.nat(2), isListed: fc.boolean(), calls: fc.integer({ min: 1, max: 4 }) }),
    { minLength: 2, maxLength: 5 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const slugs = [await own.machine(), await own.machine(), await own.machine()];
      for (const [i, slug] of slugs.entries())
        for (const to of slugs.filter((_, other) => other !== i))
          await deploy(slug, caller(to, { name: `to_${to.replaceAll('-', '_')}` }));
      let n = 0;
      for (const { from, isListed, calls } of all) {
        const slug = slugs[from] ?? '';
        for (const to of slugs.filter((one) => one !== slug)) await list(to, ...(isListed ? [slug] : []));
        for (let call = 0; call < calls; call++) await own.event(slug, 'call', { payload: { n: n++ } });
      }
      const { knex } = service.running.storage.database;
      await expect
        .poll(() => query(knex, 'select 1 from sent_event where next_tick is not null'), { timeout: 10_000 })
        .toEqual([]);
      let taken = 0;
      for (const slug of slugs) {
        const events = await received(slug);
        taken += events.length + (await refused(slug)).length;
        for (const sender of slugs) {
          const sent = events.filter(({ from }) => (from as Json).machine === sender);
          const numbers = sent.map(({ payload }) => Number((payload as Json).n));
          expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
        }
      }
      expect(taken).toBe(2 * n);
      expect(await faultsAfter(service, async () => {})).toEqual([]);
    }),
    { numRuns: 4, seed: 7 },
  );
}, 60_000);

test.each([
  ['the event is due again', `update sent_event set next_tick = created_svcond, settled_seq = null`],
  ['another content', `update sent_event set payload = replace(payload, '"n"', '"m"')`],
  ['another receiver', `update sent_event set to_slug = 'abc'`],
  ['another reason', `update sent_event set code = 'EXPIRED' where code is not null`],
  ['a taken event was refused', `update sent_event set code = 'EXPIRED', turn_id = machine_id where code is null`],
  ['it is missing', 'delete from sent_event'],
])('fsck finds that %s', async (_, statement) => {
  const found = await faultsAfter(service, (on: Executor) => query(on, statement));
  expect(found.map(({ table }) => table)).toContain('sent_event');
});

test('fsck finds an event that its sender did not send, though its own chain is whole', async () => {
  const [from, to] = [await own.machine(), await own.machine()];
  await list(to, from);
  await deploy(from, caller(to));
  const taker = await deploy(to, counter());
  await own.event(from, 'call', { payload: { n: 1 } });
  await expect.poll(() => contextOf(to, taker)).toMatchObject({ calls: 1 });
  const { services, storage } = service.running;
  const machine = await storage.machines.bySlug(to);
  if (machine === undefined) throw new Error('The machine is missing.');
  const [{ from: origin } = {}] = await received(to);
  const copied = { name: 'called', payload: { n: 1 }, from: origin };
  await services.machines.commitExclusive(machine, async () => ({
    rows: [services.machines.row(undefined, 'event', 'machine', copied)],
    answer: undefined,
  }));
  const found = await faultsAfter(service, async () => {});
  expect(found).toMatchObject([{ table: 'audit', code: 'SAID', machine: to, column: 'body' }]);
});
