// Binomial coefficients for integer n >= 0 and integer k.
//
// c_i = c_(i-1) (n - k + i) / i with the smaller of k and n - k. Every c_i is an integer not above the last.
// Integer arithmetic computes it exactly below 2^53. Beyond, two roundings per factor remain: relative error below
// 1e-14 where the value is finite (it at least doubles with every factor, so at most 1,024 are multiplied).
// k outside 0 … n gives 0.
const MAX_EXACT: f64 = 9007199254740992; // 2^53

export function choose(n: f64, k: f64): f64 {
  if (!(n >= 0 && Math.floor(n) === n && Math.floor(k) === k) || !isFinite(n - k)) return NaN;
  if (k < 0 || k > n) return 0;
  const steps = Math.min(k, n - k);
  const base = n - steps;
  let i: f64 = 1;
  let value: f64 = 1;
  // q i + r = c, so c (base + i) / i = q (base + i) + r (base + i) / i, and both terms are integers.
  for (; i <= steps && n < MAX_EXACT; i++) {
    const next = (value * (base + i)) / i;
    if (next > MAX_EXACT) break;
    const c = <u64>value;
    const m = <u64>(base + i);
    const d = <u64>i;
    value = <f64>((c / d) * m + ((c % d) * m) / d);
  }
  for (; i <= steps && value < Infinity; i++) value *= (base + i) / i;
  return value;
}
