// Origin guard of /api/mcp, and malformed requests that are rejected before they are processed.

import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { OriginGuard, profileOf } from '../../src/mcp/origin-guard.ts';
import { startService } from '../http/service-fixture.ts';
import { RpcClient, type RpcMessage } from './rpc-client.ts';

const service = await startService();
const { url } = service.running;
const mcp = new RpcClient(url);
const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
const { port } = new URL(url);

/** Sends a request with the given Host and Origin, which fetch does not allow. */
async function send(headers: Record<string, string>, method = 'POST', body = LIST) {
  const type = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const outgoing = request(`${url}/api/mcp`, { method, headers: { ...type, ...headers } });
  const response = new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>(
    (resolve, reject) => {
      outgoing.once('error', reject);
      outgoing.once('response', async (incoming) => {
        const { statusCode = 0, headers: received } = incoming;
        resolve({ status: statusCode, headers: received, text: await text(incoming) });
      });
    },
  );
  outgoing.end(method === 'POST' ? body : undefined);
  return response;
}

describe('Host and Origin', () => {
  test.each([
    ['the address of the service', {}],
    ['localhost', { host: `localhost:${port}` }],
    ['IPv6', { host: `[::1]:${port}` }],
    ['a page of the service', { origin: url }],
    ['a page on another port of this machine', { origin: 'http://localhost:5173' }],
  ])('%s is accepted', async (_, headers) => {
    expect((await send(headers as Record<string, string>)).status).toBe(200);
  });

  test.each([
    { host: 'evil.example' },
    { host: `evil.example:${port}` },
    { host: 'localhost.evil.example' },
    { host: '127.0.0.1.nip.io' },
    { host: '10.0.0.1' },
    { origin: 'http://evil.example' },
    { origin: 'https://localhost.evil.example' },
    { origin: 'null' },
    { origin: 'file://' },
    { origin: 'chrome-extension://abcdef' },
    { origin: 'http://evil.example#@127.0.0.1' },
  ])('%j is rejected as foreign', async (headers) => {
    const answer = await send(headers as Record<string, string>);
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.text)).toMatchObject({ jsonrpc: '2.0', id: null, error: { data: { code: 'FORBIDDEN' } } });
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('a configured public name is accepted, other names and origins are rejected', () => {
    const guard = new OriginGuard({ host: '0.0.0.0', publicUrl: 'https://svc.example' });
    const admit = (host: string, origin?: string) => () => guard.admit({ headers: { host, origin }, url: '/api/mcp' });
    expect(admit('svc.example', 'https://svc.example')).not.toThrow();
    // A service bound to every address accepts every IP address: a foreign page cannot take one as its name.
    expect(admit('192.168.1.5:8787')).not.toThrow();
    expect(admit('192.168.1.5:8787', 'http://192.168.1.5:8787')).not.toThrow();
    expect(admit('192.168.1.5:8787', 'http://192.168.1.6')).toThrow('not a page of this service');
    expect(admit('other.example')).toThrow('not a name of this service');
    expect(admit('svc.example', 'https://other.example')).toThrow('not a page of this service');
    expect(admit('')).toThrow('not a name of this service');
  });

  test('a preflight from a page of the service is answered, from a foreign page rejected', async () => {
    const own = await send({ origin: url, 'access-control-request-method': 'POST' }, 'OPTIONS');
    expect([own.status, own.headers['access-control-allow-origin'], own.headers.vary]).toEqual([204, url, 'Origin']);
    expect(own.headers['access-control-allow-headers']).toContain('Mcp-Session-Id');
    expect((await send({ origin: 'http://evil.example' }, 'OPTIONS')).status).toBe(403);
  });
});

describe('malformed messages', () => {
  const reject = async (body: string, options: Parameters<RpcClient['post']>[1] = {}) => {
    const { status, messages } = await mcp.post(body, options);
    return { status, ...(messages[0] as RpcMessage) };
  };

  test.each(['GET', 'DELETE', 'PUT', 'HEAD', 'QUERY'])(
    '%s is 405: there are no sessions to read or end',
    async (method) => {
      const answer = await send({}, method);
      expect([answer.status, answer.headers.allow]).toEqual([405, 'POST, OPTIONS']);
    },
  );

  test('a batch is rejected, whatever it contains', async () => {
    for (const batch of [`[${LIST}]`, `[${LIST},${LIST}]`, '[]']) {
      expect(await reject(batch)).toMatchObject({ status: 400, id: null, error: { code: -32_600 } });
    }
  });

  test('invalid JSON is a parse error', async () => {
    for (const body of ['{', 'tools/list', '{"jsonrpc": "2.0", }', `${LIST}${LIST}`]) {
      expect(await reject(body)).toMatchObject({ status: 400, id: null, error: { code: -32_700 } });
    }
  });

  test.each([
    '{}',
    '{"jsonrpc":"1.0","id":1,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":1,"method":7}',
    '{"id":1,"method":"tools/list"}',
    '"tools/list"',
    '7',
    'null',
  ])('%s is rejected as an invalid request', async (body) => {
    const { status, error } = await reject(body);
    expect(status).toBe(400);
    expect(error?.code).toBeLessThan(-32_000 + 1);
  });

  test('a body one byte above the limit is 413, before it is read', async () => {
    const body = LIST.padEnd(LIMITS.body.bytes + 1, ' ');
    expect(await reject(body)).toMatchObject({ status: 413, error: { data: { code: 'BODY_TOO_LARGE' } } });
    expect((await mcp.post(LIST.padEnd(LIMITS.body.bytes, ' '))).status).toBe(200);
  });

  test('nesting depth, number of keys and __proto__ are rejected as on other routes', async () => {
    const deep = `${'{"a":'.repeat(LIMITS.body.depth)}1${'}'.repeat(LIMITS.body.depth)}`;
    const params = (inside: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${inside}}`;
    expect(await reject(params(deep))).toMatchObject({ status: 400, error: { data: { code: 'BODY_TOO_DEEP' } } });
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: LIMITS.body.keys }, (_, i) => [`k${i}`, i])));
    expect(await reject(params(many))).toMatchObject({ status: 400 });
    expect(await reject(params('{"__proto__":{"name":"svc_pulse"}}'))).toMatchObject({ status: 400 });
  });

  test('a response without a pending request is accepted and dropped; a message that is neither request nor response is 400', async () => {
    const headers = { 'mcp-session-id': 'mine' };
    const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';
    expect((await mcp.post(answer, { headers })).status).toBe(202);
    expect((await mcp.post('{"jsonrpc":"2.0","id":1}', { headers })).status).toBe(400);
  });

  test('another Content-Type, or a Content-Encoding, is 415', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect(await reject(LIST, { headers })).toMatchObject({ status: 415 });
    expect(await reject(LIST, { headers: { 'content-encoding': 'gzip' } })).toMatchObject({ status: 415 });
  });

  test('a client that does not accept event streams is 406', async () => {
    expect((await mcp.post(LIST, { headers: { accept: 'text/html' } })).status).toBe(406);
  });

  test('an unknown protocol version is 400', async () => {
    for (const version of ['1.0', '2024-13-45', 'latest']) {
      const { status } = await mcp.post(LIST, { headers: { 'mcp-protocol-version': version } });
      expect(status, version).toBe(400);
    }
  });
});

describe('the query string', () => {
  test('a key in it is rejected under any parameter name, and not repeated in the error', async () => {
    const { write } = service.keys;
    for (const query of [
      `?key=${write}`,
      `?x=${write}`,
      '?api_key=abc',
      '?access_token=abc',
      '?profile=core&token=abc',
      '?%6bey=abc',
      '?profile=core&api%5Fkey=abc',
      `?x=${write.replace('_', '%5F')}`,
    ]) {
      const { status, messages } = await mcp.post(LIST, { query });
      expect(status, query).toBe(400);
      expect(JSON.stringify(messages)).not.toContain(write);
    }
  });

  test('an unknown profile is rejected with a list of the valid ones', async () => {
    const { status, messages } = await mcp.post(LIST, { query: '?profile=everything' });
    expect(status).toBe(400);
    expect(messages[0]?.error?.message).toContain('core, science, chain, agent');
    expect(profileOf('/api/mcp')).toBe('all');
    expect(profileOf('/api/mcp?profile=science&more=1')).toBe('science');
  });
});

test('the metadata of RFC 9728 name this resource and its authentication method', async () => {
  const answer = await service.call('GET /.well-known/oauth-protected-resource/api/mcp');
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.json()).toMatchObject({ resource: `${url}/api/mcp`, bearer_methods_supported: ['header'] });
  expect(answer.json()).not.toHaveProperty('authorization_servers');
});

test('calls count against the rate of their caller', async () => {
  const { headers } = await mcp.post(LIST);
  expect(headers.get('ratelimit-policy')).toContain('"minute"');
  expect(headers.get('cache-control')).toBe('no-store');
});
