// Channels of machines over a whole service: what they tell, from where they resume, and when they end.

import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { ECHO, type OwnMachines, ownMachines } from '../http/own-machines.ts';
import { type Json, startService } from '../http/service.ts';
import { readInPieces } from './in-pieces.ts';
import { ManualTimers } from './manual-timers.ts';
import { type Client, dial, type Heard } from './socket-client.ts';
import { type Asked, type Event, type Opened, openEvents } from './sse-reader.ts';

const timers = new ManualTimers();
const service = await startService({ timers });
let own: OwnMachines;
beforeAll(async () => {
  own = ownMachines(service, 'streams');
});

const opened: Opened[] = [];
const clients: Client[] = [];
afterEach(async () => {
  for (const stream of opened.splice(0)) stream.hangUp();
  for (const { socket } of clients.splice(0)) socket.terminate();
  await until(() => service.running.streams.count() === 0);
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function open(path: string, asked: Asked = {}): Promise<Opened> {
  const stream = await openEvents(`${service.running.url}${path}`, { key: service.keys.admin, ...asked });
  opened.push(stream);
  return stream;
}

/** What comes after a row: the frame that names it is taken. */
async function resume(path: string, asked: Asked = {}): Promise<Opened> {
  const stream = await open(path, asked);
  expect((await stream.next())?.event).toBe('begin');
  return stream;
}

async function take(stream: Opened, count: number): Promise<Event[]> {
  const events: Event[] = [];
  while (events.length < count) {
    const event = await stream.next();
    if (event === undefined) throw new Error(`The stream ended after ${events.length} of ${count} frames.`);
    events.push(event);
  }
  return events;
}

const shapeOf = ({ id, event }: Event) => [event, id];

async function echoing(fields: Json = {}): Promise<{ slug: string; id: string }> {
  const slug = await own.machine(fields);
  const { contract } = await own.ask(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition: ECHO }, 201);
  return { slug, id: String((contract as Json).id) };
}

describe('the explorer', () => {
  test('begins with the newest row and tells each row as /explore shows it', async () => {
    const { slug } = await echoing();
    const stream = await open(`/api/chain/${slug}/explore/sse`, { key: undefined });
    expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream']);
    expect(await stream.next()).toMatchObject({
      id: '1',
      event: 'begin',
      data: { seq: 1, svcond: expect.any(Number) },
    });
    await own.event(slug, 'ping', { payload: { n: 7 } });
    const frames = await take(stream, 3);
    expect(frames.map(shapeOf)).toEqual([
      ['event', '2'],
      ['transition', '3'],
      ['emit', '4'],
    ]);
    const rows = await own.rows(slug);
    expect(frames.map(({ data }) => data)).toEqual(rows.slice(2));
  });

  test('tells rows of one type only where it is asked to, and does not call the others a gap', async () => {
    const { slug } = await echoing();
    for (let n = 0; n < 3; n++) await own.event(slug, 'ping', { payload: { n } });
    const stream = await resume(`/api/chain/${slug}/explore/sse?type=emit&since=0`);
    expect((await take(stream, 3)).map(shapeOf)).toEqual([
      ['emit', '4'],
      ['emit', '7'],
      ['emit', '10'],
    ]);
    const known = await service.running.storage.machines.bySlug(slug);
    const { audit } = service.running.storage;
    const asked = { types: ['emit'], from: 1, to: 10 };
    expect(await audit.seqBehind(known?.id ?? '', asked, 2)).toBe(4);
    expect(await audit.seqBehind(known?.id ?? '', asked, 3)).toBeUndefined();
    expect(await audit.seqBehind(known?.id ?? '', { ...asked, name: 'pong' }, 0)).toBe(10);
  });

  test.each([
    ['?since=-1', 422],
    ['?since=x', 422],
    ['?since=0x1c', 422],
    ['?type=Nope', 422],
  ])('refuses %s before it begins', async (query, status) => {
    const slug = await own.machine();
    expect((await open(`/api/chain/${slug}/explore/sse${query}`)).status).toBe(status);
  });

  test('a type that no row has is refused with those that there are, and the nearest', async () => {
    const slug = await own.machine();
    const refused = await open(`/api/chain/${slug}/explore/sse?type=transitions`);
    expect(refused.status).toBe(422);
    const { error } = JSON.parse(await refused.text()) as { error: string };
    expect(error).toMatch(/^type is "transitions"; one of genesis, event, .* is expected, perhaps transition\.$/);
    const unknown = await own.ask(`GET /api/chain/${slug}/explore?type=transitions`, 'anonymous', undefined, 422);
    expect(unknown.error).toBe(error);
  });

  test('one who has seen more than there is hears of what comes next', async () => {
    const slug = await own.machine();
    const stream = await open(`/api/chain/${slug}/explore/sse?since=99`);
    expect(await stream.next()).toMatchObject({ id: '0', event: 'begin' });
    await own.event(slug, 'later');
    expect((await stream.next())?.id).toBe('1');
  });

  test('resumed anywhere while others write, tells every row once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 3, maxLength: 8 }), async (pieces) => {
        const slug = await own.machine();
        const rows = 60;
        const writing = Promise.all(
          [0, 1, 2].map(async (writer) => {
            for (let i = 0; i < rows / 3; i++) await own.event(slug, 'tick', { payload: { writer, i } });
          }),
        );
        const url = `${service.running.url}/api/chain/${slug}/explore/sse`;
        const seen = await readInPieces(() => url, pieces, rows);
        await writing;
        expect(seen.map(({ id }) => Number(id))).toEqual(Array.from({ length: rows }, (_, i) => i + 1));
        const chain = await own.rows(slug);
        expect(seen.map(({ data }) => data.row_hash)).toEqual(chain.slice(1).map(({ row_hash }) => row_hash));
      }),
      { numRuns: 6, seed: 1287 },
    );
  });

  test('a reader who takes nothing is told of a gap, then of the newest rows', async () => {
    const slug = await own.machine();
    const stream = await resume(`/api/chain/${slug}/explore/sse?since=0`);
    const { services, storage } = service.running;
    const by = await services.access.authenticate(service.keys.admin);
    const machine = await storage.machines.bySlug(slug);
    if (machine === undefined) throw new Error('no machine');
    // More than the buffers of a connection hold.
    const payload = { text: 'x'.repeat(60_000) };
    const rows = 800;
    for (let i = 0; i < rows; i += 50)
      await Promise.all(Array.from({ length: 50 }, () => services.machineLog.record(machine, by, 'file', payload)));
    const seen: number[] = [];
    const gaps: [number, number][] = [];
    while (seen.at(-1) !== rows) {
      const { id, event, data } = (await take(stream, 1))[0] as Event;
      if (event === 'gap') gaps.push([Number(data.from), Number(data.to)]);
      else seen.push(Number(id));
    }
    expect(gaps).toHaveLength(1);
    const [[from, to] = [0, 0]] = gaps;
    expect(to).toBe(rows - LIMITS.stream.backlog);
    const expected = Array.from({ length: rows }, (_, i) => i + 1).filter((seq) => seq < from || seq > to);
    expect(seen).toEqual(expected);
  }, 60_000);
});

describe('events', () => {
  test('are those that contracts emit, and with source=all those that were sent as well', async () => {
    const { slug } = await echoing();
    const emitted = await open(`/api/chain/${slug}/events/stream`);
    const all = await resume(`/api/chain/${slug}/events/stream?source=all&since=1`);
    const pings = await resume(`/api/chain/${slug}/events/stream?source=all&name=ping&since=0`);
    expect((await emitted.next())?.event).toBe('begin');
    await own.event(slug, 'ping', { payload: { n: 1 } });
    await own.event(slug, 'other');
    expect((await take(all, 3)).map(shapeOf)).toEqual([
      ['event', '2'],
      ['emit', '4'],
      ['event', '5'],
    ]);
    expect((await take(pings, 1)).map(shapeOf)).toEqual([['event', '2']]);
    const [frame] = await take(emitted, 1);
    const listed = (await own.ask(`GET /api/chain/${slug}/events`, 'admin')).rows as Json[];
    expect(frame?.data).toEqual({ type: 'emit', ...listed[0] });
  });

  test('are for the owner: others are refused, and strangers of a private machine see none', async () => {
    const { slug } = await echoing({ is_public: false });
    const zid = await own.zidOf('other');
    const path = `/api/chain/${slug}/events/stream`;
    const asOther = async () => {
      const stream = await open(path, { key: service.keys.other });
      return [stream.status, (JSON.parse(await stream.text()) as Json).code];
    };
    expect((await open(path, { key: undefined })).status).toBe(401);
    expect(await asOther()).toEqual([404, 'NOT_FOUND']);
    await own.ask(`POST /api/chain/${slug}/admins`, 'admin', { zid, role: 'operator' }, 201);
    expect(await asOther()).toEqual([403, 'FORBIDDEN']);
  });
});

test('transitions of one contract, and not those of another', async () => {
  const { slug, id } = await echoing();
  const other = await own.ask(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition: ECHO }, 201);
  const path = `/api/chain/${slug}/contracts/${id}/transitions/stream`;
  const stream = await open(path);
  expect((await stream.next())?.event).toBe('begin');
  await own.event(slug, 'ping', { payload: { n: 1 } });
  await own.event(slug, 'halt');
  const frames = await take(stream, 2);
  const listed = (await own.ask(`GET /api/chain/${slug}/contracts/${id}/audit`, 'admin')).rows as Json[];
  expect(frames.map(({ data }) => data)).toEqual(listed.reverse().map((row) => ({ type: 'transition', ...row })));
  expect(frames.map(({ data }) => data.transition)).toEqual(['answer', 'stop']);
  const resumed = await resume(path, { headers: { 'last-event-id': String(frames[0]?.id) } });
  expect(await resumed.next()).toEqual(frames[1]);
  const theirs = await resume(`/api/chain/${slug}/contracts/${(other.contract as Json).id}/transitions/stream?since=0`);
  expect((await theirs.next())?.id).not.toBe(frames[0]?.id);
  expect((await open(`/api/chain/${slug}/contracts/${crypto.randomUUID()}/transitions/stream`)).status).toBe(404);
});

describe('all public machines together', () => {
  test('are told of once each while a reader stays, private ones never, new ones from their first row', async () => {
    const stream = await open('/api/chain/aggregate/sse', { key: undefined });
    expect((await stream.next())?.event).toBe('begin');
    const hidden = await own.machine({ is_public: false });
    const shown = await own.machine();
    await own.event(hidden, 'secret');
    await Promise.all([1, 2, 3].map((n) => own.event(shown, 'seen', { payload: { n } })));
    const frames = await take(stream, 4);
    expect(frames.map(({ event, data }) => [event, data.slug, data.seq])).toEqual([
      ['genesis', shown, 0],
      ['event', shown, 1],
      ['event', shown, 2],
      ['event', shown, 3],
    ]);
    const { rows } = (await own.ask(`GET /api/chain/recent?limit=200`, undefined)) as { rows: Json[] };
    for (const { data, event } of frames.slice(0, 1)) {
      const listed = rows.find((row) => row.slug === data.slug && row.seq === data.seq);
      if (listed) expect(data).toEqual({ ...listed, type: event });
    }
    for (const { data } of frames) expect(Object.keys(data)).not.toContain('payload');
    await own.ask(`PATCH /api/chain/${shown}/settings`, 'admin', { is_public: false });
    await own.event(shown, 'no-more'.replace('-', '_'));
    const next = await own.machine();
    expect((await stream.next())?.data.slug).toBe(next);
  });

  test('whoever comes back is told of all rows again that it may not have seen', async () => {
    const slug = await own.machine();
    const first = await open('/api/chain/aggregate/sse');
    await first.next();
    await own.event(slug, 'one');
    const [seen] = await take(first, 1);
    first.hangUp();
    await own.event(slug, 'two');
    await own.event(slug, 'three');
    const again = await resume('/api/chain/aggregate/sse', { headers: { 'last-event-id': String(seen?.id) } });
    const rows: number[] = [];
    let last = 0;
    while (rows.at(-1) !== 3) {
      const [frame] = await take(again, 1);
      expect(Number(frame?.id)).toBeGreaterThanOrEqual(last);
      last = Number(frame?.id);
      if (frame?.data.slug === slug) rows.push(Number(frame.data.seq));
    }
    expect(rows.slice(-2)).toEqual([2, 3]);
    expect(new Set(rows).size).toBe(rows.length);
    await own.event(slug, 'four');
    expect((await again.next())?.data).toMatchObject({ slug, seq: 4 });
  });
});

describe('authority is asked for again', () => {
  const ring = () => timers.ring(LIMITS.stream.authorityMs);
  const endOf = async (stream: Opened) => (await stream.rest()).at(-1);

  test('when a machine becomes private, strangers hear no more of it and members do', async () => {
    const slug = await own.machine();
    const path = `/api/chain/${slug}/explore/sse?since=0`;
    const [anonymous, stranger, member] = [
      await resume(path, { key: undefined }),
      await resume(path, { key: service.keys.other }),
      await resume(path),
    ];
    ring();
    await own.event(slug, 'one');
    for (const stream of [anonymous, stranger, member]) expect((await stream.next())?.id).toBe('1');
    await own.ask(`PATCH /api/chain/${slug}/settings`, 'admin', { is_public: false });
    ring();
    for (const stream of [anonymous, stranger])
      expect(await endOf(stream)).toMatchObject({ id: undefined, event: 'refused', data: { code: 'NOT_FOUND' } });
    await own.event(slug, 'two');
    expect((await take(member, 2)).map(({ id }) => id)).toEqual(['2', '3']);
  });

  test('not a row that was written in private reaches a stranger before that', async () => {
    const { slug, id } = await echoing();
    const ping = `/api/chain/${slug}/explore/sse?type=event`;
    const fires = `/api/chain/${slug}/contracts/${id}/transitions/stream`;
    const strangers = [await resume(ping, { key: undefined }), await resume(fires, { key: service.keys.other })];
    const members = [await resume(ping), await resume(fires)];
    const client = await dial(service.running.url);
    clients.push(client);
    client.say({ op: 'subscribe', channel: 'explorer', since: 0, parameters: { slug, type: 'event' } });
    await client.hear(({ op }) => op === 'subscribe');
    await own.ask(`PATCH /api/chain/${slug}/settings`, 'admin', { is_public: false });
    await own.event(slug, 'ping', { payload: { n: 7 } });
    await own.event(slug, 'ping', { payload: { n: 8 } });
    for (const stream of members) expect((await take(stream, 2)).map(({ event }) => event)).not.toContain('refused');
    for (const stream of strangers)
      expect(await stream.rest()).toMatchObject([{ event: 'refused', data: { code: 'NOT_FOUND' } }]);
    const isNext = ({ type }: Heard) => type !== 'begin';
    expect(await client.hear(isNext)).toMatchObject({ ok: false, op: 'subscribe', code: 'NOT_FOUND' });
  });

  test('when a member is put out, transitions end for it; when a key is revoked, so do its streams', async () => {
    const { slug, id } = await echoing({ is_public: false });
    const zid = await own.zidOf('other');
    await own.ask(`POST /api/chain/${slug}/admins`, 'admin', { zid, role: 'viewer' }, 201);
    const path = `/api/chain/${slug}/contracts/${id}/transitions/stream`;
    const theirs = await open(path, { key: service.keys.other });
    expect((await theirs.next())?.event).toBe('begin');
    const made = await own.ask(`POST /api/keys`, 'admin', { name: 'short', scope: 'admin' }, 201);
    const { key, record } = made as { key: string; record: Json };
    const events = await open(`/api/chain/${slug}/events/stream`, { key });
    expect((await events.next())?.event).toBe('begin');
    ring();
    await own.ask(`DELETE /api/chain/${slug}/admins/${zid}`, 'admin');
    await own.ask(`DELETE /api/keys/${record.id}`, 'admin');
    ring();
    expect(await endOf(theirs)).toMatchObject({ event: 'refused', data: { code: 'NOT_FOUND' } });
    expect(await endOf(events)).toMatchObject({ event: 'refused', data: { code: 'KEY_REVOKED' } });
  });

  test('an owner who is an owner no more hears no events', async () => {
    const slug = await own.machine();
    const zid = await own.zidOf('other');
    const { machines, members } = service.running.storage;
    await members.put((await machines.bySlug(slug))?.id ?? '', { zid, role: 'owner', sinceSvcond: 0 });
    const events = await open(`/api/chain/${slug}/events/stream`, { key: service.keys.other });
    expect((await events.next())?.event).toBe('begin');
    await own.ask(`PATCH /api/chain/${slug}/admins/${zid}`, 'admin', { role: 'admin' });
    ring();
    expect(await endOf(events)).toMatchObject({ event: 'refused', data: { code: 'FORBIDDEN' } });
  });

  test('a share token and a read pass open the explorer of a private machine until they are disabled', async () => {
    const slug = await own.machine({ is_public: false });
    const set = `POST /api/chain/state-machines/${slug}/share/set`;
    const { token } = (await own.ask(set, 'admin', { label: 'auditor' }, 201)) as { token: string };
    const unlocked = await service.call(`POST /api/chain/${slug}/unlock`, { json: { share: token } });
    const cookie = String(unlocked.headers.get('set-cookie')).split(';')[0] ?? '';
    const path = `/api/chain/${slug}/explore/sse`;
    expect((await open(path, { key: undefined })).status).toBe(404);
    const byToken = await open(path, { key: token });
    const byPass = await open(path, { key: undefined, headers: { cookie } });
    for (const stream of [byToken, byPass]) expect((await stream.next())?.event).toBe('begin');
    ring();
    await own.event(slug, 'seen');
    for (const stream of [byToken, byPass]) expect((await stream.next())?.event).toBe('event');
    await own.ask(`POST /api/chain/state-machines/${slug}/share/disable`, 'admin', {});
    ring();
    expect(await endOf(byToken)).toMatchObject({ event: 'refused', data: { code: 'KEY_REVOKED' } });
    expect(await endOf(byPass)).toMatchObject({ event: 'refused', data: { code: 'NOT_FOUND' } });
    // Events are for members: a token that only reads does not open them.
    expect((await open(`/api/chain/${slug}/events/stream`, { key: token })).status).not.toBe(200);
  });

  test('over a WebSocket one subscription ends and the others go on', async () => {
    const [gone, stays] = [await own.machine(), await own.machine()];
    const client = await dial(service.running.url);
    clients.push(client);
    const subscribe = (slug: string) =>
      client.say({ op: 'subscribe', channel: 'explorer', id: slug, since: 0, parameters: { slug } });
    for (const slug of [gone, stays]) subscribe(slug);
    const isOf =
      (slug: string) =>
      ({ id, type }: Heard) =>
        id === slug && type === 'event';
    for (const slug of [gone, stays]) {
      await own.event(slug, 'one');
      expect(await client.hear(isOf(slug))).toMatchObject({
        channel: 'explorer',
        seq: 1,
        data: { payload: expect.anything() },
      });
    }
    await own.ask(`PATCH /api/chain/${gone}/settings`, 'admin', { is_public: false });
    ring();
    expect(await client.hear(({ ok }) => ok === false)).toMatchObject({ code: 'NOT_FOUND', op: 'subscribe', id: gone });
    await own.event(gone, 'two');
    await own.event(stays, 'two');
    expect(await client.hear(isOf(stays))).toMatchObject({ seq: 2 });
    expect(client.heard.filter(isOf(gone))).toEqual([]);
    subscribe(gone);
    expect(await client.hear(({ ok }) => ok === false)).toMatchObject({ code: 'NOT_FOUND', id: gone });
  });
});

test('nothing is kept of a machine that nobody follows any more', async () => {
  const before = timers.size;
  const slug = await own.machine();
  const streams = await Promise.all(Array.from({ length: 10 }, () => open(`/api/chain/${slug}/explore/sse`)));
  for (const stream of streams) expect((await stream.next())?.event).toBe('begin');
  for (const stream of streams) stream.hangUp();
  await until(() => service.running.streams.count() === 0 && timers.size === before);
});
