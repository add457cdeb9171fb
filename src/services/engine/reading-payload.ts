// Payload of chain rows of type `reading`.

import type { Reading } from '../../contracts/oracle.ts';

export interface ReadingPayload {
  readonly contract: string;
  readonly value: number;
  readonly unit?: string;
  readonly status: Reading['status'];
  readonly source: string;
  /** Tick at which the value was measured. */
  readonly svcond: number;
  /** Row of the event it was read from; a replay derives the same reading from that row. */
  readonly event?: number;
  /** Contract that emitted the event; without it, the sender is the actor of the row. */
  readonly emitter?: string;
  /** Original value, if it was given in another unit. */
  readonly given?: { readonly value: number; readonly unit: string };
  /** Row of another machine that it was read from. */
  readonly followed?: { readonly machine: string; readonly seq: number };
}

/** Where a reading came from, stored beside it in the row. */
export type ReadingOrigin = Pick<ReadingPayload, 'event' | 'emitter' | 'given' | 'followed'>;

/** @param unit  unit of the oracle */
export function readingPayload(
  contract: string,
  unit: string | undefined,
  { value, status, source, tick }: Reading,
  origin: ReadingOrigin = {},
): ReadingPayload {
  return { contract, value, ...(unit === undefined ? {} : { unit }), status, source, svcond: tick, ...origin };
}
