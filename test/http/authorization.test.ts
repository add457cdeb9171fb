// Authorization: every operation for every kind of caller, expected from its definition alone.

import { expect, test } from 'vitest';
import { ERROR_FORMS, type ErrorCode } from '../../src/core/errors.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { methodOf, pathOf } from '../../src/operations/route.ts';
import { formatKey } from '../../src/services/access/key-format.ts';
import { exampleUrl } from './example-url.ts';
import { CALLERS, type Caller, startService } from './service-fixture.ts';

const service = await startService();

/** Scope of each caller's key; undefined without a valid key. */
const SCOPES: Partial<Record<Caller, 'read' | 'write' | 'admin'>> = {
  demo: 'write',
  read: 'read',
  write: 'write',
  admin: 'admin',
  other: 'admin',
};
const BAD_KEYS: Partial<Record<Caller, ErrorCode>> = {
  revoked: 'KEY_REVOKED',
  expired: 'KEY_EXPIRED',
  malformed: 'KEY_INVALID',
};

/** The expected error code; undefined if the caller is authorized. */
function refusalOf({ tier, effect }: Operation, caller: Caller): ErrorCode | undefined {
  const bad = BAD_KEYS[caller];
  if (bad !== undefined) return bad;
  if (tier === 'public') return undefined;
  const scope = SCOPES[caller];
  if (scope === undefined) return 'AUTH_REQUIRED';
  if (tier === 'admin' && scope !== 'admin') return 'ADMIN_REQUIRED';
  if (effect !== 'read' && scope === 'read') return 'FORBIDDEN';
  return undefined;
}

const cells = OPERATIONS.flatMap((operation) =>
  CALLERS.map((caller) => ({ operation, caller, name: `${operation.name} by ${caller}` })),
);

test.each(cells)('$name', async ({ operation, caller }) => {
  const code = refusalOf(operation, caller);
  const route = exampleUrl(operation);
  const hasBody = methodOf(operation) === 'POST';
  const good = await service.call(route, { as: caller, ...(hasBody ? { json: operation.example ?? {} } : {}) });
  if (code === undefined) {
    // Authorized: the operation responds, with 404 if the path has a missing id.
    expect(good.status, good.text).toBeLessThan(500);
    expect([401, 403]).not.toContain(good.status);
    if (!pathOf(operation).includes('{') && operation.example !== undefined)
      expect(good.status, good.text).toBe(operation.status ?? 200);
    return;
  }
  expect(good.status).toBe(ERROR_FORMS[code].status);
  expect(good.json()).toMatchObject({ ok: false, code });
  expect(good.headers.get('www-authenticate')).toBe(ERROR_FORMS[code].status === 401 ? 'Bearer realm="svc"' : null);
  if (!hasBody) return;
  // An unauthorized caller learns nothing about the body, not even that it is malformed.
  for (const body of ['{', '{"unknown": 1}', 'x'.repeat(1_100_000)]) {
    const answer = await service.call(route, { as: caller, body });
    expect([answer.status, answer.json().code]).toEqual([ERROR_FORMS[code].status, code]);
    expect(answer.json()).not.toHaveProperty('details');
  }
});

test('the matrix covers success and every authorization error', () => {
  const codes = new Set(cells.map(({ operation, caller }) => refusalOf(operation, caller)));
  expect(codes).toEqual(
    new Set([undefined, 'AUTH_REQUIRED', 'ADMIN_REQUIRED', 'FORBIDDEN', 'KEY_REVOKED', 'KEY_EXPIRED', 'KEY_INVALID']),
  );
});

test.each([
  ['another scheme', 'Basic c3ZjOnN2Yw=='],
  ['a key alone', 'svc_ak_0'],
  ['two keys', 'Bearer a b'],
  ['nothing', 'Bearer'],
  ['an unknown key of the right form', `Bearer ${formatKey('svc_ak_', new Uint8Array(32).fill(9))}`],
])('an Authorization header with %s is rejected even on public routes', async (_, authorization) => {
  const answer = await service.call('GET /api/svc/pulse', { headers: { authorization } });
  expect([answer.status, answer.json().code]).toEqual([401, 'KEY_INVALID']);
});

test('an admin of another account can neither list nor revoke keys', async () => {
  const rowsOf = async (as: Caller) =>
    (await service.call('GET /api/keys', { as })).json().rows as { id: string; keyPrefix: string }[];
  const [mine, theirs] = [await rowsOf('admin'), await rowsOf('other')];
  expect(mine.length).toBeGreaterThanOrEqual(5);
  expect(mine.map(({ id }) => id).filter((id) => theirs.some((row) => row.id === id))).toEqual([]);
  const [{ id } = { id: '' }] = mine;
  const foreign = await service.call(`DELETE /api/keys/${id}`, { as: 'other' });
  expect([foreign.status, foreign.json().code]).toEqual([404, 'NOT_FOUND']);
  expect((await rowsOf('admin')).find((row) => row.id === id)).toMatchObject({ revoked_at: null });
});

test('a key cannot create a more powerful one, and revocation is immediate', async () => {
  const made = await service.call('POST /api/keys', { as: 'admin', json: { name: 'short-lived', scope: 'write' } });
  const { key, record } = made.json() as { key: string; record: { id: string } };
  const authorization = `Bearer ${key}`;
  expect((await service.call('GET /api/svc/runs', { headers: { authorization } })).status).toBe(200);
  const more = await service.call('POST /api/keys', {
    headers: { authorization },
    json: { name: 'more', scope: 'admin' },
  });
  expect([more.status, more.json().code]).toEqual([403, 'ADMIN_REQUIRED']);
  expect((await service.call(`DELETE /api/keys/${record.id}`, { as: 'admin' })).status).toBe(200);
  const after = await service.call('GET /api/svc/runs', { headers: { authorization } });
  expect([after.status, after.json().code]).toEqual([401, 'KEY_REVOKED']);
});
