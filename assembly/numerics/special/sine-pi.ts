// sin(πx) without the rounding of πx: the argument is reduced before the multiplication, so the value is
// accurate to a few roundings next to every zero and exactly 0 at integers, however large.
export function sinePi(x: f64): f64 {
  const reduced = x - 2 * Math.round(0.5 * x); // exact, in [-1, 1]
  if (Math.abs(reduced) <= 0.5) return Math.sin(Math.PI * reduced);
  return Math.sin(Math.PI * (reduced > 0 ? 1 - reduced : -1 - reduced));
}
