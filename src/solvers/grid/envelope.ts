// Linear systems of a symmetric pattern within the envelope of a narrow order: the second elimination, for witnesses.
//
// Rows of L and columns of U reach back to the same first column. Cuthill & McKee's order, reversed; George & Liu, Computer
// Solution of Large Sparse Positive Definite Systems (1981), chapter 4. Pivots in the order of the diagonal.

/** Ends of the couplings, by indices. */
export type Couplings = readonly (readonly [a: number, b: number])[];

/** @returns the node at each position */
function reverseCuthillMcKee(n: number, couplings: Couplings): Int32Array {
  const neighbours = Array.from({ length: n }, (): number[] => []);
  for (const [a, b] of couplings) {
    neighbours[a]?.push(b);
    neighbours[b]?.push(a);
  }
  const degree = (i: number) => neighbours[i]?.length ?? 0;
  const byDegree = (a: number, b: number) => degree(a) - degree(b) || a - b;
  for (const list of neighbours) list.sort(byDegree);
  const order: number[] = [];
  const isTaken = new Uint8Array(n);
  const breadthFirst = (start: number, taken: Uint8Array, target: number[]): void => {
    target.push(start);
    taken[start] = 1;
    for (let head = target.length - 1; head < target.length; head++)
      for (const other of neighbours[target[head] ?? 0] ?? []) {
        if (taken[other] === 1) continue;
        taken[other] = 1;
        target.push(other);
      }
  };
  for (const start of Array.from({ length: n }, (_, i) => i).sort(byDegree)) {
    if (isTaken[start] === 1) continue;
    // The last one of a search lies at the rim.
    const trial: number[] = [];
    breadthFirst(start, isTaken.slice(), trial);
    breadthFirst(trial.at(-1) ?? start, isTaken, order);
  }
  return Int32Array.from(order.reverse());
}

export class EnvelopeMatrix {
  readonly #place: Int32Array;
  readonly #first: Int32Array;
  readonly #starts: Int32Array;
  readonly #below: Float64Array;
  readonly #above: Float64Array;
  readonly #diagonal: Float64Array;
  readonly #n: number;

  /** @param unknowns  of each node, whose rows stand together */
  constructor(nodes: number, unknowns: number, couplings: Couplings) {
    const order = reverseCuthillMcKee(nodes, couplings);
    const position = new Int32Array(nodes);
    for (const [at, node] of order.entries()) position[node] = at;
    this.#n = nodes * unknowns;
    this.#place = Int32Array.from({ length: this.#n }, (_, k) => {
      const node = Math.floor(k / unknowns);
      return (position[node] ?? 0) * unknowns + (k - node * unknowns);
    });
    const firstNode = Int32Array.from({ length: nodes }, (_, at) => at);
    for (const [a, b] of couplings) {
      const [low, high] = [Math.min(position[a] ?? 0, position[b] ?? 0), Math.max(position[a] ?? 0, position[b] ?? 0)];
      firstNode[high] = Math.min(firstNode[high] ?? 0, low);
    }
    this.#first = Int32Array.from({ length: this.#n }, (_, k) => (firstNode[Math.floor(k / unknowns)] ?? 0) * unknowns);
    this.#starts = new Int32Array(this.#n + 1);
    for (let k = 0; k < this.#n; k++) this.#starts[k + 1] = (this.#starts[k] ?? 0) + k - (this.#first[k] ?? 0);
    const size = this.#starts[this.#n] ?? 0;
    this.#below = new Float64Array(size);
    this.#above = new Float64Array(size);
    this.#diagonal = new Float64Array(this.#n);
  }

  /** Operations of a factorisation. */
  get work(): number {
    let sum = 0;
    for (let k = 0; k < this.#n; k++) {
      const width = k - (this.#first[k] ?? 0);
      sum += 2 * width * width;
    }
    return sum;
  }

  clear(): void {
    this.#below.fill(0);
    this.#above.fill(0);
    this.#diagonal.fill(0);
  }

  add(row: number, column: number, value: number): void {
    const [i, j] = [this.#place[row] ?? 0, this.#place[column] ?? 0];
    if (i === j) this.#diagonal[i] = (this.#diagonal[i] ?? 0) + value;
    else if (j < i) this.#addTo(this.#below, i, j, value);
    else this.#addTo(this.#above, j, i, value);
  }

  #addTo(values: Float64Array, line: number, at: number, value: number): void {
    const index = (this.#starts[line] ?? 0) + at - (this.#first[line] ?? 0);
    values[index] = (values[index] ?? 0) + value;
  }

  /** L U in place, U with the diagonal. @returns false if a pivot vanishes */
  factor(): boolean {
    const [below, above, diagonal, starts, first] = [
      this.#below,
      this.#above,
      this.#diagonal,
      this.#starts,
      this.#first,
    ];
    for (let k = 0; k < this.#n; k++) {
      const [start, from] = [starts[k] ?? 0, first[k] ?? 0];
      let pivot = diagonal[k] ?? 0;
      const size = Math.abs(pivot);
      for (let i = from; i < k; i++) {
        const [otherStart, otherFrom] = [starts[i] ?? 0, first[i] ?? 0];
        const common = Math.max(from, otherFrom);
        let upper = above[start + i - from] ?? 0;
        let lower = below[start + i - from] ?? 0;
        for (let m = common; m < i; m++) {
          upper -= (below[otherStart + m - otherFrom] ?? 0) * (above[start + m - from] ?? 0);
          lower -= (below[start + m - from] ?? 0) * (above[otherStart + m - otherFrom] ?? 0);
        }
        lower /= diagonal[i] ?? 1;
        above[start + i - from] = upper;
        below[start + i - from] = lower;
        pivot -= lower * upper;
      }
      if (!(Math.abs(pivot) > 1e-13 * size) || !Number.isFinite(pivot)) return false;
      diagonal[k] = pivot;
    }
    return true;
  }

  /** Solves in place. */
  solve(x: Float64Array): void {
    const n = this.#n;
    const y = new Float64Array(n);
    for (let k = 0; k < n; k++) y[this.#place[k] ?? 0] = x[k] ?? 0;
    for (let k = 0; k < n; k++) {
      const [start, from] = [this.#starts[k] ?? 0, this.#first[k] ?? 0];
      let sum = y[k] ?? 0;
      for (let m = from; m < k; m++) sum -= (this.#below[start + m - from] ?? 0) * (y[m] ?? 0);
      y[k] = sum;
    }
    for (let k = n - 1; k >= 0; k--) {
      const value = (y[k] ?? 0) / (this.#diagonal[k] ?? 1);
      y[k] = value;
      const [start, from] = [this.#starts[k] ?? 0, this.#first[k] ?? 0];
      for (let m = from; m < k; m++) y[m] = (y[m] ?? 0) - (this.#above[start + m - from] ?? 0) * value;
    }
    for (let k = 0; k < n; k++) x[k] = y[this.#place[k] ?? 0] ?? 0;
  }
}
