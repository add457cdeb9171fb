// Rows of explicit steps of u_t = D (u_xx + u_yy) + f on a field with a halo (halo.ts), two cells at a time.
//
// Second differences along one axis, of order 2:  u₋₁ − 2 u₀ + u₁
//                                    of order 4:  (−u₋₂ + 16 u₋₁ − 30 u₀ + 16 u₁ − u₂) / 12
// On the shortest wave of an axis they are −4 and −16/3, from which the largest stable step follows.
// LeVeque, Finite Difference Methods for Ordinary and Partial Differential Equations (2007), chapters 1, 8 and 9.
//
// Every address is that of the first cell of a row; `reaction` is a line without a halo, f64[columns] and one more if
// that is odd. `stride` is the distance of rows in bytes.

/**
 * Forward Euler with differences of order 2: target = source + D dt (δ²x / hx² + δ²y / hy²) source + dt reaction.
 *
 * @param rx, ry  D dt / h² of each axis; 0 for an axis that there is not
 */
export function eulerRow(
  source: usize,
  reaction: usize,
  target: usize,
  columns: i32,
  stride: usize,
  rx: f64,
  ry: f64,
  dt: f64,
): void {
  const alongX = f64x2.splat(rx);
  const alongY = f64x2.splat(ry);
  const center = f64x2.splat(1 - 2 * (rx + ry));
  const step = f64x2.splat(dt);
  const end = source + ((<usize>columns) << 3);
  while (source < end) {
    const x = f64x2.add(v128.load(source - 8), v128.load(source + 8));
    const y = f64x2.add(v128.load(source - stride), v128.load(source + stride));
    const neighbours = f64x2.add(f64x2.mul(alongX, x), f64x2.mul(alongY, y));
    const own = f64x2.add(f64x2.mul(center, v128.load(source)), f64x2.mul(step, v128.load(reaction)));
    v128.store(target, f64x2.add(own, neighbours));
    source += 16;
    reaction += 16;
    target += 16;
  }
}

/**
 * A stage of a Runge–Kutta method with differences of order 4. With the slope k = D (δ⁴x / hx² + δ⁴y / hy²) source +
 * reaction: target = base + next k, and sum = sum + weight k. `target` may not be `source`, but `base` and `sum` may be
 * any rows of the same stride.
 *
 * @param dx, dy  D / h² of each axis; 0 for an axis that there is not
 */
export function stageRow(
  source: usize,
  reaction: usize,
  base: usize,
  target: usize,
  sumBefore: usize,
  sumAfter: usize,
  columns: i32,
  stride: usize,
  dx: f64,
  dy: f64,
  next: f64,
  weight: f64,
): void {
  const nearX = f64x2.splat((16.0 / 12.0) * dx);
  const farX = f64x2.splat((1.0 / 12.0) * dx);
  const nearY = f64x2.splat((16.0 / 12.0) * dy);
  const farY = f64x2.splat((1.0 / 12.0) * dy);
  const center = f64x2.splat(2.5 * (dx + dy));
  const toTarget = f64x2.splat(next);
  const toSum = f64x2.splat(weight);
  const twice = stride << 1;
  const end = source + ((<usize>columns) << 3);
  while (source < end) {
    const x1 = f64x2.add(v128.load(source - 8), v128.load(source + 8));
    const x2 = f64x2.add(v128.load(source - 16), v128.load(source + 16));
    const y1 = f64x2.add(v128.load(source - stride), v128.load(source + stride));
    const y2 = f64x2.add(v128.load(source - twice), v128.load(source + twice));
    const near = f64x2.add(f64x2.mul(nearX, x1), f64x2.mul(nearY, y1));
    const far = f64x2.add(f64x2.mul(farX, x2), f64x2.mul(farY, y2));
    const own = f64x2.sub(v128.load(reaction), f64x2.mul(center, v128.load(source)));
    const slope = f64x2.add(f64x2.sub(near, far), own);
    v128.store(target, f64x2.add(v128.load(base), f64x2.mul(toTarget, slope)));
    v128.store(sumAfter, f64x2.add(v128.load(sumBefore), f64x2.mul(toSum, slope)));
    source += 16;
    reaction += 16;
    base += 16;
    target += 16;
    sumBefore += 16;
    sumAfter += 16;
  }
}
