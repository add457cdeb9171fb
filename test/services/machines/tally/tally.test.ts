// Tokens on a live chain: created once, counted from rows and ticks, rates changed for the future only, tampering
// detected.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RowType } from '../../../../src/chain/row-type.ts';
import { tokenIdOf } from '../../../../src/chain/tally.ts';
import { sha256Hex } from '../../../../src/core/sha256.ts';
import type { Principal } from '../../../../src/services/access/access.ts';
import { rows } from '../../../../src/storage/database/sql.ts';
import type { Machine } from '../../../../src/storage/machines/machines.ts';
import { type Composed, composedDatabases } from '../../composition-fixture.ts';
import { jpeg, png } from './image-fixtures.ts';

const REQUEST = {
  name: 'Heat',
  symbol: 'HEAT',
  max_supply: 1_000,
  mint: { unit: 'row', every: 2, amount: 5 },
} as const;

describe.each(composedDatabases())('on $name', (database) => {
  let node: Composed;
  let by: Principal;
  beforeAll(async () => {
    node = await database.open();
    by = await node.createOwner();
  });
  afterAll(() => database.dispose(node));

  const withEvents = async (machine: Machine, times: number): Promise<Machine> => {
    for (let i = 0; i < times; i++) await node.appendEvent(machine, by);
    return node.reload(machine);
  };
  const supplyOf = async (machine: Machine) => (await node.services.tally.get(await node.reload(machine))).supply;

  test('rows and ticks of the chain issue tokens, each rate from its row on', async () => {
    const { tally } = node.services;
    const machine = await node.machine(by);
    const { seq } = await tally.create(machine, by, REQUEST);
    expect(await supplyOf(machine)).toMatchObject({ supply: 0, max_supply: 1_000, tokens_remaining: 1_000 });
    await withEvents(machine, 5);
    expect(await supplyOf(machine)).toMatchObject({ supply: 10, tokens_remaining: 990 });
    // Its own row is the last that the old rate counts: six in all.
    const rate = await tally.setRate(await node.reload(machine), by, { unit: 'tick', every: 10, amount: 7 });
    expect(rate.seq).toBe(seq + 6);
    expect((await supplyOf(machine)).segments.map(({ issued }) => issued)).toEqual([15, 0]);
    // Time alone issues nothing: what is not in the chain does not count.
    node.wait(25);
    expect((await supplyOf(machine)).supply).toBe(15);
    const last = await withEvents(machine, 1);
    const supply = await supplyOf(machine);
    expect(supply).toMatchObject({ supply: 29, last_row: { seq: last.head.seq, row_hash: last.head.row_hash } });
    expect(supply.segments.map(({ seq: at, issued }) => [at, issued])).toEqual([
      [seq, 15],
      [rate.seq, 14],
    ]);
    const { rows: tokens, next_from } = await tally.tokens(last, { from: 10, limit: 10 });
    expect(next_from).toBe(20);
    expect(tokens.map(({ index, segment, at }) => [index, segment, at])).toEqual([
      ...[10, 11, 12, 13, 14].map((index) => [index, 0, seq + 6]),
      ...[15, 16, 17, 18, 19].map((index) => [index, 1, rate.svcond + 10]),
    ]);
    const id = tokenIdOf(machine.genesisHash, 22);
    expect(await tally.token(last, id)).toMatchObject({ token_id: id, index: 22, unit: 'tick', at: rate.svcond + 20 });
    expect(await tally.token(last, id, 22)).toMatchObject({ index: 22 });
    await expect(tally.token(last, id, 21)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const unissued = tokenIdOf(machine.genesisHash, 29);
    await expect(tally.token(last, unissued)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await tally.verify(last, {})).toMatchObject({ valid: true, checked: 2, sealed: 0, first_bad: null });
    expect(await tally.verify(last, { tokenId: id })).toMatchObject({ valid: true, token: { index: 22 } });
    expect(await tally.verify(last, { tokenId: unissued })).toMatchObject({
      valid: false,
      first_bad: null,
      token: null,
    });
  });

  test('each token names the row that issued it, however rows that count and others follow each other', async () => {
    const { tally, machines } = node.services;
    const machine = await node.machine(by);
    const types: RowType[] = ['event', 'anchor', 'anchor_continuity', 'rejection', 'anchored', 'transition'];
    const append = (count: number) =>
      machines.commit(machine, () => ({
        // An irregular order of all types.
        rows: Array.from({ length: count }, (_, i) =>
          machines.row(by, types[(7 * i + ((i * i) % 5)) % types.length] ?? 'event', 'test', {}),
        ),
        answer: undefined,
      }));
    // Rows before the token, and rows of each rate.
    await append(20);
    await tally.create(await node.reload(machine), by, { ...REQUEST, mint: { unit: 'row', every: 100, amount: 2 } });
    await append(1_500);
    // Read between, so that later numbers build on earlier ones.
    await supplyOf(machine);
    await tally.setRate(await node.reload(machine), by, { unit: 'row', every: 7, amount: 1 });
    await append(2_200);
    const last = await node.reload(machine);
    // The plain reading: row by row.
    const expected: number[] = [];
    let rate: { every: number; amount: number } | undefined;
    let counted = 0;
    for (const { seq, type, payload_text } of await node.storage.audit.range(
      last.id,
      last.head.slug,
      0,
      last.head.seq,
    )) {
      if (!['anchor', 'anchor_continuity', 'rejection'].includes(type) && rate && ++counted % rate.every === 0)
        for (let i = 0; i < rate.amount; i++) expected.push(seq);
      if (!type.startsWith('tally_')) continue;
      rate = JSON.parse(payload_text ?? '').mint;
      counted = 0;
    }
    expect(expected.length).toBeGreaterThan(30);
    const pages = [];
    for (let from: number | null = 0; from !== null; ) {
      const page: Awaited<ReturnType<typeof tally.tokens>> = await tally.tokens(last, { from, limit: 13 });
      pages.push(...page.rows);
      from = page.next_from;
    }
    expect(pages.map(({ at }) => at)).toEqual(expected);
    expect(await supplyOf(machine)).toMatchObject({ supply: expected.length });
  });

  test('concurrent creations make one token; a rate needs a token', async () => {
    const { tally } = node.services;
    const machine = await node.machine(by);
    await expect(tally.get(machine)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(tally.setRate(machine, by, REQUEST.mint)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const made = await Promise.allSettled(Array.from({ length: 8 }, () => tally.create(machine, by, REQUEST)));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of made) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'CONFLICT' });
    const { head } = await node.reload(machine);
    const typed = await node.storage.audit.countOfTypes(machine.id, ['tally_genesis']);
    expect([head.seq, typed.get('tally_genesis')]).toEqual([1, 1]);
  });

  test('issuing stops at the maximum supply, and a rate of 0 issues nothing', async () => {
    const { tally } = node.services;
    const machine = await node.machine(by);
    await tally.create(machine, by, { ...REQUEST, max_supply: 12 });
    await withEvents(machine, 9);
    expect(await supplyOf(machine)).toMatchObject({ supply: 12, tokens_remaining: 0 });
    await tally.setRate(await node.reload(machine), by, { unit: 'row', every: 1, amount: 0 });
    await withEvents(machine, 3);
    expect(await supplyOf(machine)).toMatchObject({ supply: 12 });
  });

  test.each([
    ['tally', 'max_supply = max_supply + 1'],
    ['tally', `symbol = 'COLD'`],
    ['tally', `name = 'Cold'`],
    ['tally_segment', 'amount = amount + 1'],
    ['tally_segment', 'every = every + 1'],
    ['tally_segment', `unit = 'tick'`],
    ['tally_segment', `counts = 'all'`],
    ['tally_segment', 'svcond = svcond - 1'],
    ['tally_segment', 'seq = seq - 1'],
  ])('verify detects %s with %s', async (table, change) => {
    const machine = await node.machine(by);
    const { seq } = await node.services.tally.create(machine, by, REQUEST);
    const last = await withEvents(machine, 2);
    expect(await node.services.tally.verify(last, {})).toMatchObject({ valid: true });
    await rows(node.storage.database.knex, `update ${table} set ${change} where machine_id = ?`, [machine.id]);
    const reason = change.startsWith('seq') ? { seq: seq - 1, reason: 'MISSING' } : { seq, reason: 'DIFFERENT' };
    expect(await node.services.tally.verify(last, {})).toMatchObject({ valid: false, first_bad: reason });
  });

  test('verify detects rates without rows, rows without rates, and changed payloads', async () => {
    const { tally } = node.services;
    const { knex } = node.storage.database;
    const machine = await node.machine(by);
    const genesis = await tally.create(machine, by, REQUEST);
    const rate = await tally.setRate(await node.reload(machine), by, { unit: 'row', every: 1, amount: 1 });
    const last = await node.reload(machine);
    await knex.raw('alter table audit disable trigger audit_append_only');
    await rows(knex, `update audit set body = replace(body, 'Heat', 'Cold') where machine_id = ? and seq = ?`, [
      machine.id,
      genesis.seq,
    ]);
    expect((await tally.verify(last, {})).first_bad).toEqual({ seq: genesis.seq, reason: 'COMMIT' });
    await rows(
      knex,
      `update audit set body = replace(body, 'Cold', 'Heat'), actor = ? where machine_id = ? and seq = ?`,
      ['f'.repeat(32), machine.id, genesis.seq],
    );
    expect((await tally.verify(last, {})).first_bad).toEqual({ seq: genesis.seq, reason: 'HASH' });
    await knex.raw('alter table audit enable trigger audit_append_only');
    const other = await node.machine(by);
    await tally.create(other, by, REQUEST);
    const { seq } = await tally.setRate(await node.reload(other), by, { unit: 'row', every: 1, amount: 1 });
    await rows(knex, 'delete from tally_segment where machine_id = ? and seq = ?', [other.id, seq]);
    expect((await tally.verify(await node.reload(other), {})).first_bad).toEqual({ seq, reason: 'UNKNOWN' });
    expect(rate.seq).toBeGreaterThan(genesis.seq);
  });

  test('tokens are counted on a sealed chain too', async () => {
    const { services } = node;
    const { machine, credentials } = await services.machines.create(
      undefined,
      { name: 'sealed', is_public: false },
      'tally',
    );
    const owner = await services.access.authenticate(credentials?.key ?? '');
    await services.tally.create(machine, owner, REQUEST);
    for (let i = 0; i < 4; i++) await node.appendEvent(machine, owner);
    expect((await supplyOf(machine)).supply).toBe(10);
    expect(await services.tally.verify(await node.reload(machine), {})).toMatchObject({
      valid: true,
      checked: 1,
      sealed: 1,
    });
  });

  test('the avatar is sanitized, encrypted in the database, recorded in the chain, and replaceable', async () => {
    const { tally, machineLog } = node.services;
    const machine = await node.machine(by);
    const picture = (bytes: Uint8Array, claimed?: string) =>
      tally.setAvatar(machine, by, new Uint8Array(bytes), claimed);
    await expect(picture(png(6, 4))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await tally.create(machine, by, REQUEST);
    await expect(tally.readAvatar(machine)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(picture(png(6, 4), 'image/jpeg')).rejects.toMatchObject({ details: [{ path: 'media_type' }] });
    const { row, avatar } = await picture(png(6, 4, 'Ada-1815'), 'image/png');
    const shown = await tally.readAvatar(machine);
    expect(shown.mediaType).toBe('image/png');
    expect(sha256Hex(shown.bytes)).toBe(avatar.sha256);
    const { rows: written } = await machineLog.explore(await node.reload(machine), { limit: 1, type: 'tally_avatar' });
    expect(written).toMatchObject([
      { seq: row.seq, payload: { media_type: 'image/png', sha256: avatar.sha256, bytes: shown.bytes.length } },
    ]);
    const [stored] = await rows<{ sealed: Uint8Array }>(
      node.storage.database.knex,
      'select sealed from tally_avatar where machine_id = ?',
      [machine.id],
    );
    expect(Buffer.from(stored?.sealed ?? '').includes(Buffer.from('IHDR'))).toBe(false);
    expect(stored?.sealed.length).toBe(shown.bytes.length + 28);
    await picture(jpeg());
    expect(await tally.readAvatar(machine)).toMatchObject({ mediaType: 'image/jpeg' });
    expect((await tally.get(await node.reload(machine))).avatar).toMatchObject({
      mediaType: 'image/jpeg',
      width: 6,
      height: 4,
    });
  });
});
