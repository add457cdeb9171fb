// Rational functions P(x) / Q(x) from tables: what most special functions come down to on an interval.
//
// A table holds the coefficients of P and Q in pairs, from the highest power down, and P and Q have the
// same degree n; the two Horner schemes run in the two lanes of one vector. Tables without a source are
// this project's own: P/Q interpolates the function at the 2n + 1 Chebyshev nodes of the interval with
// Q's lowest coefficient 1, computed with 60 digits and rounded; beside each table stands the relative
// error that was then measured at 400 points. Where all coefficients are positive and x >= 0, nothing
// cancels and the value is right to a few roundings.

/**
 * P(x) / Q(x).
 *
 * @param table   f64[2 (degree + 1)]: p_n, q_n, …, p_0, q_0
 * @param degree  n >= 1
 */
export function quotient(table: usize, degree: i32, x: f64): f64 {
  const argument = f64x2.splat(x);
  const end = table + ((<usize>degree) << 4);
  let value = v128.load(table);
  while (table < end) {
    table += 16;
    value = f64x2.add(f64x2.mul(value, argument), v128.load(table));
  }
  return f64x2.extract_lane(value, 0) / f64x2.extract_lane(value, 1);
}
