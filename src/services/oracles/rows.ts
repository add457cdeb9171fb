// Readings of oracles as rows of the chain: how they are written, and how they are found again.

import type { Reading } from '../../contracts/oracle.ts';
import { MOST_READINGS } from '../../contracts/readings.ts';
import type { Executor } from '../../storage/database/sql.ts';
import type { AuditRepository } from '../../storage/machines/audit.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { StoredOracle } from '../../storage/oracles/oracles.ts';
import type { KeptSamples } from '../contracts/kept-samples.ts';
import type { Live } from '../contracts/runtime.ts';

/** What a row of type `reading` holds. */
export interface ReadingPayload {
  readonly contract: string;
  readonly value: number;
  readonly unit?: string;
  readonly status: Reading['status'];
  readonly source: string;
  /** The tick that it is about. */
  readonly svcond: number;
  /** The row of the event that it was read from, which says the same to whoever replays. */
  readonly event?: number;
  /** As it was given, where it was given in another unit. */
  readonly given?: { readonly value: number; readonly unit: string };
  /** The row of the other machine that it was read from. */
  readonly followed?: { readonly machine: string; readonly seq: number };
}

/** What a row says beside the reading. */
export type ReadingNote = Pick<ReadingPayload, 'event' | 'given' | 'followed'>;

export interface FoundReading extends Reading {
  readonly seq: number;
}

/** @param unit  of the oracle */
export function readingPayload(
  contract: string,
  unit: string | undefined,
  { value, status, source, tick }: Reading,
  more: ReadingNote = {},
): ReadingPayload {
  return { contract, value, ...(unit === undefined ? {} : { unit }), status, source, svcond: tick, ...more };
}

export interface ReadingRowsOptions {
  readonly audit: AuditRepository;
  readonly keptSamples?: KeptSamples | undefined;
}

/**
 * The readings that may still count, by contract, oldest first: those of the windows, and the newest of each oracle.
 *
 * @param stored  of the oracles in question
 * @param on  the open transaction; without it what is sealed stays closed
 */
export async function findReadings(
  { audit, keptSamples }: ReadingRowsOptions,
  { id, head: { slug, svcond: now } }: Pick<Machine, 'id' | 'head'>,
  lives: readonly Live[],
  stored: readonly StoredOracle[],
  on?: Executor,
): Promise<ReadonlyMap<string, readonly FoundReading[]>> {
  const longest = Math.max(0, ...lives.map(({ running }) => running.contract.oracle?.within ?? 0));
  const since = Math.max(0, now - longest);
  const recent = { type: 'reading', since, order: 'newest first', limit: MOST_READINGS } as const;
  const found = longest === 0 ? [] : await audit.select(id, slug, recent, on);
  const seen = new Set(found.map(({ seq }) => seq));
  for (const { newestOkSeq: seq } of stored) {
    if (seq !== null && !seen.has(seq)) found.push(...(await audit.range(id, slug, seq, seq, on)));
  }
  const oldest = found.reduce((tick, { svcond }) => Math.min(tick, svcond), now);
  const isSealed = on !== undefined && found.some(({ sealed }) => sealed);
  const kept = isSealed ? await keptSamples?.read(id, oldest, on) : undefined;
  const begun = new Map(stored.map(({ contractId, sinceSeq }) => [contractId, sinceSeq]));
  const byContract = new Map<string, FoundReading[]>();
  for (const { seq, payload_text } of found.sort((a, b) => a.seq - b.seq)) {
    const text = payload_text ?? kept?.get(seq);
    if (text === undefined) continue;
    const { contract, value, status, source, svcond: tick } = JSON.parse(text) as ReadingPayload;
    if (seq < (begun.get(contract) ?? Number.POSITIVE_INFINITY)) continue;
    const known = byContract.get(contract) ?? [];
    known.push({ seq, value, status, source, tick });
    byContract.set(contract, known);
  }
  return byContract;
}
