// Evaluation of expressions. Only the expression kernel computes sealed values, so that their bits are unique.

import { DomainError, type ErrorCode } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { type Accelerate, INFO, type KernelOutput, type KernelRun } from '../kernels/abi.ts';
import type { KernelFace } from '../kernels/face.ts';
import { drive, type KernelInstance } from '../kernels/instance.ts';
import { assemble, type Program } from './bytecode.ts';
import { expectedWords } from './compiled/expected-words.ts';
import { moduleOf } from './compiled/module-cache.ts';
import { shapeOfRows } from './compiled/shape.ts';
import { parseExpression } from './parse.ts';

/**
 * The kernel that the functions here run on: `instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)))`.
 */
export const EXPRESSION_KERNEL = 'expression';

/** Names of assembly/expression.ts. */
export const EXPRESSION_FACE = {
  parameters: ['codeWords', 'poolValues', 'slots', 'rows', 'sources', 'seed'],
  views: ['code', 'pool', 'slots', 'values', 'factors', 'limits'],
  statistics: ['failure', 'outside'],
  columns: {},
} as const satisfies KernelFace;

export type ExpressionFace = typeof EXPRESSION_FACE;

/** The statistic `failure`: why the machine stopped early. */
const FAILURES: ReadonlyMap<number, { readonly code: ErrorCode; readonly reason: string }> = new Map([
  [1, { code: 'BUDGET_EXCEEDED', reason: `it needs more than ${LIMITS.expression.steps} steps` }],
  [2, { code: 'VALIDATION_FAILED', reason: 'the bounds of a sum are not whole numbers' }],
  [3, { code: 'BUDGET_EXCEEDED', reason: `a sum has more than ${LIMITS.expression.sumTerms} terms` }],
]);

/**
 * @param symbols  the names that get a value at run time; each becomes a slot, used or not
 * @throws DomainError EXPRESSION_INVALID
 */
export function compileExpression(text: string, symbols: readonly string[]): Program {
  return assemble(parseExpression(text), symbols);
}

/**
 * The value for one set of symbols. It may be infinite or NaN; the caller decides whether that is an error.
 *
 * @throws DomainError VALIDATION_FAILED if a symbol has no value, and as evaluateRows
 */
export function evaluateProgram(
  instance: KernelInstance,
  program: Program,
  values: Readonly<Record<string, number>>,
): number {
  const row = program.slots.map((name) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new DomainError('VALIDATION_FAILED', `The symbol ${name} has no value.`);
    return value;
  });
  const [value] = evaluateRows(instance, program, Float64Array.from(row), 1);
  if (value === undefined) throw new Error('The expression kernel gave no value.');
  return value;
}

/**
 * One value per row.
 *
 * @param slots  f64[rows, program.slots.length], row by row
 * @throws DomainError BUDGET_EXCEEDED beyond LIMITS.expression.steps or sumTerms, VALIDATION_FAILED if a bound of a
 *   sum is not a whole number; `facts.row` is the row
 */
export function evaluateRows(
  instance: KernelInstance,
  program: Program,
  slots: Float64Array,
  rows: number,
): Float64Array {
  const run = rowsRun(program, slots, rows);
  // No clock: chunks only grow, and the grouping of rows does not change values.
  const chunks = drive(instance, run, () => 0, accelerateRows({ slug: EXPRESSION_KERNEL }, run));
  let step = chunks.next();
  while (!step.done) step = chunks.next();
  const { values, failure } = readRows(step.value, program, rows);
  if (failure) throw failure.error;
  return values;
}

/**
 * The evaluation of rows as a kernel run, for any runner.
 *
 * @param slots  f64[rows, program.slots.length], row by row
 */
export function rowsRun(
  { code, pool, slots: { length } }: Program,
  slots: Float64Array,
  rows: number,
): KernelRun<ExpressionFace> {
  return {
    parameters: { codeWords: code.length, poolValues: pool.length, slots: length, rows },
    inputs: { code, pool, slots },
    steps: rows,
    outputs: ['values'],
    statistics: ['failure'],
  };
}

/** Rows that the kernel draws: every slot is its center plus a sum of independent normal deviates. */
export interface Draws {
  /** f64[slots] */
  readonly centers: Float64Array;
  /** f64[slots, sources]: the signed standard deviation of a slot by each source. */
  readonly factors: Float64Array;
  /** f64[slots, 3]: minimum, maximum, and whether it is rounded to a whole number. */
  readonly limits: Float64Array;
  readonly sources: number;
  readonly seed: number;
}

/** The evaluation of drawn rows; one that leaves a limit has the value NaN, and the statistic `outside` counts it. */
export function drawnRun(program: Program, draws: Draws, rows: number): KernelRun<ExpressionFace> {
  const { centers, factors, limits, sources, seed } = draws;
  const run = rowsRun(program, centers, rows);
  return {
    ...run,
    parameters: { ...run.parameters, sources, seed },
    inputs: { ...run.inputs, factors, limits },
    statistics: ['failure', 'outside'],
  };
}

/** The compiled module of a run of rows, if it saves time. */
export const accelerateRows: Accelerate = ({ slug }, { parameters, inputs: { code, pool } = {}, steps }) => {
  if (slug !== EXPRESSION_KERNEL) return undefined;
  if (!(code instanceof Int32Array && pool instanceof Float64Array)) return undefined;
  return moduleOf(shapeOfRows(code, pool, parameters.slots ?? 0), steps * expectedWords(code));
};

/** The values of a run; NaN from the row on at which the machine stopped early. */
export function readRows(
  { info, steps, views: { values }, statistics }: KernelOutput<ExpressionFace>,
  program: Program,
  rows: number,
): { readonly values: Float64Array; readonly failure?: { readonly row: number; readonly error: DomainError } } {
  if (info === INFO.outOfMemory) {
    throw new DomainError('BUDGET_EXCEEDED', `There is no memory for ${rows} rows of ${program.slots.length} symbols.`);
  }
  if (values === undefined) throw new Error('The expression kernel gave no values.');
  if (info === INFO.ok) return { values };
  const failure = FAILURES.get(statistics.failure ?? 0);
  if (failure === undefined) throw new Error(`The expression kernel answered ${info}.`);
  const message = `The expression has no value: ${failure.reason}.`;
  const error = new DomainError(failure.code, message, { facts: { row: steps } });
  return { values: values.fill(Number.NaN, steps), failure: { row: steps, error } };
}
