// A queue that is fair among owners: the owner with the fewest running items is next, then the one who waited longest
// for a turn. Items of one owner keep their order. So the wait of an owner depends on the number of other owners, and
// not on how many items these have queued.

/** An owner with waiting or running items. */
interface Lane<Item> {
  readonly owner: string;
  readonly waiting: Item[];
  running: number;
  /** Number of the last turn; 0 before the first. */
  lastTurn: number;
}

export class FairQueue<Item> {
  readonly #lanes = new Map<string, Lane<Item>>();
  #turn = 0;
  #waiting = 0;

  /** Number of waiting items. */
  get size(): number {
    return this.#waiting;
  }

  /** Number of an owner's items, waiting or running. */
  countOf(owner: string): number {
    const lane = this.#lanes.get(owner);
    return lane === undefined ? 0 : lane.waiting.length + lane.running;
  }

  runningOf(owner: string): number {
    return this.#lanes.get(owner)?.running ?? 0;
  }

  push(owner: string, item: Item): void {
    let lane = this.#lanes.get(owner);
    if (lane === undefined) {
      lane = { owner, waiting: [], running: 0, lastTurn: 0 };
      this.#lanes.set(owner, lane);
    }
    lane.waiting.push(item);
    this.#waiting++;
  }

  /** Takes the next item, which runs until `finish`; undefined if none waits of an owner that may start one. */
  next(mayStart: (owner: string) => boolean = () => true): Item | undefined {
    let best: Lane<Item> | undefined;
    for (const lane of this.#lanes.values()) {
      if (lane.waiting.length === 0 || !mayStart(lane.owner)) continue;
      if (best === undefined || isBefore(lane, best)) best = lane;
    }
    const item = best?.waiting.shift();
    if (best === undefined || item === undefined) return undefined;
    best.running++;
    best.lastTurn = ++this.#turn;
    this.#waiting--;
    return item;
  }

  /** Ends the turn of an item that `next` returned. */
  finish(owner: string): void {
    const lane = this.#lanes.get(owner);
    if (lane === undefined) throw new Error(`${owner} has no running item.`);
    lane.running--;
    this.#forget(lane);
  }

  /** Removes a waiting item; false if it does not wait. */
  remove(owner: string, item: Item): boolean {
    const lane = this.#lanes.get(owner);
    const index = lane?.waiting.indexOf(item) ?? -1;
    if (lane === undefined || index < 0) return false;
    lane.waiting.splice(index, 1);
    this.#waiting--;
    this.#forget(lane);
    return true;
  }

  /**
   * Makes a place in a full queue: takes the newest item of the owner with the most waiting items, if that owner has
   * at least two more than `owner`. Otherwise undefined.
   */
  displaceFor(owner: string): Item | undefined {
    let longest: Lane<Item> | undefined;
    for (const lane of this.#lanes.values())
      if (longest === undefined || lane.waiting.length > longest.waiting.length) longest = lane;
    const own = this.#lanes.get(owner)?.waiting.length ?? 0;
    if (longest === undefined || longest.waiting.length < own + 2) return undefined;
    this.#waiting--;
    return longest.waiting.pop();
  }

  #forget(lane: Lane<Item>): void {
    if (lane.waiting.length === 0 && lane.running === 0) this.#lanes.delete(lane.owner);
  }
}

const isBefore = <Item>(a: Lane<Item>, b: Lane<Item>) =>
  a.running === b.running ? a.lastTurn < b.lastTurn : a.running < b.running;
