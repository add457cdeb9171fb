// Gauss–Legendre with four points on (0, 1): exact for polynomials up to degree 7.

export const POINTS = [0.06943184420297371, 0.33000947820757187, 0.6699905217924281, 0.9305681557970262] as const;
const WEIGHTS = [0.17392742256872692, 0.32607257743127305, 0.32607257743127305, 0.17392742256872692] as const;

export function integral(f: (x: number) => number, from: number, to: number): number {
  let sum = 0;
  for (const [g, t] of POINTS.entries()) sum += (WEIGHTS[g] ?? 0) * f(from + t * (to - from));
  return sum * (to - from);
}
