// The problem of a request: coefficients, the branch that solves them, how far it goes, and the steps of the cross-check.

import { validationError } from '../parts/errors.ts';
import { type Coefficients, coefficientsOf } from './coefficients.ts';
import type { ClosedformInput } from './inputs.ts';
import { logOfRemainder, type Regime, regimeOf } from './regime.ts';

export interface Problem extends Coefficients {
  /** The branch in words. */
  readonly name: string;
  /** φ as a formula of t. */
  readonly formula: string;
  readonly phi0: number;
  readonly dphi0: number;
  readonly t: number;
  /** Of Duffing's equation. */
  readonly regime?: Regime | undefined;
  /** Time at which φ is infinite; 0 if it stays finite. */
  readonly pole: number;
  readonly samples: number;
  readonly stepsPerSample: number;
}

const STEPS_PER_RADIAN = 40;
const MIN_STEPS = 100;
const MAX_STEPS = 5_000_000;
/** Part of the time to the pole up to which φ is computed. */
const MAX_PART = 1 - 1e-9;

/** @throws DomainError VALIDATION_FAILED */
export function problemOf(input: ClosedformInput): Problem {
  const coefficients = coefficientsOf(input);
  const { phi0, dphi0, t, samples } = input;
  const { a, b } = coefficients;
  assertShape(coefficients, input);
  const regime = b === 0 ? undefined : regimeOf(a, b, phi0, dphi0);
  const escapeTime = regime?.escapeTime ?? Number.POSITIVE_INFINITY;
  if (!(t < MAX_PART * escapeTime)) {
    const message = `t is ${t}; φ is infinite at t = ${escapeTime}, so t is below that.`;
    throw validationError('t', message, 'ESCAPED', { escape_time: escapeTime });
  }
  const pole = Number.isFinite(escapeTime) ? escapeTime : 0;
  const steps = stepsOf(input, coefficients, regime);
  return {
    ...coefficients,
    ...wordsOf(coefficients, regime),
    phi0,
    dphi0,
    t,
    regime,
    pole,
    samples,
    stepsPerSample: Math.ceil(steps / (samples - 1)),
  };
}

const isDriven = ({ cosine, sine }: Coefficients): boolean => cosine !== 0 || sine !== 0;

/** A cubic term leaves no other than the linear one. */
function assertShape(coefficients: Coefficients, { F_eff, damping, couplings = [] }: ClosedformInput): void {
  const { b, c, constant } = coefficients;
  if (b === 0) return;
  const faults = [
    ...(c === 0 ? [] : [{ shape: 'damping', field: damping === 0 ? 'couplings' : 'damping', value: c }]),
    ...(isDriven(coefficients) ? [{ shape: 'a drive', field: F_eff === 0 ? 'couplings' : 'F_eff', value: F_eff }] : []),
    ...(constant === 0
      ? []
      : [{ shape: 'a constant force', field: F_eff === 0 ? 'couplings' : 'F_eff', value: constant }]),
  ];
  const [fault] = faults;
  if (fault === undefined) return;
  const from = fault.field === 'couplings' ? ` (from ${couplings.join(', ')})` : '';
  const message = `Duffing’s equation with ${fault.shape}${from} has no closed form here; with a cubic term of ${b}, expected ${fault.field} without it.`;
  throw validationError(fault.field, message, 'NO_CLOSED_FORM', { shape: `a cubic term with ${fault.shape}` });
}

/** Of the fastest motion, in rad/s. */
function rateOf({ a, b, c, omega }: Coefficients, regime: Regime | undefined, phi0: number): number {
  const reach = Number.isFinite(regime?.amplitude ?? 0) ? (regime?.amplitude ?? 0) : phi0;
  return Math.sqrt(Math.abs(a) + 3 * Math.abs(b) * reach * reach) + Math.abs(c) + omega;
}

function stepsOf(input: ClosedformInput, coefficients: Coefficients, regime: Regime | undefined): number {
  const { t, phi0, dphi0, samples, steps } = input;
  if (steps !== undefined) return steps;
  const { a, b } = coefficients;
  const rate = rateOf(coefficients, regime, phi0);
  const escapeTime = regime?.escapeTime ?? Number.POSITIVE_INFINITY;
  let radians = rate * t;
  if (Number.isFinite(escapeTime)) {
    // Where the way turns, if it does: φ² there, or the start's.
    const force = a + b * phi0 * phi0;
    const discriminant = Math.max(0, force * force + 2 * b * dphi0 * dphi0);
    const turn = Math.max(phi0 * phi0, (a + Math.sqrt(discriminant)) / -b);
    const fastest = (Math.sqrt(Math.abs(a)) + Math.sqrt(3 * -b * turn)) * escapeTime + 4;
    radians = Math.max(radians, -fastest * logOfRemainder(t, escapeTime));
  }
  const needed = Math.max(MIN_STEPS, samples - 1, Math.ceil(STEPS_PER_RADIAN * radians));
  if (needed > MAX_STEPS) {
    const most = (t * MAX_STEPS) / needed;
    const message = `t is ${t}; the cross-check takes at most ${MAX_STEPS} steps, 40 a radian of the fastest motion, so t is at most about ${most}.`;
    throw validationError('t', message, 'TOO_MANY_STEPS', { most });
  }
  return needed;
}

const BRANCHES = {
  rest: ['rest', 'φ₀'],
  cn: ['Duffing, through both wells', 'A cn(q t + u | m)'],
  dn: ['Duffing, in one well', '± A dn(q t + u | m)'],
  sn: ['Duffing, softening', 'A sn(q t + u | m)'],
  separatrix: ['Duffing, separatrix', 'A sech or A tanh'],
  escape: ['Duffing, escape in finite time', '± √(−2/λ) / S(T − t)'],
} as const;

function wordsOf(coefficients: Coefficients, regime: Regime | undefined): Pick<Problem, 'name' | 'formula'> {
  if (regime !== undefined) {
    const [name, formula] = BRANCHES[regime.branch];
    return { name: regime.branch === 'cn' && coefficients.a >= 0 ? 'Duffing, hardening' : name, formula };
  }
  const { a, c, constant } = coefficients;
  const damped = c === 0 ? '' : 'damped ';
  const base =
    a > 0
      ? {
          name: `${damped}harmonic`,
          formula: c === 0 ? 'φ₀ cos μt + φ′₀ sin(μt)/μ' : 'exp(−c t/2) (A cos νt + B sin νt)',
        }
      : a < 0
        ? {
            name: `${damped}hyperbolic`,
            formula: c === 0 ? 'φ₀ cosh κt + φ′₀ sinh(κt)/κ' : 'A exp(λ₁ t) + B exp(λ₂ t)',
          }
        : c !== 0
          ? { name: 'damped', formula: 'φ₀ + φ′₀ (1 − exp(−c t))/c' }
          : { name: constant === 0 ? 'free' : 'uniform acceleration', formula: 'φ₀ + φ′₀ t' };
  const more = [
    ...(constant === 0 ? [] : [a === 0 && c === 0 ? 'G t²/2' : 'the answer to a constant']),
    ...(isDriven(coefficients) ? ['the answer to the drive'] : []),
  ];
  return {
    name: isDriven(coefficients) ? `driven, ${base.name}` : base.name,
    formula: [base.formula, ...more].join(' + '),
  };
}
