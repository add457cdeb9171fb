// The token supply never exceeds its maximum and never falls, and no rate changes what was issued before.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ChainPosition, issuedTokens, type MintSegment, tokenAt, tokenIdOf } from '../../src/chain/tally.ts';
import { sha256Hex } from '../../src/core/sha256.ts';

const MAX = Number.MAX_SAFE_INTEGER;

/** Small numbers, which reach the edge cases, and large ones. */
const count = (min: number) => fc.oneof(fc.integer({ min, max: 20 }), fc.integer({ min, max: MAX }));

interface Chain {
  readonly max: number;
  readonly segments: readonly MintSegment[];
  readonly head: ChainPosition;
}

/** A chain with rates at increasing rows and non-decreasing ticks, followed by a head. */
const chainArbitrary: fc.Arbitrary<Chain> = fc
  .record({
    max: count(1),
    start: fc.record({ seq: fc.nat(1_000), svcond: fc.nat(3_000_000_000) }),
    steps: fc.array(
      fc.record({
        rows: fc.integer({ min: 1, max: 500 }),
        ticks: fc.nat(500),
        unit: fc.constantFrom('row' as const, 'tick' as const),
        every: count(1),
        amount: count(0),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  })
  .map(({ max, start, steps }) => {
    const segments: MintSegment[] = [];
    let position = start;
    for (const { rows, ticks, unit, every, amount } of steps) {
      segments.push({ ...position, unit, every, amount });
      position = { seq: position.seq + rows, svcond: position.svcond + ticks };
    }
    return { max, segments, head: position };
  });

const sum = (numbers: readonly number[]) => numbers.reduce((total, value) => total + BigInt(value), 0n);

describe('the supply', () => {
  test('matches a worked example', () => {
    const segments: MintSegment[] = [
      { seq: 3, svcond: 100, unit: 'row', every: 2, amount: 5 }, // rows 4 to 10: ⌊7 / 2⌋ · 5 = 15
      { seq: 10, svcond: 130, unit: 'tick', every: 10, amount: 1 }, // ticks 131 to 165: ⌊35 / 10⌋ · 1 = 3
      { seq: 20, svcond: 165, unit: 'row', every: 1, amount: 100 }, // rows 21 and 22: 200
    ];
    const head = { seq: 22, svcond: 400 };
    expect(issuedTokens(1_000, segments, head)).toEqual({ supply: 218, bySegment: [15, 3, 200] });
    expect(issuedTokens(50, segments, head)).toEqual({ supply: 50, bySegment: [15, 3, 32] });
    expect(issuedTokens(10, segments, head)).toEqual({ supply: 10, bySegment: [10, 0, 0] });
    expect(issuedTokens(50, segments.slice(0, 1), { seq: 3, svcond: 999 })).toEqual({ supply: 0, bySegment: [0] });
  });

  test('is the exact sum over all rates, capped at the maximum, also for the largest numbers', () => {
    fc.assert(
      fc.property(chainArbitrary, ({ max, segments, head }) => {
        const { supply, bySegment } = issuedTokens(max, segments, head);
        expect(Number.isSafeInteger(supply) && supply >= 0 && supply <= max).toBe(true);
        expect(bySegment).toHaveLength(segments.length);
        expect(sum(bySegment)).toBe(BigInt(supply));
        // The plain formula in BigInt.
        const expected = segments.map(({ unit, every, amount, ...from }, i) => {
          const to = segments[i + 1] ?? head;
          const n = unit === 'row' ? to.seq - from.seq : to.svcond - from.svcond;
          return (BigInt(n) / BigInt(every)) * BigInt(amount);
        });
        const total = expected.reduce((all, issued) => all + issued, 0n);
        expect(BigInt(supply)).toBe(total < BigInt(max) ? total : BigInt(max));
      }),
    );
    const segment: MintSegment = { seq: 0, svcond: 0, unit: 'row', every: 1, amount: MAX };
    expect(issuedTokens(MAX, [segment], { seq: MAX, svcond: 0 }).supply).toBe(MAX);
  });

  test('never decreases while the chain grows, and closed rates keep what they issued', () => {
    fc.assert(
      fc.property(chainArbitrary, fc.nat(1_000), fc.nat(1_000), ({ max, segments, head }, rows, ticks) => {
        const before = issuedTokens(max, segments, head);
        const after = issuedTokens(max, segments, { seq: head.seq + rows, svcond: head.svcond + ticks });
        expect(after.supply).toBeGreaterThanOrEqual(before.supply);
        expect(after.bySegment.slice(0, -1)).toEqual(before.bySegment.slice(0, -1));
      }),
    );
  });

  test('does not change when a new rate is set, since it counts from its own row on', () => {
    fc.assert(
      fc.property(chainArbitrary, count(1), count(0), fc.boolean(), ({ max, segments, head }, every, amount, isRow) => {
        const before = issuedTokens(max, segments, head);
        const changed = [...segments, { ...head, unit: isRow ? ('row' as const) : ('tick' as const), every, amount }];
        expect(issuedTokens(max, changed, head)).toEqual({
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
        const positionAt = (count: number): ChainPosition =>
          unit === 'row' ? { seq: count, svcond: from.svcond } : { seq: from.seq, svcond: count };
        expect(at).toBeGreaterThan(unit === 'row' ? from.seq : from.svcond);
        expect(at).toBeLessThanOrEqual(unit === 'row' ? to.seq : to.svcond);
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
    const segments: MintSegment[] = [{ seq: 0, svcond: 0, unit: 'row', every: 1, amount: 1 }];
    const issued = issuedTokens(10, segments, { seq: 3, svcond: 0 });
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
