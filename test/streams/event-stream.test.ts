// One answer on a real connection, with a reader who is slow or gone.

import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { type Frame, follow, type Log } from '../../src/services/machines/follow.ts';
import { EventAnswers } from '../../src/streams/events.ts';
import { OpenStreams } from '../../src/streams/open-streams.ts';
import { ManualTimers } from './manual-timers.ts';

const ROW = 'x'.repeat(10_000);
/** What Node and the two kernels of the connection may hold. */
const IN_FLIGHT_ROWS = 2_000;

const timers = new ManualTimers();
const open = new OpenStreams();
const answers = new EventAnswers({ services: { pulse: { svcond: 1 } as never }, open, timers, onFailed: () => {} });
let serve: (response: ServerResponse) => void = () => {};
const server = createServer((_, response) => serve(response));
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** Rows of 10 kB; the log has as many as the test says and counts those that were read. */
class FastLog implements Log {
  size = 1;
  rowsRead = 0;

  head(): number {
    return this.size;
  }

  *read(first: number, last: number): Iterable<Frame> {
    for (let seq = first; seq <= last; seq++) {
      this.rowsRead++;
      yield { seq, type: 'row', data: { ROW } };
    }
  }

  /** Each wait brings another thousand rows: a log that is always ahead of its reader. */
  async growth(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.size += 1_000;
  }
}

function ask(): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return socket;
}

const reader = (stop: AbortController) => ({ requestId: 'r', countedAs: 'c', stop, recheck: undefined });

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('a reader who stops reading costs a bounded memory, and is told of the gap when it reads on', async () => {
  const log = new FastLog();
  const stop = new AbortController();
  let response: ServerResponse | undefined;
  serve = (given) => {
    response = given;
    void answers.relay(given, follow(log, 0, stop.signal), reader(stop));
  };
  const socket = ask();
  socket.pause();
  await until(() => response?.writableNeedDrain === true);
  // Nothing is taken any more: the log grows, the answer does not.
  await until(() => response?.writableNeedDrain === true && log.rowsRead > 1);
  const readBefore = log.rowsRead;
  log.size += 1_000_000;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(log.rowsRead - readBefore).toBeLessThanOrEqual(LIMITS.stream.backlog);
  expect(log.rowsRead).toBeLessThan(IN_FLIGHT_ROWS);
  expect(response?.writableLength).toBeLessThan(64 * 1024 + 2 * ROW.length);

  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: unknown) => {
    text = (text + String(chunk)).slice(-3 * ROW.length);
    if (text.includes('event: gap')) socket.pause();
  });
  socket.resume();
  await until(() => text.includes('event: gap') && text.includes('"to":'));
  const [, from, to] = /"type":"gap","from":(\d+),"to":(\d+)/.exec(text) ?? [];
  expect(Number(from)).toBeGreaterThan(1);
  expect(Number(to) - Number(from)).toBeGreaterThan(900_000);
  socket.destroy();
  await until(() => open.size === 0);
  expect(stop.signal.aborted).toBe(true);
});

test('a reader who takes nothing between two heartbeats is cut off', async () => {
  const stop = new AbortController();
  let response: ServerResponse | undefined;
  serve = (given) => {
    response = given;
    void answers.relay(given, follow(new FastLog(), 0, stop.signal), reader(stop));
  };
  const socket = ask();
  socket.pause();
  // Full means full: the connection too takes no more.
  for (let steady = 0, length = -1; steady < 10; ) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const now = response?.writableNeedDrain ? response.writableLength : -2;
    steady = now === length ? steady + 1 : 0;
    length = now;
  }
  expect(timers.ring(LIMITS.stream.heartbeatMs)).toBe(1);
  expect(response?.destroyed).toBe(false);
  timers.ring(LIMITS.stream.heartbeatMs);
  expect(response?.destroyed).toBe(true);
  await until(() => open.size === 0 && timers.size === 0);
  socket.destroy();
});

test('when the service stops, a reader who takes nothing cannot hold it', async () => {
  const log = new FastLog();
  const stop = new AbortController();
  const own = new OpenStreams();
  let response: ServerResponse | undefined;
  serve = (given) => {
    response = given;
    const parts = { services: { pulse: { svcond: 1 } as never }, open: own, timers, onFailed: () => {} };
    void new EventAnswers(parts).relay(given, follow(log, 0, stop.signal), reader(stop));
  };
  const socket = ask();
  socket.pause();
  await until(() => response?.writableNeedDrain === true);
  await own.close();
  expect(timers.ring(LIMITS.stream.graceMs)).toBe(1);
  expect(response?.destroyed).toBe(true);
  socket.destroy();
});

test('frames that fail end in a refusal without the reason', async () => {
  const failed: unknown[] = [];
  const stop = new AbortController();
  const parts = {
    services: { pulse: { svcond: 1 } as never },
    open,
    timers,
    onFailed: (_: string, e: unknown) => failed.push(e),
  };
  async function* broken(): AsyncGenerator<Frame> {
    yield { seq: 1, type: 'row', data: {} };
    throw new Error('the secret reason');
  }
  serve = (given) => void new EventAnswers(parts).relay(given, broken(), reader(stop));
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  const text = await answer.text();
  expect(text).toContain('event: row\ndata: {"seq":1,"type":"row"}\n\nevent: refused\ndata: {"ok":false');
  expect(text).toContain('"code":"INTERNAL"');
  expect(text).not.toContain('secret');
  expect(failed).toHaveLength(1);
});
