// QUERY (RFC 10008): what GET reads, with the parameters in a JSON body.

import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/operations/index.ts';
import { methodOf, pathOf } from '../../src/operations/operation.ts';
import { addressOf } from './addresses.ts';
import { startService } from './service.ts';

const service = await startService();
const plain = OPERATIONS.filter(
  (one) => methodOf(one) === 'GET' && !pathOf(one).includes('{') && one.events === undefined,
);
/** These answer with the moment. */
const MOVING = new Set(['/api/svc/pulse']);

test.each(plain.map((one) => [pathOf(one), one] as const))('%s answers QUERY as it answers GET', async (path, one) => {
  let get = await service.call(addressOf(one), { as: 'admin' });
  let query = await service.call(`QUERY ${path}`, { as: 'admin', json: one.example ?? {} });
  // What tells a tick may tell the next one: the two are compared where GET says the same before and after.
  for (let asked = 1; asked < 10 && !MOVING.has(path); asked++) {
    const after = await service.call(addressOf(one), { as: 'admin' });
    if (after.text === get.text) break;
    get = after;
    query = await service.call(`QUERY ${path}`, { as: 'admin', json: one.example ?? {} });
  }
  expect(query.status).toBe(get.status);
  expect(get.headers.get('accept-query')).toBe('application/json');
  expect(query.headers.get('accept-query')).toBe('application/json');
  expect(query.headers.get('access-control-allow-origin')).toBe('*');
  if (!MOVING.has(path)) expect(query.text).toBe(get.text);
});

describe('the body', () => {
  test('stands for the query, and wins over it', async () => {
    const asked = await service.call('QUERY /api/endpoints?q=nothing&limit=1', { json: { q: 'pulse', method: 'GET' } });
    const got = await service.call('GET /api/endpoints?q=pulse&method=GET&limit=1');
    expect(asked.json()).toEqual(got.json());
    expect(asked.json()).toMatchObject({ count: 1 });
  });

  test('is checked like a query', async () => {
    const wrong = await service.call('QUERY /api/endpoints', { json: { limit: 0 } });
    expect([wrong.status, wrong.json().code]).toEqual([422, 'VALIDATION_FAILED']);
    const deep = await service.call('QUERY /api/endpoints', { json: { q: { deep: true } } });
    expect([deep.status, deep.json().code]).toEqual([422, 'VALIDATION_FAILED']);
  });

  test('must say that it is JSON, and be it', async () => {
    const silent = await service.call('QUERY /api/endpoints');
    expect([silent.status, silent.json().code]).toEqual([400, 'BAD_REQUEST']);
    const other = await service.call('QUERY /api/endpoints', {
      body: 'q=pulse',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(other.status).toBe(415);
    expect((await service.call('QUERY /api/endpoints', { body: '{"q":' })).status).toBe(400);
  });
});

test('OPTIONS says what may be asked with', async () => {
  const options = await service.call('OPTIONS /api/endpoints');
  expect(options.headers.get('accept-query')).toBe('application/json');
  expect(options.headers.get('allow')).toContain('QUERY');
  expect((await service.call('OPTIONS /api/svc/heat')).headers.get('accept-query')).toBeNull();
});

test('a route that writes does not answer QUERY', async () => {
  const answer = await service.call('QUERY /api/svc/heat', { as: 'write', json: { dim: 1 } });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
});
