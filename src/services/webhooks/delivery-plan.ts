// Pure decisions of the dispatcher: which deliveries to send now, and when to retry a failed one.

import { LIMITS } from '../../core/limits.ts';
import { sha256, utf8 } from '../../core/sha256.ts';
import type { DueDelivery } from '../../storage/webhooks/outbox.ts';

/** Number of requests in flight: in all, by host and by machine. */
export interface InFlightCounts {
  readonly count: number;
  readonly ofHost: ReadonlyMap<string, number>;
  readonly ofMachine: ReadonlyMap<string, number>;
}

/** Chooses deliveries in their order, up to the limits in flight: per host, per machine and in all. */
export function chooseDeliveries(due: readonly DueDelivery[], inFlight: InFlightCounts): DueDelivery[] {
  const limits = LIMITS.webhooks;
  const hosts = new Map(inFlight.ofHost);
  const machines = new Map(inFlight.ofMachine);
  const chosen: DueDelivery[] = [];
  for (const delivery of due) {
    if (inFlight.count + chosen.length >= limits.inFlight) break;
    const [ofHost, ofMachine] = [hosts.get(delivery.host) ?? 0, machines.get(delivery.machineId) ?? 0];
    if (ofHost >= limits.perHost || ofMachine >= limits.perMachine) continue;
    hosts.set(delivery.host, ofHost + 1);
    machines.set(delivery.machineId, ofMachine + 1);
    chosen.push(delivery);
  }
  return chosen;
}

const INITIAL_DELAY_TICKS = 8;
const BACKOFF_FACTOR = 3;
/** One day: 86,400 s in ticks of 0.777000777 s. */
export const MAX_DELAY_TICKS = 111_197;
const JITTER_PARTS = 1_024;

/**
 * Ticks from a failed attempt to the next: exponential backoff from 8 ticks (6 s), times three each round, up to a day.
 * Jitter adds up to a quarter, so that deliveries that failed together are not retried together. It follows from the
 * id, so that every node computes the same delay.
 *
 * @param round  attempts since the delivery was requested, from 1
 */
export function retryDelayTicks(id: string, round: number): number {
  const delay = Math.min(MAX_DELAY_TICKS, INITIAL_DELAY_TICKS * BACKOFF_FACTOR ** Math.min(round - 1, 20));
  const [first = 0, second = 0] = sha256(utf8(`svc-webhook-delay\0${id}\0${round}`));
  const part = (first * 256 + second) % (JITTER_PARTS / 4);
  return delay + Math.floor((delay * part) / JITTER_PARTS);
}
