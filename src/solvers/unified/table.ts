// What a table of rows says: the value and its second way, how it moves with each given number, and the curves.

import { DomainError } from '../../core/errors.ts';
import { findLoss } from '../../expressions/no-value.ts';
import { traceValue, type Visit } from '../../expressions/verify.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import type { Solution } from '../solver.ts';
import { assertRanges } from './checks.ts';
import type { UnifiedInput } from './input.ts';
import type { Line } from './lines.ts';
import { machineFault } from './outcome.ts';
import { innerValues, type Problem } from './problem.ts';
import { verifiedRow } from './reference.ts';
import { column, operatorParts, plotsOf, scaleOf } from './results.ts';
import { type Probe, tableRows } from './rows.ts';

/** Unit roundoff of a double. */
const ROUNDOFF = 1.1102230246251565e-16;

export function tableSolution(output: KernelOutput, input: UnifiedInput, problem: Problem): Solution {
  if (output.info === INFO.capacity) throw machineFault(output, problem);
  const [slots = new Float64Array()] = output.views;
  const { main, probes } = tableRows(input, problem);
  const width = problem.slots.length;
  const cell = (row: number, symbol: string) => slots[row * width + problem.slots.indexOf(symbol)] ?? Number.NaN;
  assertFinite(problem, main, cell);
  assertRanges(problem.algebraic, (symbol) => Array.from({ length: main + 1 }, (_, row) => cell(row, symbol)));

  const [headline = ''] = problem.outputs;
  const scale = scaleOf(problem, headline);
  const value = scale.fromCoherent(cell(main, headline));
  const hasTime = problem.isSwept || !Number.isNaN(problem.values[0]);
  const { values, scales, bounds, method, lost } = verifiedRow(problem, hasTime ? cell(main, 't') : Number.NaN);
  if (lost !== undefined) throw noValue(problem, lost, main, cell);
  const reference = scale.fromCoherent(values.get(headline) ?? Number.NaN);
  const size = Math.abs(scale.fromCoherent(scales.get(headline) ?? 0));
  const slopes = problem.outputs.map((symbol) => ({ symbol, all: slopesOf(problem, symbol, probes, cell) }));
  const roundings = slopes[0]?.all.reduce((sum, one) => sum + one.rounding, 0) ?? 0;
  // Rounding of what was given and of what was summed; a second way that does not exist is not hidden by it.
  const vanished = value === 0 ? Math.abs(scale.fromCoherent(bounds.get(headline) ?? 0)) : 0;
  const uncertainty = Math.max(Math.abs(value - reference), roundings + 2 * ROUNDOFF * size + vanished);
  const magnitude = value === 0 ? size : Math.abs(value);
  const bound = magnitude === 0 ? 0 : (uncertainty / magnitude) * (1 + 1e-9);
  const known = new Map(problem.slots.map((symbol) => [symbol, cell(main, symbol)]));
  const shown = problem.outputs.filter((symbol) => symbol !== 't');
  const rows = Array.from({ length: main + 1 }, (_, row) => row);
  const steep = slopes[0]?.all.filter(({ slope }) => !Number.isFinite(slope)).map(({ name }) => name) ?? [];
  return {
    value,
    uncertainty,
    bound,
    converged: true,
    witness: { method, reference, scale: Math.max(size, Math.abs(reference)) },
    invariants: [],
    series: problem.isSwept
      ? ['t', ...shown].map((symbol) =>
          column(
            problem,
            symbol,
            rows.map((row) => cell(row, symbol)),
          ),
        )
      : [],
    fields: [],
    plots: problem.isSwept ? plotsOf(problem, shown) : [],
    quantities: [
      ...shown.map((symbol) => {
        const { unit, fromCoherent } = scaleOf(problem, symbol);
        return { name: symbol, value: fromCoherent(cell(main, symbol)), unit };
      }),
      ...(slopes[0]?.all ?? []).flatMap(({ name, slope }) =>
        Number.isFinite(slope)
          ? [{ name: `d(${headline})/d(${name})`, value: slope, unit: slopeUnit(problem, headline, name) }]
          : [],
      ),
    ],
    ...operatorParts(problem, known, { value, unit: scale.unit, uncertainty }),
    functional: value,
    notes: [
      ...problem.notes,
      ...(problem.mode === 'chain'
        ? [`Order of evaluation: ${problem.algebraic.map(({ symbol }) => symbol).join(', ')}.`]
        : []),
      ...(steep.length === 0
        ? []
        : [`${headline} does not exist on both sides of ${steep.join(', ')}: no slope is given.`]),
    ],
  };
}

type Cell = (row: number, symbol: string) => number;

interface Slope {
  readonly name: string;
  /** In the units of both symbols; NaN where a side has no value. */
  readonly slope: number;
  /** What rounding of the given number does to the value, at most. */
  readonly rounding: number;
}

function slopesOf(problem: Problem, symbol: string, probes: readonly Probe[], cell: Cell): readonly Slope[] {
  const out = scaleOf(problem, symbol);
  return probes.map(({ name, value, step, above, below }) => {
    const { fromCoherent } = scaleOf(problem, name);
    const rise = out.fromCoherent(cell(above, symbol)) - out.fromCoherent(cell(below, symbol));
    const run = fromCoherent(value + step) - fromCoherent(value - step);
    const slope = rise / run;
    const rounding = Number.isFinite(slope) ? Math.abs(slope * fromCoherent(value)) * ROUNDOFF : 0;
    return { name, slope, rounding };
  });
}

function slopeUnit(problem: Problem, above: string, below: string): string {
  const [a, b] = [scaleOf(problem, above).unit, scaleOf(problem, below).unit];
  return b === '1' ? a : `${a}/(${b})`;
}

/** @throws DomainError DIVISION_BY_ZERO, NUMERIC_OVERFLOW, VALUE_UNDEFINED: the first value, in order, that is not finite */
function assertFinite(problem: Problem, main: number, cell: Cell): void {
  for (let row = 0; row <= main; row++) {
    const line = problem.algebraic.find(({ symbol }) => !Number.isFinite(cell(row, symbol)));
    if (line) throw noValue(problem, line, row, cell);
  }
}

function noValue(problem: Problem, line: Line, row: number, cell: Cell): DomainError {
  const values = new Map(problem.slots.map((symbol) => [symbol, cell(row, symbol)]));
  const walk = (visit: Visit) => void traceValue(line, innerValues(line, values), visit);
  const { code, reason } = findLoss(cell(row, line.symbol), walk);
  const where = problem.isSwept ? ` at t = ${scaleOf(problem, 't').fromCoherent(cell(row, 't'))}` : '';
  const message = `${line.path}: ${line.symbol} has no value${where}: ${reason}.`;
  return new DomainError(code, message, {
    details: [{ path: line.path, code, message }],
    facts: { symbol: line.symbol },
  });
}
