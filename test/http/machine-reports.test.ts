// Reports on a chain: analytics, sources, blocks, events, awareness.

import { beforeAll, describe, expect, test } from 'vitest';
import { emptyRoot, leafHash, nodeHash } from '../../src/chain/merkle.ts';
import { fromHex, toHex } from '../../src/core/bits.ts';
import { readPulse, startOfTick, TICK_NS, tickOf } from '../../src/core/clock.ts';
import { advanceClock, ECHO, type OwnMachines, ownMachines } from './machine-fixture.ts';
import { type Json, startService } from './service-fixture.ts';

const service = await startService();
let own: OwnMachines;
beforeAll(async () => {
  own = ownMachines(service, 'reports');
});

const now = () => tickOf(service.running.clock.now());

describe('analytics', () => {
  interface Bin {
    from: number;
    to: number;
    by_type: Record<string, number>;
  }

  test('bins cover the ticks without gaps, and each row counts in the bin of its tick', async () => {
    const slug = await own.machine();
    for (let i = 0; i < 6; i++) {
      await own.event(slug, 'a');
      if (i % 2 === 0) await own.request(`POST /api/chain/${slug}/connection`, 'admin', { peer: 'plc' }, 201);
      advanceClock(service, 3n * TICK_NS);
    }
    const rows = (await own.rows(slug)) as { svcond: number; type: string }[];
    const grid = [7, 11, 13, 17, 19, 23].flatMap((bins) => [23, 29, 41].map((ticks) => [ticks, bins] as const));
    for (const [ticks, bins] of [...grid, [64, 64], [5, 1]] as const) {
      const { bins: parts } = (await own.request(
        `GET /api/chain/${slug}/analytics?ticks=${ticks}&bins=${bins}`,
      )) as unknown as {
        bins: Bin[];
      };
      expect(parts).toHaveLength(bins);
      expect(Number(parts.at(-1)?.to) - Number(parts[0]?.from) + 1).toBe(ticks);
      for (const [i, part] of parts.entries()) {
        expect(part.to).toBeGreaterThanOrEqual(part.from);
        if (i > 0) expect(part.from).toBe(Number(parts[i - 1]?.to) + 1);
        const counted: Record<string, number> = {};
        for (const { svcond, type } of rows)
          if (svcond >= part.from && svcond <= part.to) counted[type] = (counted[type] ?? 0) + 1;
        expect(part.by_type).toEqual(counted);
      }
    }
  });

  test('more bins than ticks are rejected', async () => {
    const slug = await own.machine();
    const refused = await own.request(`GET /api/chain/${slug}/analytics?ticks=5&bins=6`, 'anonymous', undefined, 422);
    expect(refused.details).toMatchObject([{ path: 'bins', code: 'TOO_BIG' }]);
  });
});

test('sources list row counts and ticks', async () => {
  const slug = await own.machine();
  await own.event(slug, 'a');
  advanceClock(service, 2n * TICK_NS);
  const { svcond } = await own.event(slug, 'b');
  const [genesis] = await own.rows(slug);
  const { rows } = (await own.request(`GET /api/chain/${slug}/sources`)) as { rows: Json[] };
  expect(rows).toEqual([
    { kind: 'api', rows: 2, first: expect.any(Number), last: svcond, rejected: 0 },
    { kind: 'system', rows: 1, first: genesis?.svcond, last: genesis?.svcond, rejected: 0 },
  ]);
});

describe('a block', () => {
  test('holds the rows of its tick, the head before them, and their root', async () => {
    const slug = await own.machine();
    advanceClock(service, 2n * TICK_NS);
    // All within one tick: the clock goes on while these are sent, so they are tried until they are.
    let block: Json[] = [];
    for (let i = 0; i < 20 && block.length < 3; i++) {
      advanceClock(service, TICK_NS - (service.running.clock.now() % TICK_NS));
      await Promise.all(['a', 'b', 'c'].map((name) => own.event(slug, name)));
      const all = await own.rows(slug);
      block = all.filter(({ svcond }) => svcond === all.at(-1)?.svcond);
    }
    expect(block).toHaveLength(3);
    const svcond = Number(block[0]?.svcond);
    advanceClock(service, TICK_NS);
    const answer = await own.request(`GET /api/chain/${slug}/block?svcond=${svcond}`);
    const [a, b, c] = block.map(({ row_hash }) => leafHash(fromHex(String(row_hash)) ?? new Uint8Array()));
    if (!a || !b || !c) throw new Error('There are three rows.');
    expect(answer).toMatchObject({
      svcond,
      is_closed: true,
      count: 3,
      prev_head: block[0]?.prev,
      root: toHex(nodeHash(nodeHash(a, b), c)),
      pulse: { svcond, R_t: readPulse(startOfTick(svcond)).R_t },
      rows: block,
      next_from: null,
    });
    const page = await own.request(`GET /api/chain/${slug}/block?svcond=${svcond}&limit=2`);
    expect(page).toMatchObject({ count: 3, root: answer.root, rows: block.slice(0, 2), next_from: block[2]?.seq });
    const rest = await own.request(`GET /api/chain/${slug}/block?svcond=${svcond}&limit=2&from=${page.next_from}`);
    expect(rest).toMatchObject({ rows: block.slice(2), next_from: null });
  });

  test('of a tick without rows is empty, before genesis NOT_FOUND, in the future TICK_IN_FUTURE', async () => {
    const slug = await own.machine();
    const [genesis] = await own.rows(slug);
    advanceClock(service, 3n * TICK_NS);
    const quiet = Number(genesis?.svcond) + 2;
    expect(await own.request(`GET /api/chain/${slug}/block?svcond=${quiet}`)).toMatchObject({
      count: 0,
      rows: [],
      prev_head: genesis?.row_hash,
      root: toHex(emptyRoot()),
    });
    const block = (svcond: number, status: number) =>
      own.request(`GET /api/chain/${slug}/block?svcond=${svcond}`, 'anonymous', undefined, status);
    expect(await block(Number(genesis?.svcond) - 1, 404)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await block(now() + 100, 404)).toMatchObject({ code: 'TICK_IN_FUTURE' });
    expect(await block(Number(genesis?.svcond), 200)).toMatchObject({ count: 1, prev_head: '0'.repeat(64) });
  });
});

describe('events', () => {
  const events = async (slug: string, query = '') =>
    (await own.request(`GET /api/chain/${slug}/events${query}`, 'admin')) as {
      rows: Json[];
      next_cursor: string | null;
    };

  test('are emitted ones, with source=all received ones too, by name, tick and page', async () => {
    const slug = await own.machine();
    await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition: ECHO }, 201);
    await own.event(slug, 'ping', { payload: { n: 1 } });
    advanceClock(service, 5n * TICK_NS);
    const { svcond } = await own.event(slug, 'ping', { payload: { n: 2 } });
    await own.event(slug, 'noise');
    const emitted = await events(slug);
    expect(emitted.rows.map(({ name, source }) => [name, source])).toEqual([
      ['pong', 'contract'],
      ['pong', 'contract'],
    ]);
    const all = await events(slug, '?source=all');
    expect(all.rows.map(({ name }) => name)).toEqual(['noise', 'pong', 'ping', 'pong', 'ping']);
    expect((await events(slug, '?source=all&name=ping')).rows.map(({ payload }) => payload)).toEqual([
      { n: 2 },
      { n: 1 },
    ]);
    expect((await events(slug, `?source=all&name=ping&since=${svcond}`)).rows).toHaveLength(1);
    const page = await events(slug, '?source=all&limit=3');
    const rest = await events(slug, `?source=all&limit=3&cursor=${page.next_cursor}`);
    expect([...page.rows, ...rest.rows]).toEqual(all.rows);
    expect(rest.next_cursor).toBeNull();
  });

  test('are found by name even beside payloads that the database cannot parse as JSON', async () => {
    const slug = await own.machine();
    for (const a of ['\0', '\\\0', '\\u0000', '\\\\u0000\\', '"\\"\0'])
      await own.event(slug, 'ping', { payload: { a } });
    await own.event(slug, 'noise', { payload: { a: '\0","name":"ping' } });
    const all = await events(slug, '?source=all&name=ping');
    expect(all.rows.map(({ payload }) => (payload as Json).a)).toEqual([
      '"\\"\0',
      '\\\\u0000\\',
      '\\u0000',
      '\\\0',
      '\0',
    ]);
  });

  test('are for members, even on a public machine', async () => {
    const slug = await own.machine();
    const status = async (as: 'anonymous' | 'other' | 'read') =>
      (await service.call(`GET /api/chain/${slug}/events`, { as })).status;
    expect([await status('anonymous'), await status('other'), await status('read')]).toEqual([401, 403, 200]);
  });
});

describe('awareness', () => {
  const status = (slug: string) => own.request(`GET /api/chain/${slug}/awareness/status`);

  test('returns the counters', async () => {
    const slug = await own.machine();
    await own.event(slug, 'a');
    await own.request(`POST /api/chain/${slug}/api-keys`, 'admin', { name: 'forever' }, 201);
    const soon = new Date(Number(service.running.clock.now() / 1_000_000n) + 3_600_000).toISOString();
    await own.request(`POST /api/chain/${slug}/api-keys`, 'admin', { name: 'soon', expires_at: soon }, 201);
    await own.request(`POST /api/chain/${slug}/contracts`, 'admin', { template_id: 'rate-limiter' }, 201);
    const rows = await own.rows(slug);
    expect(await status(slug)).toMatchObject({
      rows: rows.length,
      head: { seq: rows.length - 1, row_hash: rows.at(-1)?.row_hash },
      chain_ok: true,
      verified_from_seq: 0,
      verified_to_seq: rows.length - 1,
      erased: 0,
      uncheckpointed: rows.length,
      contracts: { active: 1 },
      def_mismatch: 0,
      events: { ingested: 1, emitted: 0 },
      keys: { live: 2, expiring: 1 },
    });
    await own.request(`GET /api/chain/${slug}/proof/inclusion?seq=0`);
    expect(await status(slug)).toMatchObject({ checkpoint: { size: rows.length }, uncheckpointed: 0 });
  });

  test('a tampered row is detected, and so is a tampered definition', async () => {
    const slug = await own.machine();
    await own.event(slug, 'a');
    await own.event(slug, 'b');
    await own.request(`POST /api/chain/${slug}/contracts`, 'admin', { template_id: 'rate-limiter' }, 201);
    const { storage } = service.running;
    const machine = await storage.machines.bySlug(slug);
    const { knex } = storage.database;
    await knex.raw('alter table audit disable trigger audit_append_only');
    await knex.raw(`update audit set type = 'other' where machine_id = ? and seq = 2`, [machine?.id ?? '']);
    await knex.raw('alter table audit enable trigger audit_append_only');
    await knex.raw(`update contract set definition = replace(definition, 'request', 'requesT') where machine_id = ?`, [
      machine?.id ?? '',
    ]);
    expect(await status(slug)).toMatchObject({ chain_ok: false, verified_to_seq: 1, def_mismatch: 1 });
  });
});
