// What the courier decides, without clock, network or database: which deliveries go now, and when one that failed goes again.

import { LIMITS } from '../../core/limits.ts';
import { sha256, utf8 } from '../../core/sha256.ts';
import type { DueDelivery } from '../../storage/webhooks/outbox.ts';

/** Requests that are under way, in all and by name. */
export interface UnderWay {
  readonly count: number;
  readonly ofHost: ReadonlyMap<string, number>;
  readonly ofMachine: ReadonlyMap<string, number>;
}

/** In their order, as many as may be under way at once: of one host, of one machine, and in all. */
export function chooseDeliveries(due: readonly DueDelivery[], underWay: UnderWay): DueDelivery[] {
  const limits = LIMITS.webhooks;
  const hosts = new Map(underWay.ofHost);
  const machines = new Map(underWay.ofMachine);
  const chosen: DueDelivery[] = [];
  for (const delivery of due) {
    if (underWay.count + chosen.length >= limits.underWay) break;
    const [ofHost, ofMachine] = [hosts.get(delivery.host) ?? 0, machines.get(delivery.machineId) ?? 0];
    if (ofHost >= limits.perHost || ofMachine >= limits.perMachine) continue;
    hosts.set(delivery.host, ofHost + 1);
    machines.set(delivery.machineId, ofMachine + 1);
    chosen.push(delivery);
  }
  return chosen;
}

const FIRST_DELAY_TICKS = 8;
const GROWTH = 3;
/** A day: 86,400 s of 0.777000777 s. */
export const MOST_DELAY_TICKS = 111_197;
const JITTER_PARTS = 1_024;

/**
 * Ticks from a failed attempt to the next: 8 (6 s), three times as many each time up to a day, and up to a quarter more, so
 * that deliveries that failed together do not come again together. The same delivery waits the same on every node.
 *
 * @param round  attempts made since the delivery was asked for, from 1
 */
export function delayAfter(id: string, round: number): number {
  const delay = Math.min(MOST_DELAY_TICKS, FIRST_DELAY_TICKS * GROWTH ** Math.min(round - 1, 20));
  const [first = 0, second = 0] = sha256(utf8(`svc-webhook-delay\0${id}\0${round}`));
  const part = (first * 256 + second) % (JITTER_PARTS / 4);
  return delay + Math.floor((delay * part) / JITTER_PARTS);
}
