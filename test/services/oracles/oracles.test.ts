// Oracles end to end, on both databases: every kind of source, restarts and refusals.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Principal } from '../../../src/services/access/access.ts';
import { SHARDS } from '../../../src/storage/contracts/timers.ts';
import { databaseUrl } from '../../storage/databases.ts';
import { OraclesFixture, OWNER } from './oracles-fixture.ts';

/** Stores the value of its oracle in its context on each `look` event. */
const watcher = (oracle: object, more: object = {}) => ({
  name: 'watcher',
  version: '1.0',
  operators: ['KO42'],
  initial: 'watching',
  context: { seen: { type: 'number', initial: -1 } },
  events: { look: {}, end: {}, sample: { payload: { level: 'number' } } },
  states: { watching: { role: 'initial' }, done: { role: 'terminal' } },
  transitions: [
    {
      id: 'see',
      from: 'watching',
      to: 'watching',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: 'look' },
      fires_when: 'oracle.value >= 0 or oracle.value < 0',
      post: [{ set: { seen: 'oracle.value' } }],
    },
    {
      id: 'end',
      from: 'watching',
      to: 'done',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: 'end' },
    },
  ],
  oracle,
  ...more,
});

const LEVEL = { kind: 'event', event: 'sample', field: 'level', fn: 'last' };
/** Without the event `sample`, since unused events must not be declared. */
const WITHOUT_SAMPLE = { events: { look: {}, end: {} } };
const PUSHED = { kind: 'push', field: 'level', fn: 'last' };

/** Responses of the web server, by path. */
const responses = new Map<string, { status?: number; body: string }>();
const requests: string[] = [];
let web: Server;
beforeAll(async () => {
  web = createServer(({ url = '' }, response) => {
    requests.push(url);
    const { status = 200, body } = responses.get(url) ?? { status: 404, body: '' };
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => web.close(resolve)));

const DATABASES: [name: string, url: string | undefined][] = [['PGlite', undefined]];
if (databaseUrl !== undefined) DATABASES.push(['PostgreSQL', databaseUrl]);

describe.each(DATABASES)('oracles on %s', (database, url) => {
  let fixture: OraclesFixture;
  let host: string;
  beforeAll(async () => {
    host = `127.0.0.1:${(web.address() as AddressInfo).port}`;
    fixture = new OraclesFixture(url, { SVC_OUTBOUND_ALLOW: host });
    await fixture.start();
  });
  afterAll(() => fixture.stop());

  const look = async (machine: Parameters<typeof fixture.again>[0], id: string) => {
    await fixture.event(machine, 'look');
    return (await fixture.services.contracts.get(machine, id)).contract.context.seen;
  };

  describe('events', () => {
    test('are read in the same change, before the transitions they trigger', async () => {
      const machine = await fixture.machine();
      const definition = watcher({ ...LEVEL, unit: 'm', min: 0, max: 10 });
      const [see, end] = definition.transitions;
      const immediate = { ...see, trigger: { kind: 'event', event: 'sample' } };
      const id = await fixture.deploy(machine, {
        ...definition,
        events: { sample: definition.events.sample, end: {} },
        transitions: [immediate, end],
      });
      const { seq, fired } = await fixture.event(machine, 'sample', { level: 4, source: 'north' });
      expect(fired).toMatchObject([{ contract: id, transition: 'see', seq: seq + 2 }]);
      expect(await fixture.rows(machine, 'reading')).toEqual([
        { contract: id, value: 4, unit: 'm', status: 'ok', source: 'north', svcond: fixture.now, event: seq },
      ]);
      await fixture.event(machine, 'sample', { level: 11 });
      expect((await fixture.services.contracts.get(machine, id)).contract.context.seen).toBe(4);
      expect(await fixture.oracle(machine, id)).toMatchObject({
        kind: 'event',
        value: 4,
        readings: 2,
        out_of_range: 1,
        latest: { value: 11, status: 'out_of_range', source: 'sample' },
        series: [{ value: 11 }, { value: 4 }],
      });
    });

    test('are read while the contract is paused, but not after it is completed', async () => {
      const machine = await fixture.machine();
      const id = await fixture.deploy(machine, watcher(LEVEL));
      await fixture.services.contracts.pause(machine, OWNER, id);
      await fixture.event(machine, 'sample', { level: 3 });
      await fixture.services.contracts.resume(machine, OWNER, id, 'deadline');
      expect(await look(machine, id)).toBe(3);
      await fixture.event(machine, 'end');
      await fixture.event(machine, 'sample', { level: 4 });
      expect(await fixture.oracle(machine, id)).toMatchObject({ readings: 1, status: 'completed' });
    });
  });

  describe('a pushed reading', () => {
    test('is converted and bounded, and rejected if its unit does not fit', async () => {
      const machine = await fixture.machine();
      const id = await fixture.deploy(machine, watcher({ ...PUSHED, unit: 'm', min: 0, max: 100 }, WITHOUT_SAMPLE));
      const push = (pushed: object) => fixture.services.oracles.push(machine, OWNER, id, pushed);
      expect((await push({ value: 435, unit: 'cm', source: 'ruler' })).reading).toMatchObject({
        value: 4.35,
        unit: 'm',
        status: 'ok',
      });
      expect(await fixture.rows(machine, 'reading')).toEqual([
        {
          contract: id,
          value: 4.35,
          unit: 'm',
          status: 'ok',
          source: 'ruler',
          svcond: fixture.now,
          given: { value: 435, unit: 'cm' },
        },
      ]);
      expect((await push({ value: 1, unit: 'km' })).reading).toMatchObject({
        status: 'out_of_range',
        source: OWNER.zid,
      });
      expect(await look(machine, id)).toBe(4.35);
      await expect(push({ value: 1, unit: 's' })).rejects.toMatchObject({ code: 'UNIT_MISMATCH' });
      await expect(push({ value: 1, unit: 'smoot' })).rejects.toMatchObject({ code: 'UNIT_INVALID' });
      await expect(push({})).rejects.toMatchObject({ details: [{ path: 'value', code: 'MISSING' }] });
      expect(await fixture.oracle(machine, id)).toMatchObject({ readings: 2, out_of_range: 1 });
    });

    test('has no unit if the oracle has none; other kinds of oracle reject it', async () => {
      const machine = await fixture.machine();
      const withoutUnit = await fixture.deploy(machine, watcher(PUSHED, WITHOUT_SAMPLE));
      const eventOracle = await fixture.deploy(machine, watcher(LEVEL));
      const { oracle: _oracle, ...without } = watcher(PUSHED, WITHOUT_SAMPLE);
      const withoutOracle = await fixture.deploy(machine, {
        ...without,
        context: {},
        transitions: without.transitions.map(({ post: _post, fires_when: _fires, ...one }) => one),
      });
      const push = (id: string, pushed: object) => fixture.services.oracles.push(machine, OWNER, id, pushed);
      await expect(push(withoutUnit, { value: 1, unit: 'm' })).rejects.toMatchObject({ details: [{ path: 'unit' }] });
      await expect(push(eventOracle, { value: 1 })).rejects.toMatchObject({ code: 'CONFLICT' });
      await expect(push(withoutOracle, { value: 1 })).rejects.toMatchObject({
        code: 'CONFLICT',
        message: 'The contract has no oracle.',
      });
    });

    test('counts once there are enough sources, and until it is too old, also across restarts', async () => {
      const machine = await fixture.machine();
      const feed = { ...PUSHED, fn: 'median', within: 50, min_sources: 2, max_age: 30 };
      const id = await fixture.deploy(machine, watcher(feed, WITHOUT_SAMPLE));
      const push = (value: number, source: string, by = source) =>
        fixture.services.oracles.push(machine, { ...OWNER, zid: by.repeat(32) }, id, { value, source });
      await push(10, 'a');
      await push(10, 'c', 'a');
      expect(await look(machine, id)).toBe(-1);
      expect((await fixture.oracle(machine, id)).reason).toContain('1 of 2 sources');
      await push(20, 'b');
      await fixture.restart();
      expect(await look(machine, id)).toBe(15);
      fixture.forward(5);
      await push(40, 'a');
      await fixture.restart();
      expect(await look(machine, id)).toBe(30);
      fixture.forward(31);
      const before = await fixture.oracle(machine, id);
      expect(before).toMatchObject({ value: null, latest: { status: 'stale', value: 40 } });
      expect(before.reason).toContain('30 are allowed');
      await fixture.restart();
      expect(await look(machine, id)).toBe(30);
      expect((await fixture.oracle(machine, id)).age).toBe((before.age ?? 0) + 1);
    });

    test('may be raised as an event and counts in windows, also across a restart', async () => {
      const machine = await fixture.machine();
      const { transitions, ...rest } = watcher({ ...PUSHED, event: 'sample', max: 100 });
      const overflow = {
        id: 'overflow',
        from: 'watching',
        to: 'done',
        operator: 'KO42',
        proof: false,
        trigger: { kind: 'on_aggregate', event: 'sample', fn: 'sum', field: 'level', within: 100 },
        fires_when: 'agg.value >= 60',
      };
      const id = await fixture.deploy(machine, { ...rest, transitions: [...transitions, overflow] });
      const push = (value: number) => fixture.services.oracles.push(machine, OWNER, id, { value });
      expect((await push(30)).fired).toEqual([]);
      await push(1_000);
      await fixture.restart();
      const { fired, seq } = await push(31);
      expect(fired).toMatchObject([{ transition: 'overflow', seq: seq + 1 }]);
      expect(await fixture.stateOf(machine, id)).toBe('done');
      await expect(push(1)).rejects.toMatchObject({ code: 'CONFLICT' });
    });

    test('is discarded when a new version measures another subject', async () => {
      const machine = await fixture.machine();
      const id = await fixture.deploy(machine, watcher({ ...PUSHED, within: 100, unit: 'm' }, WITHOUT_SAMPLE));
      await fixture.services.oracles.push(machine, OWNER, id, { value: 5 });
      const patch = (oracle: object) =>
        fixture.services.contracts.patch(machine, OWNER, id, { definition: watcher(oracle, WITHOUT_SAMPLE) as never });
      await patch({ ...PUSHED, within: 100, unit: 'm', max: 6 });
      expect(await look(machine, id)).toBe(5);
      await patch({ ...PUSHED, within: 100, unit: 'cm' });
      await fixture.restart();
      expect(await look(machine, id)).toBe(5);
      expect(await fixture.oracle(machine, id)).toMatchObject({
        value: null,
        age: null,
        reason: 'The oracle has no reading.',
      });
      await fixture.services.oracles.push(machine, OWNER, id, { value: 7 });
      expect(await look(machine, id)).toBe(7);
    });
  });

  describe('a replay', () => {
    test('reproduces events, readings, pauses and restarts', async () => {
      const machine = await fixture.machine();
      const feed = { ...PUSHED, fn: 'avg', within: 40, max: 90 };
      const ids = [
        await fixture.deploy(machine, watcher({ ...LEVEL, fn: 'max', within: 30 })),
        await fixture.deploy(machine, watcher({ ...feed, event: 'sample' })),
      ];
      const [, pushed = ''] = ids;
      for (let turn = 0; turn < 12; turn++) {
        fixture.forward(1 + (turn % 4) * 5);
        await fixture.event(machine, 'sample', { level: (turn * 37) % 11 });
        await fixture.services.oracles.push(machine, OWNER, pushed, { value: (turn * 53) % 100 });
        if (turn === 5) await fixture.services.contracts.pause(machine, OWNER, pushed);
        if (turn === 7) await fixture.services.contracts.resume(machine, OWNER, pushed, 'deadline');
        if (turn === 8) await fixture.restart();
        if (turn % 2 === 0) await fixture.event(machine, 'look');
      }
      for (const id of ids) {
        const { contract } = await fixture.services.contracts.get(machine, id);
        expect(contract.fire_count).toBeGreaterThan(4);
        const replayed = await fixture.services.whatIf.replay(machine, id, 0, {});
        expect([replayed.mismatch, replayed.divergence]).toEqual([undefined, undefined]);
        expect(replayed.alternative.running.state.context).toEqual(contract.context);
        const tried = await fixture.services.whatIf.dryRun(
          machine,
          id,
          {},
          {
            actor: OWNER.zid ?? '',
            event: { name: 'look', payload: {} },
          },
        );
        expect(await look(machine, id)).toBe(tried.after.context.seen);
      }
    });
  });

  describe('a web server', () => {
    const http = (path: string, more: object = {}) => ({
      kind: 'http',
      url: `http://${host}/${database}${path}`,
      field: 'rate',
      fn: 'last',
      every: 20,
      ...more,
    });
    const set = (path: string, answer: { status?: number; body: string }) =>
      responses.set(`/${database}${path}`, answer);
    const requestCount = (path: string) => requests.filter((requested) => requested === `/${database}${path}`).length;
    const allow = async (hosts: readonly string[]) => {
      const machine = await fixture.machine();
      return fixture.services.machines.patch(machine, OWNER, { settings: { http_allow: hosts } });
    };

    test('is polled on schedule', async () => {
      const machine = await allow([host]);
      set('/a', { body: '{"rates":{"EUR/USD":["1.25",2]}}' });
      const id = await fixture.deploy(machine, watcher(http('/a', { pointer: '/rates/EUR~1USD/0' }), WITHOUT_SAMPLE));
      await fixture.until(async () => (await fixture.rows(machine, 'reading')).length === 1);
      expect(await fixture.rows(machine, 'reading')).toMatchObject([
        { contract: id, value: 1.25, status: 'ok', source: host },
      ]);
      set('/a', { body: '{"rates":{"EUR/USD":[1.5,2]}}' });
      fixture.forward(21);
      await fixture.until(async () => (await fixture.rows(machine, 'reading')).length === 2);
      expect(await look(machine, id)).toBe(1.5);
      await fixture.restart();
      expect(await look(machine, id)).toBe(1.5);
      expect(await fixture.oracle(machine, id)).toMatchObject({
        readings: 2,
        polls: { count: 2, failed: 0, last_error: null },
      });
      expect(requestCount('/a')).toBe(2);
    });

    test.each([
      ['/status', { status: 503, body: '1' }, '', 'answered 503'],
      ['/moved', { status: 302, body: '1' }, '', 'answered 302'],
      ['/text', { body: 'one' }, '', 'is not JSON'],
      ['/lost', { body: '{"a":{"b":1}}' }, '/a/c', '/a/c not found'],
      ['/kind', { body: '{"a":[true]}' }, '/a/0', 'leads to a boolean'],
      ['/hex', { body: '"0x10"' }, '', 'leads to a string'],
      ['/huge', { body: '"1e999"' }, '', 'leads to a number'],
      ['/long', { body: `"${'x'.repeat(70_000)}"` }, '', 'too long'],
    ])('that fails (%s) is counted and writes no row', async (path, answer, pointer, reason) => {
      const machine = await allow([host]);
      set(path, answer);
      const id = await fixture.deploy(machine, watcher(http(path, { pointer }), WITHOUT_SAMPLE));
      const { polls } = await fixture.until(async () => {
        const oracle = await fixture.oracle(machine, id);
        return oracle.polls.failed > 0 && oracle;
      });
      expect(polls.last_error).toContain(reason);
      expect(await fixture.rows(machine, 'reading')).toEqual([]);
    });

    test('must be in http_allow, at deployment and at every poll', async () => {
      const otherMachine = await allow(['example.org']);
      await expect(fixture.deploy(otherMachine, watcher(http('/b'), WITHOUT_SAMPLE))).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details: [{ path: 'oracle.url', code: 'UNREADABLE' }],
      });
      const machine = await allow(['127.0.0.1']);
      set('/b', { body: '5' });
      const id = await fixture.deploy(machine, watcher(http('/b'), WITHOUT_SAMPLE));
      await fixture.until(async () => (await fixture.rows(machine, 'reading')).length === 1);
      await fixture.services.machines.patch(await fixture.again(machine), OWNER, { settings: { http_allow: [] } });
      const before = requestCount('/b');
      fixture.forward(21);
      const { polls } = await fixture.until(async () => {
        const oracle = await fixture.oracle(machine, id);
        return oracle.polls.failed > 0 && oracle;
      });
      expect(polls.last_error).toContain('http_allow');
      expect(requestCount('/b')).toBe(before);
    });

    test('on a private network is not called', async () => {
      const machine = await allow(['127.0.0.2']);
      const oracle = { ...http('/c'), url: 'http://127.0.0.2:8080/c' };
      const id = await fixture.deploy(machine, watcher(oracle, WITHOUT_SAMPLE));
      const { polls } = await fixture.until(async () => {
        const found = await fixture.oracle(machine, id);
        return found.polls.failed > 0 && found;
      });
      expect(polls.last_error).toContain('ADDRESS_BLOCKED');
    });

    test('is polled once, however many nodes find it due', async () => {
      const machine = await allow([host]);
      set('/f', { body: '5' });
      const id = await fixture.deploy(machine, watcher(http('/f', { every: 1_000 }), WITHOUT_SAMPLE));
      await fixture.until(async () => (await fixture.oracle(machine, id)).readings === 1);
      const { oracles } = fixture.storage;
      const everyShard = Array.from({ length: SHARDS }, (_, shard) => shard);
      const laterTick = fixture.now + 2_000;
      // Claims skip the oracle until its first poll is recorded.
      const claimed = await fixture.until(async () => {
        const claims = await Promise.all(Array.from({ length: 8 }, () => oracles.claimDue(everyShard, laterTick, 100)));
        const found = claims.flat().filter(({ contractId }) => contractId === id);
        return found.length > 0 && found;
      });
      expect(claimed).toHaveLength(1);
    });

    test('is not polled while the contract is paused', async () => {
      const machine = await allow([host]);
      set('/d', { body: '5' });
      const id = await fixture.deploy(machine, watcher(http('/d'), WITHOUT_SAMPLE));
      await fixture.until(async () => (await fixture.rows(machine, 'reading')).length === 1);
      await fixture.services.contracts.pause(machine, OWNER, id);
      fixture.forward(100);
      set('/e', { body: '6' });
      const other = await fixture.deploy(machine, watcher(http('/e'), WITHOUT_SAMPLE));
      await fixture.until(async () => (await fixture.oracle(machine, other)).readings === 1);
      expect(await fixture.oracle(machine, id)).toMatchObject({ readings: 1, polls: { count: 1 } });
    });
  });

  describe('an operator', () => {
    const pendulum = (more: object = {}) =>
      watcher(
        { kind: 'operator', operator: 'CM9', field: 'energy', fn: 'last', unit: 'kJ', ...more },
        {
          ...WITHOUT_SAMPLE,
          operators: ['KO42', 'CM9'],
          parameters: { m: { type: 'number', default: 2_000 } },
          context: { seen: { type: 'number', initial: -1 }, v: { type: 'number', initial: 10 } },
        },
      );

    test('is evaluated on the parameters and context, on schedule and on demand', async () => {
      const machine = await fixture.machine();
      const id = await fixture.deploy(machine, pendulum({ every: 30 }));
      await fixture.until(async () => (await fixture.rows(machine, 'reading')).length === 1);
      expect(await fixture.rows(machine, 'reading')).toMatchObject([{ value: 100, unit: 'kJ', source: 'CM9' }]);
      const { reading } = await fixture.services.oracles.push(machine, OWNER, id, {});
      expect(reading).toMatchObject({ value: 100, unit: 'kJ' });
      await expect(fixture.services.oracles.push(machine, OWNER, id, { value: 3 })).rejects.toMatchObject({
        details: [{ path: 'value', code: 'NOT_ALLOWED' }],
      });
    });

    test('that cannot be computed, or has another dimension, is rejected at deployment', async () => {
      const machine = await fixture.machine();
      await expect(fixture.deploy(machine, { ...pendulum(), parameters: {} })).rejects.toMatchObject({
        details: [{ path: 'oracle.operator', code: 'UNREADABLE' }],
      });
      await expect(fixture.deploy(machine, pendulum({ unit: 'm' }))).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
      });
    });
  });

  describe('another machine', () => {
    const following = (slug: string, more: object = {}) =>
      watcher(
        { kind: 'machine', machine: slug, event: 'sample', field: 'level', fn: 'last', every: 20, ...more },
        WITHOUT_SAMPLE,
      );

    test('is followed from its newest event on, without gaps or duplicates, also across a restart', async () => {
      const [source, machine] = [await fixture.machine(), await fixture.machine()];
      await fixture.event(source, 'sample', { level: 1 });
      await fixture.event(source, 'sample', { level: 2 });
      const id = await fixture.deploy(machine, following(source.head.slug));
      await fixture.until(async () => (await fixture.rows(machine, 'reading')).length === 1);
      for (const level of [3, 'high', 4]) await fixture.event(source, 'sample', { level });
      await fixture.event(source, 'other', { level: 9 });
      await fixture.restart();
      fixture.forward(21);
      await fixture.until(async () => (await fixture.rows(machine, 'reading')).length === 3);
      await fixture.event(source, 'sample', { level: 5 });
      fixture.forward(21);
      await fixture.until(async () => (await fixture.rows(machine, 'reading')).length === 4);
      const rows = await fixture.rows(machine, 'reading');
      expect(rows.map(({ value }) => value)).toEqual([2, 3, 4, 5]);
      expect(rows.map(({ followed }) => (followed as { machine: string }).machine)).toEqual(
        Array(4).fill(source.head.slug),
      );
      expect(await look(machine, id)).toBe(5);
    });

    test('is followed from the start by a new version', async () => {
      const [first, second, machine] = [await fixture.machine(), await fixture.machine(), await fixture.machine()];
      const id = await fixture.deploy(machine, following(first.head.slug, { every: 1_000 }));
      await fixture.until(async () => (await fixture.oracle(machine, id)).polls.count === 1);
      const { oracles } = fixture.storage;
      const everyShard = Array.from({ length: SHARDS }, (_, shard) => shard);
      // Claims skip the oracle until its first poll is recorded.
      const staleClaim = await fixture.until(async () => {
        const claims = await oracles.claimDue(everyShard, fixture.now + 2_000, 100);
        return claims.find(({ contractId }) => contractId === id);
      });
      const definition = following(second.head.slug, { every: 20 });
      await fixture.services.contracts.patch(machine, OWNER, id, { definition: definition as never });
      await oracles.advance(staleClaim, 10_000);
      fixture.forward(21);
      await fixture.until(async () => (await fixture.oracle(machine, id)).polls.count >= 3);
      await fixture.event(second, 'sample', { level: 7 });
      fixture.forward(21);
      await fixture.until(async () => (await fixture.rows(machine, 'reading')).length === 1);
      expect((await fixture.rows(machine, 'reading'))[0]).toMatchObject({ value: 7 });
    });

    test('without events is followed from its first event on', async () => {
      const [source, machine] = [await fixture.machine(), await fixture.machine()];
      const id = await fixture.deploy(machine, following(source.head.slug));
      const { oracles, database: stored } = fixture.storage;
      await fixture.until(async () => (await oracles.cursor(machine.id, id, stored.knex)) !== undefined);
      await fixture.event(source, 'sample', { level: 7 });
      await fixture.event(source, 'sample', { level: 8 });
      fixture.forward(21);
      await fixture.until(async () => (await fixture.rows(machine, 'reading')).length > 0);
      expect((await fixture.rows(machine, 'reading')).map(({ value }) => value)).toEqual([7, 8]);
    });

    test('with an old event gives a stale reading', async () => {
      const [source, machine] = [await fixture.machine(), await fixture.machine()];
      await fixture.event(source, 'sample', { level: 1 });
      fixture.forward(50);
      const id = await fixture.deploy(machine, following(source.head.slug, { max_age: 40 }));
      const { value, stale, latest } = await fixture.until(async () => {
        const oracle = await fixture.oracle(machine, id);
        return oracle.readings > 0 && oracle;
      });
      expect({ value, stale, status: latest?.status }).toEqual({ value: null, stale: 1, status: 'stale' });
    });

    test('that is private is read by its members only', async () => {
      const stranger: Principal = { ...OWNER, zid: 'd'.repeat(32) };
      const secret = await fixture.machine({ is_public: false });
      const [own, foreign] = [await fixture.machine(), await fixture.machine({}, stranger)];
      await fixture.event(secret, 'sample', { level: 1 });
      const { slug } = secret.head;
      await expect(fixture.deploy(foreign, following(slug), stranger)).rejects.toMatchObject({
        details: [{ path: 'oracle.machine', code: 'UNREADABLE' }],
      });
      await expect(fixture.deploy(foreign, following('nobody-there'), stranger)).rejects.toMatchObject({
        message: 'oracle.machine cannot be read: Machine nobody-there not found.',
      });
      const id = await fixture.deploy(own, following(slug));
      await fixture.until(async () => (await fixture.oracle(own, id)).readings === 1);
    });

    test('must not be the machine itself', async () => {
      const machine = await fixture.machine();
      await expect(fixture.deploy(machine, following(machine.head.slug))).rejects.toThrow(
        'use an oracle of kind event',
      );
    });
  });
});
