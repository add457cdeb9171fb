// The number of ways to choose k of n things, for whole n >= 0 and whole k.
//
// c_i = c_(i-1) (n - k + i) / i with the shorter of k and n - k. Every c_i is a whole number not above the
// last, and it is found in whole numbers as long as it stays below 2^53: so a value that f64 can count to
// is exact. Beyond, two roundings a factor remain: relative error below 1e-14 where the value is finite (it
// at least doubles with every factor, so at most 1,024 are multiplied). k outside 0 … n gives 0.
const WHOLE: f64 = 9007199254740992; // 2^53

export function choose(n: f64, k: f64): f64 {
  if (!(n >= 0 && Math.floor(n) === n && Math.floor(k) === k) || !isFinite(n - k)) return NaN;
  if (k < 0 || k > n) return 0;
  const steps = Math.min(k, n - k);
  const base = n - steps;
  let i: f64 = 1;
  let value: f64 = 1;
  // q i + r = c, so c (base + i) / i = q (base + i) + r (base + i) / i, and both terms are whole.
  for (; i <= steps && n < WHOLE; i++) {
    const next = (value * (base + i)) / i;
    if (next > WHOLE) break;
    const c = <u64>value;
    const m = <u64>(base + i);
    const d = <u64>i;
    value = <f64>((c / d) * m + ((c % d) * m) / d);
  }
  for (; i <= steps && value < Infinity; i++) value *= (base + i) / i;
  return value;
}
