// Root of a function of the states inside the last step, by the false position (Illinois).

/** The function at the fraction θ of the step. */
export type Along = (theta: f64) => f64;

/** @param left  f(0), and right f(1), of opposite signs or 0 at the end. @returns θ */
export function rootInStep(f: Along, left: f64, right: f64): f64 {
  let a: f64 = 0;
  let b: f64 = 1;
  let side = 0;
  let theta: f64 = 1;
  const isFalling = left > 0;
  for (let k = 0; k < 80 && right !== 0; k++) {
    theta = (a * right - b * left) / (right - left);
    if (!(theta > a && theta < b)) {
      theta = 0.5 * (a + b);
      if (!(theta > a && theta < b)) break;
    }
    const value = f(theta);
    if (value === 0) break;
    if (value > 0 === isFalling) {
      if (a === theta) break;
      a = theta;
      left = value;
      if (side === 1) right *= 0.5;
      side = 1;
    } else {
      b = theta;
      right = value;
      if (side === -1) left *= 0.5;
      side = -1;
    }
    if (b - a < 2e-16) break;
  }
  return theta;
}
