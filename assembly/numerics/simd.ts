// SIMD helpers shared by kernels, for vectors of two f64 lanes.
//
// Read coefficients into a v128 before a hot loop with `splat`, even when they are 1: a literal splat
// is folded into the loop by the optimiser and rebuilt in every iteration, which costs a quarter of its time.

/** The f64 at `address` in both lanes. */
export function splat(address: usize): v128 {
  return v128.load_splat<f64>(address);
}

/** (a0, b0): the first lanes of two vectors. */
export function lows(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 0, 2);
}

/** (a1, b1): the second lanes of two vectors. */
export function highs(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 1, 3);
}

/** Lane 0 plus lane 1, in that order. */
export function laneSum(a: v128): f64 {
  return f64x2.extract_lane(a, 0) + f64x2.extract_lane(a, 1);
}
