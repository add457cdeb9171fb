// Eigenvalues of a small real matrix that need not be symmetric, with an estimate of their error.
//
// Balanced, brought to Hessenberg's form by reflections, then the QR iteration with Wilkinson's shift in complex
// arithmetic. Golub & Van Loan, Matrix Computations (4th ed.), §7.4 and §7.5; balancing: Parlett & Reinsch, Numer. Math.
// 13 (1969) 293.

export interface Complex {
  readonly re: number;
  readonly im: number;
}

export interface Eigenvalues {
  /** The largest real part first; of a pair, the positive imaginary part first. */
  readonly values: readonly Complex[];
  /** Of each value, as another basis shows it: values that meet in one vector move by much more than roundings. */
  readonly error: number;
}

type Rows = readonly (readonly number[])[];

const MAX_ITERATIONS = 60;
const EXCEPTIONAL = 12;
const ROUNDING = 8 * Number.EPSILON;
/** Factor of the distance between the results of two bases. */
const RESERVE = 10;
/** Imaginary parts below this part of the norm are those of real values. */
const REAL = 1e-7;

/** @returns NaN with an infinite error if the iteration does not end, as for a matrix that is not finite */
export function eigenvalues(matrix: Rows): Eigenvalues {
  const values = iterate(matrix);
  const others = iterate(reflected(matrix));
  const norm = normOf(matrix);
  const apart = values.reduce((largest, one, k) => Math.max(largest, distance(one, others[k] ?? one)), 0);
  const smallest = values.reduce((least, one) => Math.min(least, modulus(one)), norm);
  const condition = smallest > 0 ? norm / smallest : 1 / ROUNDING;
  const error = RESERVE * apart + ROUNDING * norm * Math.min(condition, 1e8);
  const cleaned = values.map(({ re, im }) => ({ re, im: Math.abs(im) <= REAL * norm ? 0 : im }));
  return { values: cleaned, error: Number.isNaN(error) ? Number.POSITIVE_INFINITY : error };
}

const modulus = ({ re, im }: Complex) => {
  const size = Math.max(Math.abs(re), Math.abs(im));
  return size === 0 ? 0 : size * Math.sqrt((re / size) * (re / size) + (im / size) * (im / size));
};
const minus = (a: Complex, b: Complex): Complex => ({ re: a.re - b.re, im: a.im - b.im });
const distance = (a: Complex, b: Complex) => modulus({ re: a.re - b.re, im: Math.abs(a.im) - Math.abs(b.im) });
const times = (a: Complex, b: Complex): Complex => ({ re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re });

const normOf = (matrix: Rows) =>
  matrix.reduce(
    (largest, row) =>
      Math.max(
        largest,
        row.reduce((sum, one) => sum + Math.abs(one), 0),
      ),
    0,
  );

/** P A P with the reflection P that no axis is close to. */
function reflected(matrix: Rows): Rows {
  const n = matrix.length;
  const v = Array.from({ length: n }, (_, i) => i + 1);
  const square = v.reduce((sum, one) => sum + one * one, 0);
  const reflect = (row: readonly number[]) => {
    const part = (2 * row.reduce((sum, one, i) => sum + one * (v[i] ?? 0), 0)) / square;
    return row.map((one, i) => one - part * (v[i] ?? 0));
  };
  const transpose = (rows: Rows) => rows.map((_, i) => rows.map((row) => row[i] ?? 0));
  return transpose(transpose(matrix.map(reflect)).map(reflect));
}

function iterate(matrix: Rows): readonly Complex[] {
  const even = balanced(matrix);
  const unit = normOf(even);
  if (unit === 0) return matrix.map(() => ({ re: 0, im: 0 }));
  // Of size 1, so that no square vanishes.
  const real = hessenberg(even.map((row) => row.map((one) => one / unit)));
  const norm = normOf(real);
  const h = real.map((row) => row.map((re): Complex => ({ re, im: 0 })));
  const n = h.length;
  const get = (i: number, j: number): Complex => h[i]?.[j] ?? { re: 0, im: 0 };
  const set = (i: number, j: number, value: Complex) => {
    const row = h[i];
    if (row) row[j] = value;
  };
  const found: Complex[] = [];
  let last = n - 1;
  let turns = 0;
  while (last >= 0) {
    let first = last;
    while (first > 0) {
      const size = modulus(get(first, first)) + modulus(get(first - 1, first - 1));
      // Beside zeros on the diagonal, what the whole matrix rounds away.
      if (modulus(get(first, first - 1)) <= Number.EPSILON * (size + Number.EPSILON * norm)) break;
      first--;
    }
    if (first === last) {
      found.push(get(last, last));
      last--;
      turns = 0;
      continue;
    }
    if (++turns > MAX_ITERATIONS) return Array.from({ length: n }, () => ({ re: Number.NaN, im: Number.NaN }));
    const isExceptional = turns % EXCEPTIONAL === 0;
    const shift = isExceptional
      ? { re: modulus(get(last, last - 1)) + get(last, last).re, im: 0 }
      : wilkinson(get(last - 1, last - 1), get(last - 1, last), get(last, last - 1), get(last, last));
    stepOf(first, last, shift, get, set);
  }
  return found.map(({ re, im }) => ({ re: re * unit, im: im * unit })).sort((a, b) => b.re - a.re || b.im - a.im);
}

/** The eigenvalue of a matrix of two rows that is closer to d. */
function wilkinson(a: Complex, b: Complex, c: Complex, d: Complex): Complex {
  const half = { re: 0.5 * (a.re - d.re), im: 0.5 * (a.im - d.im) };
  const [square, product] = [times(half, half), times(b, c)];
  const root = squareRoot({ re: square.re + product.re, im: square.im + product.im });
  const isSame = half.re * root.re + half.im * root.im >= 0;
  const sum = isSame ? { re: half.re + root.re, im: half.im + root.im } : minus(half, root);
  const size = sum.re * sum.re + sum.im * sum.im;
  if (!(size > 0)) return d;
  // d − bc / (half ± root), which does not cancel.
  const quotient = times(product, { re: sum.re / size, im: -sum.im / size });
  return minus(d, quotient);
}

function squareRoot(z: Complex): Complex {
  const size = modulus(z);
  const re = Math.sqrt(Math.max(0, 0.5 * (size + Math.abs(z.re))));
  if (re === 0) return { re: 0, im: 0 };
  const im = z.im / (2 * re);
  return z.re >= 0 ? { re, im } : { re: Math.abs(im), im: z.im < 0 ? -re : re };
}

/** H − s = Q R by rotations of neighbouring rows, then R Q + s. */
function stepOf(
  first: number,
  last: number,
  shift: Complex,
  get: (i: number, j: number) => Complex,
  set: (i: number, j: number, value: Complex) => void,
): void {
  const rotations: { readonly c: Complex; readonly s: Complex }[] = [];
  for (let i = first; i <= last; i++) set(i, i, minus(get(i, i), shift));
  for (let i = first; i < last; i++) {
    const [a, b] = [get(i, i), get(i + 1, i)];
    const length = modulus({ re: modulus(a), im: modulus(b) });
    const c = length === 0 ? { re: 1, im: 0 } : { re: a.re / length, im: -a.im / length };
    const s = length === 0 ? { re: 0, im: 0 } : { re: b.re / length, im: -b.im / length };
    rotations.push({ c, s });
    for (let j = i; j <= last; j++) {
      const [x, y] = [get(i, j), get(i + 1, j)];
      const [cx, sy] = [times(c, x), times(s, y)];
      set(i, j, { re: cx.re + sy.re, im: cx.im + sy.im });
      const [cy, sx] = [times(conjugate(c), y), times(conjugate(s), x)];
      set(i + 1, j, minus(cy, sx));
    }
  }
  for (const [k, { c, s }] of rotations.entries()) {
    const i = first + k;
    for (let row = first; row <= Math.min(i + 1, last); row++) {
      const [x, y] = [get(row, i), get(row, i + 1)];
      const [xc, ys] = [times(x, conjugate(c)), times(y, conjugate(s))];
      set(row, i, { re: xc.re + ys.re, im: xc.im + ys.im });
      set(row, i + 1, minus(times(y, c), times(x, s)));
    }
  }
  for (let i = first; i <= last; i++) {
    const value = get(i, i);
    set(i, i, { re: value.re + shift.re, im: value.im + shift.im });
  }
}

const conjugate = ({ re, im }: Complex): Complex => ({ re, im: -im });

/** Rows and columns scaled by powers of two until they are of similar size. */
function balanced(matrix: Rows): number[][] {
  const a = matrix.map((row) => [...row]);
  const n = a.length;
  let isDone = false;
  for (let turn = 0; turn < 100 && !isDone; turn++) {
    isDone = true;
    for (let i = 0; i < n; i++) {
      let [row, column] = [0, 0];
      for (let j = 0; j < n; j++)
        if (j !== i) {
          row += Math.abs(a[i]?.[j] ?? 0);
          column += Math.abs(a[j]?.[i] ?? 0);
        }
      if (!(row > 0 && column > 0 && row + column < Number.MAX_VALUE)) continue;
      let factor = 1;
      for (let left = column; left < row / 2; left *= 4) factor *= 2;
      for (let left = column; left >= row * 2; left /= 4) factor /= 2;
      if (factor === 1) continue;
      isDone = false;
      for (let j = 0; j < n; j++) {
        const own = a[i];
        const other = a[j];
        if (own) own[j] = (own[j] ?? 0) / factor;
        if (other) other[i] = (other[i] ?? 0) * factor;
      }
    }
  }
  return a;
}

function hessenberg(a: number[][]): number[][] {
  const n = a.length;
  for (let k = 0; k + 2 < n; k++) {
    const x = a.slice(k + 1).map((row) => row[k] ?? 0);
    const size = x.reduce((largest, one) => Math.max(largest, Math.abs(one)), 0);
    if (size === 0) continue;
    const length = size * Math.sqrt(x.reduce((sum, one) => sum + (one / size) * (one / size), 0));
    const [head = 0] = x;
    const v = x.map((one, i) => (i === 0 ? head + (head < 0 ? -length : length) : one));
    const square = v.reduce((sum, one) => sum + (one / size) * (one / size), 0);
    const scaled = v.map((one) => one / size);
    for (let j = 0; j < n; j++) {
      const part = (2 * scaled.reduce((sum, one, i) => sum + one * (a[k + 1 + i]?.[j] ?? 0), 0)) / square;
      for (const [i, one] of scaled.entries()) {
        const row = a[k + 1 + i];
        if (row) row[j] = (row[j] ?? 0) - part * one;
      }
    }
    for (const row of a) {
      const part = (2 * scaled.reduce((sum, one, i) => sum + one * (row[k + 1 + i] ?? 0), 0)) / square;
      for (const [i, one] of scaled.entries()) row[k + 1 + i] = (row[k + 1 + i] ?? 0) - part * one;
    }
    for (let i = k + 2; i < n; i++) {
      const row = a[i];
      if (row) row[k] = 0;
    }
  }
  return a;
}
