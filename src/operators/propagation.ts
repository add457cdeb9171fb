// How rounding and given uncertainties reach a value: rows in each of which one given number is moved, and what the moves did.

import { DomainError } from '../core/errors.ts';
import type { Variable } from './bind.ts';
import type { OperatorDefinition } from './operator.ts';

/** Unit roundoff of a double. */
export const ROUNDOFF = 1.1102230246251565e-16;
/** Of a number, for a central difference: near the cube root of the spacing of doubles. */
const STEP = 7.62939453125e-6; // 2^-17

/** Two rows beside row 0, in which one variable is larger and smaller. */
interface Probe {
  readonly variable: number;
  readonly step: number;
  readonly above: number | undefined;
  readonly below: number | undefined;
}

export interface Rows {
  readonly count: number;
  /** Values of each variable, row by row. */
  readonly columns: readonly Float64Array[];
  /** By the rounding of a number, and by its uncertainty. */
  readonly roundings: readonly Probe[];
  readonly deviations: readonly Probe[];
}

/** Row 0 is the call as it came. */
export function rowsOf(variables: readonly Variable[]): Rows {
  const moves: { readonly variable: number; readonly value: number }[] = [];
  const row = (variable: number, value: number, { least, most }: Variable) =>
    value < least || value > most ? undefined : moves.push({ variable, value });
  const probe = (at: number, variable: Variable, step: number): Probe => ({
    variable: at,
    step,
    above: row(at, variable.value + step, variable),
    below: row(at, variable.value - step, variable),
  });
  const deviations: Probe[] = [];
  const roundings: Probe[] = [];
  for (const [at, variable] of variables.entries()) {
    const { value, sigma, isWhole } = variable;
    const size = Math.abs(value);
    const step = isWhole ? 1 : Math.min(STEP * Math.max(size, sigma), sigma);
    if (sigma > 0) deviations.push(probe(at, variable, step));
  }
  for (const [at, variable] of variables.entries()) {
    const { value, isWhole } = variable;
    if (!isWhole && value !== 0) roundings.push(probe(at, variable, 2 * ROUNDOFF * Math.abs(value)));
  }
  const count = 1 + moves.length;
  const columns = variables.map(({ value }) => new Float64Array(count).fill(value));
  for (const [at, { variable, value }] of moves.entries()) (columns[variable] as Float64Array)[at + 1] = value;
  return { count, columns, roundings, deviations };
}

/** Half of what one spacing of each given number does: it was rounded once when it became a double. */
export function sumOfRoundings(values: Float64Array, { roundings }: Rows): number {
  const middle = values[0] ?? Number.NaN;
  let sum = 0;
  for (const { above, below } of roundings) {
    const moved = [above, below].map((row) => (row === undefined ? 0 : Math.abs((values[row] ?? Number.NaN) - middle)));
    sum += Math.max(...moved.filter(Number.isFinite), 0) / 2;
  }
  return sum;
}

/** To the first order, the given numbers being independent. */
export function deviationOf(
  { id }: OperatorDefinition,
  values: Float64Array,
  { deviations }: Rows,
  variables: readonly Variable[],
): number {
  let sum = 0;
  for (const probe of deviations) {
    const variable = variables[probe.variable];
    const slope = slopeOf(values, probe);
    if (!Number.isFinite(slope)) {
      const message = `The uncertainty of ${variable?.key} cannot be carried through ${id}: beside ${variable?.value} the value does not exist.`;
      throw new DomainError('PRECISION_REFUSED', message);
    }
    const part = slope * (variable?.sigma ?? 0);
    sum += part * part;
  }
  return Math.sqrt(sum);
}

/** A central difference, or a one-sided one where a side is missing; NaN where both are. */
function slopeOf(values: Float64Array, { above, below, step }: Probe): number {
  const at = (row: number | undefined) => (row === undefined ? Number.NaN : (values[row] ?? Number.NaN));
  const [middle, up, down] = [at(0), at(above), at(below)];
  if (Number.isFinite(up) && Number.isFinite(down)) return (up - down) / (2 * step);
  return Number.isFinite(up) ? (up - middle) / step : (middle - down) / step;
}
