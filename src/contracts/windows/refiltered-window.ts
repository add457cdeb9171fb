// A window whose filter reads values that change. It holds every event of its length, and counts those that the filter
// admits with the values of now; when these change, it counts anew.

import { LIMITS } from '../../core/limits.ts';
import { type HeldEvent, Window } from '../window.ts';

type FilteredEvent = HeldEvent & { readonly fields: Readonly<Record<string, unknown>> };

const HELD_BYTES = 195;

export class RefilteredWindow extends Window {
  /** In the order in which they came; those that count are the samples. */
  #held: { readonly event: FilteredEvent; counts: boolean }[] = [];
  /** Number of events that have left. */
  #left = 0;
  /** The values with which the events were filtered. */
  #key: string | undefined;
  readonly #length: ConstructorParameters<typeof Window>;

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
  hold(event: FilteredEvent, isAdmitted: boolean): void {
    this.#held.push({ event, counts: isAdmitted });
    if (isAdmitted) this.add(event.tick, event.value);
    const { refilteredEvents } = LIMITS.contracts.windows;
    const [, , max = refilteredEvents] = this.#length;
    if (this.#held.length <= Math.min(max, refilteredEvents)) return;
    this.#left++;
    if (this.#held.shift()?.counts) this.dropOldest();
  }

  override get end(): number {
    return this.#left + this.#held.length;
  }

  override heldFrom(number: number): readonly HeldEvent[] {
    return this.#held.slice(Math.max(0, number - this.#left)).map(({ event }) => event);
  }

  /** It counts from the next `refilter` on. */
  override restore(event: HeldEvent): void {
    this.hold({ ...event, fields: event.fields ?? {} }, false);
    this.#key = undefined;
  }

  /** @param key  the values that the filter reads; nothing is done if they are those of the last time */
  refilter(key: string, admits: (event: FilteredEvent) => boolean): void {
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
    const left = first < 0 ? this.#held.length : first;
    if (left > 0) this.#held = this.#held.slice(left);
    this.#left += left;
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
    this.#left += this.#held.length;
    this.#held = [];
  }
}
