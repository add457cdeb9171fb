// Preconditioned conjugate gradients for A x = b, an iteration at a time, and Chebyshev's iteration as a smoother.
//
// Both see A and the preconditioner only as functions, so a matrix need not be stored. Conjugate gradients: Hestenes &
// Stiefel 1952; rᵀ M⁻¹ r estimates the squared error in the norm of A. Chebyshev: order m damps every component between
// the two eigenvalues of D⁻¹ A by the smallest factor that a polynomial of degree m has; it is a polynomial in D⁻¹ A, so
// that a V-cycle with the same smoother before and after is symmetric. Saad, Iterative Methods for Sparse Linear Systems
// (2nd ed., 2003), §6.7, §9.2 and §12.3.
import { pairwiseDot } from '../sum';
import { get, set } from '../vector';

/** to = A from; `to` and `from` differ. */
export type Operator = (from: usize, to: usize) => void;

/** y += a x. @param n  even */
export function axpy(a: f64, x: usize, y: usize, n: i32): void {
  const factor = f64x2.splat(a);
  const end = x + ((<usize>n) << 3);
  for (; x < end; x += 16, y += 16) v128.store(y, f64x2.add(v128.load(y), f64x2.mul(factor, v128.load(x))));
}

/** y = x + a y. @param n  even */
export function xpay(x: usize, a: f64, y: usize, n: i32): void {
  const factor = f64x2.splat(a);
  const end = x + ((<usize>n) << 3);
  for (; x < end; x += 16, y += 16) v128.store(y, f64x2.add(v128.load(x), f64x2.mul(factor, v128.load(y))));
}

export namespace Cg {
  export let n: i32 = 0;
  /** f64[n] each: solution, residual, preconditioned residual, direction, and A times the direction. */
  export let x: usize = 0;
  export let r: usize = 0;
  export let z: usize = 0;
  export let p: usize = 0;
  export let ap: usize = 0;
  /** rᵀ M⁻¹ r */
  export let rz: f64 = 0;
}

/** Starts from x and its residual r. */
export function startCg(precondition: Operator): void {
  precondition(Cg.r, Cg.z);
  memory.copy(Cg.p, Cg.z, (<usize>Cg.n) << 3);
  Cg.rz = pairwiseDot(Cg.r, Cg.z, Cg.n);
}

/** One iteration. @returns false if A or M is not positive definite along the direction, or a number is not finite */
export function stepCg(apply: Operator, precondition: Operator): bool {
  if (!descendCg(apply)) return false;
  precondition(Cg.r, Cg.z);
  return turnCg();
}

/** The first part of `stepCg`: along the direction. z = M⁻¹ r follows, then `turnCg`. @returns as `stepCg` */
export function descendCg(apply: Operator): bool {
  const n = Cg.n;
  apply(Cg.p, Cg.ap);
  const curvature = pairwiseDot(Cg.p, Cg.ap, n);
  const alpha = Cg.rz / curvature;
  if (!(curvature > 0 && isFinite(alpha))) return false;
  axpy(alpha, Cg.p, Cg.x, n);
  axpy(-alpha, Cg.ap, Cg.r, n);
  return true;
}

/** The last part of `stepCg`: the next direction. @returns as `stepCg` */
export function turnCg(): bool {
  const next = pairwiseDot(Cg.r, Cg.z, Cg.n);
  xpay(Cg.z, next / Cg.rz, Cg.p, Cg.n);
  Cg.rz = next;
  return next >= 0 && isFinite(next);
}

/**
 * z += q(D⁻¹ A) D⁻¹ r with the polynomial q of degree `order` − 1, and r becomes the residual, except for the last
 * correction, which is left in `d`.
 *
 * @param scale  to = D⁻¹ from
 * @param low, high  the eigenvalues of D⁻¹ A between which errors are damped; none may be above `high`
 * @param z, r, d, t  f64[n]; `t` is scratch
 */
export function smoothChebyshev(
  apply: Operator,
  scale: Operator,
  low: f64,
  high: f64,
  order: i32,
  n: i32,
  z: usize,
  r: usize,
  d: usize,
  t: usize,
): void {
  const theta = 0.5 * (high + low);
  const delta = 0.5 * (high - low);
  let rho = delta / theta;
  scale(r, d);
  for (let i = 0; i < n; i++) set(d, i, get(d, i) / theta);
  axpy(1, d, z, n);
  for (let k = 1; k < order; k++) {
    apply(d, t);
    axpy(-1, t, r, n);
    scale(r, t);
    const next = 1 / ((2 * theta) / delta - rho);
    const a = next * rho;
    const b = (2 * next) / delta;
    for (let i = 0; i < n; i++) set(d, i, a * get(d, i) + b * get(t, i));
    rho = next;
    axpy(1, d, z, n);
  }
}
