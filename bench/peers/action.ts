// Kepler's orbit by the leapfrog and its compositions in plain JavaScript, with carried sums and the energy after each step.

const LENGTHS: Readonly<Record<number, readonly number[]>> = {
  2: [],
  4: [1.3512071919596575],
  6: [0.7845136104775573, 0.23557321335935813, -1.177679984178871],
  8: [
    0.13020248308889007, 0.5611629817751084, -0.38947496264484727, 0.1588419065551556, -0.39590389413323757,
    0.1845396409783157, 0.25837438768632204, 0.2950117236093103,
  ],
};

/** x and y at the end, and the largest change of the energy. */
export function keplerMap(order: number, steps: number, dt: number, e: number): readonly number[] {
  const half = LENGTHS[order] ?? [];
  const middle = half.reduce((left, one) => left - 2 * one, 1);
  const lengths = Float64Array.of(...half, middle, ...[...half].reverse());
  let [x, y, vx, vy] = [1 - e, 0, 0, Math.sqrt((1 + e) / (1 - e))];
  let [cx, cy, cvx, cvy] = [0, 0, 0, 0];
  let [ax, ay] = [-1 / (x * x), 0];
  const start = 0.5 * vy * vy - 1 / x;
  let worst = 0;
  const kick = (h: number) => {
    const [dx, dy] = [h * ax + cvx, h * ay + cvy];
    const [nx, ny] = [vx + dx, vy + dy];
    cvx = dx - (nx - vx);
    cvy = dy - (ny - vy);
    vx = nx;
    vy = ny;
  };
  for (let i = 0; i < steps; i++) {
    for (const length of lengths) {
      const h = length * dt;
      kick(0.5 * h);
      const [dx, dy] = [h * vx + cx, h * vy + cy];
      const [nx, ny] = [x + dx, y + dy];
      cx = dx - (nx - x);
      cy = dy - (ny - y);
      x = nx;
      y = ny;
      const r2 = x * x + y * y;
      const w = -1 / (r2 * Math.sqrt(r2));
      ax = w * x;
      ay = w * y;
      kick(0.5 * h);
    }
    const off = Math.abs(0.5 * (vx * vx + vy * vy) - 1 / Math.sqrt(x * x + y * y) - start);
    if (off > worst) worst = off;
  }
  return [x, y, worst];
}
