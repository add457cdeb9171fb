// Clients that ask for much and read nothing, or read all of it again and again.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { AnswerBytes } from '../../src/http/answer-bytes.ts';
import { createStubRequest } from '../../src/http/stub-request.ts';
import type { RateTier } from '../../src/services/access/rate-limit.ts';
import { systemTimers } from '../../src/streams/timers.ts';
import { ownMachines } from '../http/machine-fixture.ts';
import { startService } from '../http/service-fixture.ts';

const NO_LIMIT = 1e9;
const rates = Object.fromEntries(Object.keys(LIMITS.rate).map((tier) => [tier, NO_LIMIT])) as Record<RateTier, number>;
const MAX_BYTES = 30_000_000;
const CALLER_BYTES = 1_500_000;

const slow = await startService({
  // Every reader of these tests is too slow: none reads.
  answerLimits: { ...LIMITS.answer, callerBytes: CALLER_BYTES, graceMs: 400, bytesPerSecond: 1e9 },
});
const patient = await startService({
  rates: { ...rates, addressBytes: MAX_BYTES },
});

/** A machine whose chain of 6 MB is read in six answers of 1 MB, or as one bundle. */
async function wideMachine(service: typeof slow): Promise<string> {
  const own = ownMachines(service, 'wide');
  const slug = await own.machine();
  const text = 'x'.repeat(60_000);
  await Promise.all(Array.from({ length: 100 }, (_, n) => own.event(slug, 'wide', { payload: { n, text } })));
  return slug;
}

/** Sends requests on one connection and reads nothing. */
async function ask(service: typeof slow, paths: readonly string[]): Promise<Socket> {
  const { hostname, port } = new URL(service.running.url);
  const socket = connect(Number(port), hostname);
  socket.pause();
  // The service resets the connection.
  socket.on('error', () => {});
  await once(socket, 'connect');
  const head = `Host: a\r\nAuthorization: Bearer ${service.keys.admin}`;
  for (const path of paths) socket.write(`GET ${path} HTTP/1.1\r\n${head}\r\n\r\n`);
  return socket;
}

describe('the connection of a client that reads nothing is closed', async () => {
  const slug = await wideMachine(slow);

  /** Bytes that arrive until the connection ends. */
  async function received(socket: Socket): Promise<number> {
    let bytes = 0;
    socket.on('data', (chunk) => {
      bytes += chunk.length;
    });
    socket.resume();
    await once(socket, 'close');
    return bytes;
  }

  test('in the middle of a bundle, which is not made to its end', async () => {
    const sockets = await Promise.all(Array.from({ length: 4 }, () => ask(slow, [`/api/chain/${slug}/bundle`])));
    await expect.poll(() => slow.running.answers.unread).toBeGreaterThan(0);
    await expect.poll(() => slow.running.answers.unread).toBe(0);
    for (const socket of sockets) expect(await received(socket)).toBeLessThan(6_000_000);
  });

  test('after many requests at once', async () => {
    const paths = Array.from({ length: 30 }, () => `/api/chain/${slug}/explore?limit=200`);
    // The count may rise and fall between two looks at it.
    const track = vi.spyOn(AnswerBytes.prototype, 'track');
    const socket = await ask(slow, paths);
    await expect.poll(() => track.mock.calls.some(([response]) => response.req.socket.destroyed)).toBe(true);
    await expect.poll(() => slow.running.answers.unread).toBe(0);
    expect(await received(socket)).toBeLessThan(30 * LIMITS.pageBytes);
  });

  test('and the next client is answered', async () => {
    expect((await slow.call(`GET /api/chain/${slug}/explore?limit=200`)).status).toBe(200);
  });
});

describe('bytes of answers', async () => {
  const slug = await wideMachine(patient);

  test('that a caller has not read are limited, and are those of the caller alone', async () => {
    const answers = new AnswerBytes(patient.running.services.rateLimit, systemTimers, {
      ...LIMITS.answer,
      callerBytes: CALLER_BYTES,
    });
    const reader = { tenant: '192.0.2.1', principal: undefined, address: '192.0.2.1' };
    const responses = Array.from({ length: 2 }, () => createStubRequest().res);
    for (const response of responses) {
      answers.assertRoom(reader);
      await answers.track(response, 0.6 * CALLER_BYTES, reader);
    }
    expect(answers.unread).toBe(1.2 * CALLER_BYTES);
    expect(() => answers.assertRoom(reader)).toThrow('unread bytes');
    expect(() => answers.assertRoom({ tenant: '192.0.2.2' })).not.toThrow();
    responses[0]?.emit('close');
    answers.assertRoom(reader);
    responses[1]?.emit('close');
    expect(answers.unread).toBe(0);
  });

  test('count against the rate of an address, over all its demo keys', async () => {
    let read = 0;
    for (let i = 0; ; i++) {
      const answer = await patient.call(`GET /api/chain/${slug}/bundle`, { as: i % 2 === 0 ? 'anonymous' : 'demo' });
      if (answer.status === 429) break;
      expect(answer.status).toBe(200);
      read += answer.bytes.length;
      expect(read).toBeLessThan(MAX_BYTES + 7_000_000);
    }
    const refused = await patient.call('GET /api/svc/pulse');
    expect([refused.status, refused.json().code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await patient.call('GET /api/svc/pulse', { as: 'admin' })).status).toBe(200);
  });
});
