// The token supply of a machine, a pure function of its chain.
//
// A rate issues `amount` tokens per `every` rows or ticks, from the row that sets it until the row that sets the next
// rate. A later rate never changes what an earlier one issued.
//
//   supply = min(max, Σ ⌊n / every⌋ · amount)       n: rows, or ticks, of each rate's segment
//   id of token i = the first 32 digits of SHA-256(genesis hash ‖ "\0" ‖ i)
//
// Products exceed 2^53 long before a maximum is reached, so they are computed with BigInt.

import { concat, fromHex, toHex } from '../core/bits.ts';
import { sha256, utf8 } from '../core/sha256.ts';

export interface Mint {
  /** The counted unit. */
  readonly unit: 'row' | 'tick';
  readonly every: number;
  /** 0 issues nothing. */
  readonly amount: number;
}

/** A position in a chain: the number of a row and its tick. */
export interface ChainPosition {
  readonly seq: number;
  readonly svcond: number;
}

/** A rate and the row that set it. */
export interface MintSegment extends Mint, ChainPosition {}

export interface Issued {
  readonly supply: number;
  /** Tokens that each rate issued, in order; their sum is the supply. */
  readonly bySegment: readonly number[];
}

/**
 * @param maxSupply  up to 2^53 − 1
 * @param segments  oldest first
 * @param head  the last counted row
 */
export function issuedTokens(maxSupply: number, segments: readonly MintSegment[], head: ChainPosition): Issued {
  let remaining = BigInt(maxSupply);
  const bySegment = segments.map((segment, i) => {
    const end = segments[i + 1] ?? head;
    const counted = BigInt(Math.max(0, positionIn(segment.unit, end) - positionIn(segment.unit, segment)));
    const due = (counted / BigInt(segment.every)) * BigInt(segment.amount);
    const issued = due < remaining ? due : remaining;
    remaining -= issued;
    return Number(issued);
  });
  return { supply: maxSupply - Number(remaining), bySegment };
}

export interface MintedToken {
  readonly index: number;
  /** Index of the rate that issued it. */
  readonly segment: number;
  readonly unit: Mint['unit'];
  /** The row or tick that issued it. */
  readonly at: number;
}

/** Undefined if the token is not issued yet. */
export function tokenAt(segments: readonly MintSegment[], issued: Issued, index: number): MintedToken | undefined {
  let first = 0;
  for (const [i, count] of issued.bySegment.entries()) {
    const segment = segments[i];
    if (segment !== undefined && index >= first && index < first + count) {
      const { unit, every, amount } = segment;
      const nth = BigInt(index - first) / BigInt(amount) + 1n;
      return { index, segment: i, unit, at: positionIn(unit, segment) + Number(nth * BigInt(every)) };
    }
    first += count;
  }
  return undefined;
}

const ID_DIGITS = 32;

/** @param genesisHash  hash of row 0, hex */
export function tokenIdOf(genesisHash: string, index: number): string {
  const genesis = fromHex(genesisHash);
  if (genesis === undefined) throw new Error('The genesis hash must be hexadecimal.');
  return toHex(sha256(concat(genesis, utf8(`\0${index}`)))).slice(0, ID_DIGITS);
}

function positionIn(unit: Mint['unit'], { seq, svcond }: ChainPosition): number {
  return unit === 'row' ? seq : svcond;
}
