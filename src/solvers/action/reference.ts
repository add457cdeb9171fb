// Reference: the map of order 2 of an oscillator, kick, drift, kick, in the plainest TypeScript.

/** q and p of ½p² + ½ω²q² after some steps. */
export function leapfrogOscillator(
  [q0, p0]: readonly [q: number, p: number],
  omega: number,
  dt: number,
  steps: number,
): readonly [q: number, p: number] {
  let [q, p] = [q0, p0];
  for (let step = 0; step < steps; step++) {
    p -= 0.5 * dt * omega * omega * q;
    q += dt * p;
    p -= 0.5 * dt * omega * omega * q;
  }
  return [q, p];
}
