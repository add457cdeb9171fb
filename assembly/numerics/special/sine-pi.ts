// sin(πx) without the rounding of πx: the argument is reduced before the multiplication, so the value is
// right to a few roundings next to every zero and exactly 0 at whole numbers, however large.
export function sinePi(x: f64): f64 {
  const turn = x - 2 * Math.round(0.5 * x); // exact, in [-1, 1]
  if (Math.abs(turn) <= 0.5) return Math.sin(Math.PI * turn);
  return Math.sin(Math.PI * (turn > 0 ? 1 - turn : -1 - turn));
}
