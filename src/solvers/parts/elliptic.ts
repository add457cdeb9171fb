// Complete and incomplete elliptic integrals of the first kind, for periods and times of escape.

/** K as a function of 1 − m, by the arithmetic-geometric mean; infinite for 0. Borwein & Borwein, Pi and the AGM. */
export function quarterPeriod(complement: number): number {
  if (complement === 0) return Number.POSITIVE_INFINITY;
  let [a, g] = [1, Math.sqrt(complement)];
  while (Math.abs(a - g) > 1e-8 * a) [a, g] = [0.5 * (a + g), Math.sqrt(a * g)];
  return Math.PI / (a + g);
}

/** R_F(x, y, z) of arguments that are not negative. Carlson 1995, doi:10.1007/BF02198293. */
export function carlsonRF(x: number, y: number, z: number): number {
  const mean = (x + y + z) / 3;
  const [dx, dy, dz] = [(mean - x) / mean, (mean - y) / mean, (mean - z) / mean];
  if (Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz)) < 1e-3) return series(mean, dx * dy - dz * dz, dx * dy * dz);
  const shift = Math.sqrt(x * y) + Math.sqrt(x * z) + Math.sqrt(y * z);
  return carlsonRF(0.25 * (x + shift), 0.25 * (y + shift), 0.25 * (z + shift));
}

/** R_F(x, re + i im, re − i im). */
export function carlsonPair(x: number, re: number, im: number): number {
  const mean = (x + 2 * re) / 3;
  const size = Math.sqrt(re * re + im * im);
  if (mean > 0) {
    const [dx, dre, dim] = [(mean - x) / mean, (mean - re) / mean, im / mean];
    const square = dre * dre + dim * dim;
    if (Math.max(Math.abs(dx), Math.abs(dre), Math.abs(dim)) < 1e-3)
      return series(mean, 2 * dx * dre + square, dx * square);
  }
  const sum = re >= 0 ? size + re : (im * im) / (size - re);
  const shift = 2 * Math.sqrt(x) * Math.sqrt(0.5 * sum);
  return carlsonPair(0.25 * (x + shift + size), 0.25 * (shift + sum), 0.25 * im);
}

const series = (mean: number, second: number, third: number): number =>
  (1 - second / 10 + third / 14 + (second * second) / 24 - (3 * second * third) / 44) / Math.sqrt(mean);
