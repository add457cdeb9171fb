// How many tokens a machine has issued: a pure function of its chain.
//
// A rate issues `amount` tokens for every so many rows or ticks, from the row that set it until the row that sets the next:
// what one rate has issued, no later one changes.
//
//   supply = min(max, Σ ⌊n / every⌋ · amount)       n: rows, or ticks, of each rate's stretch
//   id of token i = the first 32 digits of SHA-256(genesis hash ‖ "\0" ‖ i)
//
// Products go beyond 2^53 long before a maximum is reached, so they are taken in whole numbers of any size.

import { concat, fromHex, toHex } from '../core/bits.ts';
import { sha256, utf8 } from '../core/sha256.ts';

export interface Mint {
  /** What is counted. */
  readonly unit: 'row' | 'tick';
  readonly every: number;
  /** 0 issues nothing. */
  readonly amount: number;
}

/** A place in a chain: the number of a row and its tick. */
export interface Place {
  readonly seq: number;
  readonly svcond: number;
}

/** A rate, and the row that set it. */
export interface MintSegment extends Mint, Place {}

export interface Issued {
  readonly supply: number;
  /** How many each rate issued, in order; they add up to the supply. */
  readonly bySegment: readonly number[];
}

/**
 * @param maxSupply  up to 2^53 − 1
 * @param segments  oldest first
 * @param head  the last row that counts
 */
export function issuedBy(maxSupply: number, segments: readonly MintSegment[], head: Place): Issued {
  let left = BigInt(maxSupply);
  const bySegment = segments.map((segment, i) => {
    const end = segments[i + 1] ?? head;
    const counted = BigInt(Math.max(0, placeIn(segment.unit, end) - placeIn(segment.unit, segment)));
    const wanted = (counted / BigInt(segment.every)) * BigInt(segment.amount);
    const issued = wanted < left ? wanted : left;
    left -= issued;
    return Number(issued);
  });
  return { supply: maxSupply - Number(left), bySegment };
}

export interface MintedToken {
  readonly index: number;
  /** Which rate issued it. */
  readonly segment: number;
  readonly unit: Mint['unit'];
  /** The row, or the tick, with which it was issued. */
  readonly at: number;
}

/** Undefined if there is no such token yet. */
export function tokenAt(segments: readonly MintSegment[], issued: Issued, index: number): MintedToken | undefined {
  let first = 0;
  for (const [i, count] of issued.bySegment.entries()) {
    const segment = segments[i];
    if (segment !== undefined && index >= first && index < first + count) {
      const { unit, every, amount } = segment;
      const nth = BigInt(index - first) / BigInt(amount) + 1n;
      return { index, segment: i, unit, at: placeIn(unit, segment) + Number(nth * BigInt(every)) };
    }
    first += count;
  }
  return undefined;
}

const ID_DIGITS = 32;

/** @param genesisHash  of the machine, hex */
export function tokenIdOf(genesisHash: string, index: number): string {
  const genesis = fromHex(genesisHash);
  if (genesis === undefined) throw new Error('A genesis hash is hex.');
  return toHex(sha256(concat(genesis, utf8(`\0${index}`)))).slice(0, ID_DIGITS);
}

function placeIn(unit: Mint['unit'], { seq, svcond }: Place): number {
  return unit === 'row' ? seq : svcond;
}
