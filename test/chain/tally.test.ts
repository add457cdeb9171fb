// How many tokens there are: never more than the most, never fewer than before, and no rate changes what was issued.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { issuedBy, type MintSegment, type Place, tokenAt, tokenIdOf } from '../../src/chain/tally.ts';
import { sha256Hex } from '../../src/core/sha256.ts';

const LARGEST = Number.MAX_SAFE_INTEGER;

/** Small numbers, where every edge is met, and the largest. */
const count = (min: number) => fc.oneof(fc.integer({ min, max: 20 }), fc.integer({ min, max: LARGEST }));

interface Chain {
  readonly max: number;
  readonly segments: readonly MintSegment[];
  readonly head: Place;
}

/** A chain with rates at rising rows, in ticks that never fall, and a head behind them. */
const chains: fc.Arbitrary<Chain> = fc
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
    let at = start;
    for (const { rows, ticks, unit, every, amount } of steps) {
      segments.push({ ...at, unit, every, amount });
      at = { seq: at.seq + rows, svcond: at.svcond + ticks };
    }
    return { max, segments, head: at };
  });

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + BigInt(one), 0n);

describe('the supply', () => {
  test('is that of the textbook on a worked example', () => {
    const segments: MintSegment[] = [
      { seq: 3, svcond: 100, unit: 'row', every: 2, amount: 5 }, // rows 4 to 10: ⌊7 / 2⌋ · 5 = 15
      { seq: 10, svcond: 130, unit: 'tick', every: 10, amount: 1 }, // ticks 131 to 165: ⌊35 / 10⌋ · 1 = 3
      { seq: 20, svcond: 165, unit: 'row', every: 1, amount: 100 }, // rows 21 and 22: 200
    ];
    const head = { seq: 22, svcond: 400 };
    expect(issuedBy(1_000, segments, head)).toEqual({ supply: 218, bySegment: [15, 3, 200] });
    expect(issuedBy(50, segments, head)).toEqual({ supply: 50, bySegment: [15, 3, 32] });
    expect(issuedBy(10, segments, head)).toEqual({ supply: 10, bySegment: [10, 0, 0] });
    expect(issuedBy(50, segments.slice(0, 1), { seq: 3, svcond: 999 })).toEqual({ supply: 0, bySegment: [0] });
  });

  test('is the sum of what each rate issued, and never above the most, exactly and for the largest numbers', () => {
    fc.assert(
      fc.property(chains, ({ max, segments, head }) => {
        const { supply, bySegment } = issuedBy(max, segments, head);
        expect(Number.isSafeInteger(supply) && supply >= 0 && supply <= max).toBe(true);
        expect(bySegment).toHaveLength(segments.length);
        expect(sum(bySegment)).toBe(BigInt(supply));
        // The plain formula, in whole numbers of any size.
        const plain = segments.map(({ unit, every, amount, ...from }, i) => {
          const to = segments[i + 1] ?? head;
          const n = unit === 'row' ? to.seq - from.seq : to.svcond - from.svcond;
          return (BigInt(n) / BigInt(every)) * BigInt(amount);
        });
        const total = plain.reduce((all, one) => all + one, 0n);
        expect(BigInt(supply)).toBe(total < BigInt(max) ? total : BigInt(max));
      }),
    );
    const one: MintSegment = { seq: 0, svcond: 0, unit: 'row', every: 1, amount: LARGEST };
    expect(issuedBy(LARGEST, [one], { seq: LARGEST, svcond: 0 }).supply).toBe(LARGEST);
  });

  test('never falls while the chain grows, and what closed rates issued stays as it was', () => {
    fc.assert(
      fc.property(chains, fc.nat(1_000), fc.nat(1_000), ({ max, segments, head }, rows, ticks) => {
        const before = issuedBy(max, segments, head);
        const after = issuedBy(max, segments, { seq: head.seq + rows, svcond: head.svcond + ticks });
        expect(after.supply).toBeGreaterThanOrEqual(before.supply);
        expect(after.bySegment.slice(0, -1)).toEqual(before.bySegment.slice(0, -1));
      }),
    );
  });

  test('does not change with a new rate, whatever it is: it counts from its own row on', () => {
    fc.assert(
      fc.property(chains, count(1), count(0), fc.boolean(), ({ max, segments, head }, every, amount, isRow) => {
        const before = issuedBy(max, segments, head);
        const changed = [...segments, { ...head, unit: isRow ? ('row' as const) : ('tick' as const), every, amount }];
        expect(issuedBy(max, changed, head)).toEqual({ supply: before.supply, bySegment: [...before.bySegment, 0] });
      }),
    );
  });
});

describe('a token', () => {
  test('is issued with the first row or tick whose supply holds it', () => {
    fc.assert(
      fc.property(chains, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (chain, where) => {
        const { max, segments, head } = chain;
        const issued = issuedBy(max, segments, head);
        fc.pre(issued.supply > 0);
        const index = Math.floor(where * issued.supply);
        const token = tokenAt(segments, issued, index);
        if (token === undefined) throw new Error(`Token ${index} of ${issued.supply} is not there.`);
        const { segment, unit, at } = token;
        const from = segments[segment];
        const to = segments[segment + 1] ?? head;
        if (from === undefined) throw new Error('There is no such rate.');
        const placed = (place: number): Place =>
          unit === 'row' ? { seq: place, svcond: from.svcond } : { seq: from.seq, svcond: place };
        expect(at).toBeGreaterThan(unit === 'row' ? from.seq : from.svcond);
        expect(at).toBeLessThanOrEqual(unit === 'row' ? to.seq : to.svcond);
        const supplyAt = (place: number) => {
          const before = sum(issued.bySegment.slice(0, segment));
          return before + BigInt(issuedBy(max - Number(before), [from], placed(place)).supply);
        };
        expect(supplyAt(at)).toBeGreaterThan(BigInt(index));
        expect(supplyAt(at - 1)).toBeLessThanOrEqual(BigInt(index));
      }),
    );
  });

  test('is not there before it is issued', () => {
    const segments: MintSegment[] = [{ seq: 0, svcond: 0, unit: 'row', every: 1, amount: 1 }];
    const issued = issuedBy(10, segments, { seq: 3, svcond: 0 });
    expect([0, 1, 2, 3, -1].map((index) => tokenAt(segments, issued, index)?.at)).toEqual([
      1,
      2,
      3,
      undefined,
      undefined,
    ]);
  });

  test('has an id that follows from the machine and its number', () => {
    const genesis = '00ff'.repeat(16);
    const bytes = new Uint8Array([...Buffer.from(genesis, 'hex'), 0, ...Buffer.from('42')]);
    expect(tokenIdOf(genesis, 42)).toBe(sha256Hex(bytes).slice(0, 32));
    const ids = Array.from({ length: 1_000 }, (_, index) => tokenIdOf(genesis, index));
    expect(new Set(ids).size).toBe(1_000);
    expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
  });
});
