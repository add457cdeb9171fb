// Requests that are no HTTP get an error in our form, and connections that clients reset are no errors of the node.

import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { openLog } from '../../src/log.ts';
import { startService } from '../http/service-fixture.ts';
import { RawClient } from './fuzz/raw-client.ts';

const errors: string[] = [];
const service = await startService({ log: openLog('error', { write: (line: string) => errors.push(line) }) });
const { url } = service.running;
const { hostname, port } = new URL(url);

const GET = 'GET /api/svc/pulse HTTP/1.1\r\nHost: a\r\n';

test.each([
  ['a header without a colon', `${GET}nonsense\r\n\r\n`, 400, 'BAD_REQUEST'],
  ['NUL in the name of a header', `${GET}a\0b: c\r\n\r\n`, 400, 'BAD_REQUEST'],
  ['no such method', 'FOO / HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'BAD_REQUEST'],
  ['a negative length', `${GET}Content-Length: -1\r\n\r\n`, 400, 'BAD_REQUEST'],
  ['two framings', `${GET}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, 400, 'BAD_REQUEST'],
  ['headers of 20 kB', `${GET}x: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
  ['the method of proxies', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
])('%s', async (_, bytes, status, code) => {
  const client = new RawClient(url);
  const answer = await client.send({ bytes: Buffer.from(bytes, 'latin1') });
  client.close();
  expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/json; charset=utf-8']);
  expect(JSON.parse(answer.text)).toEqual({
    ok: false,
    error: expect.any(String),
    code,
    request_id: expect.stringMatching(/^[\da-f-]{36}$/),
  });
});

test('an unknown expectation is ignored', async () => {
  const client = new RawClient(url);
  const answer = await client.send({ bytes: Buffer.from(`${GET}Expect: something\r\n\r\n`) });
  client.close();
  expect(answer.status).toBe(200);
});

test('a client that resets its connection writes no error into the log', async () => {
  for (let i = 0; i < 20; i++) {
    const socket = connect(Number(port), hostname);
    await new Promise((resolve) => socket.write(`${GET.replace('pulse', 'pulse/stream')}\r\n`, resolve));
    await new Promise((resolve) => socket.once('data', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resetAndDestroy();
    await closed;
  }
  // Answered after all of those connections are gone.
  await expect.poll(() => service.running.streams.count()).toBe(0);
  expect(errors).toEqual([]);
});
