// The token supply never exceeds its maximum and never falls, and no rate changes what was issued before.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BundledRow, MachineBundle, payloadOf, verifyMachineBundle } from '../../src/chain/bundle.ts';
import {
  type ChainPosition,
  issuedByRows,
  issuedTokens,
  type MintSegment,
  tokenAt,
  tokenIdOf,
} from '../../src/chain/tally.ts';
import { sha256Hex } from '../../src/core/sha256.ts';
// Chains with anchors and refusals of strangers, and the supply that the service then reported. Never edited.
import before from './tally-before.json' with { type: 'json' };

const MAX = Number.MAX_SAFE_INTEGER;

/** Small numbers, which reach the edge cases, and large ones. */
const count = (min: number) => fc.oneof(fc.integer({ min, max: 20 }), fc.integer({ min, max: MAX }));

interface Chain {
  readonly max: number;
  readonly segments: readonly MintSegment[];
  readonly head: ChainPosition;
}

/** A position that only counted rows precede. */
const position = (seq: number, svcond: number): ChainPosition => ({ seq, svcond, uncounted: 0, countedSvcond: svcond });

/** A chain with rates at increasing rows and non-decreasing ticks, followed by a head. */
const chainArbitrary: fc.Arbitrary<Chain> = fc
  .record({
    max: count(1),
    start: fc.record({ seq: fc.nat(1_000), svcond: fc.nat(3_000_000_000) }),
    steps: fc.array(
      fc.record({
        rows: fc.integer({ min: 1, max: 500 }),
        ticks: fc.nat(500),
        uncounted: fc.nat(400),
        late: fc.nat(50),
        unit: fc.constantFrom('row' as const, 'tick' as const),
        counts: fc.constantFrom('all' as const, 'members' as const),
        every: count(1),
        amount: count(0),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  })
  .map(({ max, start, steps }) => {
    const segments: MintSegment[] = [];
    let from = position(start.seq, start.svcond);
    let head = from;
    for (const { rows, ticks, uncounted, late, unit, every, amount, counts } of steps) {
      segments.push({ ...from, unit, every, amount, counts });
      from = {
        ...position(from.seq + rows, from.svcond + ticks),
        uncounted: from.uncounted + Math.min(uncounted, rows - 1),
      };
      // A chain may end with rows that do not count; a rate is a row that does.
      const isLate = from.uncounted > (segments.at(-1)?.uncounted ?? 0);
      head = { ...from, countedSvcond: Math.max(from.svcond - (isLate ? late : 0), from.svcond - ticks) };
    }
    return { max, segments, head };
  });

const sum = (numbers: readonly number[]) => numbers.reduce((total, value) => total + BigInt(value), 0n);

describe('the supply', () => {
  test('matches a worked example', () => {
    const segments: MintSegment[] = [
      { ...position(3, 100), unit: 'row', every: 2, amount: 5, counts: 'all' }, // rows 4 to 10: ⌊7 / 2⌋ · 5 = 15
      { ...position(10, 130), unit: 'tick', every: 10, amount: 1, counts: 'all' }, // ticks 131 to 165: ⌊35 / 10⌋ = 3
      { ...position(20, 165), unit: 'row', every: 1, amount: 100, counts: 'all' }, // rows 21 and 22: 200
    ];
    const head = position(22, 400);
    expect(issuedTokens(1_000, segments, head)).toEqual({ supply: 218, bySegment: [15, 3, 200] });
    expect(issuedTokens(50, segments, head)).toEqual({ supply: 50, bySegment: [15, 3, 32] });
    expect(issuedTokens(10, segments, head)).toEqual({ supply: 10, bySegment: [10, 0, 0] });
    expect(issuedTokens(50, segments.slice(0, 1), position(3, 999))).toEqual({ supply: 0, bySegment: [0] });
  });

  test('leaves rows that members did not write out of a rate that says so, and their ticks', () => {
    const head: ChainPosition = { seq: 30, svcond: 190, uncounted: 12, countedSvcond: 150 };
    const at = (unit: 'row' | 'tick', counts: 'all' | 'members', every: number): MintSegment[] => [
      { ...position(10, 100), uncounted: 2, unit, every, amount: 1, counts },
    ];
    expect(issuedTokens(1_000, at('row', 'all', 1), head).supply).toBe(20);
    expect(issuedTokens(1_000, at('row', 'members', 1), head).supply).toBe(10);
    expect(issuedTokens(1_000, at('row', 'members', 3), head).supply).toBe(3);
    expect(issuedTokens(1_000, at('tick', 'all', 1), head).supply).toBe(90);
    expect(issuedTokens(1_000, at('tick', 'members', 1), head).supply).toBe(50);
  });

  test('of a chain is counted from its rows, by the rule that each rate states', () => {
    const rate = (counts?: 'members') => ({ mint: { unit: 'row', every: 2, amount: 5, ...(counts && { counts }) } });
    const types = [
      'genesis',
      ['tally_genesis', { max_supply: 1_000, ...rate() }],
      ...['event', 'anchor', 'rejection', 'event', 'anchor_continuity'],
      ['tally_rate', rate('members')],
      ...['event', 'anchor', 'rejection', 'event', 'anchor', 'anchored', 'transition', 'rejection'],
    ] as const;
    const rows = types.map((type, seq) => ({
      seq,
      svcond: 100 + seq,
      type: typeof type === 'string' ? type : type[0],
      source: 'api',
    }));
    const payloadAt = ({ seq }: { seq: number }) => types[seq]?.[1];
    // Before: rows 2 to 7, all of them, ⌊6 / 2⌋ · 5. Since: four of eight rows, ⌊4 / 2⌋ · 5.
    expect(issuedByRows(rows, payloadAt)).toEqual({ maxSupply: 1_000, supply: 25, bySegment: [15, 10] });
    expect(issuedByRows(rows.slice(0, 7), payloadAt)).toEqual({ maxSupply: 1_000, supply: 10, bySegment: [10] });
    expect(issuedByRows(rows.slice(0, 1), payloadAt)).toBeUndefined();
    expect(issuedByRows(rows, ({ seq }) => (seq === 7 ? {} : payloadAt({ seq })))).toBeUndefined();
  });

  test.each(before)(
    'of a chain from before rates stated what they count stays $supply',
    ({ supply, issued, bundle }) => {
      const parsed = MachineBundle.parse(bundle);
      expect(issuedByRows(parsed.rows, payloadOf)).toEqual({ maxSupply: 1_000, supply, bySegment: issued });
      const reason = `${supply} of 1000 tokens at row 7.`;
      expect(verifyMachineBundle(parsed)).toContainEqual({ claim: 'supply', ok: true, reason });
      // Its rows are such that the rule of today would give another number.
      const counts = 'members';
      const today = (row: (typeof parsed.rows)[number]) => {
        const { mint, ...payload } = payloadOf(row);
        return { ...payload, mint: { ...(mint as object), counts } };
      };
      expect(issuedByRows(parsed.rows, today)?.supply).toBeLessThan(supply);
    },
  );

  test('of a bundle is undecided if a rate is not readable, and unclaimed without its first row or a token', () => {
    const bundle = MachineBundle.parse(before[0]?.bundle);
    const supplyOf = (changed: MachineBundle) =>
      verifyMachineBundle(changed).find(({ claim }) => claim === 'supply')?.ok;
    const withRows = (map: (row: BundledRow) => BundledRow[]) => ({ ...bundle, rows: bundle.rows.flatMap(map) });
    const { payload_text: _, salt: __, ...erased } = bundle.rows[5] as BundledRow;
    expect(supplyOf(bundle)).toBe(true);
    expect(supplyOf(withRows((row) => [row.seq === 5 ? erased : row]))).toBeNull();
    expect(supplyOf({ ...bundle, from: 1 })).toBeUndefined();
    expect(supplyOf(withRows((row) => (row.type === 'tally_genesis' ? [] : [row])))).toBeUndefined();
  });

  test('is the exact sum over all rates, capped at the maximum, also for the largest numbers', () => {
    fc.assert(
      fc.property(chainArbitrary, ({ max, segments, head }) => {
        const { supply, bySegment } = issuedTokens(max, segments, head);
        expect(Number.isSafeInteger(supply) && supply >= 0 && supply <= max).toBe(true);
        expect(bySegment).toHaveLength(segments.length);
        expect(sum(bySegment)).toBe(BigInt(supply));
        // The plain formula in BigInt.
        const expected = segments.map(({ unit, every, amount, counts, ...from }, i) => {
          const to = segments[i + 1] ?? head;
          const isAll = counts === 'all';
          const rows = to.seq - from.seq - (isAll ? 0 : to.uncounted - from.uncounted);
          const n = unit === 'row' ? rows : (isAll ? to.svcond : to.countedSvcond) - from.svcond;
          return (BigInt(n) / BigInt(every)) * BigInt(amount);
        });
        const total = expected.reduce((all, issued) => all + issued, 0n);
        expect(BigInt(supply)).toBe(total < BigInt(max) ? total : BigInt(max));
      }),
    );
    const segment: MintSegment = { ...position(0, 0), unit: 'row', every: 1, amount: MAX, counts: 'all' };
    expect(issuedTokens(MAX, [segment], position(MAX, 0)).supply).toBe(MAX);
  });

  test('never decreases while the chain grows, and closed rates keep what they issued', () => {
    fc.assert(
      fc.property(chainArbitrary, fc.nat(1_000), fc.nat(1_000), ({ max, segments, head }, rows, ticks) => {
        const before = issuedTokens(max, segments, head);
        const [seq, svcond] = [head.seq + rows, head.svcond + ticks];
        const after = issuedTokens(max, segments, { ...head, seq, svcond, countedSvcond: svcond });
        expect(after.supply).toBeGreaterThanOrEqual(before.supply);
        expect(after.bySegment.slice(0, -1)).toEqual(before.bySegment.slice(0, -1));
      }),
    );
  });

  test('does not change when a new rate is set, since it counts from its own row on', () => {
    fc.assert(
      fc.property(chainArbitrary, count(1), count(0), fc.boolean(), ({ max, segments, head }, every, amount, isRow) => {
        const before = issuedTokens(max, segments, { ...head, countedSvcond: head.svcond });
        const unit = isRow ? ('row' as const) : ('tick' as const);
        const counted = { ...head, countedSvcond: head.svcond };
        const changed: MintSegment[] = [...segments, { ...counted, unit, every, amount, counts: 'members' }];
        expect(issuedTokens(max, changed, counted)).toEqual({
          supply: before.supply,
          bySegment: [...before.bySegment, 0],
        });
      }),
    );
  });
});

describe('a token', () => {
  test('is issued by the first row or tick whose supply includes it', () => {
    fc.assert(
      fc.property(chainArbitrary, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (chain, fraction) => {
        const { max, segments, head } = chain;
        const issued = issuedTokens(max, segments, head);
        fc.pre(issued.supply > 0);
        const index = Math.floor(fraction * issued.supply);
        const token = tokenAt(segments, issued, index);
        if (token === undefined) throw new Error(`token ${index} of ${issued.supply} not found`);
        const { segment, unit, at } = token;
        const from = segments[segment];
        const to = segments[segment + 1] ?? head;
        if (from === undefined) throw new Error('rate not found');
        // Rows that count are numbered among themselves.
        const skipped = from.counts === 'all' ? 0 : from.uncounted;
        const positionAt = (count: number): ChainPosition =>
          unit === 'row' ? { ...from, seq: count + skipped } : { ...from, svcond: count, countedSvcond: count };
        expect(at).toBeGreaterThan(unit === 'row' ? from.seq - skipped : from.svcond);
        expect(at).toBeLessThanOrEqual(unit === 'row' ? to.seq - skipped : to.svcond);
        const supplyAt = (count: number) => {
          const before = sum(issued.bySegment.slice(0, segment));
          return before + BigInt(issuedTokens(max - Number(before), [from], positionAt(count)).supply);
        };
        expect(supplyAt(at)).toBeGreaterThan(BigInt(index));
        expect(supplyAt(at - 1)).toBeLessThanOrEqual(BigInt(index));
      }),
    );
  });

  test('is undefined before it is issued', () => {
    const segments: MintSegment[] = [{ ...position(0, 0), unit: 'row', every: 1, amount: 1, counts: 'all' }];
    const issued = issuedTokens(10, segments, position(3, 0));
    expect([0, 1, 2, 3, -1].map((index) => tokenAt(segments, issued, index)?.at)).toEqual([
      1,
      2,
      3,
      undefined,
      undefined,
    ]);
  });

  test('has an id derived from the machine and its index', () => {
    const genesis = '00ff'.repeat(16);
    const bytes = new Uint8Array([...Buffer.from(genesis, 'hex'), 0, ...Buffer.from('42')]);
    expect(tokenIdOf(genesis, 42)).toBe(sha256Hex(bytes).slice(0, 32));
    const ids = Array.from({ length: 1_000 }, (_, index) => tokenIdOf(genesis, index));
    expect(new Set(ids).size).toBe(1_000);
    expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
  });
});
