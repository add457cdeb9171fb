// Tokens and avatars over HTTP: permissions, errors and serving of images.

import { beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { jpeg, png, webp } from '../services/machines/tally/image-fixtures.ts';
import { type OwnMachines, ownMachines } from './machine-fixture.ts';
import { type Json, startService } from './service-fixture.ts';

const service = await startService();
let own: OwnMachines;
beforeAll(async () => {
  own = ownMachines(service, 'tally');
});

const REQUEST = { name: 'Heat', symbol: 'HEAT', max_supply: 100, mint: { unit: 'row', every: 1, amount: 2 } };
const begun = async (fields: Json = {}): Promise<string> => {
  const slug = await own.machine(fields);
  await own.request(`POST /api/chain/${slug}/tally/token/genesis`, 'admin', REQUEST, 201);
  return slug;
};
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

test('a token is created, counted, listed, found, verified, and its rate changed', async () => {
  const slug = await begun();
  const at = (path: string) => `GET /api/chain/${slug}/tally/${path}`;
  for (const name of ['a', 'b', 'c']) await own.event(slug, name);
  expect(await own.request(at('supply'), 'anonymous')).toMatchObject({
    supply: 6,
    max_supply: 100,
    tokens_remaining: 94,
    last_row: { seq: 4 },
  });
  expect(await own.request(at('token'), 'anonymous')).toMatchObject({
    name: 'Heat',
    symbol: 'HEAT',
    supply: 6,
    segments: [{ seq: 1, issued: 6 }],
    avatar: null,
  });
  const { rows, next_from } = (await own.request(at('tokens?from=4&limit=5'))) as { rows: Json[]; next_from: null };
  expect([rows.map(({ index, at: row }) => [index, row]), next_from]).toEqual([
    [
      [4, 4],
      [5, 4],
    ],
    null,
  ]);
  const tokenId = String(rows[1]?.token_id);
  expect(await own.request(at(`token/${tokenId}`))).toMatchObject({ token: { token_id: tokenId, index: 5 } });
  expect(await own.request(at(`token/${tokenId}?index=5`))).toMatchObject({ token: { index: 5 } });
  await own.request(at(`token/${'0'.repeat(32)}`), 'anonymous', undefined, 404);
  await own.request(at('token/heat'), 'anonymous', undefined, 422);
  const verified = await own.request(`POST /api/chain/${slug}/tally/verify`, 'anonymous', { tokenId });
  expect(verified).toMatchObject({ valid: true, supply: 6, tokens_remaining: 94, last_row: { seq: 4 } });
  const slower = { unit: 'row', every: 100, amount: 1 };
  await own.request(`POST /api/chain/${slug}/tally/mint-rate`, 'admin', slower, 201);
  expect(await own.request(at('mint-rate'))).toMatchObject({ mint: slower, segments: [{ issued: 8 }, { issued: 0 }] });
});

test('it is created once, by an admin, within limits, and not found before', async () => {
  const slug = await begun();
  const genesis = `POST /api/chain/${slug}/tally/token/genesis`;
  expect(await own.request(genesis, 'admin', REQUEST, 409)).toMatchObject({ code: 'CONFLICT' });
  expect(await own.request(genesis, 'write', REQUEST, 403)).toMatchObject({ code: 'ADMIN_REQUIRED' });
  expect(await own.request(genesis, 'anonymous', REQUEST, 401)).toMatchObject({ code: 'AUTH_REQUIRED' });
  const rate = { unit: 'tick', every: 1, amount: 1 };
  await own.request(`POST /api/chain/${slug}/tally/mint-rate`, 'write', rate, 403);
  const empty = await own.machine();
  for (const path of ['token', 'supply', 'tokens', 'mint-rate', 'token/avatar', `token/${'0'.repeat(32)}`])
    await own.request(`GET /api/chain/${empty}/tally/${path}`, 'anonymous', undefined, 404);
  await own.request(`POST /api/chain/${empty}/tally/verify`, 'anonymous', {}, 404);
  for (const wrong of [
    { symbol: 'NINECHARS' },
    { max_supply: 0 },
    { max_supply: 2 ** 53 },
    { mint: { unit: 'row', every: 0, amount: 1 } },
    { mint: { unit: 'second', every: 1, amount: 1 } },
    { name: 'a\u0000b' },
  ])
    await own.request(`POST /api/chain/${empty}/tally/token/genesis`, 'admin', { ...REQUEST, ...wrong }, 422);
  await own.request(`POST /api/chain/${empty}/status`, 'admin', { status: 'archived' });
  expect(await own.request(`POST /api/chain/${empty}/tally/token/genesis`, 'admin', REQUEST, 409)).toMatchObject({
    code: 'MACHINE_ARCHIVED',
  });
});

test('the token of a private machine is visible to its readers only', async () => {
  const slug = await begun({ is_public: false });
  await own.zidOf('other');
  for (const path of ['token', 'supply', 'tokens', 'mint-rate', 'token/avatar'])
    for (const as of ['anonymous', 'other'] as const)
      await own.request(`GET /api/chain/${slug}/tally/${path}`, as, undefined, 404);
  await own.request(`POST /api/chain/${slug}/tally/verify`, 'other', {}, 404);
  expect(await own.request(`GET /api/chain/${slug}/tally/supply`, 'read')).toMatchObject({ supply: 0 });
});

describe('an avatar', () => {
  test.each([
    ['image/png', png(6, 4, 'Ada-1815')],
    ['image/jpeg', jpeg('Ada-1815')],
    ['image/webp', webp('Ada-1815')],
  ])('of type %s is served sandboxed, with an ETag, and without metadata', async (type, bytes) => {
    const slug = await begun();
    const address = `/api/chain/${slug}/tally/token/avatar`;
    const set = await own.request(`POST ${address}`, 'admin', { data: base64(bytes), media_type: type }, 201);
    expect(set).toMatchObject({ seq: 2, avatar: { media_type: type, width: 6, height: 4 } });
    const shown = await service.call(`GET ${address}`);
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, type]);
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff');
    expect(shown.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(Buffer.from(shown.bytes).toString('latin1')).not.toContain('Ada-1815');
    const again = { headers: { 'if-none-match': shown.headers.get('etag') ?? '' } };
    expect((await service.call(`GET ${address}`, again)).status).toBe(304);
    expect((await service.call(`HEAD ${address}`)).headers.get('content-type')).toBe(type);
    expect(await own.request(`GET /api/chain/${slug}/tally/token`)).toMatchObject({ avatar: { media_type: type } });
  });

  test('that is not an image, too large, mislabelled or not base64 is rejected with its field', async () => {
    const slug = await begun();
    const set = (fields: Json, status: number) =>
      own.request(`POST /api/chain/${slug}/tally/token/avatar`, 'admin', fields, status);
    const page = Buffer.from('<html><script>alert(1)</script></html>');
    expect(await set({ data: base64(page) }, 422)).toMatchObject({ details: [{ path: 'data', code: 'FORMAT' }] });
    expect(await set({ data: 'no base64!' }, 422)).toMatchObject({ details: [{ code: 'NOT_BASE64' }] });
    const wrong = { data: base64(png(6, 4)), media_type: 'image/webp' };
    expect(await set(wrong, 422)).toMatchObject({ details: [{ path: 'media_type', code: 'MISMATCH' }] });
    const heavy = Buffer.concat([png(6, 4), Buffer.alloc(LIMITS.tally.avatar.bytes)]);
    expect(await set({ data: base64(heavy) }, 413)).toMatchObject({ code: 'BODY_TOO_LARGE' });
    const wide = base64(png(1, 1, '', { width: 100_000, height: 100_000 }));
    expect(await set({ data: wide }, 422)).toMatchObject({ details: [{ code: 'DIMENSIONS' }] });
    await own.request(`GET /api/chain/${slug}/tally/token/avatar`, 'anonymous', undefined, 404);
    await own.request(`POST /api/chain/${slug}/tally/token/avatar`, 'write', { data: base64(png(6, 4)) }, 403);
  });
});
