// Server-sent events of a running service: the pulse channel, and solver runs with progress.

import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import pino from 'pino';
import { describe, expect, test, vi } from 'vitest';
import { readConfiguration } from '../../src/configuration.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { listen } from '../../src/server.ts';
import { startService } from '../http/service-fixture.ts';
import { inMemory } from '../storage/migrated-database.ts';
import { ManualTimers } from './manual-timers.ts';
import { openEvents, type RequestOptions } from './sse-reader.ts';

const timers = new ManualTimers();
const service = await startService({ timers });
const { url, services, pool, streams } = service.running;
const PULSE = '/api/svc/pulse/stream';
/** Takes a worker several seconds. */
const LONG_RUN = { steps: 200_000 };
const EVENTS = { accept: 'text/event-stream' };

const open = (path: string, options?: RequestOptions) => openEvents(`${url}${path}`, options);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Sends a request and resets the connection at once. */
async function requestAndDisconnect(path: string, headers: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await new Promise((resolve) => socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`, resolve));
  socket.resetAndDestroy();
}

describe('the pulse channel', () => {
  test('is not opened if the client disconnects during authentication', async () => {
    const { access } = services;
    const authenticate = access.authenticate.bind(access);
    const called = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const spy = vi.spyOn(access, 'authenticate').mockImplementation(async (key) => {
      called.resolve();
      await gate.promise;
      return authenticate(key);
    });
    await requestAndDisconnect(PULSE, `Authorization: Bearer ${service.keys.read}\r\n`);
    await called.promise;
    // Gives the server time to notice the closed connection.
    await new Promise((resolve) => setTimeout(resolve, 50));
    gate.resolve();
    spy.mockRestore();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(streams.count()).toBe(0);
  });

  test('sends a frame per tick, from the current tick on', async () => {
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
    expect(pulse.nonEvents).toEqual(['retry: 3000']);
    pulse.close();
    await until(() => streams.count() === 0);
  });

  test('resumes after `since`, or after Last-Event-ID if both are given', async () => {
    const { svcond } = services.pulse;
    for (const [path, headers] of [
      [`${PULSE}?since=${svcond - 5}`, {}],
      [`${PULSE}?since=1`, { 'last-event-id': `${svcond - 5}` }],
      [PULSE, { 'last-event-id': `${svcond - 5}` }],
      [`${PULSE}?since=${svcond - 5}`, { 'last-event-id': '' }],
    ] as const) {
      const pulse = await open(path, { headers });
      for (let seq = svcond - 4; seq <= svcond; seq++) expect((await pulse.next())?.id).toBe(`${seq}`);
      pulse.close();
    }
  });

  test('sends a gap for skipped ticks', async () => {
    const pulse = await open(`${PULSE}?since=1000`);
    const gap = await pulse.next();
    const to = Number(gap?.id);
    expect(gap).toMatchObject({ event: 'gap', data: { type: 'gap', seq: to, from: 1001, to } });
    expect((await pulse.next())?.id).toBe(`${to + 1}`);
    pulse.close();
  });

  test('ignores an empty `since` or Last-Event-ID', async () => {
    const { svcond } = services.pulse;
    for (const [path, headers] of [
      [`${PULSE}?since=`, {}],
      [PULSE, { 'last-event-id': '' }],
    ] as const) {
      const pulse = await open(path, { headers });
      const first = await pulse.next();
      expect(first?.event).toBe('tick');
      expect(Number(first?.id)).toBeGreaterThanOrEqual(svcond);
      pulse.close();
    }
  });

  test.each(['-1', '1.5', 'abc', '1e99', '9007199254740993', '0x1c', '0b1', ' 7', '+7'])(
    'rejects since=%s',
    async (since) => {
      const rejected = await open(`${PULSE}?since=${encodeURIComponent(since)}`);
      expect(rejected.status).toBe(422);
      expect(JSON.parse(await rejected.text())).toMatchObject({
        code: 'VALIDATION_FAILED',
        details: [{ path: 'since' }],
      });
    },
  );

  test('sends comments as heartbeats', async () => {
    const pulse = await open(PULSE);
    await pulse.next();
    expect(timers.fire(LIMITS.stream.heartbeatMs)).toBeGreaterThan(0);
    await pulse.next();
    expect(pulse.nonEvents).toEqual(['retry: 3000', ':']);
    pulse.close();
  });

  test('responds to HEAD without starting a stream', async () => {
    const { status, headers } = await open(PULSE, { method: 'HEAD' });
    expect([status, headers['content-type']]).toEqual([200, 'text/event-stream']);
    await until(() => streams.count() === 0);
  });

  test('limits the streams of one caller, independently of other callers', async () => {
    await until(() => streams.count() === 0);
    const streamsOfCaller = await Promise.all(Array.from({ length: LIMITS.stream.perCaller }, () => open(PULSE)));
    for (const { status } of streamsOfCaller) expect(status).toBe(200);
    const rejected = await open(PULSE);
    expect([rejected.status, rejected.headers['retry-after']]).toEqual([429, '1']);
    expect(JSON.parse(await rejected.text())).toMatchObject({ ok: false, code: 'RATE_LIMITED' });
    // Demo keys count for their address.
    expect((await open(PULSE, { key: service.keys.demo })).status).toBe(429);
    const other = await open(PULSE, { key: service.keys.write });
    expect(other.status).toBe(200);
    other.close();
    streamsOfCaller[0]?.close();
    await until(() => streams.count() === LIMITS.stream.perCaller - 1);
    const another = await open(PULSE);
    expect(another.status).toBe(200);
    for (const pulse of [...streamsOfCaller, another]) pulse.close();
    await until(() => streams.count() === 0);
  });

  test('ends at once when its key is revoked, and leaves no timer', async () => {
    const owner = await services.access.authenticate(service.keys.admin);
    const { key, record } = await services.keys.create(owner, { name: 'x', scope: 'read', rate_limit_tier: 'high' });
    const before = timers.size;
    const pulse = await open(PULSE, { key });
    await pulse.next();
    timers.fire(LIMITS.stream.reauthorizeMs);
    expect(await pulse.next()).toMatchObject({ event: 'tick' });
    await services.keys.revoke(owner, record.id);
    const last = (await pulse.rest()).at(-1);
    expect(last).toMatchObject({ id: undefined, event: 'refused', data: { ok: false, code: 'KEY_REVOKED' } });
    await until(() => streams.count() === 0 && timers.size === before);
    expect((await open(PULSE, { key })).status).toBe(401);
  });
});

describe('a run with progress', () => {
  const solve = (body: unknown, options: RequestOptions = {}) =>
    open('/api/svc/evolve', { method: 'POST', key: service.keys.write, headers: EVENTS, body, ...options });

  test('sends progress, then the same envelope as without progress', async () => {
    const run = await solve({ steps: 8_000, folder: 'watched' });
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
    const stored = await service.call(`GET /api/svc/runs/${result?.data.run_id}`, { as: 'write' });
    expect(stored.json().envelope).toEqual(result?.data);
  });

  test('returns JSON unless events are requested', async () => {
    for (const accept of ['*/*', 'application/json', 'application/json, text/event-stream', 'text/html, */*;q=0.8']) {
      const { headers } = await solve({ steps: 100 }, { headers: { accept } });
      expect(headers['content-type'], accept).toBe('application/json; charset=utf-8');
    }
  });

  test('fails with an ordinary error response before the first frame', async () => {
    const invalid = await solve({ steps: -1 });
    expect([invalid.status, invalid.headers['content-type']]).toEqual([422, 'application/json; charset=utf-8']);
    expect(JSON.parse(await invalid.text())).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect((await solve({}, { key: undefined })).status).toBe(401);
    expect((await solve({}, { key: service.keys.read })).status).toBe(403);
  });

  test('is computed once for one Idempotency-Key', async () => {
    const headers = { ...EVENTS, 'idempotency-key': 'watched-0001' };
    const first = (await (await solve({ steps: 2_000 }, { headers })).rest()).at(-1);
    const repeated = await solve({ steps: 2_000 }, { headers });
    expect(repeated.headers['idempotency-replayed']).toBe('true');
    expect((await repeated.rest()).at(-1)?.data).toEqual(first?.data);
  });

  test('is stopped in its worker when the client disconnects', async () => {
    const run = await solve(LONG_RUN);
    expect(await run.next()).toMatchObject({ event: 'progress' });
    expect(pool.load().running).toBe(1);
    run.close();
    await until(() => pool.load().running === 0);
  });

  test('stays connected while it is queued', async () => {
    const { size } = pool.load();
    const full = await Promise.all(Array.from({ length: size }, () => solve(LONG_RUN)));
    await until(() => pool.load().running === size);
    const queued = solve({ steps: 100 });
    await until(() => pool.load().waiting === 1);
    timers.fire(LIMITS.stream.heartbeatMs);
    const run = await queued;
    expect(run.status).toBe(200);
    for (const other of full) other.close();
    expect((await run.rest()).at(-1)).toMatchObject({ event: 'result' });
    expect(run.nonEvents).toEqual(['retry: 3000', ':']);
  });

  test('reports a late error as a frame', async () => {
    const { size } = pool.load();
    const full = await Promise.all(Array.from({ length: size }, () => solve(LONG_RUN)));
    // Too long to run inline, and too coarse for `strict`.
    const body = { dim: 1, nx: 8, steps: 20_000, dt: 1e-5, strict: true };
    const coarse = open('/api/svc/heat', { method: 'POST', key: service.keys.write, headers: EVENTS, body });
    await until(() => pool.load().waiting === 1);
    timers.fire(LIMITS.stream.heartbeatMs);
    for (const other of full) other.close();
    // On a busy machine the run may report progress before it fails.
    const events = (await (await coarse).rest()).filter(({ event }) => event !== 'progress');
    expect(events).toMatchObject([{ id: undefined, event: 'refused', data: { ok: false, code: 'PRECISION_REFUSED' } }]);
  });
});

test('shutdown ends channels with the reason and lets runs finish', async () => {
  const configuration = readConfiguration({ PORT: '0', SVC_MASTER_KEY: randomBytes(32).toString('hex') });
  const stopped = await listen({ configuration, log: pino({ level: 'silent' }), ...(await inMemory()) });
  const { key } = await stopped.services.keys.mintDemo();
  const pulse = await openEvents(`${stopped.url}${PULSE}`);
  await pulse.next();
  const options = { method: 'POST', key, headers: EVENTS, body: { steps: 8_000 } };
  const run = await openEvents(`${stopped.url}/api/svc/evolve`, options);
  await run.next();
  const closed = stopped.close();
  expect((await pulse.rest()).at(-1)).toMatchObject({ event: 'refused', data: { code: 'SHUTTING_DOWN' } });
  expect((await run.rest()).at(-1)).toMatchObject({ event: 'result', data: { ok: true } });
  await closed;
});
