// Requests that are sent on one connection without waiting for answers. 200 connections that read nothing had as many in
// work as they sent: 780 MB, and another caller waited for 71 s.

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readConfiguration } from '../../src/configuration.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { limitConnections } from '../../src/http/connection-limit.ts';
import { OpenConnections } from '../../src/http/open-connections.ts';
import { oneAtATime } from '../../src/http/pipelines.ts';
import { ForwardedHeaders } from '../../src/services/access/forwarded-headers.ts';
import { startService } from '../http/service-fixture.ts';

const requestOf = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

async function connectTo(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  // The server resets the connection.
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** A server whose answers wait until the test sends them. */
async function heldServer(maxWaiting: number) {
  const begun: { readonly path: string | undefined; readonly response: ServerResponse }[] = [];
  const server = createServer(oneAtATime(({ url }, response) => void begun.push({ path: url, response }), maxWaiting));
  let received = 0;
  server.on('request', () => received++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const paths = () => begun.map(({ path }) => path);
  return {
    port,
    paths,
    received: () => received,
    answer: (at: number) => void begun[at]?.response.end(`answer to ${begun[at]?.path}\n`),
  };
}

/** Lets what is under way arrive: a request on another connection is begun after it. */
async function settle({ port, paths }: Awaited<ReturnType<typeof heldServer>>): Promise<void> {
  const other = await connectTo(port);
  const before = paths().filter((path) => path === '/other').length;
  other.write(requestOf('/other'));
  await expect.poll(() => paths().filter((path) => path === '/other').length).toBe(before + 1);
}

describe('requests of one connection', () => {
  test('are begun one after the other, each after the answer before it, and answered in their order', async () => {
    const server = await heldServer(8);
    const socket = await connectTo(server.port);
    let received = '';
    socket.on('data', (bytes) => {
      received += bytes.toString();
    });
    socket.write(['/a', '/b', '/c'].map(requestOf).join(''));
    await expect.poll(server.paths).toEqual(['/a']);
    await settle(server);
    expect(server.paths()).toEqual(['/a', '/other']);
    server.answer(0);
    await expect.poll(server.paths).toEqual(['/a', '/other', '/b']);
    socket.write(requestOf('/d'));
    server.answer(2);
    await expect.poll(server.paths).toEqual(['/a', '/other', '/b', '/c']);
    server.answer(3);
    await expect.poll(server.paths).toEqual(['/a', '/other', '/b', '/c', '/d']);
    server.answer(4);
    await expect
      .poll(() => received.match(/answer to \S+/g))
      .toEqual(['/a', '/b', '/c', '/d'].map((p) => `answer to ${p}`));
    // Nothing is left of the queue.
    socket.write(requestOf('/e'));
    await expect.poll(() => server.paths().at(-1)).toBe('/e');
  });

  test('more than may wait close it, and none of them is begun', async () => {
    const server = await heldServer(2);
    const socket = await connectTo(server.port);
    const closed = once(socket.resume(), 'close');
    socket.write(Array.from({ length: 500 }, (_, i) => requestOf(`/${i}`)).join(''));
    await closed;
    await settle(server);
    expect(server.paths()).toEqual(['/0', '/other']);
    // Those behind the one that closed it were not even handed over.
    expect(server.received()).toBe(4 + 1);
  });

  test('are forgotten when it closes, also those that wait', async () => {
    const server = createServer(() => {});
    const open = new OpenConnections(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const socket = await connectTo((server.address() as AddressInfo).port);
    socket.write(requestOf('/').repeat(5));
    await expect.poll(() => open.unanswered).toBe(5);
    socket.destroy();
    await expect.poll(() => open.unanswered).toBe(0);
  });

  test('as many as may wait are all answered', async () => {
    const service = await startService();
    const socket = await connectTo(Number(new URL(service.running.url).port));
    const sent = 1 + LIMITS.connection.waitingRequests;
    let received = '';
    socket.on('data', (bytes) => {
      received += bytes.toString();
    });
    socket.write(requestOf('/api/svc/pulse').repeat(sent));
    await expect.poll(() => received.split('HTTP/1.1 200 ').length - 1).toBe(sent);
  });

  test('a flood of them costs the work of one', async () => {
    const service = await startService();
    const counted = vi.spyOn(service.running.services.rateLimit, 'consume');
    const socket = await connectTo(Number(new URL(service.running.url).port));
    const closed = once(socket.resume(), 'close');
    socket.write(requestOf('/api/svc/pulse').repeat(1_000));
    await closed;
    expect((await service.call('GET /api/svc/pulse')).status).toBe(200);
    // One of the flood, and the one that was sent after it.
    expect(counted.mock.calls.length).toBeLessThanOrEqual(2);
  });
});

describe('connections', () => {
  test('of one holder are limited; one that ends makes room', async () => {
    const server = createServer((_, response) => void response.end('answer'));
    const held = new Map([['127.0.0.1', 'one']]);
    limitConnections(server, (address) => held.get(address ?? ''), { perAddress: 3, perNode: 5 });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const isAnswered = async (socket: Socket) => {
      socket.write(requestOf('/'));
      const ended = once(socket, 'close').then(() => false);
      return Promise.race([once(socket, 'data').then(() => true), ended]);
    };
    const sockets: Socket[] = [];
    for (let i = 0; i < 3; i++) sockets.push(await connectTo(port));
    for (const socket of sockets) expect(await isAnswered(socket)).toBe(true);
    expect(await isAnswered(await connectTo(port))).toBe(false);
    sockets[0]?.destroy();
    await expect.poll(async () => isAnswered(await connectTo(port))).toBe(true);
    // Without a holder, only the limit of the node counts.
    held.clear();
    expect(await isAnswered(await connectTo(port))).toBe(true);
    expect(server.maxConnections).toBe(5);
  });

  test('of an address are limited at a node', async () => {
    const holder = vi.spyOn(ForwardedHeaders.prototype, 'connectionHolderOf').mockReturnValue('one');
    onTestFinished(() => holder.mockRestore());
    const { running } = await startService();
    const port = Number(new URL(running.url).port);
    const { perAddress } = LIMITS.connection;
    for (let i = 0; i < perAddress; i++) await connectTo(port);
    // One that is only closed for its silence gets an answer (408).
    expect(await text(await connectTo(port))).toBe('');
    holder.mockReturnValue('two');
    const other = await connectTo(port);
    other.write(requestOf('/api/svc/pulse'));
    const [bytes] = await once(other, 'data');
    expect(String(bytes)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['127.0.0.1', undefined],
    ['::1', undefined],
    ['10.0.0.7', undefined],
    [undefined, undefined],
  ])('of %s count for %s', (address, holder) => {
    const trusted = readConfiguration({ SVC_TRUSTED_PROXIES: '10.0.0.0/24' }).trustedProxies;
    expect(new ForwardedHeaders(trusted).connectionHolderOf(address)).toBe(holder);
  });
});
