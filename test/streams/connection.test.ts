// One connection on a socket that the test plays: what is read from the wire, and what is not.

import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import type { Services } from '../../src/operations/services.ts';
import { Connection } from '../../src/streams/connection.ts';
import { OpenStreams } from '../../src/streams/open-streams.ts';
import { ManualTimers } from './manual-timers.ts';

class PlayedSocket extends EventEmitter {
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

  send(text: string, done: () => void): void {
    this.sent.push(text);
    done();
  }
}

/** Whatever waits for nothing outside has been done. */
const allHeard = () => new Promise((resolve) => setImmediate(resolve));

/** A connection whose every message waits until `consume` is let go. */
function connect({ renewed = async () => {} }: { readonly renewed?: () => Promise<void> } = {}) {
  const socket = new PlayedSocket();
  const gate = Promise.withResolvers<void>();
  const consume = () => gate.promise.then(() => ({ isExceeded: false }));
  const nameOf = () => 'k';
  const authenticate = () => renewed().then(() => ({ keyPrefix: 'k', scope: 'read', tier: 'low' }));
  const services = { rateLimit: { consume, nameOf }, access: { authenticate } } as unknown as Services;
  const timers = new ManualTimers();
  const options = { shouldCheck: () => true, onDefect: () => {} };
  const parts = { services, channels: new Map(), solvers: new Map(), options, timers };
  const place = new OpenStreams().enter('c', () => {});
  const visitor = { address: '::1', baseUrl: 'http://x', requestId: 'r', place };
  new Connection(socket as unknown as WebSocket, { ...parts, onFailed: () => {} }, visitor);
  return { socket, letGo: gate.resolve, timers };
}

test('nothing more is read from the wire while messages wait, and all are answered in their order', async () => {
  const { socket, letGo } = connect();
  let said = 0;
  while (!socket.isPaused && said < 1_000) {
    socket.emit('message', Buffer.from(`{"op":"cancel","id":"${said}"}`), false);
    said++;
  }
  expect(said).toBe(8);
  letGo();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(socket.isPaused).toBe(false);
  expect(socket.sent.map((text) => /run "(\d+)"/.exec(JSON.parse(text).error)?.[1])).toEqual([...'01234567']);
});

test('one whose answers pile up is cut off instead of answered', async () => {
  const { socket, letGo } = connect();
  letGo();
  socket.bufferedAmount = 1024 * 1024 + 1;
  socket.emit('message', Buffer.from('{"op":"cancel"}'), false);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect([socket.isTerminated, socket.sent]).toEqual([true, []]);
});

test('one who leaves while the key is asked for again starts nothing', async () => {
  const again = Promise.withResolvers<void>();
  let asked = 0;
  const { socket, letGo } = connect({ renewed: () => (++asked > 1 ? again.promise : Promise.resolve()) });
  letGo();
  socket.emit('message', Buffer.from('{"op":"auth","key":"svc_ak_x"}'), false);
  socket.emit('message', Buffer.from('{"op":"solve","solver":"heat"}'), false);
  await allHeard();
  expect(asked).toBe(2);
  socket.readyState = socket.CLOSED;
  socket.emit('close');
  again.resolve();
  await allHeard();
  expect(socket.sent.map((text) => JSON.parse(text).op)).toEqual(['auth']);
});

test('one who leaves while the key is looked up is not watched for ever', async () => {
  const { socket, letGo, timers } = connect();
  socket.emit('message', Buffer.from('{"op":"auth","key":"svc_ak_x"}'), false);
  await new Promise((resolve) => setTimeout(resolve, 10));
  socket.readyState = socket.CLOSED;
  socket.emit('close');
  letGo();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(timers.size).toBe(0);
});
