// The same numbers another way: the first integral of the Poisson–Boltzmann equation of a step, without a grid.

import { exp } from '../../core/elementary.ts';
import { neutral } from './junction.ts';

/** A step in units of the thermal voltage; doping in 1/m³, s the logarithm of the intrinsic density under bias. */
export interface Step {
  readonly Na: number;
  readonly Nd: number;
  readonly s: number;
  /** Charge over permittivity and thermal voltage. */
  readonly kappa: number;
}

/** (u')² at potential u on the side of net doping N, whose neutral potential is `far`: u' vanishes there. */
function square(u: number, N: number, far: number, { s, kappa }: Step): number {
  const charge = exp(s + u) - exp(s + far) + (exp(s - u) - exp(s - far)) - N * (u - far);
  return Math.max(0, 2 * kappa * charge);
}

/** The potential and the slope at the junction, where the slopes of both sides agree. */
function stepJunction(step: Step): { readonly u: number; readonly slope: number } {
  const [left, right] = [-neutral(step.Na, step.s), neutral(step.Nd, step.s)];
  let [low, high] = [left, right];
  for (let i = 0; i < 200; i++) {
    const middle = 0.5 * (low + high);
    if (square(middle, -step.Na, left, step) < square(middle, step.Nd, right, step)) low = middle;
    else high = middle;
  }
  const u = 0.5 * (low + high);
  return { u, slope: Math.sqrt(square(u, step.Nd, right, step)) };
}

/** The potential at a distance from the junction, on the n side for x > 0. */
export function stepPotential(x: number, step: Step): number {
  const { u: start } = stepJunction(step);
  const isRight = x > 0;
  const N = isRight ? step.Nd : -step.Na;
  const far = isRight ? neutral(step.Nd, step.s) : -neutral(step.Na, step.s);
  return potentialAt(Math.abs(x), start, far, (u) => square(u, N, far, step));
}

const MAX_STEP = 1 / 512;

/** Where a layer that starts at a potential has fallen to within a distance: x = ∫ du/u', by Simpson's rule within bisection. */
function potentialAt(target: number, start: number, far: number, squareAt: (u: number) => number): number {
  // With far − u = (far − start) exp(−t) the integrand is smooth to the end.
  const reach = far - start;
  const rate = (t: number) => {
    const rest = reach * exp(-t);
    const slope = Math.sqrt(squareAt(far - rest));
    return Math.abs(rest) / slope;
  };
  // A layer of carriers at the start is about one thermal voltage deep.
  let h = Math.min(MAX_STEP, 0.02 / Math.abs(reach));
  let [distance, t] = [0, 0];
  while (t < 14) {
    const piece = (h / 6) * (rate(t) + 4 * rate(t + 0.5 * h) + rate(t + h));
    if (distance + piece >= target) {
      // The piece is short: its rate is that of a parabola, and one step of the midpoint rule in it leaves 1e-9.
      let part = ((target - distance) / piece) * h;
      for (let i = 0; i < 4; i++) {
        const passed = (part / 6) * (rate(t) + 4 * rate(t + 0.5 * part) + rate(t + part));
        part += (target - distance - passed) / rate(t + part);
      }
      return far - reach * exp(-(t + part));
    }
    distance += piece;
    t += h;
    h = Math.min(MAX_STEP, 1.03 * h);
  }
  return far;
}

/** A semiconductor of even doping under an oxide, in units of the thermal voltage. */
export interface Stack {
  /** Carriers deep inside, in 1/m³. */
  readonly electrons: number;
  readonly holes: number;
  /** Charge over permittivity and thermal voltage. */
  readonly kappa: number;
  /** Capacitance of the oxide over the permittivity of the semiconductor, 1/m. */
  readonly coupling: number;
  /** Gate over flat band. */
  readonly drive: number;
}

/** exp(d) − 1 − d, without cancellation. */
function excess(d: number): number {
  if (Math.abs(d) > 0.1) return exp(d) - 1 - d;
  let [term, sum] = [0.5 * d * d, 0];
  for (let k = 3; k < 14; k++) {
    sum += term;
    term *= d / k;
  }
  return sum;
}

/** (u')² where the potential is d above that deep inside. */
const stackSquare = (d: number, { electrons, holes, kappa }: Stack): number =>
  2 * kappa * (electrons * excess(d) + holes * excess(-d));

/**
 * The band bending at a depth, in thermal voltages. At the interface it solves the equation of the surface potential,
 * C (drive − d) = ± u'(d), by bisection: the left side falls and the right side rises.
 */
export function stackBending(depth: number, stack: Stack): number {
  const { drive, coupling } = stack;
  let [low, high] = [Math.min(drive, 0), Math.max(drive, 0)];
  for (let i = 0; i < 200; i++) {
    const d = 0.5 * (low + high);
    const slope = Math.sqrt(stackSquare(d, stack));
    if (coupling * (drive - d) > (d < 0 ? -slope : slope)) low = d;
    else high = d;
  }
  const surface = 0.5 * (low + high);
  if (depth === 0 || Math.abs(surface) < 1e-12) return depth === 0 ? surface : 0;
  return potentialAt(depth, surface, 0, (d) => stackSquare(d, stack));
}
