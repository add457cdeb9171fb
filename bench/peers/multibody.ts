// Bodies under gravity in a plane by the classical Runge–Kutta method, in plain JavaScript.

/** Places at the end. @param rows  mass, x, y, vx, vy of each body */
export function rungeKuttaPlaces(rows: readonly number[], end: number, steps: number): readonly number[] {
  const n = rows.length / 5;
  const size = 4 * n;
  const masses = Float64Array.from({ length: n }, (_, i) => rows[5 * i] ?? 0);
  const y = new Float64Array(size);
  for (let i = 0; i < n; i++)
    for (let k = 0; k < 2; k++) {
      y[2 * i + k] = rows[5 * i + 1 + k] ?? 0;
      y[2 * n + 2 * i + k] = rows[5 * i + 3 + k] ?? 0;
    }
  const stages = [0, 1, 2, 3].map(() => new Float64Array(size));
  const [k1, k2, k3, k4] = stages as [Float64Array, Float64Array, Float64Array, Float64Array];
  const z = new Float64Array(size);
  const at = (v: Float64Array, i: number) => v[i] as number;
  const slopes = (state: Float64Array, out: Float64Array) => {
    for (let i = 0; i < 2 * n; i++) {
      out[i] = at(state, 2 * n + i);
      out[2 * n + i] = 0;
    }
    for (let i = 0; i < n; i++)
      for (let j = i + 1; j < n; j++) {
        const dx = at(state, 2 * j) - at(state, 2 * i);
        const dy = at(state, 2 * j + 1) - at(state, 2 * i + 1);
        const r2 = dx * dx + dy * dy;
        const w = 1 / (r2 * Math.sqrt(r2));
        const [a, b] = [2 * n + 2 * i, 2 * n + 2 * j];
        out[a] = at(out, a) + w * at(masses, j) * dx;
        out[a + 1] = at(out, a + 1) + w * at(masses, j) * dy;
        out[b] = at(out, b) - w * at(masses, i) * dx;
        out[b + 1] = at(out, b + 1) - w * at(masses, i) * dy;
      }
  };
  const h = end / steps;
  for (let step = 0; step < steps; step++) {
    slopes(y, k1);
    for (let i = 0; i < size; i++) z[i] = at(y, i) + 0.5 * h * at(k1, i);
    slopes(z, k2);
    for (let i = 0; i < size; i++) z[i] = at(y, i) + 0.5 * h * at(k2, i);
    slopes(z, k3);
    for (let i = 0; i < size; i++) z[i] = at(y, i) + h * at(k3, i);
    slopes(z, k4);
    for (let i = 0; i < size; i++) y[i] = at(y, i) + (h / 6) * (at(k1, i) + 2 * at(k2, i) + 2 * at(k3, i) + at(k4, i));
  }
  return [...y.slice(0, 2 * n)];
}
