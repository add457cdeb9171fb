// The same numbers another way: R(t) from the sine's power series, of + − × ÷ alone.

const TERMS = 24;

/** sin(2π x) for 0 ≤ x < 1, by its series about the nearest half turn. */
export function sineOfTurns(x: number): number {
  const half = Math.round(2 * x);
  const angle = 2 * Math.PI * (x - half / 2);
  let term = angle;
  let sum = angle;
  for (let n = 1; n < TERMS; n++) {
    term *= (-angle * angle) / (2 * n * (2 * n + 1));
    sum += term;
  }
  return half % 2 === 0 ? sum : -sum;
}
