// A sweep as one computation: the computations of its points run together, and their values become the rows of a table.

import { DomainError, ERROR_FORMS, type ErrorCode } from '../../core/errors.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import type { Solution, StagedPlan } from '../../solvers/definition.ts';
import { appendRow, type RowRange, type Table } from '../../solvers/table.ts';
import type { Computation } from '../computation.ts';
import type { PointSet } from './axes.ts';
import { pointPlots } from './plots.ts';
import { withSamples } from './samples.ts';

/** What a row of the table needs. */
export interface Row {
  readonly value: number;
  readonly uncertainty: number;
  readonly isConverged: boolean;
}

/** The runs of all points, and their results. Points count from 0. */
export interface PointRuns {
  plan(): StagedPlan;
  /** The row of a point; its refusal may be thrown or returned. */
  rowAt(index: number, outputs: readonly KernelOutput[]): Row | DomainError;
  /** Of a point with a row. */
  solutionAt(index: number, outputs: readonly KernelOutput[]): Solution;
}

export interface SweepCase {
  readonly points: PointSet;
  /** Unit of each name. */
  readonly units: readonly string[];
  /** What all points have in common. */
  readonly common: Computation;
  /** Without the swept inputs. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly runs: PointRuns;
}

export function sweepComputation({ points, units, common, input, runs }: SweepCase): Computation {
  const { axes, samples } = points;
  return {
    ...common,
    input,
    ...(samples === undefined ? { sweep: axes.map(({ sealed }) => sealed) } : { samples }),
    plan: () => runs.plan(),
    collect: (outputs) => collectPoints({ points, units, unit: common.unit }, runs, outputs),
  };
}

interface Columns {
  readonly points: PointSet;
  readonly units: readonly string[];
  /** Of the value. */
  readonly unit: string;
}

function collectPoints({ points, units, unit }: Columns, runs: PointRuns, outputs: readonly KernelOutput[]): Solution {
  const { names, count, samples } = points;
  const width = names.length + 2;
  const data = new Float64Array(count * width);
  const refused: (RowRange & { code: ErrorCode })[] = [];
  const unconverged: RowRange[] = [];
  let firstRefusal: DomainError | undefined;
  let last: number | undefined;
  for (let row = 0; row < count; row++) {
    let at = row * width;
    for (const coordinate of points.at(row)) data[at++] = coordinate;
    const found = orRefusal(() => finiteRow(runs.rowAt(row, outputs)));
    if (found instanceof DomainError) {
      firstRefusal ??= found;
      appendRow(refused, row, { code: found.code });
      data[at++] = Number.NaN;
      data[at] = Number.NaN;
      continue;
    }
    last = row;
    if (!found.isConverged) appendRow(unconverged, row, {});
    data[at++] = found.value + 0;
    data[at] = found.uncertainty + 0;
  }
  if (last === undefined) throw allRefused(firstRefusal, count);
  const table: Table = {
    columns: [...names, 'value', 'uncertainty'],
    units: [...units, unit, unit],
    data,
    refused,
    unconverged,
  };
  const solution = runs.solutionAt(samples === undefined ? last : 0, outputs);
  const plots = [...pointPlots(points, table), ...solution.plots];
  return samples === undefined
    ? { ...solution, table, plots }
    : withSamples({ ...solution, table, plots }, table, samples);
}

function finiteRow(found: Row | DomainError): Row | DomainError {
  if (found instanceof DomainError) return found;
  const { value, uncertainty } = found;
  if (Number.isFinite(value) && Number.isFinite(uncertainty)) return found;
  const message = `The value came out as ${value} ± ${uncertainty}; only finite numbers are sealed.`;
  return new DomainError('PRECISION_REFUSED', message);
}

/** The refusal of a request, as a value; a timeout, a full queue or a defect ends the sweep. */
export function orRefusal<Result>(work: () => Result): Result | DomainError {
  try {
    return work();
  } catch (error) {
    if (error instanceof DomainError && ERROR_FORMS[error.code].status < 499) return error;
    throw error;
  }
}

/** @param first  refusal of the first point */
export function allRefused(first: DomainError | undefined, count: number): DomainError {
  if (first === undefined) throw new Error('A sweep has at least one point.');
  const { code, message, details, facts } = first;
  const words = count === 1 ? message : `All ${count} points of the sweep are refused, the first: ${message}`;
  return new DomainError(code, words, { details, ...(facts === undefined ? {} : { facts }) });
}
