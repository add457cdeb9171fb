// Waiting items in one lane per machine. A batch takes one item of each lane in turn, so that a machine with thousands
// of items does not hold up one with a single item. The items of a lane keep their order.

export class Lanes<Item> {
  /** In the order of their turns; none is empty. */
  readonly #lanes = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(machineId: string, item: Item): void {
    const lane = this.#lanes.get(machineId);
    if (lane === undefined) this.#lanes.set(machineId, [item]);
    else lane.push(item);
    this.#size++;
  }

  /** Puts an item before the others of its lane. */
  putBack(machineId: string, item: Item): void {
    const lane = this.#lanes.get(machineId);
    if (lane === undefined) this.#lanes.set(machineId, [item]);
    else lane.unshift(item);
    this.#size++;
  }

  take(max: number): Item[] {
    const batch: Item[] = [];
    // A map visits the entries that are added while it is read: a lane with more items comes again after the others.
    for (const [machineId, lane] of this.#lanes) {
      if (batch.length === max) break;
      this.#lanes.delete(machineId);
      batch.push(...lane.splice(0, 1));
      if (lane.length > 0) this.#lanes.set(machineId, lane);
    }
    this.#size -= batch.length;
    return batch;
  }
}
