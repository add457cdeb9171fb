// The coefficients of φ″ + c φ′ + a φ + b φ³ = G + X cos ωt − Y sin ωt: the fields of a request and its couplings.

import { cos, sin } from '../../core/elementary.ts';
import { validationError } from '../parts/errors.ts';
import type { ClosedformInput } from './inputs.ts';
import { refusalOf, shapeOf, type Term, termsOf } from './terms.ts';

export interface Coefficients {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly constant: number;
  readonly cosine: number;
  readonly sine: number;
  readonly omega: number;
  /** By how much rounding of the sums exceeds that of their results, where couplings cancel. */
  readonly cancellation: number;
}

/** A sum, and that of the magnitudes. */
interface Sum {
  value: number;
  size: number;
}

/** Sums further below their terms than this are 0 but for rounding. */
const CANCELLED = 1e-14;
const MAX = 1e9;
/** No number of the ranges shows coefficients below this; their squares would lose digits. */
const NEGLIGIBLE = 1e-140;

/** @throws DomainError VALIDATION_FAILED with the name of the shape or of the field */
export function coefficientsOf(input: ClosedformInput): Coefficients {
  const { mu2_eff, lambda_eff, F_eff, omega, phase, damping, couplings = [], compile } = input;
  const sums = { a: sum(), b: sum(), c: sum(), constant: sum(), cosine: sum(), sine: sum() };
  let frequency: number | undefined;
  add(sums.a, mu2_eff);
  add(sums.b, lambda_eff);
  add(sums.c, damping);
  if (omega === 0) add(sums.constant, F_eff * cos(phase));
  else if (F_eff !== 0) {
    frequency = omega;
    add(sums.cosine, F_eff * cos(phase));
    add(sums.sine, F_eff * sin(phase));
  }
  const scale = compile?.scale ?? 1;
  for (const [i, text] of couplings.entries()) {
    const path = `couplings[${i}]`;
    for (const { coefficient, ...powers } of termsOf(text, path)) {
      const term: Term = { ...powers, coefficient: scale * coefficient };
      if (term.coefficient === 0) continue;
      const target = targetOf(term);
      if (target === undefined) throw refusalOf(shapeOf(term), text, path);
      const { wave } = term;
      if (wave !== undefined) {
        frequency ??= wave.omega;
        if (frequency !== wave.omega) {
          const message = `${path} (${text}) has the frequency ${wave.omega} beside ${frequency}; one drive is allowed.`;
          throw validationError('couplings', message, 'NO_CLOSED_FORM', { shape: 'two drives' });
        }
      }
      const isOnLeft = target === 'a' || target === 'b' || target === 'c' || target === 'sine';
      add(sums[target], isOnLeft ? -term.coefficient : term.coefficient);
    }
  }
  const value = (name: keyof typeof sums) => checked(sums[name], name);
  const result = {
    a: value('a'),
    b: value('b'),
    c: value('c'),
    constant: value('constant'),
    cosine: value('cosine'),
    sine: value('sine'),
  };
  const isDriven = result.cosine !== 0 || result.sine !== 0;
  const cancellation = Object.values(sums).reduce(
    (most, one) => (one.value === 0 ? most : Math.max(most, one.size / Math.abs(one.value))),
    1,
  );
  return { ...result, omega: isDriven ? (frequency ?? 0) : 0, cancellation };
}

const sum = (): Sum => ({ value: 0, size: 0 });

function add(target: Sum, term: number): void {
  target.value += term;
  target.size += Math.abs(term);
}

const FIELD_OF = {
  a: 'mu2_eff',
  b: 'lambda_eff',
  c: 'damping',
  constant: 'F_eff',
  cosine: 'F_eff',
  sine: 'F_eff',
} as const;

function checked({ value, size }: Sum, name: keyof typeof FIELD_OF): number {
  if (!(size <= MAX)) {
    const message = `The couplings make ${FIELD_OF[name]} a sum of ${size}; expected at most ${MAX}.`;
    throw validationError('couplings', message, 'OUT_OF_RANGE', { max: MAX });
  }
  return Math.abs(value) <= Math.max(NEGLIGIBLE, CANCELLED * size) ? 0 : value;
}

type Target = 'a' | 'b' | 'c' | 'constant' | 'cosine' | 'sine';

function targetOf({ phi, dphi, t, wave }: Term): Target | undefined {
  if (t > 0 || phi + dphi > 3) return undefined;
  if (wave !== undefined) return phi + dphi > 0 ? undefined : wave.kind === 'cos' ? 'cosine' : 'sine';
  if (dphi > 0) return dphi === 1 && phi === 0 ? 'c' : undefined;
  return phi === 0 ? 'constant' : phi === 1 ? 'a' : phi === 3 ? 'b' : undefined;
}
