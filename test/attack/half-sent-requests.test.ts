// Requests that are begun and never finished lose their connection. They used to stay for two minutes.

import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { startService } from '../http/service-fixture.ts';

const service = await startService({ requestLimits: { headersMs: 150, completeMs: 300, checkMs: 30 } });
const { hostname, port } = new URL(service.running.url);

/** Sends the text and waits until the node closes the connection. @returns what it answered */
async function sendHalf(sent: string): Promise<string> {
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(sent);
  return text(socket);
}

describe('a connection is closed', () => {
  test('with half a body', async () => {
    const head =
      'POST /api/svc/prove HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n';
    expect(await sendHalf(`${head}{"operatorIds":`)).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('with a chunked body without an end', async () => {
    const head = 'POST /api/svc/prove HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
    expect(await sendHalf(`${head}1\r\n{\r\n`)).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('with half of the headers', async () => {
    expect(await sendHalf('GET /api/svc/pulse HTTP/1.1\r\nHost: a\r\nX-')).toMatch(/^HTTP\/1\.1 408 /);
  });
});

test('a body has half a minute, and is checked every few seconds', () => {
  const { headersMs, completeMs, checkMs } = LIMITS.request;
  expect(headersMs).toBeLessThan(completeMs);
  expect(completeMs + checkMs).toBeLessThanOrEqual(40_000);
});

test('a stream that was asked for in time stays open', async () => {
  const response = await fetch(`${service.running.url}/api/svc/pulse/stream`);
  let received = '';
  for await (const chunk of response.body ?? []) {
    received += Buffer.from(chunk).toString();
    if (received.split('event: ').length > 2) break;
  }
  expect(received.split('event: ').length).toBeGreaterThan(2);
});
