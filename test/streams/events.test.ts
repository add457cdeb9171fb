// Server-sent events of a whole service: the pulse channel, and runs that their caller watches.

import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import pino from 'pino';
import { describe, expect, test, vi } from 'vitest';
import { readConfiguration } from '../../src/configuration.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { listen } from '../../src/server.ts';
import { startService } from '../http/service.ts';
import { ManualTimers } from './manual-timers.ts';
import { type Asked, openEvents } from './sse-reader.ts';

const timers = new ManualTimers();
const service = await startService({ timers });
const { url, services, pool, streams } = service.running;
const PULSE = '/api/svc/pulse/stream';
/** Some seconds of a worker. */
const LONG = { steps: 200_000 };
const EVENTS = { accept: 'text/event-stream' };

const open = (path: string, asked?: Asked) => openEvents(`${url}${path}`, asked);

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A request whose caller is gone before anybody has looked at it. */
async function askAndLeave(path: string, headers: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await new Promise((resolve) => socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`, resolve));
  socket.resetAndDestroy();
}

describe('the pulse channel', () => {
  test('is not opened for one who has left while the key was looked up', async () => {
    const { access } = services;
    const authenticate = access.authenticate.bind(access);
    const asked = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const spy = vi.spyOn(access, 'authenticate').mockImplementation(async (key) => {
      asked.resolve();
      await gate.promise;
      return authenticate(key);
    });
    await askAndLeave(PULSE, `Authorization: Bearer ${service.keys.read}\r\n`);
    await asked.promise;
    // The server has heard that the connection is gone.
    await new Promise((resolve) => setTimeout(resolve, 50));
    gate.resolve();
    spy.mockRestore();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(streams.count()).toBe(0);
  });

  test('answers a frame each tick, from the one under way', async () => {
    const pulse = await open(PULSE);
    expect(pulse.status).toBe(200);
    expect(pulse.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      connection: 'close',
      'access-control-allow-origin': '*',
    });
    const { svcond } = services.pulse;
    const frames = [await pulse.next(), await pulse.next(), await pulse.next()];
    const [first] = frames;
    expect(Number(first?.id)).toBeGreaterThanOrEqual(svcond - 1);
    for (const [i, frame] of frames.entries()) {
      const seq = Number(first?.id) + i;
      expect(frame).toMatchObject({ id: `${seq}`, event: 'tick', data: { seq, type: 'tick', svcond: seq } });
    }
    expect(pulse.asides).toEqual(['retry: 3000']);
    pulse.hangUp();
    await until(() => streams.count() === 0);
  });

  test('resumes after `since`, and after Last-Event-ID even where the address has an older `since`', async () => {
    const { svcond } = services.pulse;
    for (const [path, headers] of [
      [`${PULSE}?since=${svcond - 5}`, {}],
      [`${PULSE}?since=1`, { 'last-event-id': `${svcond - 5}` }],
      [PULSE, { 'last-event-id': `${svcond - 5}` }],
      [`${PULSE}?since=${svcond - 5}`, { 'last-event-id': '' }],
    ] as const) {
      const pulse = await open(path, { headers });
      for (let seq = svcond - 4; seq <= svcond; seq++) expect((await pulse.next())?.id).toBe(`${seq}`);
      pulse.hangUp();
    }
  });

  test('tells of the ticks that it leaves out after a long absence', async () => {
    const pulse = await open(`${PULSE}?since=1000`);
    const gap = await pulse.next();
    const to = Number(gap?.id);
    expect(gap).toMatchObject({ event: 'gap', data: { type: 'gap', seq: to, from: 1001, to } });
    expect((await pulse.next())?.id).toBe(`${to + 1}`);
    pulse.hangUp();
  });

  test('an empty `since` or Last-Event-ID is none: it begins with the tick under way', async () => {
    const { svcond } = services.pulse;
    for (const [path, headers] of [
      [`${PULSE}?since=`, {}],
      [PULSE, { 'last-event-id': '' }],
    ] as const) {
      const pulse = await open(path, { headers });
      const first = await pulse.next();
      expect(first?.event).toBe('tick');
      expect(Number(first?.id)).toBeGreaterThanOrEqual(svcond);
      pulse.hangUp();
    }
  });

  test.each(['-1', '1.5', 'abc', '1e99', '9007199254740993', '0x1c', '0b1', ' 7', '+7'])(
    'refuses since=%s before it begins',
    async (since) => {
      const refused = await open(`${PULSE}?since=${encodeURIComponent(since)}`);
      expect(refused.status).toBe(422);
      expect(JSON.parse(await refused.text())).toMatchObject({
        code: 'VALIDATION_FAILED',
        details: [{ path: 'since' }],
      });
    },
  );

  test('keeps a silent connection alive with comments', async () => {
    const pulse = await open(PULSE);
    await pulse.next();
    expect(timers.ring(LIMITS.stream.heartbeatMs)).toBeGreaterThan(0);
    await pulse.next();
    expect(pulse.asides).toEqual(['retry: 3000', ':']);
    pulse.hangUp();
  });

  test('answers HEAD without beginning', async () => {
    const { status, headers } = await open(PULSE, { method: 'HEAD' });
    expect([status, headers['content-type']]).toEqual([200, 'text/event-stream']);
    await until(() => streams.count() === 0);
  });

  test('is open to so many readers of one caller, and to others beside them', async () => {
    await until(() => streams.count() === 0);
    const own = await Promise.all(Array.from({ length: LIMITS.stream.perCaller }, () => open(PULSE)));
    for (const { status } of own) expect(status).toBe(200);
    const refused = await open(PULSE);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    expect(JSON.parse(await refused.text())).toMatchObject({ ok: false, code: 'RATE_LIMITED' });
    // Demo keys of one address count with it.
    expect((await open(PULSE, { key: service.keys.demo })).status).toBe(429);
    const other = await open(PULSE, { key: service.keys.write });
    expect(other.status).toBe(200);
    other.hangUp();
    own[0]?.hangUp();
    await until(() => streams.count() === LIMITS.stream.perCaller - 1);
    const again = await open(PULSE);
    expect(again.status).toBe(200);
    for (const pulse of [...own, again]) pulse.hangUp();
    await until(() => streams.count() === 0);
  });

  test('ends within a minute of the revocation of its key, and leaves no timer behind', async () => {
    const owner = await services.access.authenticate(service.keys.admin);
    const { key, record } = await services.keys.create(owner, { name: 'x', scope: 'read', rate_limit_tier: 'high' });
    const before = timers.size;
    const pulse = await open(PULSE, { key });
    await pulse.next();
    timers.ring(LIMITS.stream.authorityMs);
    expect(await pulse.next()).toMatchObject({ event: 'tick' });
    await services.keys.revoke(owner, record.id);
    timers.ring(LIMITS.stream.authorityMs);
    const last = (await pulse.rest()).at(-1);
    expect(last).toMatchObject({ id: undefined, event: 'refused', data: { ok: false, code: 'KEY_REVOKED' } });
    await until(() => streams.count() === 0 && timers.size === before);
    expect((await open(PULSE, { key })).status).toBe(401);
  });
});

describe('a run that its caller watches', () => {
  const watch = (body: unknown, asked: Asked = {}) =>
    open('/api/svc/evolve', { method: 'POST', key: service.keys.write, headers: EVENTS, body, ...asked });

  test('answers progress, then the envelope as it would be without', async () => {
    const run = await watch({ steps: 8_000, folder: 'watched' });
    expect([run.status, run.headers['content-type'], run.headers.vary]).toEqual([200, 'text/event-stream', 'Accept']);
    const events = await run.rest();
    const result = events.at(-1);
    const progress = events.slice(0, -1);
    expect(progress.length).toBeGreaterThan(0);
    for (const [i, { event, id, data }] of progress.entries()) {
      expect([event, id]).toEqual(['progress', `${i + 1}`]);
      expect(data).toMatchObject({ seq: i + 1, type: 'progress', svcond: expect.any(Number) });
      expect(data.fraction).toBeGreaterThan(Number(progress[i - 1]?.data.fraction ?? 0));
      expect(data.fraction).toBeLessThanOrEqual(1);
    }
    expect(result).toMatchObject({ event: 'result', id: `${events.length}` });
    const filed = await service.call(`GET /api/svc/runs/${result?.data.run_id}`, { as: 'write' });
    expect(filed.json().envelope).toEqual(result?.data);
  });

  test('is JSON for whoever does not ask for events', async () => {
    for (const accept of ['*/*', 'application/json', 'application/json, text/event-stream', 'text/html, */*;q=0.8']) {
      const { headers } = await watch({ steps: 100 }, { headers: { accept } });
      expect(headers['content-type'], accept).toBe('application/json; charset=utf-8');
    }
  });

  test('is an ordinary refusal when nothing has begun', async () => {
    const invalid = await watch({ steps: -1 });
    expect([invalid.status, invalid.headers['content-type']]).toEqual([422, 'application/json; charset=utf-8']);
    expect(JSON.parse(await invalid.text())).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect((await watch({}, { key: undefined })).status).toBe(401);
    expect((await watch({}, { key: service.keys.read })).status).toBe(403);
  });

  test('sent twice with one Idempotency-Key is computed once', async () => {
    const headers = { ...EVENTS, 'idempotency-key': 'watched-0001' };
    const first = (await (await watch({ steps: 2_000 }, { headers })).rest()).at(-1);
    const again = await watch({ steps: 2_000 }, { headers });
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect((await again.rest()).at(-1)?.data).toEqual(first?.data);
  });

  test('is stopped in its worker when the caller hangs up', async () => {
    const run = await watch(LONG);
    expect(await run.next()).toMatchObject({ event: 'progress' });
    expect(pool.load().running).toBe(1);
    run.hangUp();
    await until(() => pool.load().running === 0);
  });

  test('stays connected while it waits', async () => {
    const { size } = pool.load();
    const full = await Promise.all(Array.from({ length: size }, () => watch(LONG)));
    await until(() => pool.load().running === size);
    const waiting = watch({ steps: 100 });
    await until(() => pool.load().waiting === 1);
    timers.ring(LIMITS.stream.heartbeatMs);
    const run = await waiting;
    expect(run.status).toBe(200);
    for (const other of full) other.hangUp();
    expect((await run.rest()).at(-1)).toMatchObject({ event: 'result' });
    expect(run.asides).toEqual(['retry: 3000', ':']);
  });

  test('tells of a refusal that comes after it has begun', async () => {
    const { size } = pool.load();
    const full = await Promise.all(Array.from({ length: size }, () => watch(LONG)));
    // Too long to be answered here and now, and too coarse to be sealed.
    const body = { dim: 1, nx: 8, steps: 20_000, dt: 1e-5, strict: true };
    const coarse = open('/api/svc/heat', { method: 'POST', key: service.keys.write, headers: EVENTS, body });
    await until(() => pool.load().waiting === 1);
    timers.ring(LIMITS.stream.heartbeatMs);
    for (const other of full) other.hangUp();
    const events = await (await coarse).rest();
    expect(events).toMatchObject([{ id: undefined, event: 'refused', data: { ok: false, code: 'PRECISION_REFUSED' } }]);
  });
});

test('stopping the service ends its streams, with the reason, and lets a watched run finish', async () => {
  const configuration = readConfiguration({ PORT: '0', SVC_MASTER_KEY: randomBytes(32).toString('hex') });
  const stopped = await listen({ configuration, log: pino({ level: 'silent' }), inMemory: true });
  const { key } = await stopped.services.keys.mintDemo();
  const pulse = await openEvents(`${stopped.url}${PULSE}`);
  await pulse.next();
  const asked = { method: 'POST', key, headers: EVENTS, body: { steps: 8_000 } };
  const run = await openEvents(`${stopped.url}/api/svc/evolve`, asked);
  await run.next();
  const closed = stopped.close();
  expect((await pulse.rest()).at(-1)).toMatchObject({ event: 'refused', data: { code: 'SHUTTING_DOWN' } });
  expect((await run.rest()).at(-1)).toMatchObject({ event: 'result', data: { ok: true } });
  await closed;
});
