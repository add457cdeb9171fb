// Streamed runs of a running service: frames, resuming, slow readers, cancelling, owners.

import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { decodedArray } from '../../src/client/live-run.ts';
import { LIMITS } from '../../src/core/limits.ts';

import { plotFault } from '../../src/solvers/plot-fault.ts';
import type { Caller } from '../http/service-fixture.ts';
import { startService } from '../http/service-fixture.ts';
import { ManualTimers } from './manual-timers.ts';
import { connectSocket } from './socket-client.ts';
import { type Event, type EventReader, openEvents } from './sse-reader.ts';

const ABANDONED_MS = 400;
const timers = new ManualTimers();
/** Frames as often and as large as possible, so that short runs have many and fill the buffers of a socket. */
const liveLimits = { frameMs: 0, drawShare: 1, abandonedMs: ABANDONED_MS, numbers: 20_000 };
const service = await startService({ timers, liveLimits });
const { url, services, pool, streams } = service.running;
const ROUTE = `${url}/api/svc/stream`;
/** About a fifth of a second in a worker. */
const RUN = { solver: 'react', N: 32, steps: 4_000 };
/** Takes a worker several seconds. */
const LONG = { solver: 'react', N: 128, steps: 30_000 };

const start = (body: object, as: Caller = 'admin', headers = {}) =>
  openEvents(ROUTE, { method: 'POST', key: service.keys[as], body, headers });
const resume = (run: unknown, since?: number, as: Caller = 'admin') =>
  openEvents(`${ROUTE}/${run}`, {
    key: service.keys[as],
    headers: since === undefined ? {} : { 'last-event-id': `${since}` },
  });
const cancel = (run: unknown, as: Caller = 'admin') => service.call(`DELETE /api/svc/stream/${run}`, { as });

async function begun(reader: EventReader): Promise<{ readonly run: string }> {
  const event = await reader.next();
  expect(event).toMatchObject({ id: expect.any(String), event: 'begin', data: { seq: expect.any(Number) } });
  return event?.data as { run: string };
}

const ids = (events: readonly Event[]) => events.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]));

afterEach(async () => {
  await expect.poll(() => pool.load().running + pool.load().waiting, { timeout: 5_000 }).toBe(0);
});

describe('a streamed run', () => {
  test('begins, shows its frames, and ends with the envelope that its route gives', async () => {
    const reader = await start(RUN);
    expect([reader.status, reader.headers['content-type']]).toEqual([200, 'text/event-stream']);
    const [begin, ...events] = await reader.rest();
    const result = events.pop();
    const run = begin?.data.run;
    expect(begin).toMatchObject({ id: '0', data: { solver: 'react', href: `${ROUTE}/${run}` } });
    expect(ids(events)).toEqual(events.map((_, i) => i + 1));
    expect(events.length).toBeGreaterThan(3);
    let last = 0;
    for (const { event, data } of events) {
      const { fraction, plot, arrays } = data as {
        fraction: number;
        plot?: never;
        arrays?: Parameters<typeof decodedArray>[0][];
      };
      expect(event).toBe('frame');
      expect(fraction).toBeGreaterThanOrEqual(last);
      last = fraction;
      if (plot !== undefined) expect(plotFault(plot, (arrays ?? []).map(decodedArray))).toBeUndefined();
    }
    expect(events.some(({ data }) => data.plot !== undefined)).toBe(true);
    expect(result).toMatchObject({ id: `${events.length + 1}`, event: 'result' });
    const { solver, ...body } = RUN;
    const plain = await service.call(`POST /api/svc/${solver}`, { as: 'admin', json: body });
    expect(pureOf(result?.data)).toEqual(pureOf(plain.json()));
    expect(Object.keys(result?.data ?? {})).toEqual(Object.keys(plain.json()));
  });
});

describe('resuming', () => {
  test('after every frame, a reader misses nothing but what a gap names, and gets the result once', async () => {
    let reader = await start(RUN);
    const { run } = await begun(reader);
    const seen: Event[] = [];
    for (;;) {
      const event = await reader.next();
      if (event === undefined) throw new Error('The stream ended without a result.');
      seen.push(event);
      if (event.event === 'result') break;
      reader.close();
      reader = await resume(run, Number(event.id));
      expect(await begun(reader)).toMatchObject({ run, seq: Number(event.id) });
    }
    assertComplete(seen);
    expect(seen.length).toBeGreaterThan(4);
  });

  test('after any number of frames, the same holds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(6), { minLength: 1, maxLength: 4 }), async (counts) => {
        let reader = await start({ ...RUN, steps: 2_000 });
        const { run } = await begun(reader);
        const seen: Event[] = [];
        let since = 0;
        for (const count of counts) {
          for (let i = 0; i < count; i++) {
            const event = await reader.next();
            if (event === undefined) break;
            seen.push(event);
            since = Number(event.id);
          }
          reader.close();
          if (seen.at(-1)?.event === 'result') break;
          reader = await resume(run, since);
          await begun(reader);
        }
        if (seen.at(-1)?.event !== 'result') seen.push(...(await reader.rest()));
        assertComplete(seen);
      }),
      { numRuns: 4 },
    );
  });

  test('the result is given again with the same bytes, without another run', async () => {
    const first = await start(RUN);
    const { run } = await begun(first);
    const result = (await first.rest()).at(-1);
    for (const since of [undefined, 0, Number(result?.id), 1e9]) {
      const again = (await (await resume(run, since)).rest()).at(-1);
      expect([again?.id, JSON.stringify(again?.data)]).toEqual([result?.id, JSON.stringify(result?.data)]);
    }
    expect(pool.load().running).toBe(0);
  });

  test('two readers of one run receive the same frames', async () => {
    const one = await start(RUN);
    const { run } = await begun(one);
    const two = await resume(run, 0);
    await begun(two);
    const [first, second] = await Promise.all([one.rest(), two.rest()]);
    assertComplete(first);
    assertComplete(second);
    const texts = new Map(first.map(({ id, event, data }) => [`${event} ${id}`, JSON.stringify(data)]));
    const both = second.filter(({ id, event }) => texts.has(`${event} ${id}`));
    expect(both.length).toBeGreaterThan(2);
    for (const { id, event, data } of both) expect(JSON.stringify(data)).toBe(texts.get(`${event} ${id}`));
  });

  test.each(['other', 'write', 'demo', 'read'] as const)('the run of another key is not found: %s', async (as) => {
    const reader = await start(LONG);
    const { run } = await begun(reader);
    const refused = await resume(run, 0, as);
    expect(refused.status).toBe(404);
    expect(JSON.parse(await refused.text())).toMatchObject({ code: 'RUN_NOT_FOUND', reason: 'unknown' });
    if (as !== 'read') expect((await cancel(run, as)).json()).toMatchObject({ code: 'RUN_NOT_FOUND' });
    expect((await cancel(run)).json()).toMatchObject({ ok: true, run, cancelled: true });
  });

  test('the run of another node is not found, which the answer says', async () => {
    const reader = await resume('12345678-0000-8000-8000-000000000000');
    expect(reader.status).toBe(404);
    expect(JSON.parse(await reader.text())).toMatchObject({ code: 'RUN_NOT_FOUND', reason: 'other_node' });
  });

  test('an Idempotency-Key finds the run whose first answer was lost, and refuses another body', async () => {
    const headers = { 'idempotency-key': 'the-key-of-this-run' };
    const [one, two] = [await start(RUN, 'admin', headers), await start(RUN, 'admin', headers)];
    const { run } = await begun(one);
    expect(await begun(two)).toMatchObject({ run });
    const other = await start({ ...RUN, N: 16 }, 'admin', headers);
    expect([other.status, JSON.parse(await other.text()).code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    const foreign = await start(RUN, 'other', headers);
    expect((await begun(foreign)).run).not.toBe(run);
    for (const reader of [one, two, foreign]) expect((await reader.rest()).at(-1)?.event).toBe('result');
  });
});

describe('a run ends', () => {
  test('within 100 ms of work when it is cancelled, and its readers are refused', async () => {
    const elapsed: number[] = [];
    for (let i = 0; i < 3; i++) {
      const reader = await start(LONG);
      const { run } = await begun(reader);
      await reader.next();
      const startMs = performance.now();
      expect((await cancel(run)).json()).toMatchObject({ cancelled: true });
      expect((await reader.rest()).at(-1)).toMatchObject({
        id: undefined,
        event: 'refused',
        data: { code: 'CANCELLED' },
      });
      while (pool.load().running > 0) await new Promise((resolve) => setTimeout(resolve, 1));
      elapsed.push(performance.now() - startMs);
      expect((await cancel(run)).json()).toMatchObject({ cancelled: false });
    }
    // The machine may be busy with other tests.
    expect(Math.min(...elapsed)).toBeLessThan(100);
  });

  test('when nobody has listened for a while, and not before', async () => {
    const reader = await start(LONG);
    const { run } = await begun(reader);
    reader.close();
    await new Promise((resolve) => setTimeout(resolve, ABANDONED_MS / 4));
    const back = await resume(run, 0);
    expect(await begun(back)).toMatchObject({ run });
    await new Promise((resolve) => setTimeout(resolve, 1.5 * ABANDONED_MS));
    expect(pool.load().running).toBe(1);
    back.close();
    await expect.poll(() => pool.load().running, { timeout: 5_000 }).toBe(0);
    expect((await (await resume(run)).rest()).at(-1)).toMatchObject({ event: 'refused', data: { code: 'CANCELLED' } });
  });

  test('for a reader whose key is revoked, who cannot come back', async () => {
    const made = await service.call('POST /api/keys', { as: 'admin', json: { name: 'short-lived', scope: 'write' } });
    const { key, record } = made.json() as { key: string; record: { id: string } };
    const reader = await openEvents(ROUTE, { method: 'POST', key, body: LONG });
    const { run } = await begun(reader);
    await service.call(`DELETE /api/keys/${record.id}`, { as: 'admin' });
    expect((await reader.rest()).at(-1)).toMatchObject({ event: 'refused', data: { code: 'KEY_REVOKED' } });
    const back = await openEvents(`${ROUTE}/${run}`, { key });
    expect([back.status, JSON.parse(await back.text()).code]).toEqual([401, 'KEY_REVOKED']);
  });

  test.each([
    [404, 'NOT_FOUND', { solver: 'haet' }],
    [422, 'VALIDATION_FAILED', { solver: 'heat', nx: -1 }],
    [422, 'VALIDATION_FAILED', { solver: 'heat', input: { nxx: 16 } }],
    [422, 'VALIDATION_FAILED', { solver: 'heat', nx: 16, input: { nx: 16 } }],
    [422, 'VALIDATION_FAILED', { input: {} }],
    [422, 'UNSTABLE_SCHEME', { solver: 'heat', method: 'explicit', dt: 1 }],
    [422, 'BUDGET_EXCEEDED', { solver: 'react', N: 256, steps: 1_000_000 }],
  ] as const)('before it begins, with status %s %s: %o', async (status, code, body) => {
    const reader = await start(body);
    expect([reader.status, JSON.parse(await reader.text()).code]).toEqual([status, code]);
    expect(streams.count()).toBe(0);
  });

  test('with the refusal of its result, code and details', async () => {
    const body = { dim: 1, nx: 8, steps: 20_000, dt: 1e-5, strict: true };
    const plain = await service.call('POST /api/svc/heat', { as: 'admin', json: body });
    const { request_id: _, ...refusal } = plain.json();
    expect(refusal).toMatchObject({ ok: false, code: 'PRECISION_REFUSED' });
    const reader = await start({ solver: 'heat', ...body });
    const { run } = await begun(reader);
    for (const one of [reader, await resume(run)])
      expect((await one.rest()).at(-1)).toMatchObject({ id: undefined, event: 'refused', data: refusal });
  });

  test('with the dimensional gate, as its route does', async () => {
    const [, last] = await (await start({ solver: 'heat', inputs: { viscosity: 1 } })).rest();
    expect(last).toMatchObject({ event: 'result', data: { value: null, value_repr: 'NaN' } });
  });
});

describe('many runs', () => {
  test('a hundred are computed, and no more than a share of them is kept', async () => {
    const bodies = Array.from({ length: 100 }, (_, seed) => ({ solver: 'quant', paths: 2_000, seed }));
    const values = new Set<unknown>();
    const next = async () => {
      for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
        const result = (await (await start(body)).rest()).at(-1);
        expect(result?.event).toBe('result');
        values.add(result?.data.value);
        expect(services.liveRuns.size).toBeLessThanOrEqual(2 * LIMITS.live.perTenant);
      }
    };
    await Promise.all(Array.from({ length: 8 }, next));
    expect(values.size).toBe(100);
    expect(streams.count()).toBe(0);
  });

  test('a reader that does not read costs a bounded number of bytes, and gets a gap and the result', async () => {
    const body = JSON.stringify({ solver: 'react', N: 128, steps: 1_200 });
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const head = `POST /api/svc/stream HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${service.keys.admin}\r\n`;
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    socket.pause();
    let text = first.toString('latin1');
    const run = services.liveRuns.find(
      /"run":"([^"]+)/.exec(text)?.[1] ?? '',
      await services.access.authenticate(service.keys.admin),
    );
    let most = 0;
    await expect
      .poll(
        () => {
          if (!run.hasEnded) most = Math.max(most, run.bytes);
          return pool.load().running;
        },
        { timeout: 30_000, interval: 20 },
      )
      .toBe(0);
    expect(most).toBeGreaterThan(LIMITS.live.ringBytes / 2);
    expect(most).toBeLessThanOrEqual(LIMITS.live.ringBytes);
    for await (const chunk of socket) {
      text += (chunk as Buffer).toString('latin1');
      if (text.includes('event: result') && text.endsWith('\n\n')) break;
    }
    expect(text.includes('event: gap')).toBe(true);
    socket.destroy();
  });
});

describe('on the WebSocket', () => {
  const connectAs = async (as: Caller) => {
    const client = await connectSocket(url);
    client.send({ op: 'auth', key: service.keys[as] });
    await client.receive();
    return client;
  };

  test('a run is started, outlives its connection, and is resumed on another', async () => {
    const { solver, ...input } = RUN;
    const one = await connectAs('admin');
    one.send({ op: 'stream', solver, input });
    expect(await one.receive()).toEqual({ ok: true, op: 'stream', channel: 'solve', id: 'react' });
    const begin = await one.receive();
    const { run } = begin.data as { run: string };
    expect(begin).toMatchObject({ channel: 'solve', id: 'react', seq: 0, type: 'begin', data: { solver } });
    const { seq } = await one.receive(({ type }) => type === 'frame');
    one.socket.terminate();
    const two = await connectAs('admin');
    two.send({ op: 'stream', run, since: seq, id: 'again' });
    expect(await two.receive()).toMatchObject({ ok: true, channel: 'run', id: 'again' });
    const result = await two.receive(({ type }) => type === 'result');
    const again = (await (await resume(run)).rest()).at(-1);
    expect(JSON.stringify(result.data)).toBe(JSON.stringify(again?.data));
    two.socket.close();
  });

  test('a run is cancelled by its name, and errors name the message', async () => {
    const client = await connectAs('admin');
    client.send({ op: 'stream', ...{ solver: LONG.solver, input: { N: LONG.N, steps: LONG.steps } }, id: 'a' });
    const begin = await client.receive(({ type }) => type === 'begin');
    const { run } = begin.data as { run: string };
    client.send({ op: 'cancel', run });
    expect(await client.receive(({ code }) => code !== undefined)).toMatchObject({
      op: 'stream',
      id: 'a',
      code: 'CANCELLED',
    });
    for (const [message, code] of [
      [{ op: 'stream' }, 'VALIDATION_FAILED'],
      [{ op: 'stream', solver: 'heat', run }, 'VALIDATION_FAILED'],
      [{ op: 'stream', solver: 'haet', id: 'x' }, 'NOT_FOUND'],
      [{ op: 'stream', run: 'none', id: 'x' }, 'VALIDATION_FAILED'],
      [{ op: 'cancel', run: '12345678-0000-8000-8000-000000000000' }, 'RUN_NOT_FOUND'],
    ] as const) {
      client.send(message);
      const refused = await client.receive(({ ok }) => ok === false);
      expect(refused).toMatchObject({ op: message.op, code });
    }
    client.socket.close();
  });
});

test('a client that asks for JSON gets the envelope alone', async () => {
  const answer = await service.call('POST /api/svc/stream', {
    as: 'admin',
    json: { solver: 'heat', nx: 16 },
    headers: { accept: 'application/json' },
  });
  expect(answer.headers.get('content-type')).toContain('application/json');
  expect(answer.json()).toMatchObject({ ok: true, solver: 'heat' });
});

/** Ascending from 1 without a hole that no gap names; the result is the last event. */
function assertComplete(events: readonly Event[]): void {
  let seen = 0;
  for (const { id, event, data } of events) {
    if (event === 'gap') expect(data).toMatchObject({ from: seen + 1, to: Number(id) });
    else expect(Number(id)).toBe(seen + 1);
    seen = Number(id);
  }
  expect(events.map(({ event }) => event).indexOf('result')).toBe(events.length - 1);
}

const TIMES = new Set([
  'R_t',
  'phase',
  'svcond',
  'masterSum',
  'master_sum',
  'E',
  'stamps',
  'svcProof',
  'seal',
  'equations',
  'alpha_eff',
  'cko',
]);

/** Without what depends on the time of the call. */
function pureOf(envelope: Readonly<Record<string, unknown>> = {}) {
  const { verification, ...rest } = envelope as { verification?: object };
  const { rtCorrelation: _, ...verified } = (verification ?? {}) as { rtCorrelation?: number };
  return { ...Object.fromEntries(Object.entries(rest).filter(([name]) => !TIMES.has(name))), verification: verified };
}
