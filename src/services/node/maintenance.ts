// Periodic maintenance, once a minute: tasks of the machines, such as signing pending checkpoints, and deletion of
// expired rows.

import { tickOf } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import { eventKeys } from '../../storage/machines/event-keys.ts';
import type { Storage } from '../../storage/storage.ts';
import { type Lifecycle, repeat } from './lifecycle.ts';
import { type Platform, unixMs } from './platform.ts';

const INTERVAL_MS = 60_000;
const BATCH_SIZE = 500;
const LARGE_BATCH_SIZE = 5_000;

/** A task of another room, which takes at most `limit` machines at a time. */
export type MaintenanceTask = (limit: number) => Promise<unknown>;

/** @param intervalMs  a minute by default */
export function nodeMaintenance(
  { storage, clock, log }: Platform,
  tasks: readonly MaintenanceTask[],
  intervalMs = INTERVAL_MS,
): Lifecycle {
  return repeat(
    intervalMs,
    async () => {
      // One that fails stops no other.
      for (const task of [...tasks, () => removeExpired(storage, unixMs(clock))])
        await task(BATCH_SIZE).catch((err: unknown) => log.warn({ err }, 'maintenance failed'));
    },
    (err) => log.warn({ err }, 'maintenance failed'),
  );
}

async function removeExpired(storage: Storage, nowMs: number): Promise<void> {
  await removeExpiredAnswers(storage, nowMs);
  await removeExpiredSamples(storage, tickOf(BigInt(nowMs) * 1_000_000n));
  await removeOldDeliveries(storage, nowMs);
  await removeOldEventKeys(storage, nowMs);
  await removeEndedRates(storage, nowMs);
}

/** Settled webhooks, activities and events to other machines written before this tick are deleted. */
export const retentionStart = (nowMs: number): number => tickBefore(nowMs, LIMITS.webhooks.retentionDays);

const tickBefore = (nowMs: number, days: number): number =>
  Math.max(0, tickOf(BigInt(nowMs - days * 86_400_000) * 1_000_000n));

/** Deliveries and keys come at the rate of events, so all old ones are deleted, batch by batch. */
async function removeOldDeliveries({ outbox, sentEvents, activities }: Storage, nowMs: number): Promise<void> {
  while ((await outbox.removeBefore(retentionStart(nowMs), BATCH_SIZE)) === BATCH_SIZE);
  while ((await sentEvents.removeBefore(retentionStart(nowMs), BATCH_SIZE)) === BATCH_SIZE);
  while ((await activities.removeBefore(retentionStart(nowMs), BATCH_SIZE)) === BATCH_SIZE);
}

async function removeOldEventKeys({ database: { knex } }: Storage, nowMs: number): Promise<void> {
  const before = tickBefore(nowMs, LIMITS.eventKeyDays);
  while ((await eventKeys.removeBefore(before, LARGE_BATCH_SIZE, knex)) === LARGE_BATCH_SIZE);
}

/** Callers store arrays and answers at the rate of their requests, so all expired ones are deleted. */
async function removeExpiredAnswers({ fields, idempotency, longRuns }: Storage, nowMs: number): Promise<void> {
  while ((await fields.removeExpired(nowMs, BATCH_SIZE)) === BATCH_SIZE);
  while ((await idempotency.removeExpired(nowMs, BATCH_SIZE)) === BATCH_SIZE);
  while ((await longRuns.removeExpired(BATCH_SIZE)) === BATCH_SIZE);
}

/** Samples arrive at the rate of events, so all expired ones are deleted, batch by batch. */
async function removeExpiredSamples({ keptSamples }: Storage, svcond: number): Promise<void> {
  while ((await keptSamples.removeExpired(svcond, LARGE_BATCH_SIZE)) === LARGE_BATCH_SIZE);
}

/** Callers open windows at the rate of their requests, so all ended ones are deleted. */
async function removeEndedRates({ rates, streamCounts }: Storage, nowMs: number): Promise<void> {
  while ((await rates.removeEnded(nowMs, LARGE_BATCH_SIZE)) === LARGE_BATCH_SIZE);
  while ((await streamCounts.removeEnded(nowMs, LARGE_BATCH_SIZE)) === LARGE_BATCH_SIZE);
}
