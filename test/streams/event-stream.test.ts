// Event stream responses on a real connection, with slow and disconnected readers.

import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { type Frame, type Log, tailLog } from '../../src/services/node/tail-log.ts';
import { EventResponder } from '../../src/streams/event-responder.ts';
import { OpenStreams } from '../../src/streams/open-streams.ts';
import { ManualTimers } from './manual-timers.ts';

const ROW = 'x'.repeat(10_000);
/** Rows that Node and the socket buffers may hold. */
const MAX_BUFFERED_ROWS = 2_000;
const MAX_GAP_LENGTH = 100;

const timers = new ManualTimers();
const rechecks = { add: () => () => {} };
const open = new OpenStreams();
const responder = new EventResponder({
  services: { pulse: { svcond: 1 } as never },
  open,
  timers,
  rechecks,
  onError: () => {},
});
let serve: (response: ServerResponse) => void = () => {};
const server = createServer((_, response) => serve(response));
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** A log of 10 kB rows that counts the rows that were read. */
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

  /** Adds a thousand rows per wait, so that the log stays ahead of its reader. */
  async waitForGrowth(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.size += 1_000;
  }
}

function sendRequest(): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return socket;
}

const optionsOf = (controller: AbortController) => ({
  requestId: 'r',
  holder: { caller: 'c', tenant: 't' },
  controller,
  reauthorize: undefined,
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('a stalled reader uses bounded memory and receives a gap when it reads on', async () => {
  const log = new FastLog();
  const controller = new AbortController();
  let response: ServerResponse | undefined;
  serve = (newResponse) => {
    response = newResponse;
    void responder.sendFrames(newResponse, tailLog(log, 0, controller.signal), optionsOf(controller));
  };
  const socket = sendRequest();
  socket.pause();
  await until(() => response?.writableNeedDrain === true);
  // The reader reads nothing: the log grows, the response does not.
  await until(() => response?.writableNeedDrain === true && log.rowsRead > 1);
  const readBefore = log.rowsRead;
  log.size += 1_000_000;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(log.rowsRead - readBefore).toBeLessThanOrEqual(LIMITS.stream.backlog);
  expect(log.rowsRead).toBeLessThan(MAX_BUFFERED_ROWS);
  expect(response?.writableLength).toBeLessThan(64 * 1024 + 2 * ROW.length);

  // The log also ran ahead before the reader stalled: that gap is a small one.
  let gap = { from: 0, to: 0 };
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: unknown) => {
    text += String(chunk);
    for (const [, from, to] of text.matchAll(/"type":"gap","from":(\d+),"to":(\d+)}/g)) {
      if (Number(to) - Number(from) > gap.to - gap.from) gap = { from: Number(from), to: Number(to) };
    }
    // The start of a gap whose end is in the next chunk.
    text = text.slice(-MAX_GAP_LENGTH);
  });
  socket.resume();
  await until(() => gap.to - gap.from > 900_000);
  expect(gap.from).toBeGreaterThan(1);
  socket.destroy();
  await until(() => open.size === 0);
  expect(controller.signal.aborted).toBe(true);
});

test('a reader that reads nothing between two heartbeats is disconnected', async () => {
  const controller = new AbortController();
  let response: ServerResponse | undefined;
  serve = (newResponse) => {
    response = newResponse;
    void responder.sendFrames(newResponse, tailLog(new FastLog(), 0, controller.signal), optionsOf(controller));
  };
  const socket = sendRequest();
  socket.pause();
  // Wait until the socket buffers are full too.
  for (let steady = 0, length = -1; steady < 10; ) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const now = response?.writableNeedDrain ? response.writableLength : -2;
    steady = now === length ? steady + 1 : 0;
    length = now;
  }
  expect(timers.fire(LIMITS.stream.heartbeatMs)).toBe(1);
  expect(response?.destroyed).toBe(false);
  timers.fire(LIMITS.stream.heartbeatMs);
  expect(response?.destroyed).toBe(true);
  await until(() => open.size === 0 && timers.size === 0);
  socket.destroy();
});

test('a stalled reader does not block shutdown', async () => {
  const log = new FastLog();
  const controller = new AbortController();
  const openStreams = new OpenStreams();
  let response: ServerResponse | undefined;
  serve = (newResponse) => {
    response = newResponse;
    const options = {
      services: { pulse: { svcond: 1 } as never },
      open: openStreams,
      timers,
      rechecks,
      onError: () => {},
    };
    void new EventResponder(options).sendFrames(newResponse, tailLog(log, 0, controller.signal), optionsOf(controller));
  };
  const socket = sendRequest();
  socket.pause();
  await until(() => response?.writableNeedDrain === true);
  await openStreams.close();
  expect(timers.fire(LIMITS.stream.closeMs)).toBe(1);
  expect(response?.destroyed).toBe(true);
  socket.destroy();
});

test('a long result has the time of an answer: a slow reader gets all of it', async () => {
  const result = 'y'.repeat(500 * LIMITS.answer.bytesPerSecond);
  let response: ServerResponse | undefined;
  serve = (newResponse) => {
    response = newResponse;
    void responder.sendWithProgress(newResponse, 'r', async () => result);
  };
  const socket = sendRequest();
  socket.pause();
  await until(() => response?.writableEnded === true);
  const unread = Number(response?.writableLength);
  expect(unread).toBeGreaterThan(0);
  expect(timers.fire(LIMITS.stream.closeMs)).toBe(0);
  expect(response?.destroyed).toBe(false);
  let length = 0;
  socket.on('data', (chunk: Buffer) => {
    length += chunk.length;
  });
  socket.resume();
  await until(() => length > result.length);
  await until(() => timers.size === 0);
});

test('a failing source ends the stream with an error that hides the reason', async () => {
  const errors: unknown[] = [];
  const controller = new AbortController();
  const options = {
    services: { pulse: { svcond: 1 } as never },
    open,
    timers,
    rechecks,
    onError: (_: string, error: unknown) => errors.push(error),
  };
  async function* broken(): AsyncGenerator<Frame> {
    yield { seq: 1, type: 'row', data: {} };
    throw new Error('the secret reason');
  }
  serve = (newResponse) => void new EventResponder(options).sendFrames(newResponse, broken(), optionsOf(controller));
  const response = await fetch(`http://127.0.0.1:${port}/`);
  const text = await response.text();
  expect(text).toContain('event: row\ndata: {"seq":1,"type":"row"}\n\nevent: refused\ndata: {"ok":false');
  expect(text).toContain('"code":"INTERNAL"');
  expect(text).not.toContain('secret');
  expect(errors).toHaveLength(1);
});
