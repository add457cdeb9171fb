// Rational functions P(x) / Q(x) from tables: most special functions reduce to them on an interval.
//
// A table holds the coefficients of P and Q in pairs, from the highest power down. P and Q have the
// same degree n; their Horner schemes run in the two lanes of one vector. Tables without a source were
// computed for this project: P/Q interpolates the function at the 2n + 1 Chebyshev nodes of the interval with
// Q's lowest coefficient 1, computed with 60 digits and rounded; the comment of each table gives the relative
// error measured at 400 points. Where all coefficients are positive and x >= 0, no digits
// cancel and the value is accurate to a few roundings.

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
