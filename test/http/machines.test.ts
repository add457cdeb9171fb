// Machines over HTTP: created, written, read, and verified with the auditor's code.

import { describe, expect, test } from 'vitest';
import { isConsistent, isIncluded, leafHash } from '../../src/chain/merkle.ts';
import { isCheckpointSignedBy, parseCheckpoint } from '../../src/chain/note.ts';
import { commitmentOf } from '../../src/chain/row.ts';
import { concat, fromHex } from '../../src/core/bits.ts';
import { canonicalJson } from '../../src/core/canonical-json.ts';
import { sha256Hex, utf8 } from '../../src/core/sha256.ts';
import { type Json, startService } from './service-fixture.ts';

const service = await startService();

const hex = (text: unknown) => fromHex(String(text)) ?? new Uint8Array();
let made = 0;

/** A public machine of the account of `admin`, and its slug. */
async function machine(fields: Json = {}): Promise<string> {
  const slug = `test-${made++}`;
  const json = { slug, is_public: true, ...fields };
  const answer = await service.call('POST /api/chain/state-machines', { as: 'admin', json });
  expect(answer.status).toBe(201);
  return slug;
}

async function event(slug: string, name: string, fields: Json = {}): Promise<Json> {
  const answer = await service.call(`POST /api/chain/${slug}/event`, { as: 'admin', json: { name, ...fields } });
  expect(answer.status).toBe(201);
  return answer.json();
}

describe('creation', () => {
  test('the account of the key becomes the owner, and gets an identity once', async () => {
    const first = await service.call('POST /api/chain/state-machines', {
      as: 'other',
      json: { name: 'Boiler house № 3' },
    });
    expect(first.json()).toMatchObject({
      ok: true,
      machine: { slug: 'boiler-house-no-3', status: 'active', is_public: false, is_sealed: false, head: { seq: 0 } },
      zid: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(first.json()).not.toHaveProperty('key');
    const second = await service.call('POST /api/chain/state-machines', {
      as: 'other',
      json: { name: 'Boiler house № 3' },
    });
    expect((second.json().machine as Json).slug).toMatch(/^boiler-house-no-3-[0-9a-f]{8}$/);
    expect(second.json()).not.toHaveProperty('zid');
  });

  test.each(['demo', 'anonymous'] as const)('%s gets an account, an identity and a key with it', async (as) => {
    const {
      zid,
      equation,
      salt,
      key,
      machine: made,
    } = (await service.call('POST /api/chain/state-machines', { as, json: {} })).json() as Record<string, string> & {
      machine: Json;
    };
    expect(zid).toMatch(/^[0-9a-f]{32}$/);
    expect(equation).toContain("phi''");
    expect(salt).toMatch(/^[0-9a-f]{32}$/);
    const headers = { authorization: `Bearer ${key}` };
    // The first row commits to what only the owner has from now on.
    const said = concat(utf8('svc-owner\0'), hex(salt), utf8(String(equation).normalize('NFC')));
    const { rows } = (await service.call(`GET /api/chain/${made?.slug}/explore`, { headers })).json() as {
      rows: Json[];
    };
    expect(rows[0]?.payload).toEqual({
      slug: made?.slug,
      genesis_tick: made?.genesis_tick,
      policy: 'v1',
      owner_commit: sha256Hex(said),
      machine: { name: 'machine', description: '', isPublic: false, settings: {}, sealingKey: null },
    });
    const logged = await service.call(`POST /api/chain/${made?.slug}/event`, {
      json: { name: 'hello' },
      headers,
    });
    expect(logged.status).toBe(201);
    // Nobody else sees it until its owner says so.
    const seen = async () => (await service.call(`GET /api/chain/state-machines/${made?.slug}`)).status;
    expect(await seen()).toBe(404);
    await service.call(`PATCH /api/chain/${made?.slug}/settings`, { json: { is_public: true }, headers });
    expect(await seen()).toBe(200);
  });

  test.each([
    [{ sealed: true }, { is_public: false, is_sealed: true }],
    [{ is_public: false }, { is_public: false, is_sealed: true }],
    [
      { is_public: false, sealed: false },
      { is_public: false, is_sealed: false },
    ],
    [{}, { is_public: false, is_sealed: false }],
    [{ is_public: true }, { is_public: true, is_sealed: false }],
  ])('%j makes %j', async (json, expected) => {
    const answer = await service.call('POST /api/chain/state-machines', { as: 'anonymous', json });
    expect([answer.status, answer.json().machine]).toEqual([201, expect.objectContaining(expected)]);
  });

  test.each([
    [{ is_public: true, sealed: true }, 'sealed', 'PUBLIC'],
    [{ sealed: true }, 'sealed', 'NO_EQUATION'],
    [{ equation: 'phi = 0', sealed: false }, 'equation', 'NOT_SEALED'],
    [{ equation: 'phi = 0', is_public: true }, 'equation', 'PUBLIC'],
  ])('%j is refused by %s', async (json, path, code) => {
    await machine();
    const answer = await service.call('POST /api/chain/state-machines', { as: 'admin', json });
    expect([answer.status, answer.json().details]).toEqual([422, [expect.objectContaining({ path, code })]]);
  });

  test('without an equation the first row has no owner commitment', async () => {
    await machine();
    const slug = await machine();
    const { rows } = (await service.call(`GET /api/chain/${slug}/explore`)).json() as { rows: Json[] };
    expect(Object.keys(rows[0]?.payload as Json)).toEqual(['genesis_tick', 'machine', 'policy', 'slug']);
  });

  test('an existing or reserved slug is 409, a malformed one 422', async () => {
    const slug = await machine();
    const again = await service.call('POST /api/chain/state-machines', { as: 'other', json: { slug } });
    expect([again.status, again.json().code]).toEqual([409, 'CONFLICT']);
    const reserved = await service.call('POST /api/chain/state-machines', { as: 'admin', json: { slug: 'newest' } });
    expect(reserved.status).toBe(409);
    for (const bad of ['Ab', 'x'.repeat(64), '../x', 'a b c']) {
      const refused = await service.call('POST /api/chain/state-machines', { as: 'admin', json: { slug: bad } });
      expect([bad, refused.status]).toEqual([bad, 422]);
    }
  });
});

describe('writing', () => {
  test('rows commit to their payloads, and the chain validates', async () => {
    const slug = await machine();
    await event(slug, 'request', { payload: { amount: 3 } });
    await service.call(`POST /api/chain/${slug}/connection`, { as: 'admin', json: { peer: 'plc-7' } });
    await service.call(`POST /api/chain/${slug}/file`, {
      as: 'admin',
      json: { name: 'a.pdf', sha256: 'a'.repeat(64), size: 9 },
    });
    await service.call(`POST /api/chain/${slug}/state`, {
      as: 'admin',
      json: { state: { valve: 'open' }, label: 'now' },
    });
    const { rows } = (await service.call(`GET /api/chain/${slug}/explore`)).json() as { rows: Json[] };
    expect(rows.map(({ seq, type }) => `${seq} ${type}`)).toEqual([
      '4 state',
      '3 file',
      '2 connection',
      '1 event',
      '0 genesis',
    ]);
    for (const { salt, payload, commit } of rows) {
      expect(commitmentOf(hex(salt), canonicalJson(payload))).toBe(commit);
    }
    expect((await service.call(`GET /api/chain/${slug}/pohc/validate`)).json()).toMatchObject({
      valid: true,
      from: 0,
      to: 4,
      checked: 5,
      next_from: null,
      uncheckpointed_from: 0,
    });
    expect((await service.call(`GET /api/chain/${slug}/stats`)).json()).toMatchObject({
      rows: 5,
      by_type: { event: 1 },
    });
  });

  test('a repeated id returns the first row', async () => {
    const slug = await machine();
    const first = await event(slug, 'paid', { id: 'invoice-7' });
    expect(await event(slug, 'paid', { id: 'invoice-7' })).toEqual({
      ...first,
      duplicate: true,
      // Of this call, as `fired` and `refused` are: it delivered nothing.
      ignored: [],
    });
    expect((await event(slug, 'paid', { id: 'invoice-8' })).seq).toBe(2);
  });

  test('a wrong state hash is rejected with the right one', async () => {
    const slug = await machine();
    const answer = await service.call(`POST /api/chain/${slug}/state`, {
      as: 'admin',
      json: { state: { a: 1 }, state_hash: '0'.repeat(64) },
    });
    expect([answer.status, answer.json().details]).toMatchObject([
      422,
      [{ path: 'state_hash', code: 'HASH_MISMATCH' }],
    ]);
  });

  test('an archived machine is read-only until its owner restores it', async () => {
    const slug = await machine();
    const status = (to: string) =>
      service.call(`POST /api/chain/${slug}/status`, { as: 'admin', json: { status: to } });
    expect((await status('archived')).json()).toMatchObject({ machine: { status: 'archived' } });
    const refused = await service.call(`POST /api/chain/${slug}/event`, { as: 'admin', json: { name: 'late' } });
    expect([refused.status, refused.json().code]).toEqual([409, 'MACHINE_ARCHIVED']);
    expect((await status('active')).status).toBe(409);
    expect((await status('paused')).json()).toMatchObject({ machine: { status: 'paused' } });
    expect((await status('active')).json()).toMatchObject({ machine: { status: 'active' } });
    expect((await service.call(`GET /api/chain/${slug}/stats`)).json()).toMatchObject({
      rows: 4,
      by_type: { status: 3 },
    });
  });
});

describe('permissions', () => {
  test('a private machine is not found by others', async () => {
    const slug = await machine({ is_public: false });
    for (const as of ['anonymous', 'demo', 'other'] as const) {
      for (const route of [`GET /api/chain/${slug}/explore`, `GET /api/chain/state-machines/${slug}`]) {
        expect((await service.call(route, { as })).status).toBe(404);
      }
    }
    const { rows } = (await service.call('GET /api/chain/newest?limit=200')).json() as { rows: Json[] };
    expect(rows.map((one) => one.slug)).not.toContain(slug);
    expect((await service.call(`GET /api/chain/${slug}/explore`, { as: 'read' })).status).toBe(200);
  });

  test('strangers can read but not write a public machine', async () => {
    const slug = await machine();
    const write = (as: 'anonymous' | 'other' | 'read' | 'write') =>
      service.call(`POST /api/chain/${slug}/event`, { as, json: { name: 'x' } });
    expect((await service.call(`GET /api/chain/${slug}/state`)).status).toBe(200);
    expect([(await write('anonymous')).status, (await write('other')).status, (await write('read')).status]).toEqual([
      401, 403, 403,
    ]);
    // The scope of the key caps the role of its owner.
    expect((await write('write')).status).toBe(201);
    const status = await service.call(`POST /api/chain/${slug}/status`, { as: 'write', json: { status: 'paused' } });
    expect([status.status, status.json().code]).toEqual([403, 'ADMIN_REQUIRED']);
  });
});

describe('proofs', () => {
  test('a checkpoint is signed by the node, and every row is proven in it', async () => {
    const slug = await machine();
    for (let i = 0; i < 6; i++) await event(slug, 'tick', { payload: { i } });
    const note = (await service.call(`GET /api/chain/${slug}/checkpoint`)).text;
    const parsed = parseCheckpoint(note);
    const { keys } = (await service.call('GET /api/.well-known/jwks.json')).json() as { keys: { x: string }[] };
    const key = Buffer.from(keys[0]?.x ?? '', 'base64url');
    if (parsed === undefined) throw new Error(note);
    const { origin, size, root } = parsed.checkpoint;
    expect(origin).toMatch(new RegExp(`/m/${slug}$`));
    expect(size).toBe(7);
    expect(isCheckpointSignedBy(parsed, origin, key)).toBe(true);
    const { rows } = (await service.call(`GET /api/chain/${slug}/explore`)).json() as { rows: Json[] };
    for (const row of rows) {
      const proof = (await service.call(`GET /api/chain/${slug}/proof/inclusion?seq=${row.seq}`)).json();
      const path = (proof.path as string[]).map(hex);
      expect(isIncluded(leafHash(hex(row.row_hash)), Number(row.seq), size, path, root)).toBe(true);
    }
    const proof = (await service.call(`GET /api/chain/${slug}/proof/consistency?from=3`)).json();
    expect(isConsistent(3, 7, hex(proof.from_root), root, (proof.path as string[]).map(hex))).toBe(true);
  });

  test('a row beyond the tree is rejected with the size of the tree', async () => {
    const slug = await machine();
    const answer = await service.call(`GET /api/chain/${slug}/proof/inclusion?seq=0&size=9`);
    expect([answer.status, answer.json().error]).toEqual([422, expect.stringContaining('at most 1')]);
  });

  test('a past tick returns its state, a future one TICK_IN_FUTURE', async () => {
    const slug = await machine();
    const { svcond } = await event(slug, 'a');
    await service.call(`POST /api/chain/${slug}/state`, { as: 'admin', json: { state: { n: 1 } } });
    expect((await service.call(`GET /api/chain/${slug}/at?svcond=${Number(svcond) - 10}`)).status).toBe(404);
    const now = (await service.call('GET /api/svc/pulse')).json();
    expect((await service.call(`GET /api/chain/${slug}/at?svcond=${now.svcond}`)).json()).toMatchObject({
      head: { seq: 2 },
    });
    const future = await service.call(`GET /api/chain/${slug}/at?svcond=${Number(now.svcond) + 100}`);
    expect([future.status, future.json().code]).toEqual([404, 'TICK_IN_FUTURE']);
  });
});
