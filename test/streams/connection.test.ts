// A connection on a fake socket: backpressure and disconnects.

import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { LIMITS } from '../../src/core/limits.ts';
import type { Services } from '../../src/operations/services.ts';
import { Connection } from '../../src/streams/connection.ts';
import { OpenStreams } from '../../src/streams/open-streams.ts';
import { ManualTimers } from './manual-timers.ts';

class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readonly CLOSED = 3;
  readyState = 1;
  bufferedAmount = 0;
  isPaused = false;
  isTerminated = false;
  readonly sent: string[] = [];

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  terminate(): void {
    this.isTerminated = true;
  }

  ping(): void {}

  send(text: string, done: () => void): void {
    this.sent.push(text);
    done();
  }
}

/** Resolves when all pending microtasks are done. */
const flushMicrotasks = () => new Promise((resolve) => setImmediate(resolve));

/** A connection that handles no message until `openGate` is called. */
async function connect({
  beforeAuthenticate = async () => {},
}: {
  readonly beforeAuthenticate?: () => Promise<void>;
} = {}) {
  const socket = new FakeSocket();
  const gate = Promise.withResolvers<void>();
  const consume = () => gate.promise.then(() => ({ isExceeded: false }));
  const holder = { caller: 'k', tenant: 't' };
  const authenticate = () => beforeAuthenticate().then(() => ({ keyPrefix: 'k', scope: 'read', tier: 'low' }));
  const services = {
    rateLimit: { consume, holderOf: () => holder, tenantOf: () => holder.tenant },
    access: { authenticate },
    refusalDelay: { wait: async () => {} },
  } as unknown as Services;
  const timers = new ManualTimers();
  const invokeOptions = { shouldCheck: () => true, onDefect: () => {} };
  const connectionOptions = {
    services,
    channels: new Map(),
    solvers: new Map(),
    invokeOptions,
    timers,
    rechecks: { add: () => () => {} },
  };
  const slot = await new OpenStreams().acquire({ caller: 'c', tenant: 't' }, () => {});
  const client = { address: '::1', baseUrl: 'http://x', requestId: 'r', slot };
  new Connection(socket as unknown as WebSocket, { ...connectionOptions, onError: () => {} }, client);
  return { socket, openGate: gate.resolve, timers };
}

test('reading pauses while messages are pending, and responses keep their order', async () => {
  const { socket, openGate } = await connect();
  let sent = 0;
  while (!socket.isPaused && sent < 1_000) {
    socket.emit('message', Buffer.from(`{"op":"cancel","id":"${sent}"}`), false);
    sent++;
  }
  expect(sent).toBe(8);
  openGate();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(socket.isPaused).toBe(false);
  expect(socket.sent.map((text) => /Run "(\d+)"/.exec(JSON.parse(text).error)?.[1])).toEqual([...'01234567']);
});

test('a client whose responses pile up is disconnected', async () => {
  const { socket, openGate } = await connect();
  openGate();
  socket.bufferedAmount = 1024 * 1024 + 1;
  socket.emit('message', Buffer.from('{"op":"cancel"}'), false);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect([socket.isTerminated, socket.sent]).toEqual([true, []]);
});

test('a client that answers no ping is disconnected at the second heartbeat, another is not', async () => {
  const [silent, alive] = [await connect(), await connect()];
  for (const { timers } of [silent, alive]) expect(timers.fire(LIMITS.stream.heartbeatMs)).toBe(1);
  alive.socket.emit('pong');
  for (const { timers } of [silent, alive]) timers.fire(LIMITS.stream.heartbeatMs);
  expect([silent.socket.isTerminated, alive.socket.isTerminated]).toEqual([true, false]);
});

test('a client that disconnects during reauthentication starts nothing', async () => {
  const second = Promise.withResolvers<void>();
  let calls = 0;
  const { socket, openGate } = await connect({
    beforeAuthenticate: () => (++calls > 1 ? second.promise : Promise.resolve()),
  });
  openGate();
  socket.emit('message', Buffer.from('{"op":"auth","key":"svc_ak_x"}'), false);
  socket.emit('message', Buffer.from('{"op":"solve","solver":"heat"}'), false);
  await flushMicrotasks();
  expect(calls).toBe(2);
  socket.readyState = socket.CLOSED;
  socket.emit('close');
  second.resolve();
  await flushMicrotasks();
  expect(socket.sent.map((text) => JSON.parse(text).op)).toEqual(['auth']);
});

test('a client that disconnects during authentication leaves no timer', async () => {
  const { socket, openGate, timers } = await connect();
  socket.emit('message', Buffer.from('{"op":"auth","key":"svc_ak_x"}'), false);
  await new Promise((resolve) => setTimeout(resolve, 10));
  socket.readyState = socket.CLOSED;
  socket.emit('close');
  openGate();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(timers.size).toBe(0);
});
