// Loads readings of oracles from the rows of the chain.

import type { Row } from '../../chain/row.ts';
import type { Reading } from '../../contracts/oracle.ts';
import { MAX_READINGS } from '../../contracts/oracle-readings.ts';
import type { Executor } from '../../storage/database/sql.ts';
import type { AuditRepository } from '../../storage/machines/audit.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { StoredOracle } from '../../storage/oracles/oracles.ts';
import type { KeptSamples } from './kept-samples.ts';
import type { LiveContract } from './live-contract.ts';
import type { ReadingPayload } from './reading-payload.ts';
import { nextTurn, ROWS_PER_TURN, recentRows } from './recent-rows.ts';

export interface StoredReading extends Reading {
  readonly seq: number;
}

export interface ReadingRowsOptions {
  readonly audit: AuditRepository;
  readonly keptSamples?: KeptSamples | undefined;
}

type StoredRow = Pick<Row, 'seq' | 'svcond' | 'actor' | 'payload_text'> & { readonly sealed?: boolean | undefined };

/**
 * Loads the readings that conditions can still see, by contract, oldest first: those in windows and the newest of each.
 *
 * @param stored  state of the oracles to load
 * @param on  open transaction; without it, sealed payloads are skipped
 */
export async function findReadings(
  { audit, keptSamples }: ReadingRowsOptions,
  { id, head: { slug, svcond: now } }: Pick<Machine, 'id' | 'head'>,
  lives: readonly LiveContract[],
  stored: readonly StoredOracle[],
  on?: Executor,
): Promise<ReadonlyMap<string, readonly StoredReading[]>> {
  const longestWindow = Math.max(0, ...lives.map(({ running }) => running.contract.oracle?.within ?? 0));
  const since = Math.max(0, now - longestWindow);
  const recent = { type: 'reading', since, limit: MAX_READINGS };
  const found: StoredRow[] = longestWindow === 0 ? [] : await recentRows(audit, id, recent, on);
  const seen = new Set(found.map(({ seq }) => seq));
  for (const { newestOkSeq: seq } of stored) {
    if (seq !== null && !seen.has(seq)) found.push(...(await audit.range(id, slug, seq, seq, on)));
  }
  const oldest = found.reduce((tick, { svcond }) => Math.min(tick, svcond), now);
  const isSealed = on !== undefined && found.some(({ sealed }) => sealed);
  const samples = isSealed ? await keptSamples?.read(id, oldest, on) : undefined;
  const firstSeq = new Map(stored.map(({ contractId, sinceSeq }) => [contractId, sinceSeq]));
  const byContract = new Map<string, StoredReading[]>();
  found.sort((a, b) => a.seq - b.seq);
  for (const [i, { seq, actor, payload_text }] of found.entries()) {
    if (i % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn();
    const text = payload_text ?? samples?.get(seq);
    if (text === undefined) continue;
    const { contract, value, status, source, svcond: tick, emitter } = JSON.parse(text) as ReadingPayload;
    if (seq < (firstSeq.get(contract) ?? Number.POSITIVE_INFINITY)) continue;
    const readings = byContract.get(contract) ?? [];
    readings.push({ seq, value, status, source, tick, actor: emitter ?? actor });
    byContract.set(contract, readings);
  }
  return byContract;
}
