// Small real matrices as rows, with + − × ÷ and square roots only, so that every engine gets the same bits.

export type Matrix = readonly (readonly number[])[];

const entry = (a: Matrix, i: number, j: number): number => a[i]?.[j] ?? 0;

export const matrixOf = (rows: number, columns: number, element: (i: number, j: number) => number): Matrix =>
  Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (__, j) => element(i, j)));

export const identity = (n: number): Matrix => matrixOf(n, n, (i, j) => Number(i === j));

export const diagonal = (values: readonly number[]): Matrix =>
  matrixOf(values.length, values.length, (i, j) => (i === j ? (values[i] ?? 0) : 0));

export const columnsOf = (a: Matrix): number => a[0]?.length ?? 0;

export const transpose = (a: Matrix): Matrix => matrixOf(columnsOf(a), a.length, (i, j) => entry(a, j, i));

export const scaled = (a: Matrix, factor: number): Matrix => a.map((row) => row.map((one) => one * factor));

export const plus = (a: Matrix, b: Matrix): Matrix => a.map((row, i) => row.map((one, j) => one + entry(b, i, j)));

export const minus = (a: Matrix, b: Matrix): Matrix => a.map((row, i) => row.map((one, j) => one - entry(b, i, j)));

export function times(a: Matrix, b: Matrix): Matrix {
  return matrixOf(a.length, columnsOf(b), (i, j) => {
    let sum = 0;
    for (let k = 0; k < b.length; k++) sum += entry(a, i, k) * entry(b, k, j);
    return sum;
  });
}

export const symmetric = (a: Matrix): Matrix =>
  matrixOf(a.length, a.length, (i, j) => 0.5 * (entry(a, i, j) + entry(a, j, i)));

/** a p aᵀ, exactly symmetric. */
export const congruence = (a: Matrix, p: Matrix): Matrix => symmetric(times(times(a, p), transpose(a)));

/** The largest sum of magnitudes of a row. */
export const normOf = (a: Matrix): number =>
  a.reduce(
    (largest, row) =>
      Math.max(
        largest,
        row.reduce((sum, one) => sum + Math.abs(one), 0),
      ),
    0,
  );

export const diagonalOf = (a: Matrix): readonly number[] => a.map((row, i) => row[i] ?? 0);

export const maxDifference = (a: Matrix, b: Matrix): number => {
  let largest = 0;
  for (const row of minus(a, b)) for (const one of row) largest = Math.max(largest, Math.abs(one));
  return largest;
};

/** x of a x = b, by elimination with partial pivoting; undefined if a is singular. */
export function solved(a: Matrix, b: Matrix): Matrix | undefined {
  const n = a.length;
  const rows = a.map((row, i) => [...row, ...(b[i] ?? [])]);
  for (let k = 0; k < n; k++) {
    let best = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(entry(rows, i, k)) > Math.abs(entry(rows, best, k))) best = i;
    const pivotRow = rows[best] ?? [];
    rows[best] = rows[k] ?? [];
    rows[k] = pivotRow;
    const pivot = pivotRow[k] ?? 0;
    if (!(Math.abs(pivot) > 0 && Math.abs(pivot) < Number.POSITIVE_INFINITY)) return undefined;
    for (let i = k + 1; i < n; i++) {
      const row = rows[i] ?? [];
      const factor = (row[k] ?? 0) / pivot;
      for (let j = k; j < row.length; j++) row[j] = (row[j] ?? 0) - factor * (pivotRow[j] ?? 0);
    }
  }
  const width = columnsOf(b);
  const x: number[][] = Array.from({ length: n }, () => []);
  for (let i = n - 1; i >= 0; i--) {
    const row = rows[i] ?? [];
    x[i] = Array.from({ length: width }, (_, j) => {
      let sum = row[n + j] ?? 0;
      for (let k = i + 1; k < n; k++) sum -= (row[k] ?? 0) * entry(x, k, j);
      return sum / (row[i] ?? 1);
    });
  }
  return x;
}

/** Lower triangular l with l lᵀ = a; columns of pivots that are rounding are 0, and `isDefinite` is false then. */
export function cholesky(a: Matrix, tolerance = 1e-13) {
  const n = a.length;
  const l: number[][] = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  let isDefinite = true;
  let isSemidefinite = true;
  for (let j = 0; j < n; j++) {
    const row = l[j] ?? [];
    const own = entry(a, j, j);
    let pivot = own;
    for (let k = 0; k < j; k++) pivot -= (row[k] ?? 0) * (row[k] ?? 0);
    const isZero = !(pivot > tolerance * Math.abs(own) && pivot > 0);
    if (isZero) isDefinite = false;
    if (isZero && pivot < -tolerance * Math.abs(own) * 10) isSemidefinite = false;
    if (own < 0) isSemidefinite = false;
    for (let i = j; i < n; i++) {
      const target = l[i] ?? [];
      let sum = entry(a, i, j);
      for (let k = 0; k < j; k++) sum -= (target[k] ?? 0) * (row[k] ?? 0);
      if (isZero) {
        // The Schur complement of a semi-definite matrix has zeros beside a zero.
        const scale = Math.sqrt(Math.abs(own * entry(a, i, i)));
        if (i > j && Math.abs(sum) > 1e-6 * scale) isSemidefinite = false;
        target[j] = 0;
      } else target[j] = i === j ? Math.sqrt(pivot) : sum / Math.sqrt(pivot);
    }
  }
  return { l: l as Matrix, isDefinite, isSemidefinite };
}
