// Periodic maintenance, once a minute: signs pending checkpoints and deletes expired rows.

import { tickOf } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Storage } from '../../storage/storage.ts';
import { type Lifecycle, repeat } from './lifecycle.ts';
import { type Platform, unixMs } from './platform.ts';

const INTERVAL_MS = 60_000;
const BATCH_SIZE = 500;
const SAMPLE_BATCH_SIZE = 5_000;

/** Signs checkpoints over uncovered rows, of at most `limit` machines. */
export type SignCheckpoints = (limit: number) => Promise<unknown>;

export function nodeMaintenance({ storage, clock, log }: Platform, signCheckpoints: SignCheckpoints): Lifecycle {
  return repeat(
    INTERVAL_MS,
    () => runMaintenance(storage, signCheckpoints, unixMs(clock)),
    (err) => log.warn({ err }, 'maintenance failed'),
  );
}

async function runMaintenance(storage: Storage, signCheckpoints: SignCheckpoints, nowMs: number): Promise<void> {
  await signCheckpoints(BATCH_SIZE);
  await storage.fields.removeExpired(nowMs, BATCH_SIZE);
  await removeExpiredSamples(storage, tickOf(BigInt(nowMs) * 1_000_000n));
  await storage.idempotency.removeExpired(nowMs, BATCH_SIZE);
  await storage.outbox.removeBefore(retentionStart(nowMs), BATCH_SIZE);
}

/** Settled webhooks written before this tick are deleted. */
export function retentionStart(nowMs: number): number {
  return tickOf(BigInt(nowMs - LIMITS.webhooks.retentionDays * 86_400_000) * 1_000_000n);
}

/** Samples arrive at the rate of events, so all expired ones are deleted, batch by batch. */
async function removeExpiredSamples({ keptSamples }: Storage, svcond: number): Promise<void> {
  while ((await keptSamples.removeExpired(svcond, SAMPLE_BATCH_SIZE)) === SAMPLE_BATCH_SIZE);
}
