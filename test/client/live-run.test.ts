// Frames of a run through a connection that breaks again and again, and to the terminal.

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import type { LiveEvent } from '../../src/client/live-run.ts';
import { plotFault } from '../../src/solvers/plot-fault.ts';
import { startService } from '../http/service-fixture.ts';

const service = await startService({ liveLimits: { frameMs: 0, drawShare: 1 } });
const { url } = service.running;
const key = service.keys.write;
const RUN = { N: 32, steps: 4_000 };

/** Passes bytes on, and cuts each connection after `bytes` of its answer. */
async function cuttingProxy(bytes: number): Promise<{ readonly url: string; readonly cuts: () => number }> {
  let cuts = 0;
  const sockets = new Set<Socket>();
  const proxy = createServer((downstream) => {
    const upstream = connect(Number(new URL(url).port), '127.0.0.1');
    for (const one of [downstream, upstream]) sockets.add(one.on('error', () => {}));
    downstream.pipe(upstream);
    let passed = 0;
    upstream.on('data', (chunk: Buffer) => {
      passed += chunk.length;
      downstream.write(chunk);
      if (passed < bytes) return;
      cuts++;
      downstream.destroy();
      upstream.destroy();
    });
    upstream.on('end', () => downstream.end());
    downstream.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, cuts: () => cuts };
}

async function read(from: string, input: object, solver = 'react'): Promise<LiveEvent<unknown>[]> {
  const events: LiveEvent<unknown>[] = [];
  const stream = createClient({ url: from, key }).stream(solver, input as Record<string, unknown>, { retryMs: 1 });
  for await (const event of stream) events.push(event);
  return events;
}

test('yields begin, decoded frames, and the envelope', async () => {
  const events = await read(url, RUN);
  expect(events[0]).toMatchObject({ type: 'begin', solver: 'react' });
  const drawn = events.flatMap((event) => (event.type === 'frame' && event.plot ? [event] : []));
  expect(drawn.length).toBeGreaterThan(2);
  for (const { plot, arrays } of drawn) if (plot) expect(plotFault(plot, arrays)).toBeUndefined();
  expect(events.at(-1)).toMatchObject({ type: 'result', envelope: { ok: true, solver: 'react' } });
});

test('reconnects after every cut, with each frame once and the result last', async () => {
  const proxy = await cuttingProxy(60_000);
  const events = await read(proxy.url, RUN);
  let seen = 0;
  for (const event of events) {
    if (event.type === 'gap') {
      expect(event.from).toBe(seen + 1);
      seen = event.to;
    } else if (event.type === 'frame') expect(event.seq).toBe(++seen);
  }
  expect(proxy.cuts()).toBeGreaterThan(2);
  expect(events.filter(({ type }) => type === 'begin')).toHaveLength(1);
  expect(events.findIndex(({ type }) => type === 'result')).toBe(events.length - 1);
});

test('throws the refusal of the service with its code', async () => {
  await expect(read(url, { nx: -1 }, 'heat')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  const strict = { dim: 1, nx: 8, steps: 20_000, dt: 1e-5, strict: true };
  await expect(read(url, strict, 'heat')).rejects.toMatchObject({ code: 'PRECISION_REFUSED' });
});

test('gives up an unreachable service, and stops when it is told to', async () => {
  await expect(read('http://127.0.0.1:9', {})).rejects.toThrow('Cannot connect');
  const controller = new AbortController();
  const stream = createClient({ url, key }).stream('react', RUN, { signal: controller.signal });
  await stream.next();
  controller.abort();
  await expect(
    (async () => {
      for await (const _ of stream);
    })(),
  ).rejects.toThrow();
});
