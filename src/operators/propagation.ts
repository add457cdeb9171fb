// Propagation of rounding errors and given uncertainties by finite differences: each row perturbs one given number.

import { DomainError } from '../core/errors.ts';
import type { Variable } from './bind.ts';
import type { OperatorDefinition } from './operator.ts';

/** Unit roundoff of a double. */
export const ROUNDOFF = 1.1102230246251565e-16;
/** Relative step of a central difference: near the cube root of the spacing of doubles. */
const STEP = 7.62939453125e-6; // 2^-17

/** The rows with one variable increased and decreased; undefined where that leaves its range. */
interface Perturbation {
  readonly variable: number;
  readonly step: number;
  readonly above: number | undefined;
  readonly below: number | undefined;
}

export interface Rows {
  readonly count: number;
  /** Values of each variable, row by row. */
  readonly columns: readonly Float64Array[];
  /** By the spacing of doubles at a number, and by its uncertainty. */
  readonly roundings: readonly Perturbation[];
  readonly deviations: readonly Perturbation[];
}

/** Row 0 has the given numbers. */
export function rowsOf(variables: readonly Variable[]): Rows {
  const perturbed: { readonly variable: number; readonly value: number }[] = [];
  const row = (variable: number, value: number, { min, max }: Variable) =>
    value < min || value > max ? undefined : perturbed.push({ variable, value });
  const perturb = (at: number, variable: Variable, step: number): Perturbation => ({
    variable: at,
    step,
    above: row(at, variable.value + step, variable),
    below: row(at, variable.value - step, variable),
  });
  const deviations: Perturbation[] = [];
  const roundings: Perturbation[] = [];
  for (const [at, variable] of variables.entries()) {
    const { value, sigma, isWhole } = variable;
    const size = Math.abs(value);
    const step = isWhole ? 1 : Math.min(STEP * Math.max(size, sigma), sigma);
    if (sigma > 0) deviations.push(perturb(at, variable, step));
  }
  for (const [at, variable] of variables.entries()) {
    const { value, isWhole } = variable;
    if (!isWhole && value !== 0) roundings.push(perturb(at, variable, 2 * ROUNDOFF * Math.abs(value)));
  }
  const count = 1 + perturbed.length;
  const columns = variables.map(({ value }) => new Float64Array(count).fill(value));
  for (const [at, { variable, value }] of perturbed.entries()) (columns[variable] as Float64Array)[at + 1] = value;
  return { count, columns, roundings, deviations };
}

/** Half the effect of one spacing of each given number, which was rounded once to a double. */
export function sumOfRoundings(values: Float64Array, { roundings }: Rows): number {
  const center = values[0] ?? Number.NaN;
  let sum = 0;
  for (const { above, below } of roundings) {
    const changes = [above, below].map((row) =>
      row === undefined ? 0 : Math.abs((values[row] ?? Number.NaN) - center),
    );
    sum += Math.max(...changes.filter(Number.isFinite), 0) / 2;
  }
  return sum;
}

/** First-order propagation for independent inputs. */
export function deviationOf(
  { id }: OperatorDefinition,
  values: Float64Array,
  { deviations }: Rows,
  variables: readonly Variable[],
): number {
  let sum = 0;
  for (const perturbation of deviations) {
    const variable = variables[perturbation.variable];
    const slope = slopeOf(values, perturbation);
    if (!Number.isFinite(slope)) {
      const message = `The uncertainty of ${variable?.key} cannot be propagated through ${id}: near ${variable?.value} it has no value.`;
      throw new DomainError('PRECISION_REFUSED', message);
    }
    const part = slope * (variable?.sigma ?? 0);
    sum += part * part;
  }
  return Math.sqrt(sum);
}

/** The central difference, or a one-sided one where the other row has no value; NaN without both. */
function slopeOf(values: Float64Array, { above, below, step }: Perturbation): number {
  const at = (row: number | undefined) => (row === undefined ? Number.NaN : (values[row] ?? Number.NaN));
  const [center, up, down] = [at(0), at(above), at(below)];
  if (Number.isFinite(up) && Number.isFinite(down)) return (up - down) / (2 * step);
  return Number.isFinite(up) ? (up - center) / step : (center - down) / step;
}
