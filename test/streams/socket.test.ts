// The WebSocket of a running service.

import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import fc from 'fast-check';
import pino from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { readConfiguration } from '../../src/configuration.ts';
import { isoFromNs } from '../../src/core/clock.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { listen } from '../../src/server.ts';
import { advanceClock } from '../http/machine-fixture.ts';
import { startService } from '../http/service-fixture.ts';
import { inMemory } from '../storage/migrated-database.ts';
import { unlimitedRates } from '../suites/unlimited-rates.ts';
import { ManualTimers } from './manual-timers.ts';
import { type ConnectOptions, connectSocket, type ReceivedMessage, type SocketClient } from './socket-client.ts';

const timers = new ManualTimers();
const service = await startService({ timers });
const { url, services, pool, streams } = service.running;
const { host } = new URL(url);
/** Takes a worker several seconds. */
const LONG_RUN = { steps: 200_000 };

const clients: SocketClient[] = [];
async function open(options?: ConnectOptions): Promise<SocketClient> {
  const client = await connectSocket(url, options);
  clients.push(client);
  return client;
}
/** A client that has authenticated with a key. */
async function openAs(key: string): Promise<SocketClient> {
  const client = await open();
  client.send({ op: 'auth', key });
  expect(await client.receive()).toMatchObject({ ok: true, op: 'auth' });
  return client;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.terminate();
  await until(() => streams.count() === 0);
});

const isFrame = ({ type }: ReceivedMessage) => type !== undefined;
const isError = ({ ok }: ReceivedMessage) => ok === false;

describe('the upgrade', () => {
  test.each([
    ['the service itself', `http://${host}`],
    ['a client without an Origin', undefined],
  ])('accepts %s', async (_, origin) => {
    const { socket } = await open(origin === undefined ? {} : { headers: { origin } });
    expect(socket.protocol).toBe('svc.v1');
    expect(socket.extensions).toBe('');
  });

  test.each(['https://example.org', 'null', 'http://127.0.0.1:1', `http://${host}.example.org`, ''])(
    'rejects the Origin %s',
    async (origin) => {
      const rejected = await open({ headers: { origin } }).catch((error) => error);
      expect(rejected.status).toBe(403);
      expect(JSON.parse(rejected.body)).toMatchObject({ ok: false, code: 'FORBIDDEN' });
    },
  );

  // DNS rebinding: a page's own host name resolves to this service, so Host and Origin are equal.
  test.each(['evil.example', `evil.example:${new URL(url).port}`, '127.0.0.1.nip.io', '10.0.0.1'])(
    'rejects the foreign Host %s',
    async (name) => {
      for (const page of [{ origin: `http://${name}` }, {}]) {
        const rejected = await open({ headers: { host: name, ...page } }).catch((error) => error);
        expect(rejected.status).toBe(403);
        expect(JSON.parse(rejected.body).error).toContain('is not a name of this service');
      }
    },
  );

  test('accepts the public host name, with or without a proxy, and its pages', async () => {
    const origin = 'https://svc.example';
    const environment = { PORT: '0', SVC_MASTER_KEY: randomBytes(32).toString('hex'), SVC_PUBLIC_URL: origin };
    const configuration = readConfiguration(environment);
    const proxied = await listen({ configuration, log: pino({ level: 'silent' }), ...(await inMemory()) });
    for (const headers of [{ host: 'svc.example', origin }, { host: 'svc.example' }, { origin }]) {
      const { socket } = await connectSocket(proxied.url, { headers });
      expect(socket.protocol).toBe('svc.v1');
      socket.terminate();
    }
    const foreign = { host: 'svc.example', origin: 'https://other.example' };
    expect((await connectSocket(proxied.url, { headers: foreign }).catch((error) => error)).status).toBe(403);
    await proxied.close();
  });

  test.each([[[]], [['svc.v2']], [['svc']]])('rejects the subprotocols %j', async (protocols) => {
    const rejected = await open({ protocols }).catch((error) => error);
    expect(rejected.status).toBe(400);
    expect(JSON.parse(rejected.body)).toMatchObject({ code: 'BAD_REQUEST', error: expect.stringContaining('svc.v1') });
  });

  test('selects its subprotocol among several', async () => {
    expect((await open({ protocols: ['other', 'svc.v1'] })).socket.protocol).toBe('svc.v1');
  });

  test('returns the protocol description for a plain GET', async () => {
    const description = (await service.call('GET /api/ws')).json();
    expect(description).toMatchObject({ ok: true, subprotocol: 'svc.v1', close_codes: { keyRefused: 4401 } });
    expect(Object.keys(description.ops as object)).toEqual([
      'auth',
      'subscribe',
      'unsubscribe',
      'solve',
      'stream',
      'cancel',
    ]);
    const channels = description.channels as ReceivedMessage[];
    expect(channels.map(({ channel, auth, sse }) => [channel, auth, sse])).toEqual([
      ['pulse', 'public', '/api/svc/pulse/stream'],
      ['solve', 'key', 'POST /api/svc/stream'],
      ['run', 'key', '/api/svc/stream/{id}'],
      ['aggregate', 'public', '/api/chain/aggregate/sse'],
      ['explorer', 'public', '/api/chain/{slug}/explore/sse'],
      ['events', 'key', '/api/chain/{slug}/events/stream'],
      ['transitions', 'key', '/api/chain/{slug}/contracts/{id}/transitions/stream'],
    ]);
  });

  test('ignores other upgrades', async () => {
    for (const [path, upgrade] of [
      ['/api/svc/pulse', 'h2c'],
      ['/api/svc/pulse', 'websocket'],
      ['/api/ws', 'h2c'],
    ]) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade, close\r\nUpgrade: ${upgrade}\r\n\r\n`,
      );
      let text = '';
      for await (const chunk of socket) text += chunk;
      expect(text, `${path} ${upgrade}`).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    }
  });

  test('rejects a malformed handshake and releases its slot', async () => {
    const head = `GET /api/ws HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;
    for (const rest of ['', 'Sec-WebSocket-Key: short\r\n', 'Sec-WebSocket-Version: 7\r\n']) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.write(`${head}Sec-WebSocket-Protocol: svc.v1\r\n${rest}\r\n`);
      let text = '';
      for await (const chunk of socket) text += chunk;
      expect(text).toMatch(/^HTTP\/1\.1 400 /);
    }
    await until(() => streams.count() === 0);
  });

  test('closes a rejected connection even if the client keeps its half open', async () => {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
    socket.write(`GET /api/ws HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    let text = '';
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) text += chunk;
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    // Writing to a closed connection causes a reset.
    const reset = new Promise((resolve) => socket.once('error', resolve));
    const writing = setInterval(() => socket.write('x'), 5);
    expect(await reset).toMatchObject({ code: expect.stringMatching(/^(ECONNRESET|EPIPE)$/) });
    clearInterval(writing);
  });

  test('limits the connections of one caller', async () => {
    for (let i = 0; i < LIMITS.stream.perCaller; i++) await open();
    const rejected = await open().catch((error) => error);
    expect(rejected.status).toBe(429);
  });
});

describe('authentication', () => {
  test('succeeds only with the first message', async () => {
    const client = await open();
    client.send({ op: 'auth', key: service.keys.write });
    expect(await client.receive()).toMatchObject({ ok: true, op: 'auth', scope: 'write', tier: 'high' });
    client.send({ op: 'auth', key: service.keys.admin });
    expect(await client.receive()).toMatchObject({ ok: false, code: 'CONFLICT' });
    expect(await client.closed()).toEqual({ code: 4401, reason: 'CONFLICT' });
  });

  test.each(['revoked', 'expired', 'malformed'] as const)('closes the connection if the key is %s', async (name) => {
    const client = await open();
    client.send({ op: 'auth', key: service.keys[name] });
    const response = await client.receive();
    expect(response).toMatchObject({ ok: false, request_id: expect.any(String) });
    expect(await client.closed()).toEqual({ code: 4401, reason: response.code });
  });

  test('counts the connection for the key', async () => {
    const all = await Promise.all(Array.from({ length: LIMITS.stream.perCaller }, () => openAs(service.keys.write)));
    expect(all).toHaveLength(LIMITS.stream.perCaller);
    const client = await open();
    client.send({ op: 'auth', key: service.keys.write });
    expect(await client.receive()).toMatchObject({ ok: false, code: 'RATE_LIMITED' });
    expect(await client.closed()).toMatchObject({ code: 4429 });
  });

  test('ends at once when its key is revoked, with all that runs in it', async () => {
    const owner = await services.access.authenticate(service.keys.admin);
    const { key, record } = await services.keys.create(owner, { name: 'x', scope: 'write', rate_limit_tier: 'high' });
    const client = await openAs(key);
    client.send({ op: 'solve', solver: 'evolve', input: LONG_RUN });
    await client.receive(isFrame);
    const other = await openAs(service.keys.write);
    await services.keys.revoke(owner, record.id);
    expect(await client.receive(isError)).toMatchObject({ code: 'KEY_REVOKED' });
    expect(await client.closed()).toEqual({ code: 4401, reason: 'KEY_REVOKED' });
    await until(() => pool.load().running === 0);
    // Those of other keys stay.
    other.send({ op: 'cancel', id: 'none' });
    expect(await other.receive(isError)).toMatchObject({ code: 'NOT_FOUND' });
    other.socket.close();
  });

  test('ends within a minute after its key has expired', async () => {
    const owner = await services.access.authenticate(service.keys.admin);
    const expires_at = isoFromNs(service.running.clock.now() + 60_000_000_000n);
    const request = { name: 'x', scope: 'write', rate_limit_tier: 'high', expires_at } as const;
    const client = await openAs((await services.keys.create(owner, request)).key);
    advanceClock(service, 120_000_000_000n);
    timers.fire(LIMITS.stream.reauthorizeMs);
    expect(await client.receive(isError)).toMatchObject({ code: 'KEY_EXPIRED' });
    expect(await client.closed()).toEqual({ code: 4401, reason: 'KEY_EXPIRED' });
  });
});

describe('reauthentication', () => {
  test.each([
    ['subscribe', { op: 'subscribe', channel: 'pulse', id: 'late' }],
    ['solve', { op: 'solve', solver: 'heat', input: { dim: 1, nx: 8 }, id: 'late' }],
  ])('prevents %s with an expired key on an open connection', async (op, message) => {
    const { keys, access } = services;
    const owner = await access.authenticate(service.keys.admin);
    const expires_at = isoFromNs(service.running.clock.now() + 60_000_000_000n);
    const { key } = await keys.create(owner, { name: 'x', scope: 'write', rate_limit_tier: 'high', expires_at });
    const client = await openAs(key);
    client.send({ op: 'solve', solver: 'evolve', input: LONG_RUN });
    await client.receive(isFrame);
    advanceClock(service, 120_000_000_000n);
    client.send(message);
    expect(await client.receive(isError)).toMatchObject({ code: 'KEY_EXPIRED', op, id: 'late' });
    expect(await client.closed()).toEqual({ code: 4401, reason: 'KEY_EXPIRED' });
    await until(() => pool.load().running === 0);
  });

  test('keeps the order of messages', async () => {
    const client = await openAs(service.keys.write);
    client.send({ op: 'solve', solver: 'evolve', input: LONG_RUN, id: 'a' });
    client.send({ op: 'cancel', id: 'a' });
    client.send({ op: 'subscribe', channel: 'pulse', id: 'b' });
    client.send({ op: 'unsubscribe', id: 'b' });
    const responses: unknown[] = [];
    while (responses.length < 4) {
      const { op, ok } = await client.receive((message) => message.ok === true);
      responses.push([op, ok]);
    }
    expect(responses).toEqual(['solve', 'cancel', 'subscribe', 'unsubscribe'].map((op) => [op, true]));
  });
});

describe('channels', () => {
  test('send frames until unsubscribed', async () => {
    const client = await open();
    client.send({ op: 'subscribe', channel: 'pulse' });
    expect(await client.receive()).toEqual({ ok: true, op: 'subscribe', channel: 'pulse', id: 'pulse' });
    const first = await client.receive();
    const { seq } = first;
    expect(first).toMatchObject({ channel: 'pulse', id: 'pulse', type: 'tick', data: { svcond: seq } });
    expect(await client.receive()).toMatchObject({ seq: Number(seq) + 1 });
    client.send({ op: 'unsubscribe', channel: 'pulse' });
    expect(await client.receive((message) => !isFrame(message))).toEqual({ ok: true, op: 'unsubscribe', id: 'pulse' });
    client.send({ op: 'unsubscribe', channel: 'pulse' });
    expect(await client.receive()).toMatchObject({ ok: false, code: 'NOT_FOUND', op: 'unsubscribe' });
  });

  test('resume after `since`, several concurrently', async () => {
    const client = await open();
    const { svcond } = services.pulse;
    client.send({ op: 'subscribe', channel: 'pulse', since: svcond - 3, id: 'a' });
    client.send({ op: 'subscribe', channel: 'pulse', since: svcond - 600, id: 'b' });
    client.send({ op: 'subscribe', channel: 'pulse', parameters: { since: null }, id: 'c' });
    client.send({ op: 'subscribe', channel: 'pulse', parameters: { since: '0x1c' }, id: 'd' });
    const a = await client.receive(({ id, type }) => id === 'a' && type !== undefined);
    expect(a).toMatchObject({ seq: svcond - 2 });
    expect(await client.receive(({ id, type }) => id === 'b' && type !== undefined)).toMatchObject({ type: 'gap' });
    expect(await client.receive(({ id, type }) => id === 'c' && type !== undefined)).toMatchObject({ type: 'tick' });
    expect(await client.receive(({ id }) => id === 'd')).toMatchObject({
      error: 'since is "0x1c"; a whole number of at least 0 is allowed.',
    });
  });

  test('are rejected for an unknown channel, a duplicate id or too many subscriptions', async () => {
    const client = await open();
    const expectError = async (message: object, expected: object) => {
      client.send({ op: 'subscribe', ...message });
      expect(await client.receive(isError)).toMatchObject({ op: 'subscribe', ...expected });
    };
    await expectError({ channel: 'puls' }, { code: 'NOT_FOUND', id: 'puls', error: expect.stringContaining('pulse') });
    for (let i = 0; i < LIMITS.stream.subscriptions; i++)
      client.send({ op: 'subscribe', channel: 'pulse', id: `${i}` });
    await expectError({ channel: 'pulse', id: '0' }, { code: 'CONFLICT', id: '0' });
    await expectError({ channel: 'pulse', id: 'more' }, { code: 'RATE_LIMITED', id: 'more' });
  });
});

describe('runs', () => {
  test('send progress, then the envelope that the route returns', async () => {
    const client = await openAs(service.keys.write);
    client.send({ op: 'solve', solver: 'evolve', input: { steps: 8_000, folder: 'socket' }, id: 'mine' });
    expect(await client.receive()).toEqual({ ok: true, op: 'solve', channel: 'evolve.solve', id: 'mine' });
    const frames: ReceivedMessage[] = [];
    do frames.push(await client.receive(isFrame));
    while (frames.at(-1)?.type === 'progress');
    expect(frames.map(({ seq }) => seq)).toEqual(frames.map((_, i) => i + 1));
    expect(frames.length).toBeGreaterThan(1);
    expect(frames[0]).toMatchObject({ channel: 'evolve.solve', id: 'mine', data: { fraction: expect.any(Number) } });
    const { data } = frames.at(-1) as { data: ReceivedMessage };
    const stored = await service.call(`GET /api/svc/runs/${data.run_id}`, { as: 'write' });
    expect(stored.json().envelope).toEqual(data);
  });

  test('need a key with write scope', async () => {
    const anonymous = await open();
    anonymous.send({ op: 'solve', solver: 'heat' });
    expect(await anonymous.receive(isError)).toMatchObject({ op: 'solve', id: 'heat', code: 'AUTH_REQUIRED' });
    const reader = await openAs(service.keys.read);
    reader.send({ op: 'solve', solver: 'heat' });
    expect(await reader.receive(isError)).toMatchObject({ op: 'solve', id: 'heat', code: 'FORBIDDEN' });
  });

  test('are rejected with field details', async () => {
    const client = await openAs(service.keys.write);
    client.send({ op: 'solve', solver: 'heat', input: { nx: 'many' } });
    const details = [expect.objectContaining({ path: 'nx' })];
    expect(await client.receive(isError)).toMatchObject({ id: 'heat', code: 'VALIDATION_FAILED', details });
    client.send({ op: 'solve', solver: 'heatt' });
    expect(await client.receive(isError)).toMatchObject({ id: 'heatt', code: 'NOT_FOUND' });
  });

  test.each(['cancel', 'disconnect'])('are stopped in their worker by: %s', async (action) => {
    const client = await openAs(service.keys.write);
    client.send({ op: 'solve', solver: 'evolve', input: LONG_RUN });
    await client.receive(isFrame);
    expect(pool.load().running).toBe(1);
    if (action === 'cancel') {
      client.send({ op: 'cancel', id: 'evolve' });
      const responses = [await client.receive((m) => !isFrame(m)), await client.receive((m) => !isFrame(m))];
      expect(responses).toContainEqual({ ok: true, op: 'cancel', ids: ['evolve'] });
      expect(responses).toContainEqual(expect.objectContaining({ op: 'solve', id: 'evolve', code: 'CANCELLED' }));
      client.send({ op: 'cancel', id: 'evolve' });
      expect(await client.receive()).toMatchObject({ ok: false, code: 'NOT_FOUND' });
    } else client.socket.terminate();
    await until(() => pool.load().running === 0);
  });

  test('are limited per connection, and can be cancelled together', async () => {
    const client = await openAs(service.keys.write);
    for (let i = 0; i <= LIMITS.stream.runs; i++)
      client.send({ op: 'solve', solver: 'evolve', input: LONG_RUN, id: `${i}` });
    expect(await client.receive(isError)).toMatchObject({ code: 'RATE_LIMITED', id: `${LIMITS.stream.runs}` });
    client.send({ op: 'cancel' });
    expect(await client.receive(({ op }) => op === 'cancel')).toMatchObject({ ids: ['0', '1', '2', '3'] });
    await until(() => pool.load().running + pool.load().waiting === 0);
  });
});

describe('an invalid message', () => {
  test.each([
    ['not JSON', '{'],
    ['empty', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['without an op', '{}'],
    ['with an unknown op', '{"op":"subscrib"}'],
    ['with an op of another type', '{"op":{"op":"auth"}}'],
    ['with the op of a prototype', '{"op":"toString"}'],
    ['with a key that reaches a prototype', '{"op":"solve","solver":"heat","input":{"__proto__":{"nx":8}}}'],
    ['too deep', `{"op":"solve","solver":"heat","input":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`],
    ['with an integer that a double does not hold', '{"op":"solve","solver":"heat","input":{"nx":9007199254740993}}'],
    ['with a key twice', '{"op":"solve","solver":"heat","input":{"nx":8,"nx":9}}'],
    ['with an unknown field', '{"op":"cancel","all":true}'],
    ['with a field of another type', '{"op":"subscribe","channel":7}'],
  ])('%s: is rejected, and the connection stays open', async (_, text) => {
    const client = await open();
    client.send(text);
    const response = await client.receive();
    expect(response).toMatchObject({ ok: false, error: expect.any(String) });
    expect(['BAD_REQUEST', 'BODY_TOO_DEEP', 'VALIDATION_FAILED']).toContain(response.code);
    client.send({ op: 'subscribe', channel: 'pulse' });
    expect(await client.receive()).toMatchObject({ ok: true });
  });

  test.each([
    [
      { op: 'subscribe', id: 'mine', channel: 'pulse', since: -1 },
      { op: 'subscribe', id: 'mine', channel: 'pulse' },
    ],
    [
      { op: 'subscribe', channel: 'pulse', since: -1 },
      { op: 'subscribe', id: 'pulse' },
    ],
    [
      { op: 'solve', solver: 'heat', id: 'mine', inputs: {} },
      { op: 'solve', id: 'mine' },
    ],
    [
      { op: 'solve', solver: 'heat', inputs: {} },
      { op: 'solve', id: 'heat' },
    ],
    [
      { op: 'unsubscribe', id: 'mine' },
      { op: 'unsubscribe', id: 'mine' },
    ],
    [
      { op: 'unsubscribe', channel: 'pulse' },
      { op: 'unsubscribe', id: 'pulse' },
    ],
    [
      { op: 'cancel', id: 'mine' },
      { op: 'cancel', id: 'mine' },
    ],
    [
      { op: 'cancel', id: 'mine', all: true },
      { op: 'cancel', id: 'mine' },
    ],
    [
      { op: 'auth', id: 'mine' },
      { op: 'auth', id: 'mine' },
    ],
    [
      { op: 'subscrib', id: 'mine' },
      { op: 'subscrib', id: 'mine' },
    ],
  ])('%j: the error response refers to its message', async (message, reference) => {
    const client = await open();
    client.send(message);
    expect(await client.receive(isError)).toMatchObject(reference);
  });

  test.each([7, '', 'x'.repeat(65), ['mine'], null])('%j is not a valid id and is not echoed', async (id) => {
    const client = await open();
    client.send({ op: 'cancel', id });
    const response = await client.receive(isError);
    expect(response).toMatchObject({ op: 'cancel', code: 'VALIDATION_FAILED' });
    expect(response).not.toHaveProperty('id');
  });

  test('binary messages are rejected', async () => {
    const client = await open();
    client.socket.send(Buffer.from('{"op":"cancel"}'));
    expect(await client.receive()).toMatchObject({ ok: false, code: 'BAD_REQUEST' });
  });

  test('random JSON never causes an internal error', async () => {
    const client = await open();
    const op = fc.constantFrom('auth', 'subscribe', 'unsubscribe', 'solve', 'cancel');
    const field = fc.constantFrom('channel', 'id', 'since', 'parameters', 'solver', 'input');
    const message = fc
      .tuple(op, fc.dictionary(field, fc.oneof(fc.constantFrom('pulse', 'heat'), fc.jsonValue())))
      .map(([op, fields]) => ({ ...fields, op }));
    await fc.assert(
      fc.asyncProperty(fc.oneof(message, fc.jsonValue()), async (given) => {
        if (client.socket.readyState !== client.socket.OPEN) return;
        client.send(JSON.stringify(given));
        const response = await client.receive((message) => !isFrame(message));
        expect(response.code).not.toBe('INTERNAL');
      }),
      { numRuns: 150, examples: [[{ op: 'subscribe', channel: 'pulse', since: -1 }]] },
    );
  });

  test('of more than 64 kB closes the connection with 1009', async () => {
    const allowed = await open();
    allowed.send(JSON.stringify({ op: 'x'.repeat(LIMITS.stream.messageBytes - 9) }));
    expect(await allowed.receive()).toMatchObject({ code: 'BAD_REQUEST' });
    const client = await open();
    client.send(JSON.stringify({ op: 'x'.repeat(LIMITS.stream.messageBytes - 8) }));
    expect(await client.closed()).toMatchObject({ code: 1009 });
  });

  test('a client that sends without reading is disconnected, and others are served meanwhile', async () => {
    const client = await open();
    client.socket.pause();
    const nonsense = JSON.stringify({ op: '\u{1f4a5}'.repeat(30) });
    let sent = 0;
    for (; streams.count() === 1 && sent < 500_000; sent += 1_000) {
      for (let i = 0; i < 1_000; i++) client.send(nonsense);
      expect((await service.call('GET /api/svc/pulse')).status).toBe(200);
      // Unread messages are buffered in the client.
      await until(() => client.socket.bufferedAmount < 1e6 || streams.count() === 0);
    }
    expect(streams.count()).toBe(0);
  });
});

describe('heartbeat', () => {
  test('pings every 25 s and disconnects a client that does not respond', async () => {
    const [responsive, dead] = [await open(), await open()];
    dead.socket.pause();
    expect(timers.fire(LIMITS.stream.heartbeatMs)).toBe(2);
    await new Promise((resolve) => responsive.socket.once('ping', resolve));
    await new Promise((resolve) => setTimeout(resolve, 50));
    timers.fire(LIMITS.stream.heartbeatMs);
    await until(() => streams.count() === 1);
    expect(responsive.socket.readyState).toBe(responsive.socket.OPEN);
  });
});

test('messages count as requests', async () => {
  const configuration = readConfiguration({ PORT: '0', SVC_MASTER_KEY: randomBytes(32).toString('hex') });
  const rates = unlimitedRates({ keyless: 4 });
  const slow = await listen({ configuration, log: pino({ level: 'silent' }), ...(await inMemory()), rates });
  // The connection is the first request.
  const client = await connectSocket(slow.url);
  for (let i = 0; i < 3; i++) {
    client.send({ op: 'cancel' });
    expect(await client.receive()).toMatchObject({ ok: true });
  }
  client.send({ op: 'cancel', id: 'mine' });
  const reference = { op: 'cancel', id: 'mine' };
  expect(await client.receive()).toMatchObject({ ...reference, code: 'RATE_LIMITED', retry_after: expect.any(Number) });
  const rejected = await connectSocket(slow.url).catch((error) => error);
  expect(rejected.status).toBe(429);

  // Shutdown with an open connection.
  const closed = slow.close();
  expect(await client.closed()).toEqual({ code: 1001, reason: 'SHUTTING_DOWN' });
  await closed;
});

test('shutdown waits for runs', async () => {
  const configuration = readConfiguration({ PORT: '0', SVC_MASTER_KEY: randomBytes(32).toString('hex') });
  const stopped = await listen({ configuration, log: pino({ level: 'silent' }), ...(await inMemory()) });
  const client = await connectSocket(stopped.url);
  client.send({ op: 'auth', key: (await stopped.services.keys.mintDemo()).key });
  client.send({ op: 'subscribe', channel: 'pulse' });
  client.send({ op: 'solve', solver: 'evolve', input: { steps: 20_000 } });
  await client.receive(({ type }) => type === 'progress');
  // From this call on, and while the run lasts, requests are refused.
  const closed = stopped.close();
  client.send({ op: 'solve', solver: 'heat' });
  expect(await client.receive(isError)).toMatchObject({ code: 'SHUTTING_DOWN' });
  expect(await client.receive(({ type }) => type === 'result')).toMatchObject({ data: { ok: true } });
  expect(await client.closed()).toEqual({ code: 1001, reason: 'SHUTTING_DOWN' });
  await closed;
});
