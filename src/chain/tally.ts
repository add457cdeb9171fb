// The token supply of a machine, a pure function of its chain.
//
// A rate issues `amount` tokens per `every` rows or ticks, from the row that sets it until the row that sets the next
// rate. A later rate never changes what an earlier one issued.
//
//   supply = min(max, Σ ⌊n / every⌋ · amount)       n: rows, or ticks, of each rate's segment
//   id of token i = the first 32 digits of SHA-256(genesis hash ‖ "\0" ‖ i)
//
// The row that sets a rate also says which rows count (ADR 19). Rows that others cause, anchors and refusals, count only
// for rates that say nothing, as all did at first: what those issued stays as it was reported. Rows of parties of
// contracts who are not members, and rows that follow from them, say so in their source (ADR 58, ADR 59).
//
// Products exceed 2^53 long before a maximum is reached, so they are computed with BigInt.

import { z } from 'zod';
import { concat, fromHex, toHex } from '../core/bits.ts';
import { sha256, utf8 } from '../core/sha256.ts';
import type { RowHead } from './row.ts';
import type { RowType } from './row-type.ts';

export interface Mint {
  /** The counted unit. */
  readonly unit: 'row' | 'tick';
  readonly every: number;
  /** 0 issues nothing. */
  readonly amount: number;
}

/** Which rows count: all, or those of members and of the machine itself, and ticks until the last of them. */
export const COUNTS = ['all', 'members'] as const;

export type Counts = (typeof COUNTS)[number];

/** Rows that others than members can cause, and refusals. */
export const UNCOUNTED_TYPES: readonly RowType[] = ['anchor', 'anchor_continuity', 'rejection'];

/** Source of the rows of a change that somebody made who is not a member, only a party, and of what follows from it. */
export const STRANGER_SOURCE = 'party';

/** Whether a row has this source, or would have it if no stranger had caused it. */
export const isFrom = (source: 'call' | 'machine', row: Pick<RowHead, 'source'>): boolean =>
  row.source === source || row.source === STRANGER_SOURCE;

const uncountedTypes: ReadonlySet<string> = new Set(UNCOUNTED_TYPES);

/** Whether a row counts for rates that say `members`. */
export const isCounted = ({ type, source }: Pick<RowHead, 'type' | 'source'>): boolean =>
  !uncountedTypes.has(type) && source !== STRANGER_SOURCE;

/** A rate, and the row that set it. */
export interface MintRate extends Mint {
  readonly counts: Counts;
  readonly seq: number;
  readonly svcond: number;
}

/** A position in a chain: a row, and what precedes it. */
export interface ChainPosition {
  readonly seq: number;
  readonly svcond: number;
  /** Number of rows up to this one that do not count. */
  readonly uncounted: number;
  /** Tick of the last other row up to this one. */
  readonly countedSvcond: number;
}

/** A rate at its position in the chain. */
export interface MintSegment extends MintRate, ChainPosition {}

export interface Issued {
  readonly supply: number;
  /** Tokens that each rate issued, in order; their sum is the supply. */
  readonly bySegment: readonly number[];
}

/**
 * @param maxSupply  up to 2^53 − 1
 * @param segments  oldest first
 * @param head  the last row
 */
export function issuedTokens(maxSupply: number, segments: readonly MintSegment[], head: ChainPosition): Issued {
  let remaining = BigInt(maxSupply);
  const bySegment = segments.map((segment, i) => {
    const end = segments[i + 1] ?? head;
    const counted = BigInt(Math.max(0, positionIn(segment, end) - positionIn(segment, segment)));
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
  /** The row or tick that issued it; with `counts` members, a row as its number among those that count. */
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
      return { index, segment: i, unit, at: positionIn(segment, segment) + Number(nth * BigInt(every)) };
    }
    first += count;
  }
  return undefined;
}

const tallyGenesis = z.object({ max_supply: z.int().min(1) });
const mintPayload = z.object({
  mint: z.object({
    unit: z.enum(['row', 'tick']),
    every: z.int().min(1),
    amount: z.int().min(0),
    counts: z.enum(COUNTS).default('all'),
  }),
});

/**
 * The supply as counted from the rows themselves.
 *
 * @param rows  a chain from its first row on
 * @param payloadOf  reads the payload of a row that sets the token or a rate
 * @returns undefined without a token, or if a row that sets it or a rate cannot be read
 */
export function issuedByRows<Counted extends Pick<RowHead, 'seq' | 'svcond' | 'type' | 'source'>>(
  rows: Iterable<Counted>,
  payloadOf: (row: Counted) => unknown,
): (Issued & { readonly maxSupply: number }) | undefined {
  const segments: MintSegment[] = [];
  let maxSupply: number | undefined;
  let head: ChainPosition = { seq: -1, svcond: 0, uncounted: 0, countedSvcond: 0 };
  for (const row of rows) {
    const { seq, svcond, type } = row;
    const counts = isCounted(row);
    const uncounted = head.uncounted + (counts ? 0 : 1);
    head = { seq, svcond, uncounted, countedSvcond: counts ? svcond : head.countedSvcond };
    if (type !== 'tally_genesis' && type !== 'tally_rate') continue;
    const payload = payloadOf(row);
    if (type === 'tally_genesis') maxSupply = tallyGenesis.safeParse(payload).data?.max_supply;
    const rate = mintPayload.safeParse(payload).data?.mint;
    if (rate === undefined) return undefined;
    segments.push({ ...rate, ...head });
  }
  return maxSupply === undefined ? undefined : { maxSupply, ...issuedTokens(maxSupply, segments, head) };
}

const ID_DIGITS = 32;

/** @param genesisHash  hash of row 0, hex */
export function tokenIdOf(genesisHash: string, index: number): string {
  const genesis = fromHex(genesisHash);
  if (genesis === undefined) throw new Error('The genesis hash must be hexadecimal.');
  return toHex(sha256(concat(genesis, utf8(`\0${index}`)))).slice(0, ID_DIGITS);
}

function positionIn({ unit, counts }: MintRate, { seq, svcond, uncounted, countedSvcond }: ChainPosition): number {
  if (counts === 'all') return unit === 'row' ? seq : svcond;
  return unit === 'row' ? seq - uncounted : countedSvcond;
}
