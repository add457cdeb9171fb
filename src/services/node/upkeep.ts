// What a node does every so often beside its answers.

import { tickOf } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Storage } from '../../storage/storage.ts';
import type { TreeService } from '../machines/trees.ts';

const SWEPT_AT_ONCE = 500;
const SAMPLES_AT_ONCE = 5_000;

/** Work that is done every so often, never twice at once, until it is stopped; stopping waits for what is under way. */
export function repeat(everyMs: number, work: () => Promise<unknown>, onFailed: (error: unknown) => void) {
  let working = Promise.resolve<unknown>(undefined);
  let isIdle = true;
  const timer = setInterval(() => {
    if (!isIdle) return;
    isIdle = false;
    working = work()
      .catch(onFailed)
      .finally(() => {
        isIdle = true;
      });
  }, everyMs).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await working;
    },
  };
}

/** Grow the trees of machines, and remove what has expired. */
export async function sweepUp(storage: Storage, trees: TreeService, nowMs: number): Promise<void> {
  await trees.sweep((ids) => storage.machines.byIds(ids, false), SWEPT_AT_ONCE);
  await storage.fields.removeExpired(nowMs, SWEPT_AT_ONCE);
  await sweepSamples(storage, tickOf(BigInt(nowMs) * 1_000_000n));
  await storage.idempotency.removeExpired(nowMs, SWEPT_AT_ONCE);
  await storage.outbox.removeBefore(oldestKept(nowMs), SWEPT_AT_ONCE);
}

/** Webhooks that were settled and written before this tick are not kept. */
function oldestKept(nowMs: number): number {
  return tickOf(BigInt(nowMs - LIMITS.webhooks.keptDays * 86_400_000) * 1_000_000n);
}

/** Samples come as fast as events do: all that have left their windows go at once. */
async function sweepSamples({ keptSamples }: Storage, svcond: number): Promise<void> {
  while ((await keptSamples.removeExpired(svcond, SAMPLES_AT_ONCE)) === SAMPLES_AT_ONCE);
}
