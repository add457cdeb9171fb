// The WebSocket of a whole service.

import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import fc from 'fast-check';
import pino from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { readConfiguration } from '../../src/configuration.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { listen } from '../../src/server.ts';
import { startService } from '../http/service.ts';
import { ManualTimers } from './manual-timers.ts';
import { type Client, type Dialled, dial, type Heard } from './socket-client.ts';

const timers = new ManualTimers();
const service = await startService({ timers });
const { url, services, pool, streams } = service.running;
const { host } = new URL(url);
/** Some seconds of a worker. */
const LONG = { steps: 200_000 };

const clients: Client[] = [];
async function open(options?: Dialled): Promise<Client> {
  const client = await dial(url, options);
  clients.push(client);
  return client;
}
/** A client that has said whose key it speaks with. */
async function openAs(key: string): Promise<Client> {
  const client = await open();
  client.say({ op: 'auth', key });
  expect(await client.hear()).toMatchObject({ ok: true, op: 'auth' });
  return client;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.terminate();
  await until(() => streams.count() === 0);
});

const isFrame = ({ type }: Heard) => type !== undefined;
const isRefusal = ({ ok }: Heard) => ok === false;

describe('the door', () => {
  test.each([
    ['the service itself', `http://${host}`],
    ['no page', undefined],
  ])('is open to %s', async (_, origin) => {
    const { socket } = await open(origin === undefined ? {} : { headers: { origin } });
    expect(socket.protocol).toBe('svc.v1');
    expect(socket.extensions).toBe('');
  });

  test.each(['https://example.org', 'null', 'http://127.0.0.1:1', `http://${host}.example.org`, ''])(
    'is closed to a page of %s',
    async (origin) => {
      const refused = await open({ headers: { origin } }).catch((error) => error);
      expect(refused.status).toBe(403);
      expect(JSON.parse(refused.body)).toMatchObject({ ok: false, code: 'FORBIDDEN' });
    },
  );

  // A page may give its own name our address: Host and Origin are the same then.
  test.each(['evil.example', `evil.example:${new URL(url).port}`, '127.0.0.1.nip.io', '10.0.0.1', 'a b'])(
    'is closed to the name %s, which is not ours',
    async (name) => {
      for (const page of [{ origin: `http://${name}` }, {}]) {
        const refused = await open({ headers: { host: name, ...page } }).catch((error) => error);
        expect(refused.status).toBe(403);
        expect(JSON.parse(refused.body).error).toContain('is not a name of this service');
      }
    },
  );

  test('is open to its public name, as a proxy hands it on or not, and to its pages', async () => {
    const origin = 'https://svc.example';
    const environment = { PORT: '0', SVC_MASTER_KEY: randomBytes(32).toString('hex'), SVC_PUBLIC_URL: origin };
    const configuration = readConfiguration(environment);
    const proxied = await listen({ configuration, log: pino({ level: 'silent' }), inMemory: true });
    for (const headers of [{ host: 'svc.example', origin }, { host: 'svc.example' }, { origin }]) {
      const { socket } = await dial(proxied.url, { headers });
      expect(socket.protocol).toBe('svc.v1');
      socket.terminate();
    }
    const foreign = { host: 'svc.example', origin: 'https://other.example' };
    expect((await dial(proxied.url, { headers: foreign }).catch((error) => error)).status).toBe(403);
    await proxied.close();
  });

  test.each([[[]], [['svc.v2']], [['svc']]])('needs the subprotocol; %j is not it', async (protocols) => {
    const refused = await open({ protocols }).catch((error) => error);
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.body)).toMatchObject({ code: 'BAD_REQUEST', error: expect.stringContaining('svc.v1') });
  });

  test('takes the right one among several subprotocols', async () => {
    expect((await open({ protocols: ['other', 'svc.v1'] })).socket.protocol).toBe('svc.v1');
  });

  test('answers a plain GET with what may be said', async () => {
    const answer = (await service.call('GET /api/ws')).json();
    expect(answer).toMatchObject({ ok: true, subprotocol: 'svc.v1', close_codes: { keyRefused: 4401 } });
    expect(Object.keys(answer.ops as object)).toEqual(['auth', 'subscribe', 'unsubscribe', 'solve', 'cancel']);
    const channels = answer.channels as Heard[];
    expect(channels.map(({ channel, auth, sse }) => [channel, auth, sse])).toEqual([
      ['pulse', 'public', '/api/svc/pulse/stream'],
      ['aggregate', 'public', '/api/chain/aggregate/sse'],
      ['explorer', 'public', '/api/chain/{slug}/explore/sse'],
      ['events', 'key', '/api/chain/{slug}/events/stream'],
      ['transitions', 'key', '/api/chain/{slug}/contracts/{id}/transitions/stream'],
    ]);
  });

  test('other upgrades are answered as if they had not asked', async () => {
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

  test('a handshake that is none is refused, and leaves nothing behind', async () => {
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

  test('a refused handshake is closed, even for one who keeps his end open', async () => {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
    socket.write(`GET /api/ws HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    let text = '';
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) text += chunk;
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    // What is written to a connection that is gone is answered with a reset.
    const reset = new Promise((resolve) => socket.once('error', resolve));
    const writing = setInterval(() => socket.write('x'), 5);
    expect(await reset).toMatchObject({ code: expect.stringMatching(/^(ECONNRESET|EPIPE)$/) });
    clearInterval(writing);
  });

  test('so many connections of one caller are open', async () => {
    for (let i = 0; i < LIMITS.stream.perCaller; i++) await open();
    const refused = await open().catch((error) => error);
    expect(refused.status).toBe(429);
  });
});

describe('speaking with a key', () => {
  test('is answered with its prefix, and only at the beginning', async () => {
    const client = await open();
    client.say({ op: 'auth', key: service.keys.write });
    expect(await client.hear()).toMatchObject({ ok: true, op: 'auth', scope: 'write', tier: 'high' });
    client.say({ op: 'auth', key: service.keys.admin });
    expect(await client.hear()).toMatchObject({ ok: false, code: 'CONFLICT' });
    expect(await client.closed()).toEqual({ code: 4401, reason: 'CONFLICT' });
  });

  test.each(['revoked', 'expired', 'malformed'] as const)('ends the connection when the key is %s', async (name) => {
    const client = await open();
    client.say({ op: 'auth', key: service.keys[name] });
    const refusal = await client.hear();
    expect(refusal).toMatchObject({ ok: false, request_id: expect.any(String) });
    expect(await client.closed()).toEqual({ code: 4401, reason: refusal.code });
  });

  test('is counted with the other streams of the key', async () => {
    const all = await Promise.all(Array.from({ length: LIMITS.stream.perCaller }, () => openAs(service.keys.write)));
    expect(all).toHaveLength(LIMITS.stream.perCaller);
    const client = await open();
    client.say({ op: 'auth', key: service.keys.write });
    expect(await client.hear()).toMatchObject({ ok: false, code: 'RATE_LIMITED' });
    expect(await client.closed()).toMatchObject({ code: 4429 });
  });

  test('ends within a minute of the revocation', async () => {
    const owner = await services.access.authenticate(service.keys.admin);
    const { key, record } = await services.keys.create(owner, { name: 'x', scope: 'write', rate_limit_tier: 'high' });
    const client = await openAs(key);
    client.say({ op: 'solve', solver: 'evolve', input: LONG });
    await client.hear(isFrame);
    timers.ring(LIMITS.stream.authorityMs);
    await services.keys.revoke(owner, record.id);
    timers.ring(LIMITS.stream.authorityMs);
    expect(await client.hear(isRefusal)).toMatchObject({ code: 'KEY_REVOKED' });
    expect(await client.closed()).toEqual({ code: 4401, reason: 'KEY_REVOKED' });
    await until(() => pool.load().running === 0);
  });
});

describe('a key', () => {
  test.each([
    ['subscribe', { op: 'subscribe', channel: 'pulse', id: 'late' }],
    ['solve', { op: 'solve', solver: 'heat', input: { dim: 1, nx: 8 }, id: 'late' }],
  ])('that was revoked starts nothing more over an open connection: %s', async (op, message) => {
    const { keys, access } = services;
    const owner = await access.authenticate(service.keys.admin);
    const { key, record } = await keys.create(owner, { name: 'x', scope: 'write', rate_limit_tier: 'high' });
    const client = await openAs(key);
    client.say({ op: 'solve', solver: 'evolve', input: LONG });
    await client.hear(isFrame);
    await keys.revoke(owner, record.id);
    client.say(message);
    expect(await client.hear(isRefusal)).toMatchObject({ code: 'KEY_REVOKED', op, id: 'late' });
    expect(await client.closed()).toEqual({ code: 4401, reason: 'KEY_REVOKED' });
    await until(() => pool.load().running === 0);
  });

  test('is asked for again without a message overtaking another one', async () => {
    const client = await openAs(service.keys.write);
    client.say({ op: 'solve', solver: 'evolve', input: LONG, id: 'a' });
    client.say({ op: 'cancel', id: 'a' });
    client.say({ op: 'subscribe', channel: 'pulse', id: 'b' });
    client.say({ op: 'unsubscribe', id: 'b' });
    const answers: unknown[] = [];
    while (answers.length < 4) {
      const { op, ok } = await client.hear((message) => message.ok === true);
      answers.push([op, ok]);
    }
    expect(answers).toEqual(['solve', 'cancel', 'subscribe', 'unsubscribe'].map((op) => [op, true]));
  });
});

describe('channels', () => {
  test('send frames until they are unsubscribed', async () => {
    const client = await open();
    client.say({ op: 'subscribe', channel: 'pulse' });
    expect(await client.hear()).toEqual({ ok: true, op: 'subscribe', channel: 'pulse', id: 'pulse' });
    const first = await client.hear();
    const { seq } = first;
    expect(first).toMatchObject({ channel: 'pulse', id: 'pulse', type: 'tick', data: { svcond: seq } });
    expect(await client.hear()).toMatchObject({ seq: Number(seq) + 1 });
    client.say({ op: 'unsubscribe', channel: 'pulse' });
    expect(await client.hear((message) => !isFrame(message))).toEqual({ ok: true, op: 'unsubscribe', id: 'pulse' });
    client.say({ op: 'unsubscribe', channel: 'pulse' });
    expect(await client.hear()).toMatchObject({ ok: false, code: 'NOT_FOUND', op: 'unsubscribe' });
  });

  test('resume after `since`, several beside each other', async () => {
    const client = await open();
    const { svcond } = services.pulse;
    client.say({ op: 'subscribe', channel: 'pulse', since: svcond - 3, id: 'a' });
    client.say({ op: 'subscribe', channel: 'pulse', since: svcond - 600, id: 'b' });
    client.say({ op: 'subscribe', channel: 'pulse', parameters: { since: null }, id: 'c' });
    client.say({ op: 'subscribe', channel: 'pulse', parameters: { since: '0x1c' }, id: 'd' });
    const a = await client.hear(({ id, type }) => id === 'a' && type !== undefined);
    expect(a).toMatchObject({ seq: svcond - 2 });
    expect(await client.hear(({ id, type }) => id === 'b' && type !== undefined)).toMatchObject({ type: 'gap' });
    expect(await client.hear(({ id, type }) => id === 'c' && type !== undefined)).toMatchObject({ type: 'tick' });
    expect(await client.hear(({ id }) => id === 'd')).toMatchObject({
      error: 'since is "0x1c"; a whole number of at least 0 is allowed.',
    });
  });

  test('are refused by name, by parameter, by id and by number', async () => {
    const client = await open();
    const refusedWith = async (message: object, expected: object) => {
      client.say({ op: 'subscribe', ...message });
      expect(await client.hear(isRefusal)).toMatchObject({ op: 'subscribe', ...expected });
    };
    await refusedWith({ channel: 'puls' }, { code: 'NOT_FOUND', id: 'puls', error: expect.stringContaining('pulse') });
    for (let i = 0; i < LIMITS.stream.subscriptions; i++) client.say({ op: 'subscribe', channel: 'pulse', id: `${i}` });
    await refusedWith({ channel: 'pulse', id: '0' }, { code: 'CONFLICT', id: '0' });
    await refusedWith({ channel: 'pulse', id: 'more' }, { code: 'RATE_LIMITED', id: 'more' });
  });
});

describe('runs', () => {
  test('answer progress and then the envelope that the route would have answered', async () => {
    const client = await openAs(service.keys.write);
    client.say({ op: 'solve', solver: 'evolve', input: { steps: 8_000, folder: 'socket' }, id: 'mine' });
    expect(await client.hear()).toEqual({ ok: true, op: 'solve', channel: 'evolve.solve', id: 'mine' });
    const frames: Heard[] = [];
    do frames.push(await client.hear(isFrame));
    while (frames.at(-1)?.type === 'progress');
    expect(frames.map(({ seq }) => seq)).toEqual(frames.map((_, i) => i + 1));
    expect(frames.length).toBeGreaterThan(1);
    expect(frames[0]).toMatchObject({ channel: 'evolve.solve', id: 'mine', data: { fraction: expect.any(Number) } });
    const { data } = frames.at(-1) as { data: Heard };
    const filed = await service.call(`GET /api/svc/runs/${data.run_id}`, { as: 'write' });
    expect(filed.json().envelope).toEqual(data);
  });

  test('need a key that may compute', async () => {
    const anonymous = await open();
    anonymous.say({ op: 'solve', solver: 'heat' });
    expect(await anonymous.hear(isRefusal)).toMatchObject({ op: 'solve', id: 'heat', code: 'AUTH_REQUIRED' });
    const reader = await openAs(service.keys.read);
    reader.say({ op: 'solve', solver: 'heat' });
    expect(await reader.hear(isRefusal)).toMatchObject({ op: 'solve', id: 'heat', code: 'FORBIDDEN' });
  });

  test('are refused with the details of their fields', async () => {
    const client = await openAs(service.keys.write);
    client.say({ op: 'solve', solver: 'heat', input: { nx: 'many' } });
    const details = [expect.objectContaining({ path: 'nx' })];
    expect(await client.hear(isRefusal)).toMatchObject({ id: 'heat', code: 'VALIDATION_FAILED', details });
    client.say({ op: 'solve', solver: 'heatt' });
    expect(await client.hear(isRefusal)).toMatchObject({ id: 'heatt', code: 'NOT_FOUND' });
  });

  test.each(['cancel', 'hang up'])('leave their worker when they are ended by: %s', async (how) => {
    const client = await openAs(service.keys.write);
    client.say({ op: 'solve', solver: 'evolve', input: LONG });
    await client.hear(isFrame);
    expect(pool.load().running).toBe(1);
    if (how === 'cancel') {
      client.say({ op: 'cancel', id: 'evolve' });
      const answers = [await client.hear((m) => !isFrame(m)), await client.hear((m) => !isFrame(m))];
      expect(answers).toContainEqual({ ok: true, op: 'cancel', ids: ['evolve'] });
      expect(answers).toContainEqual(expect.objectContaining({ op: 'solve', id: 'evolve', code: 'CANCELLED' }));
      client.say({ op: 'cancel', id: 'evolve' });
      expect(await client.hear()).toMatchObject({ ok: false, code: 'NOT_FOUND' });
    } else client.socket.terminate();
    await until(() => pool.load().running === 0);
  });

  test('of one connection are so many at once, and all are cancelled together', async () => {
    const client = await openAs(service.keys.write);
    for (let i = 0; i <= LIMITS.stream.runs; i++)
      client.say({ op: 'solve', solver: 'evolve', input: LONG, id: `${i}` });
    expect(await client.hear(isRefusal)).toMatchObject({ code: 'RATE_LIMITED', id: `${LIMITS.stream.runs}` });
    client.say({ op: 'cancel' });
    expect(await client.hear(({ op }) => op === 'cancel')).toMatchObject({ ids: ['0', '1', '2', '3'] });
    await until(() => pool.load().running + pool.load().waiting === 0);
  });
});

describe('what is not a message', () => {
  test.each([
    ['not JSON', '{'],
    ['nothing', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['without an op', '{}'],
    ['with an unknown op', '{"op":"subscrib"}'],
    ['with an op of another type', '{"op":{"op":"auth"}}'],
    ['with the op of a prototype', '{"op":"toString"}'],
    ['with a key that reaches a prototype', '{"op":"solve","solver":"heat","input":{"__proto__":{"nx":8}}}'],
    ['too deep', `{"op":"solve","solver":"heat","input":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`],
    ['with an unknown field', '{"op":"cancel","all":true}'],
    ['with a field of another type', '{"op":"subscribe","channel":7}'],
  ])('%s: is refused, and the connection goes on', async (_, text) => {
    const client = await open();
    client.say(text);
    const refusal = await client.hear();
    expect(refusal).toMatchObject({ ok: false, error: expect.any(String) });
    expect(['BAD_REQUEST', 'BODY_TOO_DEEP', 'VALIDATION_FAILED']).toContain(refusal.code);
    client.say({ op: 'subscribe', channel: 'pulse' });
    expect(await client.hear()).toMatchObject({ ok: true });
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
  ])('%j: its refusal says which message it answers', async (said, names) => {
    const client = await open();
    client.say(said);
    expect(await client.hear(isRefusal)).toMatchObject(names);
  });

  test.each([7, '', 'x'.repeat(65), ['mine'], null])('%j is no id, and is not said again', async (id) => {
    const client = await open();
    client.say({ op: 'cancel', id });
    const refusal = await client.hear(isRefusal);
    expect(refusal).toMatchObject({ op: 'cancel', code: 'VALIDATION_FAILED' });
    expect(refusal).not.toHaveProperty('id');
  });

  test('bytes are refused', async () => {
    const client = await open();
    client.socket.send(Buffer.from('{"op":"cancel"}'));
    expect(await client.hear()).toMatchObject({ ok: false, code: 'BAD_REQUEST' });
  });

  test('random JSON never meets a defect', async () => {
    const client = await open();
    const op = fc.constantFrom('auth', 'subscribe', 'unsubscribe', 'solve', 'cancel');
    const field = fc.constantFrom('channel', 'id', 'since', 'parameters', 'solver', 'input');
    const message = fc
      .tuple(op, fc.dictionary(field, fc.oneof(fc.constantFrom('pulse', 'heat'), fc.jsonValue())))
      .map(([op, fields]) => ({ ...fields, op }));
    await fc.assert(
      fc.asyncProperty(fc.oneof(message, fc.jsonValue()), async (given) => {
        if (client.socket.readyState !== client.socket.OPEN) return;
        client.say(JSON.stringify(given));
        const answer = await client.hear((heard) => !isFrame(heard));
        expect(answer.code).not.toBe('INTERNAL');
      }),
      { numRuns: 150, examples: [[{ op: 'subscribe', channel: 'pulse', since: -1 }]] },
    );
  });

  test('more than 64 kB is refused with 1009', async () => {
    const allowed = await open();
    allowed.say(JSON.stringify({ op: 'x'.repeat(LIMITS.stream.messageBytes - 9) }));
    expect(await allowed.hear()).toMatchObject({ code: 'BAD_REQUEST' });
    const client = await open();
    client.say(JSON.stringify({ op: 'x'.repeat(LIMITS.stream.messageBytes - 8) }));
    expect(await client.closed()).toMatchObject({ code: 1009 });
  });

  test('one who asks and asks and never reads is cut off, and others are served meanwhile', async () => {
    const client = await open();
    client.socket.pause();
    const nonsense = JSON.stringify({ op: '\u{1f4a5}'.repeat(30) });
    let said = 0;
    for (; streams.count() === 1 && said < 500_000; said += 1_000) {
      for (let i = 0; i < 1_000; i++) client.say(nonsense);
      expect((await service.call('GET /api/svc/pulse')).status).toBe(200);
      // What the server has not read yet waits here, in the client.
      await until(() => client.socket.bufferedAmount < 1e6 || streams.count() === 0);
    }
    expect(streams.count()).toBe(0);
  });
});

describe('silence', () => {
  test('is asked about every 25 s, and who does not answer is cut off', async () => {
    const [quick, dead] = [await open(), await open()];
    dead.socket.pause();
    expect(timers.ring(LIMITS.stream.heartbeatMs)).toBe(2);
    await new Promise((resolve) => quick.socket.once('ping', resolve));
    await new Promise((resolve) => setTimeout(resolve, 50));
    timers.ring(LIMITS.stream.heartbeatMs);
    await until(() => streams.count() === 1);
    expect(quick.socket.readyState).toBe(quick.socket.OPEN);
  });
});

test('messages count as requests', async () => {
  const configuration = readConfiguration({ PORT: '0', SVC_MASTER_KEY: randomBytes(32).toString('hex') });
  const rates = { keyless: 4, demo: 9, free: 9, standard: 9, high: 9, playground: 9, spinUp: 9, unlock: 9 };
  const slow = await listen({ configuration, log: pino({ level: 'silent' }), inMemory: true, rates });
  // The connection is the first request.
  const client = await dial(slow.url);
  for (let i = 0; i < 3; i++) {
    client.say({ op: 'cancel' });
    expect(await client.hear()).toMatchObject({ ok: true });
  }
  client.say({ op: 'cancel', id: 'mine' });
  const names = { op: 'cancel', id: 'mine' };
  expect(await client.hear()).toMatchObject({ ...names, code: 'RATE_LIMITED', retry_after: expect.any(Number) });
  const refused = await dial(slow.url).catch((error) => error);
  expect(refused.status).toBe(429);

  // It stops while the connection stands.
  const closed = slow.close();
  expect(await client.closed()).toEqual({ code: 1001, reason: 'SHUTTING_DOWN' });
  await closed;
});

test('stopping the service waits for runs that were asked for', async () => {
  const configuration = readConfiguration({ PORT: '0', SVC_MASTER_KEY: randomBytes(32).toString('hex') });
  const stopped = await listen({ configuration, log: pino({ level: 'silent' }), inMemory: true });
  const client = await dial(stopped.url);
  client.say({ op: 'auth', key: (await stopped.services.keys.mintDemo()).key });
  client.say({ op: 'subscribe', channel: 'pulse' });
  client.say({ op: 'solve', solver: 'evolve', input: { steps: 8_000 } });
  await client.hear(({ type }) => type === 'progress');
  const closed = stopped.close();
  await new Promise((resolve) => setTimeout(resolve, 20));
  client.say({ op: 'solve', solver: 'heat' });
  expect(await client.hear(isRefusal)).toMatchObject({ code: 'SHUTTING_DOWN' });
  expect(await client.hear(({ type }) => type === 'result')).toMatchObject({ data: { ok: true } });
  expect(await client.closed()).toEqual({ code: 1001, reason: 'SHUTTING_DOWN' });
  await closed;
});
