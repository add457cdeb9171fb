// The problem of a request: groups, program of reactivity, feedback and times; rejects fields that do not fit together.

import { validationError } from '../parts/errors.ts';
import { GROUPS, type Groups } from './groups.ts';
import type { ReactorInput } from './inputs.ts';
import { type Inverse, inverseOf } from './inverse.ts';
import { type Piece, programOf } from './program.ts';
import { type Point, parseSeries } from './series.ts';

export interface Problem {
  readonly groups: Groups;
  readonly beta: number;
  readonly Lambda: number;
  readonly pieces: readonly Piece[];
  /** Δk/k per K; heating in K/s per power; cooling in 1/s; the power that is steady. */
  readonly coefficient: number;
  readonly heating: number;
  readonly cooling: number;
  readonly steady: number;
  readonly nominal: number;
  readonly n0: number;
  readonly source: number;
  readonly tEnd: number;
  readonly points: number;
  /** Of an inverse problem: the readings and what they need. */
  readonly readings?: readonly Point[] | undefined;
  readonly inverse?: Inverse | undefined;
}

const MAX_SHARE_ERROR = 2e-3;

/** @throws DomainError VALIDATION_FAILED */
export function problemOf(input: ReactorInput): Problem {
  const { Lambda, source, power, feedback, n0, t_end, output_points } = input;
  const groups = groupsOf(input);
  const beta = groups.beta.reduce((sum, one) => sum + one, 0);
  const { alpha_T = 0, heat_capacity = 1, cooling = 0, P0 = 1 } = feedback ?? {};
  const readings =
    power === undefined ? undefined : parseSeries(power, { field: 'power', what: 'a power', isPositive: true });
  if (readings !== undefined && input.reactivity !== undefined)
    throw validationError('reactivity', 'reactivity is given beside power, which it is found from.', 'GIVEN_TWICE');
  if (readings !== undefined && alpha_T !== 0)
    throw validationError('feedback', 'feedback is given beside power; the reactivity found from it has all.');
  if (n0 === 0 && source === 0 && readings === undefined)
    throw validationError('n0', 'n0 is 0 and source is 0; nothing would happen.', 'NOTHING');
  const inverse = readings === undefined ? undefined : inverseOf(readings, groups, Lambda, source);
  const tEnd = inverse?.length ?? t_end;
  return {
    groups,
    beta,
    Lambda,
    pieces: inverse?.pieces ?? programOf(input.reactivity, beta, tEnd),
    coefficient: alpha_T,
    heating: P0 / heat_capacity,
    cooling,
    steady: cooling > 0 ? (inverse?.n0 ?? n0) : 0,
    nominal: P0,
    n0: inverse?.n0 ?? n0,
    source,
    tEnd,
    points: output_points,
    readings,
    inverse,
  };
}

function groupsOf({ groups, beta_i, lambda_i, beta }: ReactorInput): Groups {
  const isCustom = groups === 'custom';
  if (!isCustom && (beta_i !== undefined || lambda_i !== undefined)) {
    const field = beta_i === undefined ? 'lambda_i' : 'beta_i';
    throw validationError(field, `${field} is given; groups is ${groups}, expected custom.`, 'NOT_ALLOWED');
  }
  if (!isCustom) {
    const known = GROUPS[groups];
    if (beta === undefined) return known;
    const sum = known.beta.reduce((total, one) => total + one, 0);
    return { ...known, beta: known.beta.map((one) => (one * beta) / sum) };
  }
  if (beta_i === undefined) throw validationError('beta_i', 'beta_i is missing; custom groups need it.', 'MISSING');
  if (lambda_i === undefined)
    throw validationError('lambda_i', 'lambda_i is missing; custom groups need it.', 'MISSING');
  const sum = beta_i.reduce((total, one) => total + one, 0);
  for (const [i, one] of beta_i.entries())
    if (!(one >= 0 && one <= 1))
      throw validationError(`beta_i.${i}`, `beta_i.${i} is ${one}; expected 0 to 1.`, 'OUT_OF_RANGE', { max: 1 });
  for (const [i, one] of lambda_i.entries()) {
    if (!(one >= 1e-6 && one <= 1e4))
      throw validationError(`lambda_i.${i}`, `lambda_i.${i} is ${one}; expected 1e-6 to 10000 1/s.`, 'OUT_OF_RANGE');
    if (i > 0 && !(one > (lambda_i[i - 1] ?? 0)))
      throw validationError(
        `lambda_i.${i}`,
        `lambda_i.${i} is ${one} after ${lambda_i[i - 1]}; decay constants must increase.`,
        'NOT_INCREASING',
      );
  }
  if (beta === undefined) {
    if (sum > 0 && sum <= 0.1) return { beta: beta_i, lambda: lambda_i };
    const message = `beta_i sums to ${sum}; expected at most 0.1 in all, or shares that sum to 1 with beta.`;
    throw validationError('beta_i', message, 'SUM', { sum });
  }
  if (Math.abs(sum - 1) > MAX_SHARE_ERROR) {
    const message = `beta_i sums to ${sum}; beside beta they are shares, which sum to 1 within ${MAX_SHARE_ERROR}.`;
    throw validationError('beta_i', message, 'SUM', { sum });
  }
  return { beta: beta_i.map((one) => (one * beta) / sum), lambda: lambda_i };
}
