// The master field on a line by the classical Runge–Kutta method, in plain JavaScript.

/** φ, φ′ and the work at the end. @param numbers  g, alpha, beta, damping, drag, drive, omega, phi0, dphi0 */
export function rungeKuttaState(numbers: readonly number[], end: number, steps: number): readonly number[] {
  const [g = 0, alpha = 0, beta = 0, damping = 0, drag = 0, drive = 0, omega = 0] = numbers;
  const conservative = (x: number) => -g - x * (alpha + beta * x * x);
  const hasWork = damping !== 0 || drag !== 0 || drive !== 0;
  let loss = 0;
  const extra = (t: number, v: number) => {
    const each = damping + drag * Math.abs(v);
    loss = each * v * v;
    return (drive === 0 ? 0 : drive * Math.cos(omega * t)) - each * v;
  };
  let [x, v] = [numbers[7] ?? 0, numbers[8] ?? 0];
  let [work, lost] = [0, 0];
  const h = end / steps;
  const half = 0.5 * h;
  const sixth = h / 6;
  for (let step = 0; step < steps; step++) {
    if (!hasWork) {
      const a1 = conservative(x);
      const v2 = v + half * a1;
      const a2 = conservative(x + half * v);
      const v3 = v + half * a2;
      const a3 = conservative(x + half * v2);
      const v4 = v + h * a3;
      const a4 = conservative(x + h * v3);
      x += sixth * (v + 2 * (v2 + v3) + v4);
      v += sixth * (a1 + 2 * (a2 + a3) + a4);
      continue;
    }
    const t = step * h;
    const b1 = extra(t, v);
    const l1 = loss;
    const a1 = conservative(x) + b1;
    const v2 = v + half * a1;
    const b2 = extra(t + half, v2);
    const l2 = loss;
    const a2 = conservative(x + half * v) + b2;
    const v3 = v + half * a2;
    const b3 = extra(t + half, v3);
    const l3 = loss;
    const a3 = conservative(x + half * v2) + b3;
    const v4 = v + h * a3;
    const b4 = extra(t + h, v4);
    const a4 = conservative(x + h * v3) + b4;
    work += sixth * (v * b1 + 2 * (v2 * b2 + v3 * b3) + v4 * b4);
    lost += sixth * (l1 + 2 * (l2 + l3) + loss);
    x += sixth * (v + 2 * (v2 + v3) + v4);
    v += sixth * (a1 + 2 * (a2 + a3) + a4);
  }
  return [x, v, work, lost];
}
