// The answer of a table: value and reference, slopes with respect to the given numbers, and curves.

import { DomainError } from '../../core/errors.ts';
import { bound as bounded, uncertain } from '../../core/uncertainty.ts';
import { findCause } from '../../expressions/no-value.ts';
import { traceValue, type Visit } from '../../expressions/verify.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import { quantity } from '../parts/fields.ts';
import { type Answer, column, plotsOf } from './answer.ts';
import { assertRanges } from './checks.ts';
import type { UnifiedFace } from './face.ts';
import type { UnifiedInput } from './inputs.ts';
import type { Line } from './lines.ts';
import { programError } from './outcome.ts';
import { innerValues, type Problem, scaleOf } from './problem.ts';
import { verifyRow } from './reference.ts';
import { type Probe, tableRows } from './rows.ts';

/** Unit roundoff of a double. */
const ROUNDOFF = 1.1102230246251565e-16;

export function tableAnswer(output: KernelOutput<UnifiedFace>, input: UnifiedInput, problem: Problem): Answer {
  if (output.info === INFO.capacity) throw programError(output, problem);
  const { slots = new Float64Array() } = output.views;
  const { main, probes } = tableRows(input, problem);
  const width = problem.slots.length;
  const cell = (row: number, symbol: string) => slots[row * width + problem.slots.indexOf(symbol)] ?? Number.NaN;
  assertFinite(problem, main, cell);
  assertRanges(problem.algebraic, (symbol) => Array.from({ length: main + 1 }, (_, row) => cell(row, symbol)));

  const [headline = ''] = problem.outputs;
  const scale = scaleOf(problem, headline);
  const value = scale.fromCoherent(cell(main, headline));
  const hasTime = problem.isSweep || !Number.isNaN(problem.values[0]);
  const { values, scales, bounds, method, undefinedLine } = verifyRow(problem, hasTime ? cell(main, 't') : Number.NaN);
  if (undefinedLine !== undefined) throw noValueError(problem, undefinedLine, main, cell);
  const reference = scale.fromCoherent(values.get(headline) ?? Number.NaN);
  const termMagnitude = Math.abs(scale.fromCoherent(scales.get(headline) ?? 0));
  const slopes = problem.outputs.map((symbol) => ({ symbol, slopes: slopesOf(problem, symbol, probes, cell) }));
  const inputRounding = slopes[0]?.slopes.reduce((sum, slope) => sum + slope.rounding, 0) ?? 0;
  // Rounding of the given numbers and of the terms; a missing reference value still gives NaN.
  const cancellation = value === 0 ? Math.abs(scale.fromCoherent(bounds.get(headline) ?? 0)) : 0;
  const uncertainty = Math.max(
    Math.abs(value - reference),
    inputRounding + 2 * ROUNDOFF * termMagnitude + cancellation,
  );
  const magnitude = value === 0 ? termMagnitude : Math.abs(value);
  const bound = magnitude === 0 ? 0 : (uncertainty / magnitude) * (1 + 1e-9);
  const displayed = problem.outputs.filter((symbol) => symbol !== 't');
  const rows = Array.from({ length: main + 1 }, (_, row) => row);
  const withoutSlope = slopes[0]?.slopes.filter(({ slope }) => !Number.isFinite(slope)).map(({ name }) => name) ?? [];
  return {
    value,
    ...uncertain([bounded('rounding', uncertainty, 'second evaluation and rounding of the given numbers')]),
    bound,
    converged: true,
    witness: { method, reference, scale: Math.max(termMagnitude, Math.abs(reference)) },
    invariants: [],
    series: problem.isSweep
      ? ['t', ...displayed].map((symbol) =>
          column(
            problem,
            symbol,
            rows.map((row) => cell(row, symbol)),
          ),
        )
      : [],
    fields: [],
    plots: problem.isSweep ? plotsOf(problem, displayed) : [],
    quantities: [
      ...displayed.map((symbol) => {
        const { unit, fromCoherent } = scaleOf(problem, symbol);
        return quantity(symbol, fromCoherent(cell(main, symbol)), unit);
      }),
      ...(slopes[0]?.slopes ?? []).flatMap(({ name, slope }) =>
        Number.isFinite(slope)
          ? [quantity(`d(${headline})/d(${name})`, slope, slopeUnit(problem, headline, name))]
          : [],
      ),
    ],
    end: new Map(problem.slots.map((symbol) => [symbol, cell(main, symbol)])),
    notes: [
      ...(problem.mode === 'chain'
        ? [`Order of evaluation: ${problem.algebraic.map(({ symbol }) => symbol).join(', ')}.`]
        : []),
      ...(withoutSlope.length === 0
        ? []
        : [`${headline} does not exist on both sides of ${withoutSlope.join(', ')}: no slope is given.`]),
    ],
  };
}

type Cell = (row: number, symbol: string) => number;

interface Slope {
  readonly name: string;
  /** In the units of both symbols; NaN if a perturbed row has no value. */
  readonly slope: number;
  /** Bound of the change of the value by rounding of the given number. */
  readonly rounding: number;
}

function slopesOf(problem: Problem, symbol: string, probes: readonly Probe[], cell: Cell): readonly Slope[] {
  const out = scaleOf(problem, symbol);
  return probes.map(({ name, value, step, above, below }) => {
    const { fromCoherent } = scaleOf(problem, name);
    const outputChange = out.fromCoherent(cell(above, symbol)) - out.fromCoherent(cell(below, symbol));
    const inputChange = fromCoherent(value + step) - fromCoherent(value - step);
    const slope = outputChange / inputChange;
    const rounding = Number.isFinite(slope) ? Math.abs(slope * fromCoherent(value)) * ROUNDOFF : 0;
    return { name, slope, rounding };
  });
}

function slopeUnit(problem: Problem, above: string, below: string): string {
  const [a, b] = [scaleOf(problem, above).unit, scaleOf(problem, below).unit];
  return b === '1' ? a : `${a}/(${b})`;
}

/**
 * @throws DomainError DIVISION_BY_ZERO, NUMERIC_OVERFLOW, VALUE_UNDEFINED for the first value that is not finite
 */
function assertFinite(problem: Problem, main: number, cell: Cell): void {
  for (let row = 0; row <= main; row++) {
    const line = problem.algebraic.find(({ symbol }) => !Number.isFinite(cell(row, symbol)));
    if (line) throw noValueError(problem, line, row, cell);
  }
}

function noValueError(problem: Problem, line: Line, row: number, cell: Cell): DomainError {
  const values = new Map(problem.slots.map((symbol) => [symbol, cell(row, symbol)]));
  const trace = (visit: Visit) => void traceValue(line, innerValues(line, values), visit);
  const { code, reason } = findCause(cell(row, line.symbol), trace);
  const location = problem.isSweep ? ` at t = ${scaleOf(problem, 't').fromCoherent(cell(row, 't'))}` : '';
  const message = `${line.path}: ${line.symbol} has no value${location}: ${reason}.`;
  return new DomainError(code, message, {
    details: [{ path: line.path, code, message }],
    facts: { symbol: line.symbol },
  });
}
