// Answers in chunks: each counts as unread until it has left the process, also in the buffer of its response and behind
// other answers of one connection.

import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { AnswerBytes } from '../../src/http/answer-bytes.ts';

const CHUNK = 8_000_000;

test('chunks of answers that nobody reads are counted, and forgotten when the connection closes', async () => {
  const answers = new AnswerBytes({ countBytes: () => {} }, { after: () => () => {} });
  async function* chunks() {
    yield 'x'.repeat(CHUNK);
    yield 'end';
  }
  const reader = { tenant: 'a', principal: undefined, address: '127.0.0.1' };
  const server = createServer((_request, response: ServerResponse) => {
    Readable.from(answers.meter(response, chunks(), reader)).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3));
  const until = (isReached: () => boolean) => expect.poll(isReached, { timeout: 10_000 }).toBe(true);
  await until(() => answers.unread >= 3 * CHUNK);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(answers.unread).toBeGreaterThanOrEqual(3 * CHUNK);
  client.destroy();
  await until(() => answers.unread === 0);
  await new Promise((resolve) => server.close(resolve));
});
