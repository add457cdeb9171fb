// Orthonormal vectors by the modified Gram–Schmidt method, in place: V = Q R with a positive diagonal of R.
//
// Each vector loses its parts along the earlier ones, twice: once leaves a part as large as the rounding times the ratio
// of the lengths before and after, twice leaves roundings. Golub & Van Loan, Matrix Computations (4th ed.), §5.2.8;
// "twice is enough": Giraud & Langou, IMA J. Numer. Anal. 22 (2002) 521.
import { get, set } from './vector';

/** Below this part of its length left, a vector is taken a second time. */
const LOSS: f64 = 0.5;

/**
 * @param v         f64[count, n], vector by vector; overwritten by orthonormal vectors
 * @param diagonal  f64[count], written: the diagonal of R, lengths of what the earlier vectors left
 * @returns whether the vectors are independent and finite; if not, the rest is not written
 */
export function orthonormalize(v: usize, count: i32, n: i32, diagonal: usize): bool {
  const bytes = (<usize>n) << 3;
  for (let i = 0; i < count; i++) {
    const vector = v + <usize>i * bytes;
    const before = norm(vector, n);
    project(v, i, n);
    let length = norm(vector, n);
    if (length < LOSS * before) {
      project(v, i, n);
      length = norm(vector, n);
    }
    if (!(length > 0 && isFinite(length))) return false;
    set(diagonal, i, length);
    for (let j = 0; j < n; j++) set(vector, j, get(vector, j) / length);
  }
  return true;
}

/** Subtracts from vector i its parts along the earlier ones. */
function project(v: usize, i: i32, n: i32): void {
  const bytes = (<usize>n) << 3;
  const vector = v + <usize>i * bytes;
  for (let k = 0; k < i; k++) {
    const axis = v + <usize>k * bytes;
    let part: f64 = 0;
    for (let j = 0; j < n; j++) part += get(axis, j) * get(vector, j);
    for (let j = 0; j < n; j++) set(vector, j, get(vector, j) - part * get(axis, j));
  }
}

function norm(x: usize, n: i32): f64 {
  let sum: f64 = 0;
  for (let j = 0; j < n; j++) sum += get(x, j) * get(x, j);
  return Math.sqrt(sum);
}
