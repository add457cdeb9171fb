// Channels of machines in a running service: their frames, resumption and end.

import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { ECHO, type OwnMachines, ownMachines } from '../http/machine-fixture.ts';
import { type Json, startService } from '../http/service-fixture.ts';
import { ManualTimers } from './manual-timers.ts';
import { readWithReconnects } from './resuming-reader.ts';
import { connectSocket, type ReceivedMessage, type SocketClient } from './socket-client.ts';
import { type Event, type EventReader, openEvents, type RequestOptions } from './sse-reader.ts';

const timers = new ManualTimers();
const service = await startService({ timers });
let own: OwnMachines;
beforeAll(async () => {
  own = ownMachines(service, 'streams');
});

const opened: EventReader[] = [];
const clients: SocketClient[] = [];
afterEach(async () => {
  for (const stream of opened.splice(0)) stream.close();
  for (const { socket } of clients.splice(0)) socket.terminate();
  await until(() => service.running.streams.count() === 0);
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function open(path: string, options: RequestOptions = {}): Promise<EventReader> {
  const stream = await openEvents(`${service.running.url}${path}`, { key: service.keys.admin, ...options });
  opened.push(stream);
  return stream;
}

/** Opens a stream and reads its `begin` frame. */
async function resume(path: string, options: RequestOptions = {}): Promise<EventReader> {
  const stream = await open(path, options);
  expect((await stream.next())?.event).toBe('begin');
  return stream;
}

async function take(stream: EventReader, count: number): Promise<Event[]> {
  const events: Event[] = [];
  while (events.length < count) {
    const event = await stream.next();
    if (event === undefined) throw new Error(`stream ended after ${events.length} of ${count} frames`);
    events.push(event);
  }
  return events;
}

const typeAndId = ({ id, event }: Event) => [event, id];

async function createEchoMachine(fields: Json = {}): Promise<{ slug: string; id: string }> {
  const slug = await own.machine(fields);
  const { contract } = await own.request(
    `POST /api/chain/${slug}/contracts/custom`,
    'admin',
    { definition: ECHO },
    201,
  );
  return { slug, id: String((contract as Json).id) };
}

describe('the explorer', () => {
  test('starts at the newest row and sends rows as /explore returns them', async () => {
    const { slug } = await createEchoMachine();
    const stream = await open(`/api/chain/${slug}/explore/sse`, { key: undefined });
    expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream']);
    expect(await stream.next()).toMatchObject({
      id: '1',
      event: 'begin',
      data: { seq: 1, svcond: expect.any(Number) },
    });
    await own.event(slug, 'ping', { payload: { n: 7 } });
    const frames = await take(stream, 3);
    expect(frames.map(typeAndId)).toEqual([
      ['event', '2'],
      ['transition', '3'],
      ['emit', '4'],
    ]);
    const rows = await own.rows(slug);
    expect(frames.map(({ data }) => data)).toEqual(rows.slice(2));
  });

  test('filters rows by type without reporting gaps', async () => {
    const { slug } = await createEchoMachine();
    for (let n = 0; n < 3; n++) await own.event(slug, 'ping', { payload: { n } });
    const stream = await resume(`/api/chain/${slug}/explore/sse?type=emit&since=0`);
    expect((await take(stream, 3)).map(typeAndId)).toEqual([
      ['emit', '4'],
      ['emit', '7'],
      ['emit', '10'],
    ]);
    const machine = await service.running.storage.machines.bySlug(slug);
    const { audit } = service.running.storage;
    const filter = { types: ['emit'], from: 1, to: 10 };
    expect(await audit.seqBehind(machine?.id ?? '', filter, 2)).toBe(4);
    expect(await audit.seqBehind(machine?.id ?? '', filter, 3)).toBeUndefined();
    expect(await audit.seqBehind(machine?.id ?? '', { ...filter, name: 'pong' }, 0)).toBe(10);
  });

  test.each([
    ['?since=-1', 422],
    ['?since=x', 422],
    ['?since=0x1c', 422],
    ['?type=Nope', 422],
  ])('rejects %s', async (query, status) => {
    const slug = await own.machine();
    expect((await open(`/api/chain/${slug}/explore/sse${query}`)).status).toBe(status);
  });

  test('rejects an unknown type with the list of types and the nearest one', async () => {
    const slug = await own.machine();
    const rejected = await open(`/api/chain/${slug}/explore/sse?type=transitions`);
    expect(rejected.status).toBe(422);
    const { error } = JSON.parse(await rejected.text()) as { error: string };
    expect(error).toMatch(/^type is "transitions"; one of genesis, event, .* is expected, perhaps transition\.$/);
    const unknown = await own.request(`GET /api/chain/${slug}/explore?type=transitions`, 'anonymous', undefined, 422);
    expect(unknown.error).toBe(error);
  });

  test('a reader that resumes beyond the head receives the next row', async () => {
    const slug = await own.machine();
    const stream = await open(`/api/chain/${slug}/explore/sse?since=99`);
    expect(await stream.next()).toMatchObject({ id: '0', event: 'begin' });
    await own.event(slug, 'later');
    expect((await stream.next())?.id).toBe('1');
  });

  test('sends every row once, in order, to a reader that resumes during writes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 3, maxLength: 8 }),
        async (framesPerConnection) => {
          const slug = await own.machine();
          const rows = 60;
          const writing = Promise.all(
            [0, 1, 2].map(async (writer) => {
              for (let i = 0; i < rows / 3; i++) await own.event(slug, 'tick', { payload: { writer, i } });
            }),
          );
          const url = `${service.running.url}/api/chain/${slug}/explore/sse`;
          const received = await readWithReconnects(() => url, framesPerConnection, rows);
          await writing;
          expect(received.map(({ id }) => Number(id))).toEqual(Array.from({ length: rows }, (_, i) => i + 1));
          const chain = await own.rows(slug);
          expect(received.map(({ data }) => data.row_hash)).toEqual(chain.slice(1).map(({ row_hash }) => row_hash));
        },
      ),
      { numRuns: 6, seed: 1287 },
    );
  });

  test('a stalled reader receives a gap, then the newest rows', async () => {
    const slug = await own.machine();
    const stream = await resume(`/api/chain/${slug}/explore/sse?since=0`);
    const { services, storage } = service.running;
    const by = await services.access.authenticate(service.keys.admin);
    const machine = await storage.machines.bySlug(slug);
    if (machine === undefined) throw new Error('no machine');
    // More than the buffers of a connection can hold.
    const payload = { text: 'x'.repeat(60_000) };
    const rows = 800;
    for (let i = 0; i < rows; i += 50)
      await Promise.all(Array.from({ length: 50 }, () => services.machineLog.record(machine, by, 'file', payload)));
    const received: number[] = [];
    const gaps: [number, number][] = [];
    while (received.at(-1) !== rows) {
      const { id, event, data } = (await take(stream, 1))[0] as Event;
      if (event === 'gap') gaps.push([Number(data.from), Number(data.to)]);
      else received.push(Number(id));
    }
    expect(gaps).toHaveLength(1);
    const [[from, to] = [0, 0]] = gaps;
    expect(to).toBe(rows - LIMITS.stream.backlog);
    const expected = Array.from({ length: rows }, (_, i) => i + 1).filter((seq) => seq < from || seq > to);
    expect(received).toEqual(expected);
  }, 60_000);
});

describe('events', () => {
  test('are those that contracts emit; source=all adds those sent to the machine', async () => {
    const { slug } = await createEchoMachine();
    const emitted = await open(`/api/chain/${slug}/events/stream`);
    const all = await resume(`/api/chain/${slug}/events/stream?source=all&since=1`);
    const pings = await resume(`/api/chain/${slug}/events/stream?source=all&name=ping&since=0`);
    expect((await emitted.next())?.event).toBe('begin');
    await own.event(slug, 'ping', { payload: { n: 1 } });
    await own.event(slug, 'other');
    expect((await take(all, 3)).map(typeAndId)).toEqual([
      ['event', '2'],
      ['emit', '4'],
      ['event', '5'],
    ]);
    expect((await take(pings, 1)).map(typeAndId)).toEqual([['event', '2']]);
    const [frame] = await take(emitted, 1);
    const listed = (await own.request(`GET /api/chain/${slug}/events`, 'admin')).rows as Json[];
    expect(frame?.data).toEqual({ type: 'emit', ...listed[0] });
  });

  test('are visible only to the owner', async () => {
    const { slug } = await createEchoMachine({ is_public: false });
    const zid = await own.zidOf('other');
    const path = `/api/chain/${slug}/events/stream`;
    const asOther = async () => {
      const stream = await open(path, { key: service.keys.other });
      return [stream.status, (JSON.parse(await stream.text()) as Json).code];
    };
    expect((await open(path, { key: undefined })).status).toBe(401);
    expect(await asOther()).toEqual([404, 'NOT_FOUND']);
    await own.request(`POST /api/chain/${slug}/admins`, 'admin', { zid, role: 'operator' }, 201);
    expect(await asOther()).toEqual([403, 'FORBIDDEN']);
  });
});

test('a transition channel sends only transitions of its contract', async () => {
  const { slug, id } = await createEchoMachine();
  const other = await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition: ECHO }, 201);
  const path = `/api/chain/${slug}/contracts/${id}/transitions/stream`;
  const stream = await open(path);
  expect((await stream.next())?.event).toBe('begin');
  await own.event(slug, 'ping', { payload: { n: 1 } });
  await own.event(slug, 'halt');
  const frames = await take(stream, 2);
  const listed = (await own.request(`GET /api/chain/${slug}/contracts/${id}/audit`, 'admin')).rows as Json[];
  expect(frames.map(({ data }) => data)).toEqual(listed.reverse().map((row) => ({ type: 'transition', ...row })));
  expect(frames.map(({ data }) => data.transition)).toEqual(['answer', 'stop']);
  const resumed = await resume(path, { headers: { 'last-event-id': String(frames[0]?.id) } });
  expect(await resumed.next()).toEqual(frames[1]);
  const otherStream = await resume(
    `/api/chain/${slug}/contracts/${(other.contract as Json).id}/transitions/stream?since=0`,
  );
  expect((await otherStream.next())?.id).not.toBe(frames[0]?.id);
  expect((await open(`/api/chain/${slug}/contracts/${crypto.randomUUID()}/transitions/stream`)).status).toBe(404);
});

describe('the aggregate channel', () => {
  test('sends each row of public machines once, new machines from row 0, and never private rows', async () => {
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
    const { rows } = (await own.request(`GET /api/chain/recent?limit=200`, undefined)) as { rows: Json[] };
    for (const { data, event } of frames.slice(0, 1)) {
      const listed = rows.find((row) => row.slug === data.slug && row.seq === data.seq);
      if (listed) expect(data).toEqual({ ...listed, type: event });
    }
    for (const { data } of frames) expect(Object.keys(data)).not.toContain('payload');
    await own.request(`PATCH /api/chain/${shown}/settings`, 'admin', { is_public: false });
    await own.event(shown, 'no-more'.replace('-', '_'));
    const next = await own.machine();
    expect((await stream.next())?.data.slug).toBe(next);
  });

  test('a resuming reader receives all rows that it may have missed', async () => {
    const slug = await own.machine();
    const first = await open('/api/chain/aggregate/sse');
    await first.next();
    await own.event(slug, 'one');
    const [received] = await take(first, 1);
    first.close();
    await own.event(slug, 'two');
    await own.event(slug, 'three');
    const again = await resume('/api/chain/aggregate/sse', { headers: { 'last-event-id': String(received?.id) } });
    const rows: number[] = [];
    let last = 0;
    // Machines of other tests may have rows of the same tick.
    const readUntil = async (seq: number) => {
      while (rows.at(-1) !== seq) {
        const [frame] = await take(again, 1);
        expect(Number(frame?.id)).toBeGreaterThanOrEqual(last);
        last = Number(frame?.id);
        if (frame?.data.slug === slug) rows.push(Number(frame.data.seq));
      }
    };
    await readUntil(3);
    expect(rows.slice(-2)).toEqual([2, 3]);
    await own.event(slug, 'four');
    await readUntil(4);
    expect(rows.slice(-3)).toEqual([2, 3, 4]);
    expect(new Set(rows).size).toBe(rows.length);
  });
});

describe('reauthorization', () => {
  const fireReauthorization = () => timers.fire(LIMITS.stream.reauthorizeMs);
  const lastFrame = async (stream: EventReader) => (await stream.rest()).at(-1);

  test('when a machine becomes private, the streams of non-members end', async () => {
    const slug = await own.machine();
    const path = `/api/chain/${slug}/explore/sse?since=0`;
    const [anonymous, stranger, member] = [
      await resume(path, { key: undefined }),
      await resume(path, { key: service.keys.other }),
      await resume(path),
    ];
    fireReauthorization();
    await own.event(slug, 'one');
    for (const stream of [anonymous, stranger, member]) expect((await stream.next())?.id).toBe('1');
    await own.request(`PATCH /api/chain/${slug}/settings`, 'admin', { is_public: false });
    fireReauthorization();
    for (const stream of [anonymous, stranger])
      expect(await lastFrame(stream)).toMatchObject({ id: undefined, event: 'refused', data: { code: 'NOT_FOUND' } });
    await own.event(slug, 'two');
    expect((await take(member, 2)).map(({ id }) => id)).toEqual(['2', '3']);
  });

  test('rows written after a machine becomes private do not reach non-members', async () => {
    const { slug, id } = await createEchoMachine();
    const ping = `/api/chain/${slug}/explore/sse?type=event`;
    const fires = `/api/chain/${slug}/contracts/${id}/transitions/stream`;
    const strangers = [await resume(ping, { key: undefined }), await resume(fires, { key: service.keys.other })];
    const members = [await resume(ping), await resume(fires)];
    const client = await connectSocket(service.running.url);
    clients.push(client);
    client.send({ op: 'subscribe', channel: 'explorer', since: 0, parameters: { slug, type: 'event' } });
    await client.receive(({ op }) => op === 'subscribe');
    await own.request(`PATCH /api/chain/${slug}/settings`, 'admin', { is_public: false });
    await own.event(slug, 'ping', { payload: { n: 7 } });
    await own.event(slug, 'ping', { payload: { n: 8 } });
    for (const stream of members) expect((await take(stream, 2)).map(({ event }) => event)).not.toContain('refused');
    for (const stream of strangers)
      expect(await stream.rest()).toMatchObject([{ event: 'refused', data: { code: 'NOT_FOUND' } }]);
    const isNext = ({ type }: ReceivedMessage) => type !== 'begin';
    expect(await client.receive(isNext)).toMatchObject({ ok: false, op: 'subscribe', code: 'NOT_FOUND' });
  });

  test('the streams of a removed member or a revoked key end', async () => {
    const { slug, id } = await createEchoMachine({ is_public: false });
    const zid = await own.zidOf('other');
    await own.request(`POST /api/chain/${slug}/admins`, 'admin', { zid, role: 'viewer' }, 201);
    const path = `/api/chain/${slug}/contracts/${id}/transitions/stream`;
    const otherStream = await open(path, { key: service.keys.other });
    expect((await otherStream.next())?.event).toBe('begin');
    const created = await own.request(`POST /api/keys`, 'admin', { name: 'short', scope: 'admin' }, 201);
    const { key, record } = created as { key: string; record: Json };
    const events = await open(`/api/chain/${slug}/events/stream`, { key });
    expect((await events.next())?.event).toBe('begin');
    fireReauthorization();
    await own.request(`DELETE /api/chain/${slug}/admins/${zid}`, 'admin');
    await own.request(`DELETE /api/keys/${record.id}`, 'admin');
    fireReauthorization();
    expect(await lastFrame(otherStream)).toMatchObject({ event: 'refused', data: { code: 'NOT_FOUND' } });
    expect(await lastFrame(events)).toMatchObject({ event: 'refused', data: { code: 'KEY_REVOKED' } });
  });

  test('the event stream of a former owner ends', async () => {
    const slug = await own.machine();
    const zid = await own.zidOf('other');
    const { machines, members } = service.running.storage;
    await members.put((await machines.bySlug(slug))?.id ?? '', { zid, role: 'owner', sinceSvcond: 0 });
    const events = await open(`/api/chain/${slug}/events/stream`, { key: service.keys.other });
    expect((await events.next())?.event).toBe('begin');
    await own.request(`PATCH /api/chain/${slug}/admins/${zid}`, 'admin', { role: 'admin' });
    fireReauthorization();
    expect(await lastFrame(events)).toMatchObject({ event: 'refused', data: { code: 'FORBIDDEN' } });
  });

  test('a share token and a read pass open the explorer of a private machine until they are disabled', async () => {
    const slug = await own.machine({ is_public: false });
    const set = `POST /api/chain/state-machines/${slug}/share/set`;
    const { token } = (await own.request(set, 'admin', { label: 'auditor' }, 201)) as { token: string };
    const unlocked = await service.call(`POST /api/chain/${slug}/unlock`, { json: { share: token } });
    const cookie = String(unlocked.headers.get('set-cookie')).split(';')[0] ?? '';
    const path = `/api/chain/${slug}/explore/sse`;
    expect((await open(path, { key: undefined })).status).toBe(404);
    const byToken = await open(path, { key: token });
    const byPass = await open(path, { key: undefined, headers: { cookie } });
    for (const stream of [byToken, byPass]) expect((await stream.next())?.event).toBe('begin');
    fireReauthorization();
    await own.event(slug, 'seen');
    for (const stream of [byToken, byPass]) expect((await stream.next())?.event).toBe('event');
    await own.request(`POST /api/chain/state-machines/${slug}/share/disable`, 'admin', {});
    fireReauthorization();
    expect(await lastFrame(byToken)).toMatchObject({ event: 'refused', data: { code: 'KEY_REVOKED' } });
    expect(await lastFrame(byPass)).toMatchObject({ event: 'refused', data: { code: 'NOT_FOUND' } });
    // Share tokens do not open the event channel, which is for members.
    expect((await open(`/api/chain/${slug}/events/stream`, { key: token })).status).not.toBe(200);
  });

  test('over a WebSocket, one subscription ends and the others continue', async () => {
    const [hidden, visible] = [await own.machine(), await own.machine()];
    const client = await connectSocket(service.running.url);
    clients.push(client);
    const subscribe = (slug: string) =>
      client.send({ op: 'subscribe', channel: 'explorer', id: slug, since: 0, parameters: { slug } });
    for (const slug of [hidden, visible]) subscribe(slug);
    const isOf =
      (slug: string) =>
      ({ id, type }: ReceivedMessage) =>
        id === slug && type === 'event';
    for (const slug of [hidden, visible]) {
      await own.event(slug, 'one');
      expect(await client.receive(isOf(slug))).toMatchObject({
        channel: 'explorer',
        seq: 1,
        data: { payload: expect.anything() },
      });
    }
    await own.request(`PATCH /api/chain/${hidden}/settings`, 'admin', { is_public: false });
    fireReauthorization();
    expect(await client.receive(({ ok }) => ok === false)).toMatchObject({
      code: 'NOT_FOUND',
      op: 'subscribe',
      id: hidden,
    });
    await own.event(hidden, 'two');
    await own.event(visible, 'two');
    expect(await client.receive(isOf(visible))).toMatchObject({ seq: 2 });
    expect(client.unread.filter(isOf(hidden))).toEqual([]);
    subscribe(hidden);
    expect(await client.receive(({ ok }) => ok === false)).toMatchObject({ code: 'NOT_FOUND', id: hidden });
  });
});

test('no timers remain for a machine without readers', async () => {
  const before = timers.size;
  const slug = await own.machine();
  const streams = await Promise.all(Array.from({ length: 10 }, () => open(`/api/chain/${slug}/explore/sse`)));
  for (const stream of streams) expect((await stream.next())?.event).toBe('begin');
  for (const stream of streams) stream.close();
  await until(() => service.running.streams.count() === 0 && timers.size === before);
});
