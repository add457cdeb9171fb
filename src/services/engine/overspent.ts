// Contracts and instances whose due timers cost more than a change may: they wait, ever longer, so that the others of
// their machine go on.

import { LRUCache } from 'lru-cache';
import type { LiveContract } from './live-contract.ts';

/** A contract that is woken by itself, or one of its instances. */
export interface Woken {
  readonly contract: string;
  readonly instance?: string;
}

export const wokenOf = ({ stored, instance }: LiveContract): Woken =>
  instance === undefined ? { contract: stored.id } : { contract: stored.id, instance: instance.key };

const MAX_HELD = 10_000;
const FIRST_WAIT_TICKS = 8;
const MAX_WAIT_TICKS = 4_096;

export class Overspent {
  readonly #held = new LRUCache<string, { readonly wait: number; readonly until: number }>({ max: MAX_HELD });

  isHeld(live: LiveContract, tick: number): boolean {
    if (this.#held.size === 0) return false;
    return (this.#held.get(keyOf(wokenOf(live)))?.until ?? 0) > tick;
  }

  /** Lets it wait from this tick on. @returns whether it is the first time */
  hold(one: Woken, tick: number): boolean {
    const before = this.#held.get(keyOf(one));
    const wait = Math.min(MAX_WAIT_TICKS, before === undefined ? FIRST_WAIT_TICKS : 2 * before.wait);
    this.#held.set(keyOf(one), { wait, until: tick + wait });
    return before === undefined;
  }
}

const keyOf = ({ contract, instance = '' }: Woken): string => `${contract}\0${instance}`;
