// Who may knock at /api/mcp, and what is turned away before anything reads it.

import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { Door, profileOf } from '../../src/mcp/door.ts';
import { startService } from '../http/service.ts';
import { type Rpc, RpcClient } from './rpc.ts';

const service = await startService();
const { url } = service.running;
const mcp = new RpcClient(url);
const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
const { port } = new URL(url);

/** fetch sets Host and hides Origin; here both are what the test says. */
async function knock(headers: Record<string, string>, method = 'POST', body = LIST) {
  const type = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const outgoing = request(`${url}/api/mcp`, { method, headers: { ...type, ...headers } });
  const answered = new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>(
    (resolve, reject) => {
      outgoing.once('error', reject);
      outgoing.once('response', async (response) => {
        const { statusCode = 0, headers: own } = response;
        resolve({ status: statusCode, headers: own, text: await text(response) });
      });
    },
  );
  outgoing.end(method === 'POST' ? body : undefined);
  return answered;
}

describe('Host and Origin', () => {
  test.each([
    ['its address', {}],
    ['localhost', { host: `localhost:${port}` }],
    ['IPv6', { host: `[::1]:${port}` }],
    ['a page of its own', { origin: url }],
    ['a page on another port of this machine', { origin: 'http://localhost:5173' }],
  ])('%s is let in', async (_, headers) => {
    expect((await knock(headers as Record<string, string>)).status).toBe(200);
  });

  test.each([
    { host: 'evil.example' },
    { host: `evil.example:${port}` },
    { host: 'localhost.evil.example' },
    { host: '127.0.0.1.nip.io' },
    { host: '10.0.0.1' },
    { host: 'a b' },
    { origin: 'http://evil.example' },
    { origin: 'https://localhost.evil.example' },
    { origin: 'null' },
    { origin: 'file://' },
    { origin: 'chrome-extension://abcdef' },
    { origin: 'http://evil.example#@127.0.0.1' },
  ])('%j is a stranger', async (headers) => {
    const answer = await knock(headers as Record<string, string>);
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.text)).toMatchObject({ jsonrpc: '2.0', id: null, error: { data: { code: 'FORBIDDEN' } } });
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('a public name is let in where it is configured, and nothing else with it', () => {
    const door = new Door({ host: '0.0.0.0', publicUrl: 'https://svc.example' });
    const knocks = (host: string, origin?: string) => () => door.admit({ headers: { host, origin }, url: '/api/mcp' });
    expect(knocks('svc.example', 'https://svc.example')).not.toThrow();
    // Bound to every address, it answers to every address: a foreign page cannot choose one as its own name.
    expect(knocks('192.168.1.5:8787')).not.toThrow();
    expect(knocks('192.168.1.5:8787', 'http://192.168.1.5:8787')).not.toThrow();
    expect(knocks('192.168.1.5:8787', 'http://192.168.1.6')).toThrow('not a page of this service');
    expect(knocks('other.example')).toThrow('not a name of this service');
    expect(knocks('svc.example', 'https://other.example')).toThrow('not a page of this service');
    expect(knocks('')).toThrow('not a name of this service');
  });

  test('a preflight of a page of ours is answered, of another one refused', async () => {
    const own = await knock({ origin: url, 'access-control-request-method': 'POST' }, 'OPTIONS');
    expect([own.status, own.headers['access-control-allow-origin'], own.headers.vary]).toEqual([204, url, 'Origin']);
    expect(own.headers['access-control-allow-headers']).toContain('Mcp-Session-Id');
    expect((await knock({ origin: 'http://evil.example' }, 'OPTIONS')).status).toBe(403);
  });
});

describe('what is no message', () => {
  const refused = async (body: string, given: Parameters<RpcClient['post']>[1] = {}) => {
    const { status, messages } = await mcp.post(body, given);
    return { status, ...(messages[0] as Rpc) };
  };

  test.each(['GET', 'DELETE', 'PUT', 'HEAD', 'QUERY'])(
    '%s is 405: there are no sessions to read or end',
    async (method) => {
      const answer = await knock({}, method);
      expect([answer.status, answer.headers.allow]).toEqual([405, 'POST, OPTIONS']);
    },
  );

  test('a batch is refused, whatever is in it', async () => {
    for (const batch of [`[${LIST}]`, `[${LIST},${LIST}]`, '[]']) {
      expect(await refused(batch)).toMatchObject({ status: 400, id: null, error: { code: -32_600 } });
    }
  });

  test('what is no JSON is a parse error', async () => {
    for (const body of ['{', 'tools/list', '{"jsonrpc": "2.0", }', `${LIST}${LIST}`]) {
      expect(await refused(body)).toMatchObject({ status: 400, id: null, error: { code: -32_700 } });
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
  ])('%s is no request', async (body) => {
    const { status, error } = await refused(body);
    expect(status).toBe(400);
    expect(error?.code).toBeLessThan(-32_000 + 1);
  });

  test('one byte too many is 413, before it is read', async () => {
    const body = LIST.padEnd(LIMITS.body.bytes + 1, ' ');
    expect(await refused(body)).toMatchObject({ status: 413, error: { data: { code: 'BODY_TOO_LARGE' } } });
    expect((await mcp.post(LIST.padEnd(LIMITS.body.bytes, ' '))).status).toBe(200);
  });

  test('depth, keys and prototypes are bounded as everywhere', async () => {
    const deep = `${'{"a":'.repeat(LIMITS.body.depth)}1${'}'.repeat(LIMITS.body.depth)}`;
    const params = (inside: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${inside}}`;
    expect(await refused(params(deep))).toMatchObject({ status: 400, error: { data: { code: 'BODY_TOO_DEEP' } } });
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: LIMITS.body.keys }, (_, i) => [`k${i}`, i])));
    expect(await refused(params(many))).toMatchObject({ status: 400 });
    expect(await refused(params('{"__proto__":{"name":"svc_pulse"}}'))).toMatchObject({ status: 400 });
  });

  test('an answer that nobody waits for is taken and dropped, what is no answer is not', async () => {
    const headers = { 'mcp-session-id': 'mine' };
    const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';
    expect((await mcp.post(answer, { headers })).status).toBe(202);
    expect((await mcp.post('{"jsonrpc":"2.0","id":1}', { headers })).status).toBe(400);
  });

  test('another media type or an encoding is 415', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect(await refused(LIST, { headers })).toMatchObject({ status: 415 });
    expect(await refused(LIST, { headers: { 'content-encoding': 'gzip' } })).toMatchObject({ status: 415 });
  });

  test('a client that cannot read streams is told so', async () => {
    expect((await mcp.post(LIST, { headers: { accept: 'text/html' } })).status).toBe(406);
  });

  test('a protocol version that never was is 400', async () => {
    for (const version of ['1.0', '2024-13-45', 'latest']) {
      const { status } = await mcp.post(LIST, { headers: { 'mcp-protocol-version': version } });
      expect(status, version).toBe(400);
    }
  });
});

describe('the query', () => {
  test('a key in it is refused, under any name, and not repeated', async () => {
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

  test('an unknown profile is refused with those that there are', async () => {
    const { status, messages } = await mcp.post(LIST, { query: '?profile=everything' });
    expect(status).toBe(400);
    expect(messages[0]?.error?.message).toContain('core, science, chain, agent');
    expect(profileOf('/api/mcp')).toBe('all');
    expect(profileOf('/api/mcp?profile=science&more=1')).toBe('science');
  });
});

test('the metadata of RFC 9728 name this resource and how to identify oneself', async () => {
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
