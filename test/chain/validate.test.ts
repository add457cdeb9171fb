import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rangeHash } from '../../src/chain/merkle.ts';
import { commitmentOf, type OpenRow, type Row, rowHashOf } from '../../src/chain/row.ts';
import { CHAIN_START, type CheckedTree, validateRows } from '../../src/chain/validate.ts';
import { chainOf, leavesOf, longChain } from './chain-fixture.ts';
import { readerOf } from './reference-tree.ts';

const SLUG = 'm';
const ROWS = longChain(SLUG, 40);
const treeOf = (rows: readonly Row[]): CheckedTree => {
  const read = readerOf(leavesOf(rows));
  return { size: rows.length, root: rangeHash({ from: 0, to: rows.length }, read), read };
};
const TREE = treeOf(ROWS);
const rowAt = (i: number) => ROWS[i] as OpenRow;

test('an unchanged chain is valid, in full and in every range, against every earlier tree', () => {
  for (let from = 0; from < ROWS.length; from += 7) {
    for (let to = from + 1; to <= ROWS.length; to += 5) {
      const previous = from === 0 ? CHAIN_START : rowAt(from - 1);
      for (const tree of [undefined, TREE, treeOf(ROWS.slice(0, 17))]) {
        const result = validateRows(ROWS.slice(from, to), SLUG, from, previous, tree);
        expect(result).toEqual({ valid: true, from, to: to - 1, checked: to - from, erased: 0, sealed: 0 });
      }
    }
  }
});

test('a chain with erased payloads is valid, and they are counted', () => {
  const rows = ROWS.map((row) => (row.seq % 3 === 0 ? { ...row, salt: undefined, payload_text: undefined } : row));
  expect(validateRows(rows, SLUG, 0, CHAIN_START, TREE)).toMatchObject({ valid: true, erased: 14 });
});

test('an empty range is valid', () => {
  expect(validateRows([], SLUG, 40, rowAt(39), TREE)).toEqual({
    valid: true,
    from: 40,
    to: 39,
    checked: 0,
    erased: 0,
    sealed: 0,
  });
});

describe('a changed row', () => {
  const COLUMNS = [
    'v',
    'slug',
    'seq',
    'svcond',
    'type',
    'source',
    'actor',
    'commit',
    'prev',
    'row_hash',
    'salt',
    'payload_text',
  ] as const;

  /** The value with one bit flipped. */
  function flip(value: string | number, bit: number): string | number {
    if (typeof value === 'number') return value ^ (1 << (bit % 20));
    const at = Math.floor(bit / 7) % value.length;
    return value.slice(0, at) + String.fromCharCode(value.charCodeAt(at) ^ (1 << (bit % 7))) + value.slice(at + 1);
  }

  test('is reported for one flipped bit in any column of any row', () => {
    fc.assert(
      fc.property(fc.nat(ROWS.length - 1), fc.constantFrom(...COLUMNS), fc.nat(2_000), (i, column, bit) => {
        const row = rowAt(i);
        const changed = { ...row, [column]: flip(row[column], bit) } as Row;
        const rows = ROWS.with(i, changed as OpenRow);
        const { valid, first_bad: bad } = validateRows(rows, SLUG, 0, CHAIN_START, TREE);
        expect(valid).toBe(false);
        expect(bad?.seq).toBe(i);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['HASH', (row: Row) => ({ ...row, type: 'other' })],
    ['LINK', (row: Row) => rehash({ ...row, prev: '1'.repeat(64) })],
    ['GAP', (row: Row) => rehash({ ...row, seq: row.seq + 1 })],
    ['TICK', (row: Row) => rehash({ ...row, svcond: 5 })],
    ['COMMIT', (row: Row) => ({ ...row, payload_text: '{"i":-1}' })],
  ] as const)('is reported as %s', (reason, change) => {
    const rows = ROWS.with(9, change(rowAt(9)) as OpenRow);
    expect(validateRows(rows, SLUG, 0, CHAIN_START).first_bad).toEqual({ seq: 9, reason });
  });

  test('with all later rows rehashed is consistent, but does not match the checkpoint', () => {
    const rowFixtures = ROWS.map(({ svcond, type, payload_text }) => ({
      svcond,
      type,
      payload: JSON.parse(payload_text),
    }));
    for (const at of [0, 9, 31, 39]) {
      const rewritten = chainOf(
        SLUG,
        rowFixtures.with(at, { svcond: 100 + (at >> 1), type: 'event', payload: { i: 'forged' } }),
      );
      expect(validateRows(rewritten, SLUG, 0, CHAIN_START).valid).toBe(true);
      const result = validateRows(rewritten, SLUG, 0, CHAIN_START, TREE);
      expect(result.first_bad).toEqual({ seq: at, reason: 'TREE' });
      const range = validateRows(rewritten.slice(at), SLUG, at, at === 0 ? CHAIN_START : rewritten[at - 1], TREE);
      expect(range.first_bad).toEqual({ seq: at, reason: 'TREE' });
    }
  });

  test('is detected by the signed root even if the stored tree is changed too', () => {
    const forged = longChain('n', 40).map((row) => ({ ...row, slug: SLUG }));
    const rows = chainOf(
      SLUG,
      forged.map(({ svcond, type }) => ({ svcond, type, payload: 'forged' })),
    );
    const tree = { ...treeOf(rows), root: TREE.root };
    expect(validateRows(rows, SLUG, 0, CHAIN_START, tree).first_bad?.reason).toBe('TREE');
  });

  test('newer than the checkpoint is not compared with the tree', () => {
    const short = treeOf(ROWS.slice(0, 20));
    expect(validateRows(ROWS.slice(20), SLUG, 20, rowAt(19), short).valid).toBe(true);
  });
});

function rehash(row: Row): Row {
  return { ...row, row_hash: rowHashOf(row) };
}

test('the commitment depends on the salt', () => {
  expect(commitmentOf(new Uint8Array(16), '{}')).not.toBe(commitmentOf(new Uint8Array(16).fill(1), '{}'));
});
