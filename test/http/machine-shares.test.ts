// Reading a private machine without being a member.

import { beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { advanceClock, type OwnMachines, ownMachines } from './machine-fixture.ts';
import { type Answer, type Json, startService } from './service-fixture.ts';

const service = await startService();
let own: OwnMachines;
beforeAll(async () => {
  own = ownMachines(service, 'shares');
});

const MINUTE_NS = 60_000_000_000n;

const share = async (slug: string, fields: Json = {}) =>
  (await own.request(
    `POST /api/chain/state-machines/${slug}/share/set`,
    'admin',
    { label: 'auditor', ...fields },
    201,
  )) as {
    token: string;
    share: Json;
  };
const withToken = (token: string, route: string, json?: Json) =>
  service.call(route, { headers: { authorization: `Bearer ${token}` }, ...(json === undefined ? {} : { json }) });
const outcome = ({ status, json }: Answer) => [status, json().code ?? 'ok'];

describe('a share token', () => {
  test('reads its machine only, and writes nothing', async () => {
    const [slug, elsewhere] = [await own.machine({ is_public: false }), await own.machine({ is_public: false })];
    const { token, share: record } = await share(slug);
    expect(token).toMatch(/^svc_sh_[0-9A-Za-z]{49}$/);
    expect(record).toMatchObject({ label: 'auditor', scope: 'read', expires_at: null });
    for (const suffix of [
      'explore',
      'state',
      'stats',
      'sources',
      'analytics',
      'awareness/status',
      'contracts',
      'pohc/validate',
    ])
      expect([suffix, (await withToken(token, `GET /api/chain/${slug}/${suffix}`)).status]).toEqual([suffix, 200]);
    expect((await withToken(token, `GET /api/chain/state-machines/${slug}`)).status).toBe(200);
    expect((await withToken(token, `GET /api/chain/${elsewhere}/explore`)).status).toBe(404);
    for (const [route, json] of [
      [`POST /api/chain/${slug}/event`, { name: 'x' }],
      [`GET /api/chain/${slug}/events`, undefined],
      [`GET /api/chain/${slug}/admins`, undefined],
      ['GET /api/svc/runs', undefined],
      ['GET /api/keys', undefined],
      ['POST /api/chain/state-machines', {}],
      ['POST /api/demo-key/mint', {}],
      ['POST /api/svc/compute', { domain: 'thermal', inputs: {} }],
    ] as const)
      expect([route, ...outcome(await withToken(token, route, json))]).toEqual([route, 403, 'FORBIDDEN']);
    expect(await own.rows(slug)).toContainEqual(
      expect.objectContaining({ type: 'share', sealed: true, payload: null }),
    );
    const open = await own.machine();
    const { share: shown } = await share(open);
    expect((await own.rows(open)).map(({ payload }) => payload)).toContainEqual({ act: 'set', ...shown });
    expect(JSON.stringify(await own.rows(slug))).not.toContain(token.slice(16));
  });

  test('expires, and disabling revokes all tokens immediately', async () => {
    const slug = await own.machine({ is_public: false });
    const end = new Date(Number(service.running.clock.now() / 1_000_000n) + 60_000).toISOString();
    const short = await share(slug, { expires_at: end });
    const [first, second] = [await share(slug), await share(slug)];
    const read = async (token: string) => outcome(await withToken(token, `GET /api/chain/${slug}/explore`));
    expect(await read(short.token)).toEqual([200, 'ok']);
    advanceClock(service, 2n * MINUTE_NS);
    expect(await read(short.token)).toEqual([401, 'KEY_EXPIRED']);
    expect(await read(first.token)).toEqual([200, 'ok']);
    expect(await own.request(`POST /api/chain/state-machines/${slug}/share/disable`, 'admin', {})).toMatchObject({
      disabled: 3,
    });
    expect([await read(first.token), await read(second.token)]).toEqual([
      [401, 'KEY_REVOKED'],
      [401, 'KEY_REVOKED'],
    ]);
    expect(await own.request(`POST /api/chain/state-machines/${slug}/share/disable`, 'admin', {})).toMatchObject({
      disabled: 0,
    });
    const said = (await own.rows(slug)).filter(({ type }) => type === 'share');
    expect(said.map(({ payload }) => (payload as Json).act)).toEqual(['set', 'set', 'set', 'disabled']);
    expect(await read(`${first.token.slice(0, -1)}_`)).toEqual([401, 'KEY_INVALID']);
  });

  test('is created by admins only', async () => {
    await own.zidOf('other');
    const slug = await own.machine();
    const set = async (as: 'anonymous' | 'write' | 'other') =>
      outcome(await service.call(`POST /api/chain/state-machines/${slug}/share/set`, { as, json: { label: 'x' } }));
    expect([await set('anonymous'), await set('write'), await set('other')]).toEqual([
      [401, 'AUTH_REQUIRED'],
      [403, 'ADMIN_REQUIRED'],
      [403, 'FORBIDDEN'],
    ]);
  });
});

describe('unlocking', () => {
  const unlock = (slug: string, json: Json) => service.call(`POST /api/chain/${slug}/unlock`, { json });
  const cookieOf = (answer: Answer) => answer.headers.get('set-cookie') ?? '';
  const readWith = async (slug: string, cookie: string, route = `GET /api/chain/${slug}/explore`, json?: Json) =>
    (await service.call(route, { headers: { cookie }, ...(json === undefined ? {} : { json }) })).status;

  test('with a share token sets a cookie that only reads this machine for a quarter of an hour', async () => {
    const [slug, elsewhere] = [await own.machine({ is_public: false }), await own.machine({ is_public: false })];
    const { token } = await share(slug);
    const answer = await unlock(slug, { share: token });
    expect(answer.status).toBe(200);
    const cookie = cookieOf(answer);
    expect(cookie).toMatch(
      new RegExp(`^svc_read\\.${slug}=[\\w-]+; Path=/api/chain; Max-Age=900; HttpOnly; SameSite=Strict$`),
    );
    const pair = cookie.split(';')[0] ?? '';
    expect(pair.split('=')[1]).toBe(answer.json().pass);
    expect(await readWith(slug, `a=b; ${pair}; c=d`)).toBe(200);
    expect(await readWith(slug, 'a=b')).toBe(404);
    expect(await readWith(elsewhere, pair)).toBe(404);
    // Under another machine's name it opens neither.
    expect(await readWith(elsewhere, pair.replace(slug, elsewhere))).toBe(404);
    expect(await readWith(slug, `${pair.slice(0, -4)}AAAA`)).toBe(404);
    expect(await readWith(slug, pair, `POST /api/chain/${slug}/event`, { name: 'x' })).toBe(401);
    expect(await readWith(slug, pair, `GET /api/chain/${slug}/events`)).toBe(401);
    advanceClock(service, 14n * MINUTE_NS);
    expect(await readWith(slug, pair)).toBe(200);
    advanceClock(service, 2n * MINUTE_NS);
    expect(await readWith(slug, pair)).toBe(404);
  });

  test('ends with its share token', async () => {
    const slug = await own.machine({ is_public: false });
    const { token } = await share(slug);
    const pair = cookieOf(await unlock(slug, { share: token })).split(';')[0] ?? '';
    expect(await readWith(slug, pair)).toBe(200);
    await own.request(`POST /api/chain/state-machines/${slug}/share/disable`, 'admin', {});
    expect(await readWith(slug, pair)).toBe(404);
    expect((await unlock(slug, { share: token })).status).toBe(404);
  });

  test('with a member’s equation lasts as long as the membership', async () => {
    const made = await own.request('POST /api/chain/state-machines', 'anonymous', { is_public: false }, 201);
    const { slug } = made.machine as { slug: string };
    const { equation, zid, key } = made as Record<string, string>;
    const answer = await unlock(slug, { equation });
    expect(answer.status).toBe(200);
    const pair = cookieOf(answer).split(';')[0] ?? '';
    expect(await readWith(slug, pair)).toBe(200);
    expect((await unlock(slug, { equation: `${equation} ` })).status).toBe(404);
    const elsewhere = await own.machine({ is_public: false });
    expect((await unlock(elsewhere, { equation })).status).toBe(404);
    const headers = { authorization: `Bearer ${key}` };
    const other = await own.zidOf('other');
    await service.call(`POST /api/chain/${slug}/admins`, { headers, json: { zid: other, role: 'admin' } });
    await service.call(`PATCH /api/chain/${slug}/admins/${other}`, { headers, json: { role: 'owner' } });
    expect((await service.call(`DELETE /api/chain/${slug}/admins/${zid}`, { headers })).status).toBe(200);
    expect(await readWith(slug, pair)).toBe(404);
  });

  test('a wrong secret, a wrong machine and a missing one get the same error; both or neither secret is 422', async () => {
    const slug = await own.machine({ is_public: false });
    const { token } = await share(await own.machine({ is_public: false }));
    const wrong = await unlock(slug, { share: token });
    const none = await unlock('not-here', { share: token });
    expect([wrong.status, wrong.json().code]).toEqual([404, 'NOT_FOUND']);
    expect(String(wrong.json().error).replace(slug, '…')).toBe(String(none.json().error).replace('not-here', '…'));
    expect(cookieOf(wrong)).toBe('');
    expect((await unlock(slug, {})).status).toBe(422);
    expect((await unlock(slug, { share: token, equation: 'x' })).status).toBe(422);
    expect((await unlock(slug, { share: String(service.keys.admin) })).status).toBe(404);
  });
});

test('five attempts in ten minutes', async () => {
  const many = Object.fromEntries(Object.keys(LIMITS.rate).map((tier) => [tier, 1e9]));
  const slow = await startService({ rates: { ...many, unlock: LIMITS.rate.unlock } as never });
  const codes: number[] = [];
  for (let i = 0; i < 6; i++) {
    const answer = await slow.call('POST /api/chain/not-here/unlock', { json: { equation: `guess ${i}` } });
    codes.push(answer.status);
    if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(500);
  }
  expect(codes).toEqual([404, 404, 404, 404, 404, 429]);
});
