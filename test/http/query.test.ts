// QUERY (RFC 10008): reads like GET, with the parameters in a JSON body.

import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/operations/index.ts';
import { methodOf, pathOf } from '../../src/operations/route.ts';
import { exampleUrl } from './example-url.ts';
import { startService } from './service-fixture.ts';

const service = await startService();
const plain = OPERATIONS.filter(
  (one) => methodOf(one) === 'GET' && !pathOf(one).includes('{') && one.events === undefined,
);
/** Routes whose responses change with time. */
const TIME_DEPENDENT = new Set(['/api/svc/pulse', '/metrics']);

test.each(plain.map((one) => [pathOf(one), one] as const))('%s answers QUERY as it answers GET', async (path, one) => {
  let get = await service.call(exampleUrl(one), { as: 'admin' });
  let query = await service.call(`QUERY ${path}`, { as: 'admin', json: one.example ?? {} });
  // Responses may change with the tick: compare only if GET is equal before and after.
  for (let attempt = 1; attempt < 10 && !TIME_DEPENDENT.has(path); attempt++) {
    const after = await service.call(exampleUrl(one), { as: 'admin' });
    if (after.text === get.text) break;
    get = after;
    query = await service.call(`QUERY ${path}`, { as: 'admin', json: one.example ?? {} });
  }
  expect(query.status).toBe(get.status);
  expect(get.headers.get('accept-query')).toBe('application/json');
  expect(query.headers.get('accept-query')).toBe('application/json');
  expect(query.headers.get('access-control-allow-origin')).toBe('*');
  if (!TIME_DEPENDENT.has(path)) expect(query.text).toBe(get.text);
});

describe('the body', () => {
  test('replaces the query, and takes precedence', async () => {
    const query = await service.call('QUERY /api/endpoints?q=nothing&limit=1', { json: { q: 'pulse', method: 'GET' } });
    const got = await service.call('GET /api/endpoints?q=pulse&method=GET&limit=1');
    expect(query.json()).toEqual(got.json());
    expect(query.json()).toMatchObject({ count: 1 });
  });

  test('is checked like a query', async () => {
    const wrong = await service.call('QUERY /api/endpoints', { json: { limit: 0 } });
    expect([wrong.status, wrong.json().code]).toEqual([422, 'VALIDATION_FAILED']);
    const deep = await service.call('QUERY /api/endpoints', { json: { q: { deep: true } } });
    expect([deep.status, deep.json().code]).toEqual([422, 'VALIDATION_FAILED']);
  });

  test('must be declared as JSON, and be valid', async () => {
    const untyped = await service.call('QUERY /api/endpoints');
    expect([untyped.status, untyped.json().code]).toEqual([400, 'BAD_REQUEST']);
    const other = await service.call('QUERY /api/endpoints', {
      body: 'q=pulse',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(other.status).toBe(415);
    expect((await service.call('QUERY /api/endpoints', { body: '{"q":' })).status).toBe(400);
  });
});

test('OPTIONS lists QUERY and its content type', async () => {
  const options = await service.call('OPTIONS /api/endpoints');
  expect(options.headers.get('accept-query')).toBe('application/json');
  expect(options.headers.get('allow')).toContain('QUERY');
  expect((await service.call('OPTIONS /api/svc/heat')).headers.get('accept-query')).toBeNull();
});

test('a writing route rejects QUERY', async () => {
  const answer = await service.call('QUERY /api/svc/heat', { as: 'write', json: { dim: 1 } });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
});
