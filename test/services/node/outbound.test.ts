// Outbound client: allowed and blocked addresses, DNS pinning, timeouts and response limits.

import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfiguration } from '../../../src/configuration.ts';
import { LIMITS } from '../../../src/core/limits.ts';
import { OutboundClient, type OutboundOptions, type Resolve } from '../../../src/services/node/outbound.ts';
import { isPublic, parseAllowedTargets } from '../../../src/services/node/outbound-address.ts';
import { receiver, status } from './http-receiver.ts';

const resolvesNothing: Resolve = async () => [];
const resolvesTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses;
const clientFor = (allow: string, options: OutboundOptions = {}) =>
  new OutboundClient({ resolve: resolvesNothing, ...options, allowed: parseAllowedTargets(allow, false) });
const codeOf = (request: Promise<unknown>) =>
  request.then(
    () => 'resolved',
    (error) => error.code ?? error.message,
  );

describe('blocks', () => {
  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://127.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://%31%32%37.0.0.1/',
    'http://①②⑦.⓪.⓪.①/',
    'http://127.0.0.1./',
    'http://0/',
    'http://0.0.0.0/',
    'http://0.1.2.3/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://100.127.255.254/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0xA9FEA9FE/',
    'http://192.0.0.192/',
    'http://192.0.2.1/',
    'http://192.88.99.1/',
    'http://198.18.0.1/',
    'http://203.0.113.9/',
    'http://224.0.0.1/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
    'http://[::]/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::127.0.0.1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[::ffff:0:127.0.0.1]/',
    'http://[64:ff9b::127.0.0.1]/',
    'http://[64:ff9b:1::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2002:a9fe:a9fe::1]/',
    'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
    'http://[2001:db8::1]/',
    'http://[3fff::1]/',
    'http://[5f00::1]/',
    'http://[100::1]/',
    'http://[fc00::1]/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://[ff02::1]/',
    'http://[4000::1]/',
    'ftp://8.8.8.8/',
    'file:///etc/passwd',
    'gopher://8.8.8.8/',
    'javascript:alert(1)',
    'data:text/plain,x',
    'http://user:secret@8.8.8.8/',
    'http://user@8.8.8.8/',
    'http://127.0.0.1:80@8.8.8.8/',
    'http://8.8.8.8:22/',
    'http://8.8.8.8:6379/',
    'https://8.8.8.8:25/',
    'http://8.8.8.8:5432/',
    'http://',
    'http://[fe80::1%25eth0]/',
    '//8.8.8.8/',
    'not an address',
    '',
  ])('%s', async (url) => {
    expect(await codeOf(new OutboundClient({ resolve: resolvesNothing }).fetchText({ url }))).toBe('ADDRESS_BLOCKED');
  });

  test.each([
    ['a private address', ['10.1.2.3']],
    ['loopback', ['127.0.0.1']],
    ['metadata', ['169.254.169.254']],
    ['a mapped address', ['::ffff:10.0.0.1']],
    ['a zone', ['fe80::1%eth0']],
    ['a public and a private address', ['93.184.215.14', '192.168.0.1']],
    ['a public and a unique local address', ['93.184.215.14', 'fd12::1']],
    ['no address at all', ['localhost']],
  ])('a host name that resolves to %s', async (_, addresses) => {
    const outbound = new OutboundClient({ resolve: resolvesTo(...addresses) });
    for (const url of ['http://hooks.example/', 'https://hooks.example./x', 'http://localhost./'])
      expect(await codeOf(outbound.fetchText({ url }))).toBe('ADDRESS_BLOCKED');
  });

  test('an internal host without revealing its address', async () => {
    const outbound = new OutboundClient({ resolve: resolvesTo('10.20.30.40') });
    await expect(outbound.fetchText({ url: 'http://intranet/' })).rejects.toThrow(
      /^intranet is not on the public network\.$/,
    );
  });

  test('ports other than those of web servers', async () => {
    const outbound = new OutboundClient({ resolve: resolvesTo('93.184.215.14') });
    await expect(outbound.fetchText({ url: 'http://hooks.example:22/' })).rejects.toThrow(
      /^Port must be one of 80, .*, not 22\.$/,
    );
  });

  test('no public address', () => {
    for (const address of ['8.8.8.8', '93.184.215.14', '172.32.0.1', '100.128.0.1', '2606:2800:21f:cb07::1'])
      expect([address, isPublic(address)]).toEqual([address, true]);
    for (const address of ['', 'localhost', '8.8.8', '0x8.8.8.8', '010.8.8.8', '2606::1%lo'])
      expect([address, isPublic(address)]).toEqual([address, false]);
  });
});

describe('a request', () => {
  test('returns status, headers and text, and sends only the headers of the service', async () => {
    const web = await receiver((_, response) => response.writeHead(418, { 'x-tea': 'green' }).end('naïve'));
    const answer = await clientFor(`127.0.0.1:${web.port}`).fetchText({
      url: `${web.url}?a=1#part`,
      method: 'POST',
      headers: { 'content-type': 'text/plain', 'accept-encoding': 'gzip', 'user-agent': 'client' },
      body: 'ütf',
    });
    expect(answer).toMatchObject({ status: 418, text: 'naïve', isComplete: true });
    expect(answer.headers['x-tea']).toBe('green');
    const [{ headers, ...request } = { headers: {} }] = web.received;
    expect(request).toEqual({ method: 'POST', path: '/hook?a=1', body: 'ütf' });
    expect(Object.keys(headers).sort()).toEqual([
      ...['accept', 'accept-encoding', 'connection', 'content-length', 'content-type', 'host', 'user-agent'],
    ]);
    expect(headers).toMatchObject({
      'accept-encoding': 'identity',
      'user-agent': 'svc',
      host: `127.0.0.1:${web.port}`,
    });
  });

  test('connects to the resolved address even if DNS changes before the connection', async () => {
    const good = await receiver(status(200));
    const bad = await receiver(status(200), '127.0.0.2', good.port);
    let lookups = 0;
    const resolve: Resolve = async () => [lookups++ === 0 ? '127.0.0.1' : '127.0.0.2'];
    const outbound = clientFor('127.0.0.1/32', { resolve });
    const url = `http://rebinding.example:${good.port}/`;
    expect((await outbound.fetchText({ url })).status).toBe(200);
    expect([lookups, good.received.length, bad.received.length]).toEqual([1, 1, 0]);
    expect(good.received[0]?.headers.host).toBe(`rebinding.example:${good.port}`);
    expect(await codeOf(outbound.fetchText({ url }))).toBe('ADDRESS_BLOCKED');
    expect(bad.received).toEqual([]);
  });

  test.each([301, 302, 303, 307, 308])('does not follow a redirect (%i) to a blocked address', async (code) => {
    const secret = await receiver(status(200), '127.0.0.2');
    const web = await receiver(status(code, { location: secret.url }));
    const answer = await clientFor(`127.0.0.1:${web.port}`).fetchText({ url: web.url });
    expect([answer.status, web.received.length, secret.received.length]).toEqual([code, 1, 0]);
  });

  test('times out before the response, within its headers, and within its body', async () => {
    for (const reply of [
      () => undefined,
      (_: unknown, response: { flushHeaders(): void }) => response.flushHeaders(),
      (_: unknown, response: { write(text: string): void }) => response.write('some'),
    ]) {
      const web = await receiver(reply);
      const outbound = clientFor(`127.0.0.1:${web.port}`, { timeoutMs: 150 });
      expect(await codeOf(outbound.fetchText({ url: web.url }))).toBe('OUT_OF_TIME');
    }
    const outbound = new OutboundClient({ resolve: () => new Promise(() => undefined), timeoutMs: 50 });
    expect(await codeOf(outbound.fetchText({ url: 'http://slow.example/' }))).toBe('OUT_OF_TIME');
  });

  test('sends the host name, not the address, as TLS server name', async () => {
    const received: Buffer[] = [];
    const server = createServer((socket) => socket.once('data', (hello) => received.push(hello) && socket.destroy()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const outbound = clientFor('127.0.0.1/32', { resolve: resolvesTo('127.0.0.1') });
    const url = `https://hooks.example:${port}/`;
    expect(await codeOf(outbound.fetchText({ url }))).toBe('ADDRESS_UNREACHABLE');
    expect(Buffer.concat(received).toString('latin1')).toContain('hooks.example');
  });

  test('can be cancelled', async () => {
    const caller = new AbortController();
    const web = await receiver(() => caller.abort());
    const outbound = clientFor(`127.0.0.1:${web.port}`);
    expect(await codeOf(outbound.fetchText({ url: web.url, signal: caller.signal }))).toBe('CANCELLED');
    expect(await codeOf(outbound.fetchText({ url: web.url, signal: AbortSignal.abort() }))).toBe('CANCELLED');
    expect(web.received.length).toBe(1);
  });

  test('reads an endless response up to the limit', async () => {
    const { answerBytes } = LIMITS.outbound;
    const web = await receiver((_, response) => {
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      };
      response.on('drain', write);
      write();
    });
    const answer = await clientFor(`127.0.0.1:${web.port}`).fetchText({ url: web.url });
    expect([answer.text.length, answer.isComplete]).toEqual([answerBytes, false]);
    web.reply = (_, response) => response.end('x'.repeat(answerBytes));
    const whole = await clientFor(`127.0.0.1:${web.port}`).fetchText({ url: web.url });
    expect([whole.text.length, whole.isComplete]).toEqual([answerBytes, true]);
  });

  test('fails with ADDRESS_UNREACHABLE if no HTTP server answers', async () => {
    const web = await receiver();
    const outbound = clientFor(`127.0.0.1:${web.port},127.0.0.1:9`);
    expect(await codeOf(outbound.fetchText({ url: 'http://127.0.0.1:9/' }))).toBe('ADDRESS_UNREACHABLE');
    expect(await codeOf(outbound.fetchText({ url: 'http://nowhere.example/' }))).toBe('ADDRESS_UNREACHABLE');
    web.reply = (_, response) => response.socket?.destroy();
    expect(await codeOf(outbound.fetchText({ url: web.url }))).toBe('ADDRESS_UNREACHABLE');
    web.reply = (_, response) =>
      response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n');
    expect(await codeOf(outbound.fetchText({ url: web.url }))).toBe('ADDRESS_UNREACHABLE');
    web.reply = (_, response) => response.socket?.end('no HTTP at all\r\n\r\n');
    expect(await codeOf(outbound.fetchText({ url: web.url }))).toBe('ADDRESS_UNREACHABLE');
  });
});

describe('SVC_OUTBOUND_ALLOW', () => {
  const read = (text: string, isProduction = false) =>
    readConfiguration({ SVC_OUTBOUND_ALLOW: text, ...(isProduction ? { NODE_ENV: 'production' } : {}) }).outboundAllowed
      .length;

  test('allows a host at one port, in any spelling, and nothing else', async () => {
    const web = await receiver(status(200));
    const other = await receiver(status(200));
    const outbound = clientFor(`LOCALHOST:${web.port}, [::1]:${web.port}`);
    expect((await outbound.fetchText({ url: `http://localhost.:${web.port}/` })).status).toBe(200);
    for (const url of [web.url, `http://localhost:${other.port}/`, other.url, 'http://localhost/'])
      expect(['ADDRESS_BLOCKED', 'ADDRESS_UNREACHABLE']).toContain(await codeOf(outbound.fetchText({ url })));
    expect(other.received).toEqual([]);
  });

  test('allows ranges', async () => {
    const web = await receiver(status(200));
    expect((await clientFor('127.0.0.0/8').fetchText({ url: web.url })).status).toBe(200);
    expect(await codeOf(clientFor('127.0.0.2/32, ::/0').fetchText({ url: web.url }))).toBe('ADDRESS_BLOCKED');
  });

  test.each([
    'localhost',
    'localhost:',
    'localhost:0',
    'localhost:65536',
    'http://localhost:80',
    'user@localhost:80',
    'localhost:80/path',
    '10.0.0.0/33',
    '10.0.0.0/x',
    '::1:80',
    '[::1]',
    'a b:80',
    'a:80;b:80',
  ])('rejects %s', (text) => {
    expect(() => read(text)).toThrow(/^SVC_OUTBOUND_ALLOW has /);
  });

  test('allows only private ranges in production', () => {
    expect(read('', true)).toBe(0);
    expect(read('10.1.0.0/16, fd12:3456::/32, hooks.internal:9000, 127.0.0.1:9000', true)).toBe(4);
    for (const text of ['0.0.0.0/0', '::/0', '127.0.0.0/8', '169.254.0.0/16', '10.0.0.0/7', 'fe80::/10', '8.8.8.0/24'])
      expect(() => read(text, true)).toThrow(/production allows ranges within private address space only/);
    for (const text of ['169.254.169.254:80', '[fd00:ec2::254]:80', '[fe80::1]:80', '0xA9FEA9FE:80'])
      expect(() => read(text, true)).toThrow(/a link-local address/);
    expect(read('127.0.0.0/8, 169.254.169.254:80')).toBe(2);
  });
});
