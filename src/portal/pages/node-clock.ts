// The node's clock in this browser: read a few times, and carried on by the browser's own monotonic clock.

import { TICK_NS } from '../../core/clock.ts';
import { ask } from '../session.ts';

export interface NodeClock {
  now(): bigint;
  /** Half of the quickest exchange: the clock is no better than that. */
  readonly doubtMs: number;
  /** The node's last pulse record. */
  readonly record: Readonly<Record<string, unknown>>;
}

const READINGS = 4;
const NS_PER_MS = 1_000_000;

/** @throws DomainError, Error  when the node does not answer */
export async function readNodeClock(): Promise<NodeClock> {
  let best: { readonly doubtMs: number; readonly offset: bigint; readonly record: NodeClock['record'] } | undefined;
  for (let reading = 0; reading < READINGS; reading++) {
    const before = performance.now();
    const record = await ask('GET', '/api/svc/pulse');
    const doubtMs = (performance.now() - before) / 2;
    const offset = timeOf(record) - nanoseconds(before + doubtMs);
    if (best === undefined || doubtMs < best.doubtMs) best = { doubtMs, offset, record };
  }
  if (!best) throw new Error('The clock was not read.');
  const { offset, doubtMs, record } = best;
  return { now: () => nanoseconds(performance.now()) + offset, doubtMs, record };
}

const nanoseconds = (ms: number) => BigInt(Math.round(ms * NS_PER_MS));

function timeOf({ svcond, phase }: NodeClock['record']): bigint {
  return BigInt(Number(svcond)) * TICK_NS + BigInt(Math.round(Number(phase) * Number(TICK_NS)));
}
