// svc_http reaches every route that its caller may use, and no other path in any encoding.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/operations/index.ts';
import { methodOf, pathOf } from '../../src/operations/route.ts';
import { startService } from '../http/service-fixture.ts';
import { RpcClient } from './rpc-client.ts';

const service = await startService();
const mcp = new RpcClient(service.running.url);
const { admin, read } = service.keys;

interface HttpToolResult {
  readonly ok: boolean;
  readonly code?: string;
  readonly status?: number;
  readonly body?: Readonly<Record<string, unknown>>;
}

async function http(given: Record<string, unknown>, key: string | undefined = admin): Promise<HttpToolResult> {
  return (await mcp.call('svc_http', given, { key })).structuredContent as unknown as HttpToolResult;
}

const adminRoutes = OPERATIONS.filter(({ tier }) => tier === 'admin');

test('the operations list has admin routes to test', () => {
  expect(adminRoutes.length).toBeGreaterThan(2);
});

test.each(adminRoutes.map(({ route }) => route))('%s is rejected, even with an admin key', async (route) => {
  const [method, path = ''] = route.split(' ');
  const filled = path.replaceAll(/\{\w+\}/g, '00000000-0000-7000-8000-000000000000');
  expect(await http({ method, path: filled })).toMatchObject({ ok: false, code: 'FORBIDDEN' });
  if (method === 'GET') expect(await http({ method: 'QUERY', path: filled })).toMatchObject({ code: 'FORBIDDEN' });
});

test.each(OPERATIONS.flatMap((one) => (one.isSecret === true ? [one.route] : [])))(
  '%s answers a secret, and is rejected',
  async (route) => {
    const [method, path = ''] = route.split(' ');
    const filled = path
      .replace('{slug}', 'some-machine')
      .replaceAll(/\{\w+\}/g, '00000000-0000-7000-8000-000000000000');
    expect(await http({ method, path: filled })).toMatchObject({ ok: false, code: 'FORBIDDEN' });
  },
);

/** Encodings that some servers resolve to the same path. */
const ENCODINGS: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => `/${path}`,
  (path) => path.replace('/api/', '/api//'),
  (path) => path.replace('/api/', '/api/./'),
  (path) => path.replace('/api/', '/api/svc/../'),
  (path) => path.replace('/api/', '/api/svc/%2e%2e/'),
  (path) => path.replace('/api/', '/api/%2E/'),
  (path) => path.replace('/api/', '/api%2f'),
  (path) => path.replace('/api/', '/api\\'),
  (path) => path.replace('/api/', '/API/'),
  (path) => `${path}/`,
  (path) => `${path}?`,
  (path) => `${path}#x`,
  (path) => `${path};x=1`,
  (path) => `${path}%00`,
  (path) => `${path} `,
  (path) => path.toUpperCase(),
  (path) => path.replace(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => path.replace(/.$/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => `http://127.0.0.1${path}`,
];

test('neither /api/mcp nor an admin route is reached in another encoding', async () => {
  const targets = ['/api/mcp', '/api/keys'];
  for (const target of targets) {
    for (const encode of ENCODINGS) {
      for (const method of ['GET', 'POST', 'QUERY', 'DELETE']) {
        const path = encode(target);
        const answer = await http({ method, path, body: {} });
        expect(answer.ok, `${method} ${path}`).toBe(false);
        expect(['FORBIDDEN', 'NOT_FOUND', 'METHOD_NOT_ALLOWED', 'VALIDATION_FAILED'], path).toContain(answer.code);
      }
    }
  }
});

test('a path is compared literally, without normalization', async () => {
  for (const path of [
    '/api/svc/PULSE',
    '/api/svc/pulse/',
    '/api/svc/puls%65',
    '/api/./svc/pulse',
    '/api/svc/pulse?x=1',
  ])
    expect((await http({ method: 'GET', path })).code, path).toBe('NOT_FOUND');
});

test('no generated path reaches an admin route, or a path outside the operations list', async () => {
  const part = fc.constantFrom('api', 'mcp', 'keys', 'svc', 'pulse', '..', '.', '%2e%2e', '', '%2f', 'KEYS', '\\', 'x');
  const paths = fc.array(part, { maxLength: 6 }).map((parts) => `/api/${parts.join('/')}`);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('GET', 'POST', 'QUERY'), paths, async (method, path) => {
      const answer = await http({ method, path }, admin);
      const wanted = method === 'QUERY' ? 'GET' : method;
      const open = OPERATIONS.find((one) => methodOf(one) === wanted && pathOf(one) === path && one.tier !== 'admin');
      if (!open) expect(answer.ok).toBe(false);
    }),
    { numRuns: 150 },
  );
});

describe('reachable routes', () => {
  test('include every public GET route without parameters', async () => {
    const open = OPERATIONS.filter(
      (one) =>
        methodOf(one) === 'GET' &&
        one.tier === 'public' &&
        !one.errors.includes('FORBIDDEN') &&
        !pathOf(one).includes('{'),
    );
    expect(open.length).toBeGreaterThan(5);
    for (const operation of open) {
      const path = pathOf(operation);
      const query = operation.example ?? {};
      expect(await http({ method: 'GET', path, query }), path).toMatchObject({ ok: true });
    }
  });

  test('do not include the metrics, which are for local processes', async () => {
    expect(await http({ method: 'GET', path: '/metrics' })).toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  test('the result is the body of the route, with its status', async () => {
    const solve = { method: 'POST', path: '/api/svc/heat', body: { dim: 1, nx: 16, steps: 2 } };
    const solved = await http({ ...solve, detail: 'full' });
    expect(solved).toMatchObject({ ok: true, status: 200, body: { ok: true, solver: 'heat' } });
    const replay = async (body: unknown) => (await http({ method: 'POST', path: '/api/svc/replay', body })).body;
    expect(await replay(solved.body)).toMatchObject({ equal: true });

    const { content, structuredContent } = await mcp.call('svc_http', solve, { key: admin });
    expect(structuredContent).toMatchObject({ ok: true, status: 200, body: { ok: true, solver: 'heat' } });
    expect(structuredContent.body).not.toHaveProperty('runs');
    expect(content[0]?.text).toMatch(/^Heat conduction in a rod or plate \(heat\): /);
    const { href } = structuredContent.complete as { readonly href: string };
    expect(await replay({ receipt: href })).toMatchObject({ equal: true });
  });

  test('the key of the caller is passed on, and no other key is used', async () => {
    const path = '/api/svc/runs';
    expect((await mcp.call('svc_http', { method: 'GET', path })).structuredContent).toMatchObject({
      code: 'AUTH_REQUIRED',
    });
    expect(await http({ method: 'GET', path }, read)).toMatchObject({ ok: true });
  });

  test('QUERY is GET with the parameters in the body, which take precedence over the query', async () => {
    const path = '/api/endpoints';
    const viaQuery = await http({ method: 'QUERY', path, query: { q: 'nothing', limit: 1 }, body: { q: 'pulse' } });
    const viaGet = await http({ method: 'GET', path, query: { q: 'pulse', limit: 1 } });
    expect(viaQuery).toEqual(viaGet);
    expect(viaQuery.body).toMatchObject({ count: 1 });
    expect(await http({ method: 'QUERY', path, body: { q: { deep: 1 } } })).toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    expect(await http({ method: 'QUERY', path: '/api/svc/heat' })).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
  });

  test('binary content is linked, not inlined', async () => {
    const { kernel_sha256: sha256 } = (await http({ method: 'POST', path: '/api/svc/heat', body: { dim: 1 } }))
      .body as { kernel_sha256: string };
    const path = `/api/kernels/${sha256}.wasm`;
    expect(await http({ method: 'GET', path })).toMatchObject({
      ok: true,
      media_type: 'application/wasm',
      href: `${service.running.url}${path}`,
    });
  });

  test('a wrong method is rejected with the allowed methods', async () => {
    expect(await http({ method: 'GET', path: '/api/svc/heat' })).toMatchObject({
      code: 'METHOD_NOT_ALLOWED',
      error: expect.stringContaining('POST'),
    });
  });
});
