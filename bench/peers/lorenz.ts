// The Lyapunov exponents of Lorenz's equations in plain JavaScript: the method of the kernel, with Float64Arrays.

type Constants = readonly [sigma: number, rho: number, beta: number];

function slopes(y: Float64Array, d: Float64Array, [sigma, rho, beta]: Constants): void {
  const [x = 0, b = 0, c = 0] = y;
  const lift = rho - c;
  d[0] = sigma * (b - x);
  d[1] = x * lift - b;
  d[2] = x * b - beta * c;
  for (let k = 3; k < 12; k += 3) {
    const u = y[k] as number;
    const v = y[k + 1] as number;
    const w = y[k + 2] as number;
    d[k] = sigma * (v - u);
    d[k + 1] = lift * u - v - x * w;
    d[k + 2] = b * u + x * v - beta * w;
  }
}

/** Exponents in the order of the frame. */
export function plainExponents(constants: Constants, h: number, steps: number, transient: number): number[] {
  const y = Float64Array.of(1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1);
  const [k1, k2, k3, k4, at] = [0, 1, 2, 3, 4].map(() => new Float64Array(12)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const sums = [0, 0, 0];
  const argument = (k: Float64Array, part: number) => {
    for (let j = 0; j < 12; j++) at[j] = (y[j] as number) + part * (k[j] as number);
  };
  for (let i = 1; i <= steps + transient; i++) {
    slopes(y, k1, constants);
    argument(k1, 0.5 * h);
    slopes(at, k2, constants);
    argument(k2, 0.5 * h);
    slopes(at, k3, constants);
    argument(k3, h);
    slopes(at, k4, constants);
    for (let j = 0; j < 12; j++)
      y[j] =
        (y[j] as number) +
        (h / 6) * ((k1[j] as number) + 2 * ((k2[j] as number) + (k3[j] as number)) + (k4[j] as number));
    if (i === transient) sums.fill(0);
    if (i % 10 === 0) renew(y, sums);
  }
  return sums.map((one) => one / (h * steps));
}

function renew(y: Float64Array, sums: number[]): void {
  for (let a = 0; a < 3; a++) {
    const v = y.subarray(3 + 3 * a, 6 + 3 * a);
    for (let b = 0; b < a; b++) {
      const w = y.subarray(3 + 3 * b, 6 + 3 * b);
      const part = v.reduce((sum, one, j) => sum + one * (w[j] as number), 0);
      for (let j = 0; j < 3; j++) v[j] = (v[j] as number) - part * (w[j] as number);
    }
    const length = Math.hypot(...v);
    sums[a] = (sums[a] as number) + Math.log(length);
    for (let j = 0; j < 3; j++) v[j] = (v[j] as number) / length;
  }
}
