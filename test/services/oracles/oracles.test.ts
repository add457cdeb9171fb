// Oracles live, on both databases: every kind of source, what restarts rebuild, what is refused.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Principal } from '../../../src/services/access/access.ts';
import { SHARDS } from '../../../src/storage/contracts/contracts.ts';
import { databaseUrl } from '../../storage/databases.ts';
import { OraclesAtHand, OWNER } from './oracles-fixture.ts';

/** Looks at its oracle whenever it is told to, and says what it saw. */
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
/** Events that nothing listens to are declared by nobody. */
const SILENT = { events: { look: {}, end: {} } };
const PUSHED = { kind: 'push', field: 'level', fn: 'last' };

/** What a web server answers, by path. */
const answers = new Map<string, { status?: number; body: string }>();
const asked: string[] = [];
let web: Server;
beforeAll(async () => {
  web = createServer(({ url = '' }, response) => {
    asked.push(url);
    const { status = 200, body } = answers.get(url) ?? { status: 404, body: '' };
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => web.close(resolve)));

const DATABASES: [name: string, url: string | undefined][] = [['PGlite', undefined]];
if (databaseUrl !== undefined) DATABASES.push(['PostgreSQL', databaseUrl]);

describe.each(DATABASES)('oracles on %s', (database, url) => {
  let at: OraclesAtHand;
  let host: string;
  beforeAll(async () => {
    host = `127.0.0.1:${(web.address() as AddressInfo).port}`;
    at = new OraclesAtHand(url, { SVC_OUTBOUND_ALLOW: host });
    await at.start();
  });
  afterAll(() => at.stop());

  const look = async (machine: Parameters<typeof at.again>[0], id: string) => {
    await at.event(machine, 'look');
    return (await at.services.contracts.get(machine, id)).contract.context.seen;
  };

  describe('events', () => {
    test('are read in the same change, before what they move', async () => {
      const machine = await at.machine();
      const definition = watcher({ ...LEVEL, unit: 'm', min: 0, max: 10 });
      const [see, end] = definition.transitions;
      const eager = { ...see, trigger: { kind: 'event', event: 'sample' } };
      const id = await at.deploy(machine, {
        ...definition,
        events: { sample: definition.events.sample, end: {} },
        transitions: [eager, end],
      });
      const { seq, fired } = await at.event(machine, 'sample', { level: 4, source: 'north' });
      expect(fired).toMatchObject([{ contract: id, transition: 'see', seq: seq + 2 }]);
      expect(await at.rows(machine, 'reading')).toEqual([
        { contract: id, value: 4, unit: 'm', status: 'ok', source: 'north', svcond: at.now, event: seq },
      ]);
      await at.event(machine, 'sample', { level: 11 });
      expect((await at.services.contracts.get(machine, id)).contract.context.seen).toBe(4);
      expect(await at.oracle(machine, id)).toMatchObject({
        kind: 'event',
        value: 4,
        readings: 2,
        out_of_range: 1,
        latest: { value: 11, status: 'out_of_range', source: 'sample' },
        series: [{ value: 11 }, { value: 4 }],
      });
    });

    test('are read while the contract is paused, and no more when it is over', async () => {
      const machine = await at.machine();
      const id = await at.deploy(machine, watcher(LEVEL));
      await at.services.contracts.pause(machine, OWNER, id);
      await at.event(machine, 'sample', { level: 3 });
      await at.services.contracts.resume(machine, OWNER, id, 'deadline');
      expect(await look(machine, id)).toBe(3);
      await at.event(machine, 'end');
      await at.event(machine, 'sample', { level: 4 });
      expect(await at.oracle(machine, id)).toMatchObject({ readings: 1, status: 'completed' });
    });
  });

  describe('what is pushed', () => {
    test('is converted, bounded, and refused where it does not belong', async () => {
      const machine = await at.machine();
      const id = await at.deploy(machine, watcher({ ...PUSHED, unit: 'm', min: 0, max: 100 }, SILENT));
      const push = (pushed: object) => at.services.oracles.push(machine, OWNER, id, pushed);
      expect((await push({ value: 435, unit: 'cm', source: 'ruler' })).reading).toMatchObject({
        value: 4.35,
        unit: 'm',
        status: 'ok',
      });
      expect(await at.rows(machine, 'reading')).toEqual([
        {
          contract: id,
          value: 4.35,
          unit: 'm',
          status: 'ok',
          source: 'ruler',
          svcond: at.now,
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
      expect(await at.oracle(machine, id)).toMatchObject({ readings: 2, out_of_range: 1 });
    });

    test('has no unit where the oracle has none; other oracles are not told', async () => {
      const machine = await at.machine();
      const bare = await at.deploy(machine, watcher(PUSHED, SILENT));
      const heard = await at.deploy(machine, watcher(LEVEL));
      const { oracle: _oracle, ...without } = watcher(PUSHED, SILENT);
      const blind = await at.deploy(machine, {
        ...without,
        context: {},
        transitions: without.transitions.map(({ post: _post, fires_when: _fires, ...one }) => one),
      });
      const push = (id: string, pushed: object) => at.services.oracles.push(machine, OWNER, id, pushed);
      await expect(push(bare, { value: 1, unit: 'm' })).rejects.toMatchObject({ details: [{ path: 'unit' }] });
      await expect(push(heard, { value: 1 })).rejects.toMatchObject({ code: 'CONFLICT' });
      await expect(push(blind, { value: 1 })).rejects.toMatchObject({
        code: 'CONFLICT',
        message: 'The contract has no oracle.',
      });
    });

    test('counts once enough sources have spoken, and until it is old; a restart forgets nothing', async () => {
      const machine = await at.machine();
      const feed = { ...PUSHED, fn: 'median', within: 50, min_sources: 2, max_age: 30 };
      const id = await at.deploy(machine, watcher(feed, SILENT));
      const push = (value: number, source: string) => at.services.oracles.push(machine, OWNER, id, { value, source });
      await push(10, 'a');
      expect(await look(machine, id)).toBe(-1);
      expect((await at.oracle(machine, id)).reason).toContain('1 of 2 sources');
      await push(20, 'b');
      await at.restart();
      expect(await look(machine, id)).toBe(15);
      at.forward(5);
      await push(40, 'a');
      await at.restart();
      expect(await look(machine, id)).toBe(30);
      at.forward(31);
      const before = await at.oracle(machine, id);
      expect(before).toMatchObject({ value: null, latest: { status: 'stale', value: 40 } });
      expect(before.reason).toContain('30 are allowed');
      await at.restart();
      expect(await look(machine, id)).toBe(30);
      expect((await at.oracle(machine, id)).age).toBe((before.age ?? 0) + 1);
    });

    test('may be heard as an event, and counts in windows, also over a restart', async () => {
      const machine = await at.machine();
      const { transitions, ...rest } = watcher({ ...PUSHED, event: 'sample', max: 100 });
      const crowd = {
        id: 'crowd',
        from: 'watching',
        to: 'done',
        operator: 'KO42',
        proof: false,
        trigger: { kind: 'on_aggregate', event: 'sample', fn: 'sum', field: 'level', within: 100 },
        fires_when: 'agg.value >= 60',
      };
      const id = await at.deploy(machine, { ...rest, transitions: [...transitions, crowd] });
      const push = (value: number) => at.services.oracles.push(machine, OWNER, id, { value });
      expect((await push(30)).fired).toEqual([]);
      await push(1_000);
      await at.restart();
      const { fired, seq } = await push(31);
      expect(fired).toMatchObject([{ transition: 'crowd', seq: seq + 1 }]);
      expect(await at.stateOf(machine, id)).toBe('done');
      await expect(push(1)).rejects.toMatchObject({ code: 'CONFLICT' });
    });

    test('begins anew when a version measures something else', async () => {
      const machine = await at.machine();
      const id = await at.deploy(machine, watcher({ ...PUSHED, within: 100, unit: 'm' }, SILENT));
      await at.services.oracles.push(machine, OWNER, id, { value: 5 });
      const patch = (oracle: object) =>
        at.services.contracts.patch(machine, OWNER, id, { definition: watcher(oracle, SILENT) as never });
      await patch({ ...PUSHED, within: 100, unit: 'm', max: 6 });
      expect(await look(machine, id)).toBe(5);
      await patch({ ...PUSHED, within: 100, unit: 'cm' });
      await at.restart();
      expect(await look(machine, id)).toBe(5);
      expect(await at.oracle(machine, id)).toMatchObject({
        value: null,
        age: null,
        reason: 'The oracle has no reading.',
      });
      await at.services.oracles.push(machine, OWNER, id, { value: 7 });
      expect(await look(machine, id)).toBe(7);
    });
  });

  describe('a replay', () => {
    test('sees what was seen: events, readings, pauses and restarts', async () => {
      const machine = await at.machine();
      const feed = { ...PUSHED, fn: 'avg', within: 40, max: 90 };
      const ids = [
        await at.deploy(machine, watcher({ ...LEVEL, fn: 'max', within: 30 })),
        await at.deploy(machine, watcher({ ...feed, event: 'sample' })),
      ];
      const [, pushed = ''] = ids;
      for (let turn = 0; turn < 12; turn++) {
        at.forward(1 + (turn % 4) * 5);
        await at.event(machine, 'sample', { level: (turn * 37) % 11 });
        await at.services.oracles.push(machine, OWNER, pushed, { value: (turn * 53) % 100 });
        if (turn === 5) await at.services.contracts.pause(machine, OWNER, pushed);
        if (turn === 7) await at.services.contracts.resume(machine, OWNER, pushed, 'deadline');
        if (turn === 8) await at.restart();
        if (turn % 2 === 0) await at.event(machine, 'look');
      }
      for (const id of ids) {
        const { contract } = await at.services.contracts.get(machine, id);
        expect(contract.fire_count).toBeGreaterThan(4);
        const replayed = await at.services.whatIf.replay(machine, id, 0, {});
        expect([replayed.mismatch, replayed.divergence]).toEqual([undefined, undefined]);
        expect(replayed.would.running.state.context).toEqual(contract.context);
        const tried = await at.services.whatIf.dryRun(machine, id, {}, { event: { name: 'look', payload: {} } });
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
    const set = (path: string, answer: { status?: number; body: string }) => answers.set(`/${database}${path}`, answer);
    const askedFor = (path: string) => asked.filter((one) => one === `/${database}${path}`).length;
    const allow = async (hosts: readonly string[]) => {
      const machine = await at.machine();
      return at.services.machines.patch(machine, OWNER, { settings: { http_allow: hosts } });
    };

    test('is asked as often as it is due, by one who asks at a time', async () => {
      const machine = await allow([host]);
      set('/a', { body: '{"rates":{"EUR/USD":["1.25",2]}}' });
      const id = await at.deploy(machine, watcher(http('/a', { pointer: '/rates/EUR~1USD/0' }), SILENT));
      await at.until(async () => (await at.rows(machine, 'reading')).length === 1);
      expect(await at.rows(machine, 'reading')).toMatchObject([
        { contract: id, value: 1.25, status: 'ok', source: host },
      ]);
      set('/a', { body: '{"rates":{"EUR/USD":[1.5,2]}}' });
      at.forward(21);
      await at.until(async () => (await at.rows(machine, 'reading')).length === 2);
      expect(await look(machine, id)).toBe(1.5);
      await at.restart();
      expect(await look(machine, id)).toBe(1.5);
      expect(await at.oracle(machine, id)).toMatchObject({
        readings: 2,
        polls: { count: 2, failed: 0, last_error: null },
      });
      expect(askedFor('/a')).toBe(2);
    });

    test.each([
      ['/status', { status: 503, body: '1' }, '', 'answered 503'],
      ['/moved', { status: 302, body: '1' }, '', 'answered 302'],
      ['/text', { body: 'one' }, '', 'is not JSON'],
      ['/lost', { body: '{"a":{"b":1}}' }, '/a/c', '/a/c is not there'],
      ['/kind', { body: '{"a":[true]}' }, '/a/0', 'leads to a boolean'],
      ['/hex', { body: '"0x10"' }, '', 'leads to a string'],
      ['/huge', { body: '"1e999"' }, '', 'leads to a number'],
      ['/long', { body: `"${'x'.repeat(70_000)}"` }, '', 'too long'],
    ])('that fails (%s) is counted and leaves no row', async (path, answer, pointer, reason) => {
      const machine = await allow([host]);
      set(path, answer);
      const id = await at.deploy(machine, watcher(http(path, { pointer }), SILENT));
      const { polls } = await at.until(async () => {
        const oracle = await at.oracle(machine, id);
        return oracle.polls.failed > 0 && oracle;
      });
      expect(polls.last_error).toContain(reason);
      expect(await at.rows(machine, 'reading')).toEqual([]);
    });

    test('must be named by the settings, at deployment and at every question', async () => {
      const stranger = await allow(['example.org']);
      await expect(at.deploy(stranger, watcher(http('/b'), SILENT))).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details: [{ path: 'oracle.url', code: 'UNREADABLE' }],
      });
      const machine = await allow(['127.0.0.1']);
      set('/b', { body: '5' });
      const id = await at.deploy(machine, watcher(http('/b'), SILENT));
      await at.until(async () => (await at.rows(machine, 'reading')).length === 1);
      await at.services.machines.patch(await at.again(machine), OWNER, { settings: { http_allow: [] } });
      const before = askedFor('/b');
      at.forward(21);
      const { polls } = await at.until(async () => {
        const oracle = await at.oracle(machine, id);
        return oracle.polls.failed > 0 && oracle;
      });
      expect(polls.last_error).toContain('http_allow');
      expect(askedFor('/b')).toBe(before);
    });

    test('on a private network is not called', async () => {
      const machine = await allow(['127.0.0.2']);
      const oracle = { ...http('/c'), url: 'http://127.0.0.2:8080/c' };
      const id = await at.deploy(machine, watcher(oracle, SILENT));
      const { polls } = await at.until(async () => {
        const found = await at.oracle(machine, id);
        return found.polls.failed > 0 && found;
      });
      expect(polls.last_error).toContain('ADDRESS_BLOCKED');
    });

    test('is asked once, however many nodes find that it is time', async () => {
      const machine = await allow([host]);
      set('/f', { body: '5' });
      const id = await at.deploy(machine, watcher(http('/f', { every: 1_000 }), SILENT));
      await at.until(async () => (await at.oracle(machine, id)).readings === 1);
      const { oracles } = at.storage;
      const everyShard = Array.from({ length: SHARDS }, (_, shard) => shard);
      const later = at.now + 2_000;
      // While the first question is being settled, every claim passes it over.
      const mine = await at.until(async () => {
        const claims = await Promise.all(Array.from({ length: 8 }, () => oracles.claim(everyShard, later, 100)));
        const found = claims.flat().filter(({ contractId }) => contractId === id);
        return found.length > 0 && found;
      });
      expect(mine).toHaveLength(1);
    });

    test('is left alone while the contract is paused', async () => {
      const machine = await allow([host]);
      set('/d', { body: '5' });
      const id = await at.deploy(machine, watcher(http('/d'), SILENT));
      await at.until(async () => (await at.rows(machine, 'reading')).length === 1);
      await at.services.contracts.pause(machine, OWNER, id);
      at.forward(100);
      set('/e', { body: '6' });
      const other = await at.deploy(machine, watcher(http('/e'), SILENT));
      await at.until(async () => (await at.oracle(machine, other)).readings === 1);
      expect(await at.oracle(machine, id)).toMatchObject({ readings: 1, polls: { count: 1 } });
    });
  });

  describe('an operator', () => {
    const pendulum = (more: object = {}) =>
      watcher(
        { kind: 'operator', operator: 'CM9', field: 'energy', fn: 'last', unit: 'kJ', ...more },
        {
          ...SILENT,
          operators: ['KO42', 'CM9'],
          parameters: { m: { type: 'number', default: 2_000 } },
          context: { seen: { type: 'number', initial: -1 }, v: { type: 'number', initial: 10 } },
        },
      );

    test('is asked with what the contract knows, by the clock and on demand', async () => {
      const machine = await at.machine();
      const id = await at.deploy(machine, pendulum({ every: 30 }));
      await at.until(async () => (await at.rows(machine, 'reading')).length === 1);
      expect(await at.rows(machine, 'reading')).toMatchObject([{ value: 100, unit: 'kJ', source: 'CM9' }]);
      const { reading } = await at.services.oracles.push(machine, OWNER, id, {});
      expect(reading).toMatchObject({ value: 100, unit: 'kJ' });
      await expect(at.services.oracles.push(machine, OWNER, id, { value: 3 })).rejects.toMatchObject({
        details: [{ path: 'value', code: 'NOT_ALLOWED' }],
      });
    });

    test('that cannot be computed, or is of another dimension, is refused at deployment', async () => {
      const machine = await at.machine();
      await expect(at.deploy(machine, { ...pendulum(), parameters: {} })).rejects.toMatchObject({
        details: [{ path: 'oracle.operator', code: 'UNREADABLE' }],
      });
      await expect(at.deploy(machine, pendulum({ unit: 'm' }))).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    });
  });

  describe('another machine', () => {
    const following = (slug: string, more: object = {}) =>
      watcher(
        { kind: 'machine', machine: slug, event: 'sample', field: 'level', fn: 'last', every: 20, ...more },
        SILENT,
      );

    test('is followed from its newest word on, nothing twice and nothing left out, also over a restart', async () => {
      const [source, machine] = [await at.machine(), await at.machine()];
      await at.event(source, 'sample', { level: 1 });
      await at.event(source, 'sample', { level: 2 });
      const id = await at.deploy(machine, following(source.head.slug));
      await at.until(async () => (await at.rows(machine, 'reading')).length === 1);
      for (const level of [3, 'high', 4]) await at.event(source, 'sample', { level });
      await at.event(source, 'other', { level: 9 });
      await at.restart();
      at.forward(21);
      await at.until(async () => (await at.rows(machine, 'reading')).length === 3);
      await at.event(source, 'sample', { level: 5 });
      at.forward(21);
      await at.until(async () => (await at.rows(machine, 'reading')).length === 4);
      const rows = await at.rows(machine, 'reading');
      expect(rows.map(({ value }) => value)).toEqual([2, 3, 4, 5]);
      expect(rows.map(({ followed }) => (followed as { machine: string }).machine)).toEqual(
        Array(4).fill(source.head.slug),
      );
      expect(await look(machine, id)).toBe(5);
    });

    test('is followed from its own beginning by a version that took the place of another', async () => {
      const [first, second, machine] = [await at.machine(), await at.machine(), await at.machine()];
      const id = await at.deploy(machine, following(first.head.slug, { every: 1_000 }));
      await at.until(async () => (await at.oracle(machine, id)).polls.count === 1);
      const { oracles } = at.storage;
      const everyShard = Array.from({ length: SHARDS }, (_, shard) => shard);
      // While the first poll is being settled, a claim passes it over.
      const late = await at.until(async () => {
        const claims = await oracles.claim(everyShard, at.now + 2_000, 100);
        return claims.find(({ contractId }) => contractId === id);
      });
      const definition = following(second.head.slug, { every: 20 });
      await at.services.contracts.patch(machine, OWNER, id, { definition: definition as never });
      await oracles.advance(late, 10_000);
      at.forward(21);
      await at.until(async () => (await at.oracle(machine, id)).polls.count >= 3);
      await at.event(second, 'sample', { level: 7 });
      at.forward(21);
      await at.until(async () => (await at.rows(machine, 'reading')).length === 1);
      expect((await at.rows(machine, 'reading'))[0]).toMatchObject({ value: 7 });
    });

    test('that had said nothing yet is followed from there on', async () => {
      const [source, machine] = [await at.machine(), await at.machine()];
      const id = await at.deploy(machine, following(source.head.slug));
      const { oracles, database: stored } = at.storage;
      await at.until(async () => (await oracles.cursor(machine.id, id, stored.knex)) !== undefined);
      await at.event(source, 'sample', { level: 7 });
      await at.event(source, 'sample', { level: 8 });
      at.forward(21);
      await at.until(async () => (await at.rows(machine, 'reading')).length > 0);
      expect((await at.rows(machine, 'reading')).map(({ value }) => value)).toEqual([7, 8]);
    });

    test('that spoke long ago gives a stale reading', async () => {
      const [source, machine] = [await at.machine(), await at.machine()];
      await at.event(source, 'sample', { level: 1 });
      at.forward(50);
      const id = await at.deploy(machine, following(source.head.slug, { max_age: 40 }));
      const { value, stale, latest } = await at.until(async () => {
        const oracle = await at.oracle(machine, id);
        return oracle.readings > 0 && oracle;
      });
      expect({ value, stale, status: latest?.status }).toEqual({ value: null, stale: 1, status: 'stale' });
    });

    test('that is private is read by its members only', async () => {
      const stranger: Principal = { ...OWNER, zid: 'd'.repeat(32) };
      const secret = await at.machine({ is_public: false });
      const [own, foreign] = [await at.machine(), await at.machine({}, stranger)];
      await at.event(secret, 'sample', { level: 1 });
      const { slug } = secret.head;
      await expect(at.deploy(foreign, following(slug), stranger)).rejects.toMatchObject({
        details: [{ path: 'oracle.machine', code: 'UNREADABLE' }],
      });
      await expect(at.deploy(foreign, following('nobody-there'), stranger)).rejects.toMatchObject({
        message: 'oracle.machine cannot be read: There is no machine nobody-there that may be read.',
      });
      const id = await at.deploy(own, following(slug));
      await at.until(async () => (await at.oracle(own, id)).readings === 1);
    });

    test('is never the machine itself', async () => {
      const machine = await at.machine();
      await expect(at.deploy(machine, following(machine.head.slug))).rejects.toThrow(
        'an oracle of kind event reads that',
      );
    });
  });
});
