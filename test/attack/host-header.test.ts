// The Host header stands in documents and links: only one that is host[:port] is printed, and no cache mixes them up.

import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { startService, type TestService } from '../http/service-fixture.ts';

const service = await startService();
const named = await startService({}, { SVC_PUBLIC_URL: 'https://named.example' });

/** Every path whose answer prints the address of the service. */
const DOCUMENTS = [
  '/.well-known/svc-os-kernel.md',
  '/.well-known/oauth-protected-resource/api/mcp',
  '/api/kernel',
  '/api/svc/pulse',
];

/** Sends a request of these lines over a socket of its own. @returns the answer as text */
async function send({ running }: TestService, lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(running.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
  return text(socket);
}

const get = (host: string, path = '/api/kernel', ...more: string[]) =>
  send(service, [`GET ${path} HTTP/1.1`, `Host: ${host}`, ...more]);

describe('400 for', () => {
  test.each(['/api/kernel', '/openapi.json', '/api/mcp', '/', '/no-such-page'])(
    'two Host headers: %s',
    async (path) => {
      const answer = await send(service, [`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'hOsT: evil.example']);
      expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*one Host header/);
    },
  );

  test.each([
    'evil.example/path',
    'evil.example?',
    'evil.example#x',
    'user@127.0.0.1',
    'a, b',
    'a b',
    '127.0.0.1:',
    '127.0.0.1:x',
    '127.0.0.1:65536',
    '1.2.3.999',
    '[::1',
    '[zz]',
    '"><script>',
    '%31',
    'a\u00e9',
    '',
  ])('the Host %s', async (host) => {
    const answer = await get(host);
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*The Host header must be host or host:port/);
    expect(await get(host, '/api/mcp')).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('a WebSocket whose Host hides a foreign one, or stands twice', async () => {
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
    const start = ['GET /api/ws HTTP/1.1', ...upgrade, 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
    for (const hosts of [['Host: evil.example@127.0.0.1'], ['Host: 127.0.0.1', 'Host: evil.example']])
      expect(await send(service, [...start, ...hosts])).toMatch(/^HTTP\/1\.1 400 [\s\S]*Host header/);
  });
});

test.each(['localhost', '127.0.0.1:80', '[::1]:8787', 'svc.example', 'a_b.svc.example.:443'])(
  'the Host %s is allowed and printed',
  async (host) => {
    const answer = await get(host);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain(`http://${host}/api/kernel`);
  },
);

test('HTTP/1.0 needs no Host', async () => {
  const answer = await send(service, ['GET /api/kernel HTTP/1.0']);
  expect(answer).toMatch(/ 200 [\s\S]*http:\/\/localhost\/api\/kernel/);
});

test('a configured address wins over every Host', async () => {
  for (const path of DOCUMENTS) {
    const answer = await send(named, [`GET ${path} HTTP/1.1`, 'Host: evil.example']);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('https://named.example/');
    expect(answer).not.toContain('evil.example');
  }
});

test('the OpenAPI document names no host', async () => {
  expect(await get('evil.example', '/openapi.json')).not.toContain('evil.example');
});

test('a document for one host never answers a question for another', async () => {
  for (const path of DOCUMENTS) {
    const foreign = await get('evil.example', path);
    expect(foreign).toContain('http://evil.example/');
    // A cache may keep it, but must ask before each use.
    expect(foreign).toMatch(/\r\ncache-control: (no-cache|no-store)\r\n/i);
    const etag = /\r\netag: ("[^"]+")/i.exec(foreign)?.[1] ?? '"none"';
    const own = await get('svc.example', path, `If-None-Match: ${etag}`);
    expect(own).toMatch(/^HTTP\/1\.1 200 [\s\S]*http:\/\/svc\.example\//);
    expect(own).not.toContain('evil.example');
  }
});
