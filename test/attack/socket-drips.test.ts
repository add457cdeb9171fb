// WebSockets that are begun and never finished, messages and frames in many pieces, and control frames without end: each
// connection is closed after a limited number of them.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { startService } from '../http/service-fixture.ts';

const service = await startService({ requestLimits: { headersMs: 150, completeMs: 300, checkMs: 30 } });
const { hostname, port, host } = new URL(service.running.url);

const HANDSHAKE =
  `GET /api/ws HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: svc.v1\r\n\r\n';
const [CONTINUATION, TEXT, CLOSE, PING, PONG] = [0x0, 0x1, 0x8, 0x9, 0xa];
const POLICY_VIOLATION = 1_008;

/** A frame of a client with the mask zero, RFC 6455 §5.2. */
function frame(opcode: number, payload: string, { isLast = true, length = payload.length } = {}): Buffer {
  const head = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 0xff];
  return Buffer.from([(isLast ? 0x80 : 0) | opcode, ...head, 0, 0, 0, 0, ...Buffer.from(payload)]);
}

interface RawSocket {
  readonly socket: Socket;
  /** Frames of the server, all short: their opcodes and payloads. */
  frames(): readonly { readonly opcode: number; readonly payload: Buffer }[];
  readonly ended: Promise<unknown>;
}

async function upgraded(): Promise<RawSocket> {
  const socket = connect(Number(port), hostname).setNoDelay(true);
  socket.on('error', () => {});
  const ended = new Promise((resolve) => socket.once('close', resolve));
  socket.write(HANDSHAKE);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 101 /);
  let received = Buffer.alloc(0);
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes]);
  });
  const frames = () => {
    const found = [];
    for (let at = 0; at < received.length; ) {
      const isLong = received[at + 1] === 126;
      const length = isLong ? received.readUInt16BE(at + 2) : (received[at + 1] ?? 0);
      const begin = at + (isLong ? 4 : 2);
      found.push({ opcode: (received[at] ?? 0) & 0xf, payload: received.subarray(begin, begin + length) });
      at = begin + length;
    }
    return found;
  };
  return { socket, frames, ended };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const closeCode = ({ frames }: RawSocket) =>
  frames()
    .findLast(({ opcode }) => opcode === CLOSE)
    ?.payload.readUInt16BE(0);

test('a handshake whose bytes come one by one is answered 408', async () => {
  const socket = connect(Number(port), hostname).setNoDelay(true);
  const chunks: Buffer[] = [];
  socket.on('data', (bytes) => chunks.push(bytes));
  socket.on('error', () => {});
  const ended = new Promise((resolve) => socket.once('close', resolve));
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  // Without the empty line that ends it.
  for (let at = 0; !isOver && at < HANDSHAKE.length - 4; at++) {
    socket.write(HANDSHAKE[at] ?? '');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await ended;
  expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 408 /);
});

describe('a connection is closed', () => {
  test('when a frame comes byte by byte', async () => {
    const raw = await upgraded();
    raw.socket.write(frame(TEXT, '', { length: 60_000 }));
    let sent = 0;
    for (; !raw.socket.destroyed && sent < 60_000 - 1; sent++) {
      raw.socket.write('x');
      await turn();
      await turn();
    }
    await raw.ended;
    // Pieces may arrive together.
    expect(sent).toBeLessThan(8 * LIMITS.stream.framePieces);
    expect(closeCode(raw)).toBe(POLICY_VIOLATION);
  });

  test.each([
    ['of one byte', 'x'],
    ['without a byte', ''],
  ])('at fragments %s without end', async (_, payload) => {
    const raw = await upgraded();
    const next = frame(CONTINUATION, payload, { isLast: false });
    raw.socket.write(Buffer.concat([frame(TEXT, '{', { isLast: false }), ...Array(1_000).fill(next)]));
    await raw.ended;
    expect(closeCode(raw)).toBe(POLICY_VIOLATION);
  });

  test.each([
    ['pings', PING],
    ['pongs', PONG],
  ])('at %s without end, read or not', async (_, opcode) => {
    const raw = await upgraded();
    raw.socket.write(Buffer.concat(Array(5_000).fill(frame(opcode, 'x'.repeat(125)))));
    await raw.ended;
    expect(raw.frames().filter((one) => one.opcode === PONG).length).toBeLessThanOrEqual(LIMITS.stream.controlFrames);
  });

  test('at more messages than wait for those before them', async () => {
    const raw = await upgraded();
    raw.socket.write(Buffer.concat(Array(3_000).fill(frame(TEXT, '{}'))));
    await raw.ended;
    expect(raw.frames().filter(({ opcode }) => opcode === TEXT).length).toBeLessThanOrEqual(
      LIMITS.stream.waitingMessages,
    );
  });
});

test('a message in a few fragments, with a ping between them, is answered', async () => {
  const raw = await upgraded();
  const text = '{"op":"subscribe","channel":"pulse"}';
  raw.socket.write(frame(TEXT, text.slice(0, 9), { isLast: false }));
  raw.socket.write(frame(PING, 'still here'));
  raw.socket.write(frame(CONTINUATION, text.slice(9)));
  await expect.poll(() => raw.frames().filter(({ opcode }) => opcode === TEXT).length).toBeGreaterThan(0);
  const [pong] = raw.frames().filter(({ opcode }) => opcode === PONG);
  expect(pong?.payload.toString()).toBe('still here');
  const [answer] = raw.frames().filter(({ opcode }) => opcode === TEXT);
  expect(JSON.parse(String(answer?.payload))).toMatchObject({ ok: true, op: 'subscribe' });
  raw.socket.destroy();
});
