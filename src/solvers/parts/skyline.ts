// Symmetric systems in profile storage, in plain TypeScript: of statics, of checks, and of witnesses.

export class Skyline {
  readonly #first: Int32Array;
  readonly #starts: Int32Array;
  readonly #values: Float64Array;

  /** @param first  the first column of each row */
  constructor(first: Int32Array) {
    this.#first = first;
    this.#starts = new Int32Array(first.length + 1);
    for (let k = 0; k < first.length; k++) this.#starts[k + 1] = (this.#starts[k] ?? 0) + k + 1 - (first[k] ?? 0);
    this.#values = new Float64Array(this.#starts[first.length] ?? 0);
  }

  clear(): void {
    this.#values.fill(0);
  }

  #at(k: number, m: number): number {
    return (this.#starts[k] ?? 0) + m - (this.#first[k] ?? 0);
  }

  /** Adds to entry (a, b), a >= b, which lies in the profile. */
  add(a: number, b: number, value: number): void {
    const index = this.#at(a, b);
    this.#values[index] = (this.#values[index] ?? 0) + value;
  }

  /** A = L D Lᵀ in place. @returns the pivots and, of each, its part of the diagonal */
  factor(): { readonly negative: number; readonly smallest: number; readonly row: number } {
    const [first, starts, values] = [this.#first, this.#starts, this.#values];
    let [negative, smallest, row] = [0, Number.POSITIVE_INFINITY, -1];
    for (let k = 0; k < first.length; k++) {
      const f = first[k] ?? 0;
      const own = (starts[k] ?? 0) - f;
      for (let m = f; m < k; m++) {
        const other = (starts[m] ?? 0) - (first[m] ?? 0);
        let sum = values[own + m] ?? 0;
        for (let p = Math.max(f, first[m] ?? 0); p < m; p++) sum -= (values[own + p] ?? 0) * (values[other + p] ?? 0);
        values[own + m] = sum;
      }
      const diagonal = values[this.#at(k, k)] ?? 0;
      let pivot = diagonal;
      for (let m = f; m < k; m++) {
        const g = values[this.#at(k, m)] ?? 0;
        const l = g / (values[this.#at(m, m)] ?? 0);
        pivot -= g * l;
        values[this.#at(k, m)] = l;
      }
      values[this.#at(k, k)] = pivot;
      if (pivot < 0) negative++;
      const part = Math.abs(pivot) / Math.max(Math.abs(diagonal), Number.MIN_VALUE);
      if (!(part >= smallest)) [smallest, row] = [part, k];
    }
    return { negative, smallest, row };
  }

  /** x with A x = b, after `factor`. */
  solve(b: Float64Array): Float64Array {
    const n = b.length;
    const x = Float64Array.from(b);
    for (let k = 0; k < n; k++)
      for (let m = this.#first[k] ?? 0; m < k; m++)
        x[k] = (x[k] ?? 0) - (this.#values[this.#at(k, m)] ?? 0) * (x[m] ?? 0);
    for (let k = 0; k < n; k++) x[k] = (x[k] ?? 0) / (this.#values[this.#at(k, k)] ?? 0);
    for (let k = n - 1; k >= 0; k--)
      for (let m = this.#first[k] ?? 0; m < k; m++)
        x[m] = (x[m] ?? 0) - (this.#values[this.#at(k, m)] ?? 0) * (x[k] ?? 0);
    return x;
  }
}

/** The first column of each row for elements whose unknowns are given six by six, −1 where held. */
export function firstColumns(freedoms: Int32Array, unknowns: number): Int32Array {
  const first = Int32Array.from({ length: unknowns }, (_, k) => k);
  for (let e = 0; e < freedoms.length; e += 6) {
    const own = freedoms.subarray(e, e + 6).filter((one) => one >= 0);
    const lowest = own.reduce((low, one) => Math.min(low, one), unknowns);
    for (const one of own) first[one] = Math.min(first[one] ?? 0, lowest);
  }
  return first;
}

/** Where each row of the profile starts, and the number of its entries. */
export function startsOf(first: Int32Array): Int32Array {
  const starts = new Int32Array(first.length + 1);
  for (let k = 0; k < first.length; k++) starts[k + 1] = (starts[k] ?? 0) + k + 1 - (first[k] ?? 0);
  return starts;
}
