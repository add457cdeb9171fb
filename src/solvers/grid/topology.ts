// Connections: parts of a network, and the branches that alone hold two parts together.

/** Ends of the branches that count, by indices of buses; undefined where a branch does not count. */
export type Ends = readonly (readonly [from: number, to: number] | undefined)[];

/** The part of each bus: the least index of a bus in it; −1 of a bus that does not count. */
export function partsOf(isLive: readonly boolean[], ends: Ends): Int32Array {
  const parent = Int32Array.from(isLive, (_, i) => i);
  const rootOf = (start: number): number => {
    let at = start;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at] ?? 0] ?? 0;
      at = parent[at] ?? 0;
    }
    return at;
  };
  for (const pair of ends) {
    if (!pair) continue;
    const [a, b] = [rootOf(pair[0]), rootOf(pair[1])];
    parent[Math.max(a, b)] = Math.min(a, b);
  }
  return parent.map((_, i) => (isLive[i] ? rootOf(i) : -1));
}

export interface Bridge {
  readonly branch: number;
  /** The buses that it alone joins to a reference. */
  readonly buses: readonly number[];
}

/**
 * The branches whose outage leaves buses without a reference. Depth first from all references as one; the buses that it cuts
 * off are a range of the order.
 *
 * @param isReference  by bus
 */
export function bridgesOf(isReference: readonly boolean[], ends: Ends): readonly Bridge[] {
  const n = isReference.length;
  const starts = new Int32Array(n + 1);
  for (const pair of ends) for (const bus of pair ?? []) starts[bus + 1] = (starts[bus + 1] ?? 0) + 1;
  for (let i = 0; i < n; i++) starts[i + 1] = (starts[i + 1] ?? 0) + (starts[i] ?? 0);
  const fill = starts.slice();
  const incident = new Int32Array(starts[n] ?? 0);
  for (const [branch, pair] of ends.entries())
    for (const bus of pair ?? []) {
      const at = fill[bus] ?? 0;
      incident[at] = branch;
      fill[bus] = at + 1;
    }
  const visited = new Int32Array(n).fill(-1);
  const low = new Int32Array(n);
  const by = new Int32Array(n).fill(-1);
  const order: number[] = [];
  const next = starts.slice();
  const before: number[] = [];
  for (let root = 0; root < n; root++) {
    if (!isReference[root]) continue;
    // A reference is the root of all: nothing above it can be cut off.
    const path = [root];
    while (path.length > 0) {
      const bus = path.at(-1) ?? 0;
      if (visited[bus] === -1) {
        visited[bus] = order.length;
        low[bus] = isReference[bus] ? -1 : order.length;
        order.push(bus);
      }
      const at = next[bus] ?? 0;
      if (at === starts[bus + 1] || (isReference[bus] && bus !== root)) {
        path.pop();
        const above = path.at(-1);
        if (above !== undefined) low[above] = Math.min(low[above] ?? 0, low[bus] ?? 0);
        before[visited[bus] ?? 0] = order.length;
        continue;
      }
      next[bus] = at + 1;
      const branch = incident[at] ?? 0;
      if (branch === by[bus]) continue;
      const pair = ends[branch];
      if (!pair) continue;
      const other = pair[0] === bus ? pair[1] : pair[0];
      if (isReference[other]) low[bus] = -1;
      else if (visited[other] === -1) {
        by[other] = branch;
        path.push(other);
      } else low[bus] = Math.min(low[bus] ?? 0, visited[other] ?? 0);
    }
  }
  const bridges: Bridge[] = [];
  for (const [position, bus] of order.entries()) {
    const branch = by[bus] ?? -1;
    if (branch >= 0 && (low[bus] ?? 0) >= position)
      bridges.push({ branch, buses: order.slice(position, before[position]) });
  }
  return bridges.sort((a, b) => a.branch - b.branch);
}
