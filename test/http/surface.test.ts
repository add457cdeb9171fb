// Router, OpenAPI document and route registry agree, and every route follows HTTP semantics.

import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { methodOf, pathOf } from '../../src/operations/route.ts';
import { exampleUrl } from './example-url.ts';
import { startService } from './service-fixture.ts';

const service = await startService();
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'];
const NO_HASH = '0'.repeat(64);
const NO_ID = '00000000-0000-7000-8000-000000000000';

/** The path with ids that do not exist. */
const withMissingIds = (path: string) => path.replaceAll('{sha256}', NO_HASH).replaceAll('{id}', NO_ID);

const sorted = (routes: Iterable<string>) => [...routes].sort();
const registered = sorted(OPERATIONS.map(({ route }) => route));
const paths = [...new Set(OPERATIONS.map(pathOf))];
/** Without machine routes, which test/http/bundles.test.ts covers. */
const cached = OPERATIONS.filter((one) => one.caching === 'etag' && !pathOf(one).includes('{slug}'));

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

describe('one list of routes', () => {
  test('the OpenAPI document has every operation and no other', async () => {
    const { paths: documented } = JSON.parse((await service.call('GET /openapi.json')).text) as Document;
    const routes = Object.entries(documented).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(sorted(routes)).toEqual(registered);
    expect(new Set(registered).size).toBe(registered.length);
    expect(routes.length).toBeGreaterThan(15);
  });

  test('GET /api/endpoints has every operation and no other', async () => {
    const { rows, count } = (await service.call('GET /api/endpoints')).json() as {
      rows: { method: string; path: string; auth: string; effect: string }[];
      count: number;
    };
    expect(sorted(rows.map(({ method, path }) => `${method} ${path}`))).toEqual(registered);
    expect(count).toBe(rows.length);
    for (const { method, path, auth, effect } of rows) {
      const operation = OPERATIONS.find(({ route }) => route === `${method} ${path}`);
      expect([auth, effect]).toEqual([operation?.tier, operation?.effect]);
    }
  });

  test.each(paths)('%s accepts its methods, and rejects others with 405 and Allow', async (path) => {
    // A literal path may also match a parameterized route: both apply.
    const own = OPERATIONS.filter((operation) => matcherOf(pathOf(operation)).test(withMissingIds(path))).map(methodOf);
    const allowed = sorted([...new Set(own), 'OPTIONS', ...(own.includes('GET') ? ['HEAD', 'QUERY'] : [])]);
    for (const method of METHODS) {
      const answer = await service.call(`${method} ${withMissingIds(path)}`, { as: 'admin' });
      if (allowed.includes(method)) {
        expect(answer.status, method).not.toBe(405);
        expect(answer.text, method).not.toContain('No route at');
      } else {
        expect(answer.status, method).toBe(405);
        expect(answer.json(), method).toMatchObject({ ok: false, code: 'METHOD_NOT_ALLOWED' });
        expect(sorted((answer.headers.get('allow') ?? '').split(', ')), method).toEqual(allowed);
      }
    }
    const options = await service.call(`OPTIONS ${withMissingIds(path)}`);
    expect(options.status).toBe(204);
    expect(sorted((options.headers.get('allow') ?? '').split(', '))).toEqual(allowed);
  });
});

const matcherOf = (path: string) => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);

describe('unknown routes', () => {
  test.each([
    'GET /api',
    'GET /api/svc',
    'POST /api/svc/heatt',
    'GET /api/svc/runs/x/y',
    'GET /api/kernels/..%2f..%2fpackage.json',
    'GET //api/svc/pulse',
    'GET /api/svc/pulse/',
    'DELETE /api/keys/',
    'GET /API/svc/pulse',
    'GET /api/svc/PULSE',
    'OPTIONS /nowhere',
    'DELETE /api/nothing',
  ])('%s is 404 with the standard error body', async (route) => {
    const answer = await service.call(route);
    expect(answer.status).toBe(404);
    expect(Object.keys(answer.json())).toEqual(['ok', 'error', 'code', 'request_id']);
    expect(answer.json()).toMatchObject({ ok: false, code: 'NOT_FOUND' });
    expect(answer.json().request_id).toBe(answer.headers.get('request-id'));
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});

describe('HEAD', () => {
  const plain = OPERATIONS.filter((operation) => methodOf(operation) === 'GET' && !pathOf(operation).includes('{'));

  test.each(plain.map(exampleUrl))('%s responds like GET, without the body', async (route) => {
    const get = await service.call(route, { as: 'admin' });
    const head = await service.call(route.replace('GET', 'HEAD'), { as: 'admin' });
    expect([head.status, head.text]).toEqual([get.status, '']);
    for (const name of ['content-type', 'etag', 'cache-control'])
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
  });
});

describe('caching', () => {
  test.each(cached.map(exampleUrl))('%s returns 304 for its ETag', async (route) => {
    const first = await service.call(route);
    const etag = first.headers.get('etag') ?? '';
    expect(first.status).toBe(200);
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    const unchanged = await service.call(route, { headers: { 'if-none-match': etag } });
    expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', etag]);
    const changed = await service.call(route, { headers: { 'if-none-match': '"another"' } });
    expect([changed.status, changed.text]).toEqual([200, first.text]);
  });

  test('a kernel is immutable, and matches its hash', async () => {
    const { sha256, bytes } = await loadKernel('heat');
    const answer = await service.call(`GET /api/kernels/${sha256}.wasm`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/wasm');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(Buffer.compare(answer.bytes, bytes)).toBe(0);
    const etag = answer.headers.get('etag') ?? '';
    expect((await service.call(`GET /api/kernels/${sha256}.wasm`, { headers: { 'if-none-match': etag } })).status).toBe(
      304,
    );
  });

  test('responses that depend on the caller or the time are not cached', async () => {
    for (const route of ['GET /api/svc/pulse', 'GET /api/svc/runs', 'GET /api/keys'])
      expect((await service.call(route, { as: 'admin' })).headers.get('cache-control'), route).toBe('no-store');
  });
});

describe('headers', () => {
  const publicGets = OPERATIONS.filter(isPublicGet);

  function isPublicGet(operation: Operation): boolean {
    return operation.tier === 'public' && methodOf(operation) === 'GET';
  }

  test.each(publicGets.map(pathOf))('%s allows any origin, and no script', async (path) => {
    const { headers } = await service.call(`GET ${withMissingIds(path)}`, {
      headers: { origin: 'https://example.org' },
    });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}/);
    expect(headers.get('x-powered-by')).toBeNull();
    for (const name of ['RateLimit', 'Request-Id', 'ETag'])
      expect(headers.get('access-control-expose-headers')).toContain(name);
  });

  const origin = 'https://example.org';
  const preflight = (operation: Operation) =>
    service.call(`OPTIONS ${withMissingIds(pathOf(operation))}`, {
      headers: { origin, 'access-control-request-method': methodOf(operation) },
    });
  const setsCookie = OPERATIONS.filter(({ cookie }) => cookie !== undefined);

  test.each(OPERATIONS.filter(({ cookie }) => cookie === undefined).map((one) => [one.route, one] as const))(
    '%s: a page of any origin that passes the preflight can read the response, also of a refusal',
    async (_, operation) => {
      expect((await preflight(operation)).headers.get('access-control-allow-origin')).toBe('*');
      const route = `${methodOf(operation)} ${withMissingIds(pathOf(operation))}`;
      for (const as of ['anonymous', 'malformed', 'admin'] as const) {
        const { status, headers } = await service.call(route, { as, headers: { origin } });
        expect([as, status, headers.get('access-control-allow-origin')]).toEqual([as, status, '*']);
        expect(headers.get('access-control-allow-credentials')).toBeNull();
      }
    },
  );

  test.each(setsCookie.map((one) => [one.route, one] as const))(
    '%s sets a cookie, so pages of other origins neither pass the preflight nor read the response',
    async (route, operation) => {
      const allowed = await preflight(operation);
      expect([allowed.status, allowed.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
      const refused = await service.call(route.replace('{slug}', 'nowhere'), { json: {}, headers: { origin } });
      expect(refused.status).toBe(422);
      for (const { headers } of [allowed, refused])
        for (const name of ['origin', 'methods', 'headers', 'credentials'])
          expect(headers.get(`access-control-allow-${name}`), name).toBeNull();
    },
  );

  test('the routes that set a cookie are few', () => {
    expect(setsCookie.map(({ route }) => route)).toEqual(['POST /api/chain/{slug}/unlock']);
  });

  test.each([
    ['unknown path', 'POST /api/nowhere', 404],
    ['unknown method', 'PUT /api/svc/heat', 405],
    ['not JSON', 'POST /api/svc/replay', 400],
    ['too large', 'POST /api/svc/replay', 413],
  ])('a page of any origin can read the error: %s', async (name, route, status) => {
    const body = name === 'too large' ? new Uint8Array(LIMITS.body.bytes + 1) : '{';
    const answer = await service.call(route, { body, headers: { origin } });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, '*']);
  });

  test('a preflight allows the headers of our clients', async () => {
    const { headers } = await service.call('OPTIONS /api/svc/heat', {
      headers: { origin: 'https://example.org', 'access-control-request-method': 'POST' },
    });
    expect(headers.get('access-control-allow-methods')).toContain('QUERY');
    for (const name of ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match'])
      expect(headers.get('access-control-allow-headers')).toContain(name);
  });

  test('a request keeps its id and trace, or is given an id', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const own = await service.call('GET /api/svc/pulse', { headers: { 'request-id': 'mine-0123', traceparent } });
    expect(own.headers.get('request-id')).toBe('mine-0123');
    expect(own.headers.get('traceparent')).toBe(traceparent);
    for (const given of ['short', 'a b c d e f g', 'x'.repeat(65), '<script>alert(1)</script>']) {
      const { headers } = await service.call('GET /api/svc/pulse', { headers: { 'request-id': given } });
      expect(headers.get('request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get('traceparent')).toBeNull();
    }
  });
});
