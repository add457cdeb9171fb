// Estimates the node's clock in the browser from a few readings and the browser's monotonic clock.

import type { ApiOutput } from '../../client/client.ts';
import { TICK_NS } from '../../core/clock.ts';
import { callApi } from '../session.ts';

export interface NodeClock {
  now(): bigint;
  /** Half of the shortest round trip. */
  readonly uncertaintyMs: number;
  /** Latest pulse record of the node. */
  readonly record: ApiOutput<'pulse.read'>;
}

const SAMPLE_COUNT = 4;
const NS_PER_MS = 1_000_000;

/** @throws DomainError from the node; Error if it does not respond */
export async function readNodeClock(): Promise<NodeClock> {
  let best:
    | { readonly uncertaintyMs: number; readonly offset: bigint; readonly record: NodeClock['record'] }
    | undefined;
  for (let sample = 0; sample < SAMPLE_COUNT; sample++) {
    const before = performance.now();
    const record = await callApi('pulse.read', {});
    const uncertaintyMs = (performance.now() - before) / 2;
    const offset = timeOf(record) - nanoseconds(before + uncertaintyMs);
    if (best === undefined || uncertaintyMs < best.uncertaintyMs) best = { uncertaintyMs, offset, record };
  }
  if (!best) throw new Error('The clock could not be read.');
  const { offset, uncertaintyMs, record } = best;
  return { now: () => nanoseconds(performance.now()) + offset, uncertaintyMs, record };
}

const nanoseconds = (ms: number) => BigInt(Math.round(ms * NS_PER_MS));

function timeOf({ svcond, phase }: NodeClock['record']): bigint {
  return BigInt(svcond) * TICK_NS + BigInt(Math.round(phase * Number(TICK_NS)));
}
