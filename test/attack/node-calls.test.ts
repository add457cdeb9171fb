// Messages of nodes that are none: long ones were read and hashed without a key or a rate, 66 ms of the event loop each.

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startService } from '../http/service-fixture.ts';

const service = await startService();
const { hostname, port } = new URL(service.running.url);
const { owners } = service.running.services;
const PATH = '/internal/node-calls';
const LONG = 3_900_000;

/** Sends the head of a message and the first bytes of its body. @returns what the node answers until it closes */
async function begin(headers: readonly string[], body = ''): Promise<string> {
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(`POST ${PATH} HTTP/1.1\r\n${['Host: a', ...headers].join('\r\n')}\r\n\r\n${body}`);
  return text(socket);
}

const TICKETS = ['', '1', `${Date.now() + 5_000} ${'0'.repeat(64)}`, `NaN ${randomBytes(32).toString('hex')}`];

test.each(TICKETS)('a long message with the ticket "%s" is refused before its body is read', async (ticket) => {
  const proof = ticket === '' ? [] : [`X-Svc-Ticket: ${ticket}`];
  expect(await begin([`Content-Length: ${LONG}`, ...proof])).toMatch(/^HTTP\/1\.1 413 /);
});

test('a message without a stated length is read up to 16 KB', async () => {
  const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n1\r\nx\r\n`;
  expect(await begin(['Transfer-Encoding: chunked'], chunk)).toMatch(/^HTTP\/1\.1 413 /);
});

test('a storm of forged messages leaves few lines in the log, and all of them in the count', async () => {
  const before = owners.counts().refused;
  const sent = 200;
  for (let i = 0; i < sent; i++) {
    const answer = await fetch(service.running.url + PATH, { method: 'POST', body: `svc-calls/1 ${i} forged` });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/^refused KEY /)]);
  }
  expect(owners.counts().refused - before).toBe(sent);
  const logged = service.produced.filter((line) => line.includes('a message of another node was refused'));
  expect(logged.length).toBeLessThan(sent / 4);
});
