// Reports across machines: lists, totals, activity, newest rows, and the node seal.

import { beforeAll, describe, expect, test } from 'vitest';
import { idHash } from '../../src/chain/identity.ts';
import { leafHash, nodeHash } from '../../src/chain/merkle.ts';
import { SEAL_TYPE } from '../../src/chain/node-seal.ts';
import { fromHex, toHex } from '../../src/core/bits.ts';
import { TICK_NS } from '../../src/core/clock.ts';
import { verifySignature } from '../../src/core/ed25519.ts';
import { sha256Hex } from '../../src/core/sha256.ts';
import { preAuthenticationEncoding } from '../../src/protocol/dsse.ts';
import { advanceClock, ECHO, type OwnMachines, ownMachines } from './machine-fixture.ts';
import { type Json, startService } from './service-fixture.ts';

const service = await startService();
let own: OwnMachines;
beforeAll(async () => {
  own = ownMachines(service, 'overview');
});

const slugs = (answer: Json) => (answer.rows as Json[]).map(({ slug }) => slug);

describe('lists', () => {
  test('show the public machines to everyone, and the private ones to their members with their role', async () => {
    const open = await own.machine();
    const hidden = await own.machine({ is_public: false });
    const archived = await own.machine();
    await own.request(`POST /api/chain/${archived}/status`, 'admin', { status: 'archived' });
    for (const as of ['anonymous', 'demo', 'other'] as const) {
      const seen = slugs(await own.request('GET /api/chain/state-machines?limit=200', as));
      expect(seen).toContain(open);
      expect(seen).not.toContain(hidden);
      expect(seen).not.toContain(archived);
    }
    const mine = (await own.request('GET /api/chain/state-machines?limit=200', 'read')).rows as Json[];
    expect(mine.find(({ slug }) => slug === hidden)).toMatchObject({ is_public: false, role: 'owner' });
    expect(slugs({ rows: mine })).toContain(archived);
    expect(slugs(await own.request('GET /api/chain/aggregate/list?limit=200'))).toContain(open);
    expect(slugs(await own.request('GET /api/chain/aggregate/list?limit=200', 'admin'))).not.toContain(hidden);
  });

  test('paginate without gaps', async () => {
    for (let i = 0; i < 3; i++) await own.machine();
    const all = slugs(await own.request('GET /api/chain/state-machines?limit=200', 'admin'));
    const paged: unknown[] = [];
    let cursor = '';
    do {
      const page = await own.request(`GET /api/chain/state-machines?limit=2${cursor && `&cursor=${cursor}`}`, 'admin');
      paged.push(...slugs(page));
      cursor = String(page.next_cursor ?? '');
    } while (cursor !== '');
    expect(paged).toEqual(all);
  });
});

describe('the newest rows', () => {
  test('are those of public machines, newest first, cached for a tick, filtered by type', async () => {
    const open = await own.machine();
    const hidden = await own.machine({ is_public: false });
    advanceClock(service, TICK_NS);
    await own.event(open, 'seen');
    await own.event(hidden, 'unseen');
    advanceClock(service, TICK_NS);
    await own.request(`POST /api/chain/${open}/connection`, 'admin', { peer: 'plc' }, 201);
    advanceClock(service, TICK_NS);
    const { rows } = (await own.request('GET /api/chain/recent?limit=2')) as { rows: Json[] };
    expect(rows.map(({ slug, type }) => `${slug} ${type}`)).toEqual([`${open} connection`, `${open} event`]);
    expect(rows[0]).not.toHaveProperty('payload');
    const events = (await own.request('GET /api/chain/recent?type=event')).rows as Json[];
    expect(events[0]).toMatchObject({ slug: open, type: 'event' });
    expect(events.some(({ type }) => type !== 'event')).toBe(false);
    const all = (await own.request('GET /api/chain/recent?limit=200')).rows as { svcond: number }[];
    expect(all.map(({ svcond }) => svcond)).toEqual(all.map(({ svcond }) => svcond).toSorted((a, b) => b - a));
  });
});

describe('totals', () => {
  test('count public machines for everyone, and own ones for a key', async () => {
    const slug = await own.machine({ is_public: false }, 'other');
    advanceClock(service, TICK_NS);
    const stranger = await own.request('GET /api/chain/fleet');
    expect(stranger.own).toBeNull();
    const before = stranger.public as { machines: number; rows: number };
    await own.machine({}, 'other');
    await own.request(`POST /api/chain/${slug}/event`, 'other', { name: 'more' }, 201);
    advanceClock(service, TICK_NS);
    const after = await own.request('GET /api/chain/fleet', 'other');
    expect(after.public).toMatchObject({ machines: before.machines + 1, rows: before.rows + 1 });
    expect(after.own).toMatchObject({ machines: 2, rows: 3, by_status: { active: 2 } });
  });

  test('list the machines with the most transitions in the requested period', async () => {
    const [busy, busier, hidden] = [
      await own.machine(),
      await own.machine(),
      await own.machine({ is_public: false }),
    ] as const;
    for (const slug of [busy, busier, hidden])
      await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition: ECHO }, 201);
    const fire = async (slug: string) => (await own.event(slug, 'ping', { payload: { n: 1 } })).fired;
    expect(await fire(busier)).toHaveLength(1);
    for (const slug of [busier, busier, busy, hidden, hidden, hidden, hidden]) await fire(slug);
    advanceClock(service, 100n * TICK_NS);
    expect((await own.request('GET /api/chain/active?ticks=200')).rows).toEqual([
      { slug: busier, name: busier, transitions: 3 },
      { slug: busy, name: busy, transitions: 1 },
    ]);
    expect((await own.request('GET /api/chain/active')).rows).toEqual([]);
    const recent = await own.request('GET /api/chain/active?ticks=1');
    expect(Number(recent.to) - Number(recent.from)).toBe(0);
  });
});

describe('verify-anchor', () => {
  test('valid checks the id against slug and genesis hash, or that this node has the machine', async () => {
    const slug = await own.machine({ is_public: false });
    const { machine } = (await own.request(`GET /api/chain/state-machines/${slug}`, 'admin')) as { machine: Json };
    const genesis = String(machine.genesis_hash);
    const verify = (query: string) => own.request(`GET /api/chain/verify-anchor?${query}`);
    expect(await verify(`slug=${slug}&genesis_hash=${genesis}`)).toEqual({
      ok: true,
      valid: true,
      known: true,
      id_hash: machine.id_hash,
      address: machine.address,
    });
    const other = 'a'.repeat(64);
    expect(await verify(`slug=${slug}&genesis_hash=${other}`)).toMatchObject({ valid: false, known: false });
    expect(await verify(`slug=${slug}&genesis_hash=${genesis}&id_hash=${other}`)).toMatchObject({ valid: false });
    const elsewhere = idHash('not-here', other);
    expect(await verify(`slug=not-here&genesis_hash=${other}&id_hash=${elsewhere}`)).toMatchObject({
      valid: true,
      known: false,
    });
  });
});

describe('the seal', () => {
  interface Sealed {
    no: number;
    svcond: number;
    machines: number;
    root: string;
    envelope: { payloadType: string; payload: string; signatures: { sig: string }[] };
    public_key: { x: string };
  }
  const newest = async () => (await own.request('GET /api/chain/seal')) as unknown as Sealed;

  /** RFC 6962, section 2.1, in the plainest way. */
  function plainRoot(entries: readonly Uint8Array[]): Uint8Array {
    const [only] = entries;
    if (only !== undefined && entries.length === 1) return leafHash(only);
    let k = 1;
    while (k * 2 < entries.length) k *= 2;
    return nodeHash(plainRoot(entries.slice(0, k)), plainRoot(entries.slice(k)));
  }

  test('covers every machine head, is signed by the node, and is created at most every 60 ticks', async () => {
    const slug = await own.machine({ is_public: false });
    advanceClock(service, 60n * TICK_NS);
    const first = await newest();
    const { keys } = (await own.request('GET /api/.well-known/jwks.json')) as { keys: { x: string }[] };
    expect(first.public_key.x).toBe(keys[0]?.x);
    const payload = Buffer.from(first.envelope.payload, 'base64');
    const signature = Buffer.from(first.envelope.signatures[0]?.sig ?? '', 'base64');
    const key = Buffer.from(first.public_key.x, 'base64url');
    expect(verifySignature(key, preAuthenticationEncoding(SEAL_TYPE, payload), signature)).toBe(true);
    const said = JSON.parse(payload.toString()) as Json;
    expect(said).toMatchObject({ no: first.no, svcond: first.svcond, machines: first.machines, root: first.root });
    const heads = (await service.running.storage.nodeSeals.newestWithHeads()).heads.flatMap(
      ({ current }) => current ?? [],
    );
    expect(heads.map((one) => one.slug)).toContain(slug);
    const leaves = heads
      .map(({ slug: name, genesisHash, headHash }) => Buffer.from(idHash(name, genesisHash) + headHash, 'hex'))
      .toSorted(Buffer.compare);
    expect(first.root).toBe(toHex(plainRoot(leaves)));
    expect(fromHex(first.root)).toHaveLength(32);

    await own.event(slug, 'later');
    expect(await newest()).toEqual(first);
    advanceClock(service, 61n * TICK_NS);
    const [second, beside] = await Promise.all([newest(), newest()]);
    expect(second).toEqual(beside);
    expect(second.no).toBe(first.no + 1);
    expect(second.root).not.toBe(first.root);
    expect(JSON.parse(Buffer.from(second.envelope.payload, 'base64').toString())).toMatchObject({
      prev: sha256Hex(payload.toString()),
    });
  });
});
