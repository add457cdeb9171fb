// Anchor routes: permissions, errors, and versions of settings.

import { beforeAll, describe, expect, test } from 'vitest';
import { isAnchorSigned } from '../../src/chain/anchor.ts';
import { verifierKey } from '../../src/chain/note.ts';
import { TICK_NS } from '../../src/core/clock.ts';
import { testSigner } from '../chain/signer.ts';
import { advanceClock, ECHO, type OwnMachines, ownMachines } from './machine-fixture.ts';
import { type Caller, type Json, startService } from './service-fixture.ts';

const service = await startService();
let own: OwnMachines;
beforeAll(async () => {
  own = ownMachines(service, 'anchors');
});

/** A mother of another account, which accepts anchors of anyone. */
const openMother = async (): Promise<string> => {
  const slug = await own.machine({}, 'other');
  await own.request(`PATCH /api/chain/${slug}/settings`, 'other', { accept_anchors: 'anyone' });
  return slug;
};

const anchor = (mother: string, child: string, as: Caller = 'admin', status = 201) =>
  own.request(`POST /api/chain/${mother}/anchor`, as, { child_slug: child }, status);

describe('anchoring', () => {
  test('returns the stored anchor, and both lists show it publicly', async () => {
    const [mother, child] = [await openMother(), await own.machine({ is_public: false })];
    const made = await anchor(mother, child);
    expect(made).toMatchObject({ duplicate: false });
    expect(await anchor(mother, child)).toEqual({ ...made, duplicate: true });
    const held = await own.request(`GET /api/chain/${mother}/anchors`, 'anonymous');
    const { duplicate: _, child_seq: __, ok: ___, mother: name, ...record } = made;
    expect(held).toEqual({ ok: true, mother: name, rows: [record], next_cursor: null });
    expect(isAnchorSigned(String(name), record as never)).toBe(true);
    const { pseudonym } = record as Json;
    expect(await own.request(`GET /api/chain/${mother}/anchored`, 'anonymous')).toMatchObject({
      rows: [{ pseudonym, continues: null, count: 1, newest: record }],
    });
    expect(await own.request(`GET /api/chain/${mother}/anchors?pseudonym=${pseudonym}`)).toEqual(held);
    const unknown = '0'.repeat(32);
    expect(await own.request(`GET /api/chain/${mother}/anchors?pseudonym=${unknown}`)).toMatchObject({ rows: [] });
    const identity = await own.request(`GET /api/chain/state-machines/${mother}`, 'anonymous');
    expect((identity.machine as Json).id_hash).toBe(name);
  });

  test('never reveals the name of a private child', async () => {
    const [mother, child] = [await openMother(), await own.machine({ is_public: false })];
    const zid = await own.zidOf('admin');
    await anchor(mother, child);
    for (const path of ['explore', 'anchors', 'anchored', 'stats', 'sources', 'analytics', 'state']) {
      const { text } = await service.call(`GET /api/chain/${mother}/${path}`, { as: 'other' });
      expect([path, text.includes(child), text.includes(zid)]).toEqual([path, false, false]);
    }
    const { text } = await service.call(`GET /api/chain/recent`);
    expect(text.includes(child)).toBe(false);
    expect(text).toContain(mother);
  });

  test('requires an admin of the child who may read the mother', async () => {
    const [mother, child] = [await openMother(), await own.machine()];
    const [shut, hidden] = [await own.machine({ is_public: false }, 'other'), await own.machine({ is_public: false })];
    await own.zidOf('other');
    expect(await anchor(mother, child, 'anonymous', 401)).toMatchObject({ code: 'AUTH_REQUIRED' });
    expect(await anchor(mother, child, 'write', 403)).toMatchObject({ code: 'ADMIN_REQUIRED' });
    expect(await anchor(mother, child, 'other', 403)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await anchor(mother, child, 'read', 403)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await anchor(mother, hidden, 'other', 404)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await anchor(shut, child, 'admin', 404)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await anchor(child, child, 'admin', 422)).toMatchObject({ details: [{ path: 'child_slug' }] });
    expect(await anchor(mother, child, 'admin')).toMatchObject({ ok: true });
    await own.request(`GET /api/chain/${shut}/anchors`, 'admin', undefined, 404);
    await own.request(`GET /api/chain/${shut}/anchored`, 'anonymous', undefined, 404);
    expect(await own.request(`GET /api/chain/${shut}/anchors`, 'other')).toMatchObject({ rows: [] });
  });

  test('both lists paginate without gaps', async () => {
    const mother = await openMother();
    for (let i = 0; i < 5; i++) await anchor(mother, await own.machine());
    for (const list of ['anchors', 'anchored']) {
      const seen: unknown[] = [];
      let cursor = '';
      for (let pages = 0; pages < 5; pages++) {
        const page = await own.request(`GET /api/chain/${mother}/${list}?limit=2${cursor}`);
        seen.push(...(page.rows as Json[]).map((row) => row.pseudonym));
        if (page.next_cursor === null) break;
        cursor = `&cursor=${page.next_cursor}`;
      }
      expect([list, seen.length, new Set(seen).size]).toEqual([list, 5, 5]);
      await own.request(`GET /api/chain/${mother}/${list}?cursor=x`, 'admin', undefined, 422);
    }
  });

  test('a rotated key gives a new pseudonym that continues the old one', async () => {
    const [mother, child] = [await openMother(), await own.machine()];
    const before = await anchor(mother, child);
    advanceClock(service, 60n * TICK_NS);
    const rotate = `POST /api/chain/state-machines/${child}/anchor-key/rotate`;
    await own.request(rotate, 'write', {}, 403);
    const { mothers, epoch } = await own.request(rotate, 'admin', {});
    const [updated] = mothers as Json[];
    expect([epoch, updated]).toMatchObject([2, { mother, ok: true, code: null }]);
    expect(await own.request(rotate, 'admin', {}, 409)).toMatchObject({ code: 'CONFLICT' });
    expect(await anchor(mother, child)).toMatchObject({ pseudonym: updated?.pseudonym });
    expect(await own.request(`GET /api/chain/${mother}/anchored`)).toMatchObject({
      rows: [{ pseudonym: updated?.pseudonym, continues: before.pseudonym }, { pseudonym: before.pseudonym }],
    });
  });
});

describe('settings', () => {
  const routeOf = (slug: string) => `/api/chain/state-machines/${slug}/anchor-config`;
  const put = (slug: string, json: Json, headers: Record<string, string> = {}) =>
    service.call(`PUT ${routeOf(slug)}`, { as: 'admin', json, headers });

  test('hide private mothers from members who may not read them', async () => {
    const [shut, open, child] = [await own.machine({ is_public: false }), await own.machine(), await own.machine()];
    const zid = await own.zidOf('other');
    await own.request(`POST /api/chain/${child}/admins`, 'admin', { zid, role: 'viewer' }, 201);
    expect((await put(child, { mothers: [shut, open] })).status).toBe(200);
    await anchor(shut, child);
    const seen = () => own.request(`GET ${routeOf(child)}`, 'other');
    expect(await seen()).toMatchObject({ mothers: [open], last: [] });
    expect(JSON.stringify(await seen())).not.toContain(shut);
    await own.request(`PATCH /api/chain/${child}/admins/${zid}`, 'admin', { role: 'admin' });
    expect(await seen()).toMatchObject({ mothers: [shut, open], last: [{ mother: shut }] });
  });

  test('are initially empty, and are replaced as a whole, version by version', async () => {
    const [mother, child] = [await own.machine(), await own.machine()];
    const fresh = await service.call(`GET ${routeOf(child)}`, { as: 'admin' });
    expect([fresh.headers.get('etag'), fresh.json()]).toMatchObject([
      '"0"',
      { version: 0, mothers: [], every_ticks: 60, witnesses: [], due_tick: null, last: [], last_witnessed: [] },
    ]);
    const set = await put(child, { mothers: [mother], every_ticks: 100 }, { 'if-match': '"0"' });
    expect([set.status, set.headers.get('etag'), set.json()]).toMatchObject([
      200,
      '"1"',
      { version: 1, mothers: [mother], every_ticks: 100 },
    ]);
    const stale = await put(child, { mothers: [] }, { 'if-match': '"0"' });
    expect([stale.status, stale.json()]).toMatchObject([409, { code: 'CONFLICT', current_version: 1 }]);
    expect((await put(child, { mothers: [], if_match: 0 })).status).toBe(409);
    expect((await put(child, { mothers: [], if_match: 1 }, { 'if-match': '1' })).json()).toMatchObject({ version: 2 });
    expect((await put(child, { mothers: [mother] }, { 'if-match': '*' })).json()).toMatchObject({ version: 3 });
    expect((await put(child, {})).json()).toMatchObject({ version: 4, mothers: [] });
  });

  test.each(['W/"1"', '"1", "2"', '"a"', '""', '1e3'])('If-Match: %s is rejected', async (header) => {
    const child = await own.machine();
    const answer = await put(child, {}, { 'if-match': header });
    expect([answer.status, answer.json().details]).toMatchObject([422, [{ path: 'If-Match' }]]);
  });

  test('If-Match and if_match must not contradict each other', async () => {
    const child = await own.machine();
    expect((await put(child, { if_match: 0 }, { 'if-match': '"1"' })).status).toBe(422);
  });

  test('report every invalid field', async () => {
    const [mother, child] = [await own.machine(), await own.machine()];
    const hidden = await own.machine({ is_public: false }, 'other');
    const key = verifierKey('witness.example', testSigner(1).publicKey);
    const witness = (url: string, verifier_key = verifierKey('w', testSigner(1).publicKey, 'cosignature')) => ({
      url,
      verifier_key,
    });
    const cases: [Json, string[]][] = [
      [{ mothers: [child] }, ['mothers.0']],
      [{ mothers: [mother, mother] }, ['mothers.1']],
      [{ mothers: [mother, 'nowhere', hidden] }, ['mothers.1', 'mothers.2']],
      [{ mothers: Array.from({ length: 17 }, (_, i) => `m-${i}`) }, ['mothers']],
      [{ every_ticks: 59 }, ['every_ticks']],
      [{ witnesses: [witness('https://w.example', key)] }, ['witnesses.0.verifier_key']],
      [{ witnesses: [witness('https://w.example'), witness('https://w.example')] }, ['witnesses.1.url']],
      [{ witnesses: [witness('ftp://w.example')] }, ['witnesses.0.url']],
      [{ witnesses: [witness('https://w.example/')] }, ['witnesses.0.url']],
      [{ witnesses: [witness('https://a@w.example')] }, ['witnesses.0.url']],
      [{ nothing: 1 }, ['nothing']],
    ];
    for (const [json, paths] of cases) {
      const answer = await put(child, json);
      const details = (answer.json().details ?? []) as Json[];
      expect([answer.status, details.map(({ path }) => path)]).toEqual([422, paths]);
    }
    expect((await service.call(`GET ${routeOf(child)}`, { as: 'admin' })).json()).toMatchObject({ version: 0 });
  });

  test('are readable by members and writable by admins', async () => {
    const [open, shut] = [await own.machine(), await own.machine({ is_public: false })];
    await own.zidOf('other');
    await own.request(`GET ${routeOf(open)}`, 'read');
    await own.request(`GET ${routeOf(open)}`, 'other', undefined, 403);
    await own.request(`GET ${routeOf(shut)}`, 'other', undefined, 404);
    await own.request(`PUT ${routeOf(open)}`, 'write', {}, 403);
    await own.request(`PUT ${routeOf(open)}`, 'anonymous', {}, 401);
  });
});

describe('If-Match of a contract', () => {
  test('is its version, the ETag of GET', async () => {
    const slug = await own.machine();
    const made = await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition: ECHO }, 201);
    const route = `/api/chain/${slug}/contracts/${(made.contract as Json).id}`;
    const patch = (tag: string, json: Json) =>
      service.call(`PATCH ${route}`, { as: 'admin', json, headers: { 'if-match': tag } });
    const tag = (await service.call(`GET ${route}`)).headers.get('etag') ?? '';
    expect(tag).toBe('"1"');
    const changed = await patch(tag, { name: 'renamed' });
    expect([changed.status, changed.json().contract]).toMatchObject([200, { name: 'renamed', current_version_no: 2 }]);
    const late = await patch(tag, { name: 'again' });
    expect([late.status, late.json()]).toMatchObject([409, { code: 'CONFLICT', current_version_no: 2 }]);
    expect((await service.call(`GET ${route}`, { headers: { 'if-none-match': '"2"' } })).status).toBe(200);
  });
});
