// Lotka and Volterra's period by Runge and Kutta's method of order 4 with equal steps, in plain JavaScript.

/** @param p  logarithm of the prey of the start over the equilibrium; q of the predators */
export function periodByEqualSteps(alpha: number, gamma: number, p: number, q: number, h: number): number {
  let [x, y, first, arrivals] = [p, q, 0, 0];
  let [ends, endq] = [0, 0];
  const step = (u: number, v: number, width: number) => {
    const [a1, b1] = [-alpha * Math.expm1(v), gamma * Math.expm1(u)];
    const [a2, b2] = [-alpha * Math.expm1(v + 0.5 * width * b1), gamma * Math.expm1(u + 0.5 * width * a1)];
    const [a3, b3] = [-alpha * Math.expm1(v + 0.5 * width * b2), gamma * Math.expm1(u + 0.5 * width * a2)];
    const [a4, b4] = [-alpha * Math.expm1(v + width * b3), gamma * Math.expm1(u + width * a3)];
    ends = u + (width / 6) * (a1 + 2 * a2 + 2 * a3 + a4);
    endq = v + (width / 6) * (b1 + 2 * b2 + 2 * b3 + b4);
  };
  for (let n = 0; ; n++) {
    step(x, y, h);
    const [nextX, nextY] = [ends, endq];
    if (x > 0 && nextX <= 0) {
      let [low, high] = [0, 1];
      for (let k = 0; k < 50; k++) {
        const middle = 0.5 * (low + high);
        step(x, y, middle * h);
        if (ends > 0) low = middle;
        else high = middle;
      }
      const t = (n + low) * h;
      arrivals++;
      if (arrivals === 2) return t - first;
      first = t;
    }
    [x, y] = [nextX, nextY];
  }
}
