// A window whose filter reads values that change. It holds every event of its length, and counts those that the filter
// admits with the values of now; when these change, it counts anew.

import { LIMITS } from '../../core/limits.ts';
import type { Scalar } from '../definition.ts';
import { Window } from '../window.ts';

interface HeldEvent {
  readonly tick: number;
  /** Of the aggregated field. */
  readonly value: Scalar;
  /** The fields that the filter reads. */
  readonly fields: Readonly<Record<string, unknown>>;
}

const HELD_BYTES = 195;

export class RefilteredWindow extends Window {
  /** In the order in which they came; those that count are the samples. */
  #held: { readonly event: HeldEvent; counts: boolean }[] = [];
  /** The values with which the events were filtered. */
  #key: string | undefined;
  readonly #length: readonly [ConstructorParameters<typeof Window>[0], number];

  constructor(...length: ConstructorParameters<typeof Window>) {
    super(...length);
    this.#length = length;
  }

  override get bytes(): number {
    return super.bytes + HELD_BYTES * this.#held.length;
  }

  /** When the oldest event leaves, whether it counts or not: it may count by then. */
  override get nextExpiry(): number | undefined {
    const [oldest] = this.#held;
    return oldest && oldest.event.tick + this.#length[1];
  }

  /** Adds an event; beyond the limit the oldest one goes. */
  hold(event: HeldEvent, isAdmitted: boolean): void {
    this.#held.push({ event, counts: isAdmitted });
    if (isAdmitted) this.add(event.tick, event.value);
    if (this.#held.length <= LIMITS.contracts.windows.refilteredEvents) return;
    if (this.#held.shift()?.counts) this.dropOldest();
  }

  /** @param key  the values that the filter reads; nothing is done if they are those of the last time */
  refilter(key: string, admits: (event: HeldEvent) => boolean): void {
    if (key === this.#key) return;
    super.clear();
    for (const one of this.#held) {
      one.counts = admits(one.event);
      if (one.counts) this.add(one.event.tick, one.event.value);
    }
    this.#key = key;
  }

  override expire(now: number): void {
    const first = this.#held.findIndex(({ event }) => event.tick + this.#length[1] > now);
    if (first !== 0) this.#held = first < 0 ? [] : this.#held.slice(first);
    super.expire(now);
  }

  override copy(): RefilteredWindow {
    const copy = new RefilteredWindow(...this.#length);
    for (const { event, counts } of this.#held) copy.hold(event, counts);
    copy.#key = this.#key;
    return copy;
  }

  override clear(): void {
    super.clear();
    this.#held = [];
  }
}
