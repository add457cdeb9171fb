// The answer of a table: value and reference, slopes with respect to the given numbers, and curves.

import { ROUNDOFF } from '../../core/decimal-error.ts';
import { DomainError } from '../../core/errors.ts';
import { bound as bounded, type Uncertain, uncertain } from '../../core/uncertainty.ts';
import { findCause } from '../../expressions/no-value.ts';
import { StepBudget, traceValue, type Visit } from '../../expressions/verify.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import { quantity } from '../parts/fields.ts';
import { type Answer, column, plotsOf, type Spread } from './answer.ts';
import { assertRanges } from './checks.ts';
import type { UnifiedFace } from './face.ts';
import type { UnifiedInput } from './inputs.ts';
import type { Line } from './lines.ts';
import { programError } from './outcome.ts';
import { innerValues, type Problem, scaleOf } from './problem.ts';
import { type VerifiedRow, verifyRow } from './reference.ts';
import { type Probe, tableRows } from './rows.ts';
import { UNSCALED, widthIn } from './units.ts';

/** Coherent values of all symbols where the value is taken. @throws DomainError for a value that is not finite */
export function tableEnd(
  output: KernelOutput<UnifiedFace>,
  input: UnifiedInput,
  problem: Problem,
): ReadonlyMap<string, number> {
  if (output.info === INFO.capacity) throw programError(output, problem);
  const { slots = new Float64Array() } = output.views;
  const { main } = tableRows(input, problem);
  const width = problem.slots.length;
  return new Map(problem.slots.map((symbol, at) => [symbol, slots[main * width + at] ?? Number.NaN]));
}

export function tableAnswer(
  output: KernelOutput<UnifiedFace>,
  input: UnifiedInput,
  problem: Problem,
  spread: Spread,
): Answer {
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
  const start = new Map(problem.slots.map((name, i) => [name, problem.values[i] ?? Number.NaN]));
  start.set('t', hasTime ? cell(main, 't') : Number.NaN);
  const verified = verifyRow(problem, start, problem.roundings, new StepBudget());
  const { values, scales, method, undefinedLine } = verified;
  if (undefinedLine !== undefined) throw noValueError(problem, undefinedLine, main, cell);
  const reference = scale.fromCoherent(values.get(headline) ?? Number.NaN);
  const termMagnitude = Math.abs(scale.fromCoherent(scales.get(headline) ?? 0));
  const slopes = slopesOf(problem, headline, probes, cell, scales);
  const numericOf = (symbol: string) => roundingOf(problem, symbol, cell(main, symbol), verified, probes, cell);
  const errorOf = (symbol: string) => uncertain([...numericOf(symbol).budget, ...spread.ofSymbol(symbol)]);
  const { uncertainty, budget } = errorOf(headline);
  const magnitude = value === 0 ? termMagnitude : Math.abs(value);
  const bound = magnitude === 0 ? 0 : (numericOf(headline).uncertainty / magnitude) * (1 + 1e-9);
  const displayed = problem.outputs.filter((symbol) => symbol !== 't');
  const rows = Array.from({ length: main + 1 }, (_, row) => row);
  const withoutSlope = slopes.filter(({ slope }) => !Number.isFinite(slope)).map(({ name }) => name);
  return {
    value,
    uncertainty,
    budget,
    errorOf,
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
        return quantity(symbol, fromCoherent(cell(main, symbol)), unit, errorOf(symbol).uncertainty);
      }),
      ...slopes.flatMap(({ name, slope, error }) =>
        Number.isFinite(slope)
          ? [quantity(`d(${headline})/d(${name})`, slope, slopeUnit(problem, headline, name), error)]
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
  /** Its ±: the change for twice the step, and the rounding of the differences. */
  readonly error: number;
}

/** Rounding of a value relative to its largest term, in its difference. */
const DIFFERENCE_ROUNDING = 4 * ROUNDOFF;

function slopesOf(
  problem: Problem,
  symbol: string,
  probes: readonly Probe[],
  cell: Cell,
  scales: ReadonlyMap<string, number>,
): readonly Slope[] {
  const out = scaleOf(problem, symbol);
  const rounding = widthIn(out, DIFFERENCE_ROUNDING * (scales.get(symbol) ?? 0));
  return probes.map(({ name, value, step, above, below, farAbove, farBelow }) => {
    const { fromCoherent } = scaleOf(problem, name);
    const between = (upper: number, lower: number, steps: number) =>
      (out.fromCoherent(cell(upper, symbol)) - out.fromCoherent(cell(lower, symbol))) /
      (fromCoherent(value + steps * step) - fromCoherent(value - steps * step));
    const slope = between(above, below, 1);
    const change = Math.abs(between(farAbove, farBelow, 2) - slope);
    const error = change + (2 * rounding) / Math.abs(fromCoherent(value + step) - fromCoherent(value - step));
    // Without a value at twice the step, the slope has no digit that is known.
    return { name, slope, error: Number.isFinite(error) ? error : Math.abs(slope) };
  });
}

/** The rounding of a value: of all that enters it, or, where its bound is unknown, by its slopes and its reference. */
function roundingOf(
  problem: Problem,
  symbol: string,
  coherentValue: number,
  { values, scales, bounds }: VerifiedRow,
  probes: readonly Probe[],
  cell: Cell,
): Uncertain {
  const distance = Math.abs(coherentValue - (values.get(symbol) ?? Number.NaN));
  const bound = bounds.get(symbol) ?? Number.POSITIVE_INFINITY;
  const byReference = 2 * ROUNDOFF * (scales.get(symbol) ?? 0);
  const bySlopes = probes.reduce((sum, { name, step, above, below }) => {
    const slope = (cell(above, symbol) - cell(below, symbol)) / (2 * step);
    return Number.isFinite(slope) ? sum + Math.abs(slope) * (problem.roundings.get(name) ?? 0) : sum;
  }, byReference);
  const scale = scaleOf(problem, symbol);
  const conversion = scale === UNSCALED ? 0 : 2 * ROUNDOFF * Math.abs(scale.fromCoherent(coherentValue));
  const rounding = widthIn(scale, Math.max(distance, Number.isFinite(bound) ? bound : bySlopes)) + conversion;
  return uncertain([bounded('rounding', rounding, 'second evaluation, and rounding of all numbers that enter')]);
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
