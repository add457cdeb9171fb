// A step of x' = A x + B u + w, where w is white noise of density Q: F = exp(A t), its noise, and what u adds.
//
// Taylor's series over a part t/2^s, then s doublings Q(2t) = Q(t) + F Q(t) Fᵀ, which add covariances only, so Q stays
// positive semi-definite. Van Loan, IEEE Transactions on Automatic Control 23 (1978) 395, has the same integrals as blocks
// of one exponential.

import { congruence, identity, type Matrix, matrixOf, normOf, plus, scaled, times, transpose } from './matrix.ts';

export interface Step {
  readonly F: Matrix;
  readonly Q: Matrix;
  /** [n, inputs], times u. */
  readonly G: Matrix;
  /** Roundings of its elements, and of what they amount to in a filter; 0 if they were typed. */
  readonly roundings: number;
}

/** Of an element in closed form. */
export const CLOSED_FORM = 512;
/** Of a series with doublings, by ‖A‖ t: a phase and a decay are right to that many roundings. */
const PER_LENGTH = 16;

/** ‖A‖ t of a part, and terms of the series: the rest is below 1e-18. */
const PART = 0.25;
const TERMS = 13;
const MAX_DOUBLINGS = 60;

export function discretised(A: Matrix, Q: Matrix, B: Matrix, t: number): Step {
  const n = A.length;
  let parts = 0;
  let h = t;
  for (const norm = normOf(A); norm * h > PART && parts < MAX_DOUBLINGS; parts++) h /= 2;
  // F = Σ (A h)^k / k!, ∫F = h Σ (A h)^k / (k + 1)!, and the terms of Q: q_{k+1} = (A q_k + q_k Aᵀ) h / (k + 2).
  let F = identity(n);
  let integral = scaled(identity(n), h);
  let noise = scaled(Q, h);
  let power = identity(n);
  let term = noise;
  for (let k = 1; k <= TERMS; k++) {
    power = scaled(times(A, power), h / k);
    F = plus(F, power);
    integral = plus(integral, scaled(power, h / (k + 1)));
    const half = times(A, term);
    term = scaled(plus(half, transpose(half)), h / (k + 1));
    noise = plus(noise, term);
  }
  let G = times(integral, B);
  for (let k = 0; k < parts; k++) {
    noise = plus(noise, congruence(F, noise));
    G = plus(G, times(F, G));
    F = times(F, F);
  }
  return { F, Q: even(noise), G, roundings: CLOSED_FORM + PER_LENGTH * normOf(A) * t };
}

const even = (a: Matrix): Matrix => matrixOf(a.length, a.length, (i, j) => (i <= j ? a[i]?.[j] : a[j]?.[i]) ?? 0);

/** `count` equal steps as one. */
export function repeated(one: Step, count: number): Step {
  const { F, Q, G } = one;
  let step: Step = { F: identity(F.length), Q: scaled(Q, 0), G: scaled(G, 0), roundings: 0 };
  let doubled: Step = one;
  for (let left = count; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) step = composed(step, doubled);
    if (left > 1) doubled = composed(doubled, doubled);
  }
  return { ...step, roundings: count === 1 ? 0 : CLOSED_FORM + PER_LENGTH * count };
}

const composed = (first: Step, then: Step): Step => ({
  F: times(then.F, first.F),
  Q: even(plus(congruence(then.F, first.Q), then.Q)),
  G: plus(times(then.F, first.G), then.G),
  roundings: 0,
});
