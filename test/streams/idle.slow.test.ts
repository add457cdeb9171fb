// Memory of a service with many readers: 500 of the pulse, 2,000 of the explorer.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import type { Memory, ServiceInfo } from './idle-service.ts';
import { type Event, type EventReader, openEvents } from './sse-reader.ts';

const READERS = 500;
const MAX_BYTES = 50e6;

async function memoryOf(child: ChildProcess): Promise<Memory> {
  child.send('memory');
  return (await once(child, 'message'))[0] as Memory;
}

function closeAll(opened: readonly EventReader[]): Promise<void> {
  for (const stream of opened) stream.close();
  return sleep(1_000);
}

test('500 idle streams use less than 50 MB, receive all frames, and release their memory', async () => {
  const child = fork(new URL('./idle-service.ts', import.meta.url), { execArgv: ['--expose-gc'] });
  try {
    const { url, keys } = (await once(child, 'message'))[0] as ServiceInfo;
    const openAll = async () => {
      const opened: EventReader[] = [];
      for (const key of keys)
        for (let i = 0; i < LIMITS.stream.perCaller && opened.length < READERS; i++)
          opened.push(await openEvents(`${url}/api/svc/pulse/stream`, { key }));
      return opened;
    };
    // Warm-up, so that code and caches are loaded before the first measurement.
    await closeAll(await openAll());
    const before = await memoryOf(child);
    expect(before.streams).toBe(0);

    const opened = await openAll();
    expect(opened).toHaveLength(READERS);
    const firsts = await Promise.all(opened.map((stream) => stream.next()));
    const seconds = await Promise.all(opened.map((stream) => stream.next()));
    for (const [i, first] of firsts.entries()) expect(Number(seconds[i]?.id)).toBe(Number(first?.id) + 1);
    await sleep(5_000);
    const open = await memoryOf(child);
    expect(open.streams).toBe(READERS);
    console.log(
      `500 streams: ${((open.rss - before.rss) / 1e6).toFixed(1)} MB resident, ${((open.heap - before.heap) / 1e6).toFixed(1)} MB heap`,
    );
    expect(open.rss - before.rss).toBeLessThan(MAX_BYTES);
    expect(open.heap - before.heap).toBeLessThan(MAX_BYTES);

    await closeAll(opened);
    const after = await memoryOf(child);
    expect(after.streams).toBe(0);
    expect(after.heap - before.heap).toBeLessThan(MAX_BYTES / 10);
  } finally {
    child.disconnect();
  }
});

test('2,000 streams of 25 machines use less than 200 MB, receive each row once, and release their memory', async () => {
  const READERS = LIMITS.stream.perNode;
  const MAX_BYTES = 200e6;
  const child = fork(new URL('./idle-service.ts', import.meta.url), { execArgv: ['--expose-gc'] });
  try {
    const { url, keys, machines } = (await once(child, 'message'))[0] as ServiceInfo;
    expect(keys.length * LIMITS.stream.perCaller).toBeGreaterThanOrEqual(READERS);
    const openAll = async () => {
      const opened: EventReader[] = [];
      for (let i = 0; i < READERS; i++) {
        const slug = machines[i % machines.length];
        const key = keys[Math.floor(i / LIMITS.stream.perCaller)];
        opened.push(await openEvents(`${url}/api/chain/${slug}/explore/sse`, { key }));
      }
      return opened;
    };
    // Warm-up, so that code and caches are loaded before the first measurement.
    await closeAll(await openAll());
    const before = await memoryOf(child);
    expect(before.streams).toBe(0);

    const opened = await openAll();
    for (const { event } of (await Promise.all(opened.map((stream) => stream.next()))) as Event[])
      expect(event).toBe('begin');
    const firstRows = opened.map((stream) => stream.next());
    child.send('write');
    await once(child, 'message');
    const firsts = await Promise.all(firstRows);
    const secondRows = opened.map((stream) => stream.next());
    child.send('write');
    await once(child, 'message');
    const seconds = await Promise.all(secondRows);
    for (const [i, first] of firsts.entries()) expect(Number(seconds[i]?.id)).toBe(Number(first?.id) + 1);
    await sleep(5_000);
    const open = await memoryOf(child);
    expect(open.streams).toBe(READERS);
    console.log(
      `${READERS} streams: ${((open.rss - before.rss) / 1e6).toFixed(1)} MB resident, ${((open.heap - before.heap) / 1e6).toFixed(1)} MB heap`,
    );
    expect(open.rss - before.rss).toBeLessThan(MAX_BYTES);
    expect(open.heap - before.heap).toBeLessThan(MAX_BYTES);

    await closeAll(opened);
    const after = await memoryOf(child);
    expect(after.streams).toBe(0);
    expect(after.heap - before.heap).toBeLessThan(MAX_BYTES / 10);
  } finally {
    child.disconnect();
  }
});
