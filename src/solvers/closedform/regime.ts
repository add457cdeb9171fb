// Which of Duffing's ways a start belongs to, with its period, amplitude and time of escape.

import { log } from '../../core/elementary.ts';
import { carlsonPair, carlsonRF, quarterPeriod } from '../parts/elliptic.ts';

export type Branch = 'rest' | 'cn' | 'dn' | 'sn' | 'separatrix' | 'escape';

export interface Regime {
  readonly branch: Branch;
  /** Largest |φ|; infinite on a way that escapes, undefined at rest. */
  readonly amplitude?: number;
  /** Infinite on a separatrix; undefined where nothing repeats. */
  readonly period?: number;
  /** Time at which φ is infinite; infinite on a way that comes to rest. */
  readonly escapeTime?: number;
  /** Parameter m of Jacobi's functions. */
  readonly m?: number;
}

/** φ″ + a φ + b φ³ = 0 from (x, v), b not 0. Kovacic & Brennan 2011; the forms are those of the kernel. */
export function regimeOf(a: number, b: number, x: number, v: number): Regime {
  const square = x * x;
  const force = a + b * square;
  if (v === 0 && (x === 0 || force === 0)) return { branch: 'rest' };
  const discriminant = force * force + 2 * b * v * v;
  const h = b * (0.5 * v * v + square * (0.5 * a + 0.25 * b * square));
  if (!(b > 0 || (a > 0 && discriminant >= 0 && force >= 0))) return escapeOf(a, b, x, v, discriminant, h);
  const q = Math.sqrt(discriminant);
  const sum = Math.abs(a) + q;
  if (b > 0) {
    const amplitude = Math.sqrt(a > 0 ? (4 * h) / (b * sum) : (q - a) / b);
    if (h > 0) {
      const [large, small] = [sum / (2 * q), (2 * h) / (q * sum)];
      const [m, complement] = a >= 0 ? [small, large] : [large, small];
      return { branch: 'cn', amplitude, m, period: (4 * quarterPeriod(complement)) / Math.sqrt(q) };
    }
    // A field so weak that its squares underflow.
    if (h === 0 && a >= 0) return { branch: 'cn', m: 0, ...(a > 0 ? { period: (2 * Math.PI) / Math.sqrt(a) } : {}) };
    if (h === 0) return { branch: 'separatrix', amplitude, m: 1, period: Number.POSITIVE_INFINITY };
    const complement = (-4 * h) / (sum * sum);
    const period = (2 * quarterPeriod(complement)) / Math.sqrt(0.5 * sum);
    return { branch: 'dn', amplitude, m: (2 * q) / sum, period };
  }
  const amplitude = Math.sqrt((4 * h) / (b * sum));
  if (q === 0) return { branch: 'separatrix', amplitude, m: 1, period: Number.POSITIVE_INFINITY };
  const period = (4 * quarterPeriod((2 * q) / sum)) / Math.sqrt(0.5 * sum);
  return { branch: 'sn', amplitude, m: (-4 * h) / (sum * sum), period };
}

function escapeOf(a: number, b: number, x: number, v: number, discriminant: number, h: number): Regime {
  const square = x * x;
  const middle = (a + b * square) / b;
  const distance = -Math.sqrt(Math.abs(discriminant)) / b;
  const far = middle + distance;
  const integral =
    discriminant < 0
      ? carlsonPair(square, middle, distance)
      : carlsonRF(square, far, far > 0 ? (-2 * v * v) / b / far : 0);
  const toPole = Math.sqrt(-2 / b) * integral;
  const amplitude = Number.POSITIVE_INFINITY;
  if (x === 0 || v === 0 || x > 0 === v > 0) return { branch: 'escape', amplitude, escapeTime: toPole };
  return { branch: 'escape', amplitude, escapeTime: betweenPoles(a, h, discriminant) - toPole };
}

/** Time from one pole to the next on a way that comes in and leaves. */
function betweenPoles(a: number, h: number, discriminant: number): number {
  if (discriminant < 0) {
    const g = Math.sqrt(Math.abs(h));
    const larger = 0.5 + Math.min(0.5, (0.25 * Math.abs(a)) / g);
    const smaller = -discriminant / (16 * Math.abs(h)) / larger;
    return (2 * quarterPeriod(a > 0 ? smaller : larger)) / Math.sqrt(g);
  }
  const q = Math.sqrt(discriminant);
  const sum = Math.abs(a) + q;
  if (h > 0) return (2 * quarterPeriod(a >= 0 ? sum / (2 * q) : (2 * h) / (q * sum))) / Math.sqrt(q);
  if (a === 0) return Number.POSITIVE_INFINITY;
  return (2 * quarterPeriod(a > 0 ? (2 * q) / sum : (-4 * h) / (sum * sum))) / Math.sqrt(0.5 * sum);
}

/** Change of a parameter whose effect is measured, and the part of it that three roundings are. */
const CHANGE = 2 ** -44;
const ROUNDINGS = 3 * 0.00390625;

/** A number of four parameters with what three roundings of each do to it, and four of itself. */
export function conditioned(
  evaluate: (a: number, b: number, x: number, v: number) => number | undefined,
  parameters: readonly [a: number, b: number, x: number, v: number],
): { readonly value: number; readonly uncertainty: number } | undefined {
  const value = evaluate(...parameters);
  if (value === undefined || !Number.isFinite(value)) return undefined;
  const [a, b, x, v] = parameters;
  const f = 1 + CHANGE;
  const changed = [
    evaluate(a * f, b, x, v),
    evaluate(a, b * f, x, v),
    evaluate(a, b, x * f, v),
    evaluate(a, b, x, v * f),
  ];
  const change = changed.reduce<number>((sum, one) => sum + Math.abs((one ?? Number.NaN) - value), 0);
  const uncertainty = ROUNDINGS * change + 4 * Number.EPSILON * Math.abs(value);
  return Number.isFinite(uncertainty) ? { value, uncertainty } : undefined;
}

/** Periods by amplitude from rest, where these are not close to a separatrix: the backbone of the spring. */
export function backboneOf(a: number, b: number, amplitude: number, count: number) {
  const most = b < 0 && a > 0 ? Math.sqrt(-a / b) : Number.POSITIVE_INFINITY;
  const top = Math.min(2 * amplitude, 0.999 * most);
  const amplitudes = Array.from({ length: count }, (_, i) => (top * (i + 1)) / count);
  const rows = amplitudes.flatMap((one) => {
    const { period, branch, amplitude: reached = one } = regimeOf(a, b, one, 0);
    return period !== undefined && Number.isFinite(period) && (branch !== 'dn' || reached === one)
      ? [{ amplitude: one, frequency: (2 * Math.PI) / period }]
      : [];
  });
  return rows;
}

/** ln(1 − t / T): how much closer to the pole a run ends than it begins. */
export const logOfRemainder = (t: number, escapeTime: number): number => log(1 - t / escapeTime);
