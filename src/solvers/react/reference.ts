// Reference solutions: uniform states of the models in closed form, and the method of the kernel in the plainest
// TypeScript.

/** Uniform states of Gray–Scott besides u = 1, v = 0, lower u first; none where 4 (F + k)² > F. Pearson (1993). */
export function grayScottStates(F: number, k: number): readonly (readonly [u: number, v: number])[] {
  const square = 4 * ((F + k) * (F + k));
  if (!(F > 0 && square <= F)) return [];
  const root = Math.sqrt(1 - square / F);
  // The smaller root without cancellation: u₁ u₂ = (F + k)² / F.
  const upper = (1 + root) / 2;
  const lower = ((F + k) * (F + k)) / F / upper;
  return [lower, upper].map((u) => [u, (F * (1 - u)) / (F + k)] as const);
}

/**
 * The rest state of FitzHugh–Nagumo with the lowest u: the root of u − u³/3 + I = (u + a) / b, by bisection to the last bit.
 * For b = 0, u = −a.
 */
export function fitzHughNagumoRest(a: number, b: number, I: number): readonly [u: number, v: number] {
  if (b === 0) return [-a, -a + (a * a * a) / 3 + I];
  const residual = (u: number) => u - (u * u * u) / 3 + I - (u + a) / b;
  // Beyond this the cubic exceeds all other terms.
  let low = -(4 + Math.abs(a) + Math.abs(I) + (3 * (1 + Math.abs(a))) / Math.abs(b));
  let high = -low;
  // The first change of sign from below, on a grid finer than the distance of roots in the usual range.
  const h = (high - low) / 4096;
  for (let i = 1; i <= 4096; i++) {
    if (!(residual(low + i * h) <= 0)) continue;
    high = low + i * h;
    low += (i - 1) * h;
    break;
  }
  for (let i = 0; i < 200; i++) {
    const middle = 0.5 * (low + high);
    if (middle === low || middle === high) break;
    if (residual(middle) > 0) low = middle;
    else high = middle;
  }
  return [high, (high + a) / b];
}

/** Forward Euler with 5-point differences on a periodic square, as kernels of papers write it; u and v are replaced. */
export function eulerGrayScott(
  u: Float64Array,
  v: Float64Array,
  n: number,
  steps: number,
  { Du, Dv, F, k, dt, h }: Readonly<Record<'Du' | 'Dv' | 'F' | 'k' | 'dt' | 'h', number>>,
): void {
  const at = (field: Float64Array, i: number, j: number) => field[((j + n) % n) * n + ((i + n) % n)] ?? Number.NaN;
  for (let step = 0; step < steps; step++) {
    const [oldU, oldV] = [u.slice(), v.slice()];
    for (let j = 0; j < n; j++)
      for (let i = 0; i < n; i++) {
        const [x, y] = [at(oldU, i, j), at(oldV, i, j)];
        const neighbours = (field: Float64Array) =>
          at(field, i - 1, j) + at(field, i + 1, j) + at(field, i, j - 1) + at(field, i, j + 1);
        u[j * n + i] = x + dt * ((Du * (neighbours(oldU) - 4 * x)) / (h * h) - x * y * y + F * (1 - x));
        v[j * n + i] = y + dt * ((Dv * (neighbours(oldV) - 4 * y)) / (h * h) + x * y * y - (F + k) * y);
      }
  }
}
