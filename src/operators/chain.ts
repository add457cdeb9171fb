// COMPUTE and VERIFY for a chain of operators: the runs of the expression kernel, and the results from their outputs.
//
// All operators run over the same rows. Row 0 has the given numbers; the others move one source of error each, so that
// errors propagate through the whole chain, correlations included (propagation.ts). Where the first order is not enough,
// a further run draws samples (distribution.ts).

import { DomainError } from '../core/errors.ts';
import { bound, type Contribution, standard, type Uncertain, uncertain } from '../core/uncertainty.ts';
import { readRows, rowsRun } from '../expressions/evaluate.ts';
import { traceValue, type Verified, verifyValue } from '../expressions/verify.ts';
import type { KernelOutput, KernelRun } from '../kernels/abi.ts';
import type { BoundChain, BoundOperator } from './bind.ts';
import { type Distribution, distributionOf, sampleCount, samplesText } from './distribution.ts';
import { holdsAtEdges } from './edge-requirements.ts';
import { compileOperator, unmetBy } from './evaluate.ts';
import { noValue } from './no-value.ts';
import type { OperatorDefinition } from './operator.ts';
import { namesText, ownRounding, type Propagated, propagate, type Rows, rowsOf } from './propagation.ts';
import { describeInput, faultOf } from './range.ts';
import { fromCoherent, toCoherent } from './unit-table.ts';

export interface ChainPlan {
  /** One per operator, in order. A function where the operator takes the output of an earlier one. */
  readonly runs: readonly (KernelRun | ((before: readonly KernelOutput[]) => KernelRun))[];
  /** A run of samples for each operator whose uncertainty the first order does not cover. */
  further(before: readonly KernelOutput[]): readonly KernelRun[];
  /** Upper estimate of the instructions of all rows and samples; a sum counts with its whole budget. */
  readonly instructions: number;
  /** The same of the rows alone. */
  readonly firstInstructions: number;
  /**
   * @param outputs  in the order of `runs`, then of `further`
   * @throws DomainError DIVISION_BY_ZERO, NUMERIC_OVERFLOW, VALUE_UNDEFINED where an operator has no finite value;
   *   VALIDATION_FAILED where an output is out of range for the next operator; BUDGET_EXCEEDED where a run exceeds its
   *   steps; PRECISION_REFUSED where an uncertainty cannot be propagated
   */
  collect(outputs: readonly KernelOutput[]): ChainResult;
}

export interface OperatorResult {
  readonly operator_id: string;
  readonly value: number;
  readonly unit: string;
  readonly uncertainty: number;
}

export interface ChainResult {
  readonly results: readonly OperatorResult[];
  /** Of the last result, in its unit. */
  readonly budget: Uncertain['budget'];
  /** The second evaluation of the last operator, in its unit. */
  readonly verified: Pick<Verified, 'method' | 'reference' | 'scale'>;
  /** Whether the second evaluation has a value. */
  readonly isWitnessed: boolean;
  /** Bound of the rounding error of the last operator's value, in its unit. */
  readonly rounding: number;
  /** Numbers of each operator's inputs in declared units, for the printed equations; defaults are left out. */
  readonly numbers: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export function planChain(chain: BoundChain): ChainPlan {
  const rows = rowsOf(chain);
  const runs = chain.operators.map((operator, at) => {
    const makeRun = (before: readonly KernelOutput[]) => runOf(operator, chain, rows, at, before);
    const isFed = [...operator.sources.values()].some(({ kind }) => kind === 'fed');
    return isFed ? makeRun : makeRun([]);
  });
  const steps = chain.operators.reduce((sum, { definition }) => sum + operatorSteps(definition), 0);
  const samples = sampleCount(chain);
  const distributions = lazyDistributions(chain, rows);
  const evaluate = lastEvaluation(chain, rows);
  return {
    runs,
    further: (before) => {
      if (samples === 0) return [];
      const operators = refusedLater(() => evaluate(before))?.operators ?? [];
      return operators.flatMap(({ propagated }, at) => (propagated.isFirstOrder ? [] : [distributions(at).run]));
    },
    instructions: steps * (rows.count + samples),
    firstInstructions: steps * rows.count,
    collect: (outputs) => collectChain(evaluate(outputs), outputs, distributions),
  };
}

/** Undefined for a refusal, with which `collect` will answer. */
export function refusedLater<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

const SUM_STEPS = 200_000;

/** Upper estimate of the instructions of one evaluation. */
export function operatorSteps(definition: OperatorDefinition): number {
  const { program, hasSum } = compileOperator(definition);
  return hasSum ? SUM_STEPS : program.code.length;
}

/** Built once, for the plan and for the collection; most chains need none. */
function lazyDistributions(chain: BoundChain, rows: Rows): (at: number) => Distribution {
  const known: Distribution[] = [];
  return (at) => {
    known[at] ??= distributionOf(chain, at, rows);
    return known[at];
  };
}

/** Symbol by symbol: a column where rows move the number, else the number itself. */
function runOf(
  { definition, sources }: BoundOperator,
  { operators }: BoundChain,
  { count, numbers, indices, columns, modelSigns }: Rows,
  at: number,
  before: readonly KernelOutput[],
): KernelRun {
  const { program } = compileOperator(definition);
  const width = program.slots.length;
  const slots = new Float64Array(count * width);
  for (const [slot, symbol] of program.slots.entries()) {
    const source = sources.get(symbol);
    const index = indices[at]?.get(symbol) ?? -1;
    const column = source?.kind === 'fed' ? fedColumn(operators, source.by, modelSigns, count, before) : columns[index];
    const value = numbers[index]?.value ?? Number.NaN;
    for (let row = 0; row < count; row++) slots[row * width + slot] = column?.[row] ?? value;
  }
  return rowsRun(program, slots, count);
}

/** What an operator hands on: its values, moved by its accuracy in the rows that do so. */
function fedColumn(
  operators: readonly BoundOperator[],
  by: number,
  modelSigns: Rows['modelSigns'],
  count: number,
  before: readonly KernelOutput[],
): Float64Array {
  const [output, operator] = [before[by], operators[by]];
  if (output === undefined || operator === undefined) throw new Error('An operator runs before the one that feeds it.');
  const { values } = readRows(output, compileOperator(operator.definition).program, count);
  const signs = modelSigns[by];
  if (signs === undefined) return values;
  return values.map((value, row) => value + (signs[row] ?? 0) * accuracyBound(operator.definition, value));
}

/** In coherent units. */
export function accuracyBound({ accuracy, output: { unit } }: OperatorDefinition, value: number): number {
  const { relative = 0, absolute = 0 } = accuracy ?? {};
  return relative * Math.abs(value) + toCoherent(absolute, unit);
}

/** `evaluateChain`, once for equal outputs: the plan of the samples and the collection need the same. */
function lastEvaluation(chain: BoundChain, rows: Rows): (outputs: readonly KernelOutput[]) => EvaluatedChain {
  let last: { readonly outputs: readonly KernelOutput[]; readonly evaluated: EvaluatedChain } | undefined;
  return (outputs) => {
    const own = outputs.slice(0, chain.operators.length);
    if (last === undefined || own.some((output, at) => output !== last?.outputs[at]))
      last = { outputs: own, evaluated: evaluateChain(chain, rows, own) };
    return last.evaluated;
  };
}

interface EvaluatedChain extends Pick<ChainResult, 'numbers'> {
  readonly operators: readonly EvaluatedOperator[];
}

interface EvaluatedOperator {
  readonly definition: OperatorDefinition;
  /** In coherent units. */
  readonly raw: number;
  readonly value: number;
  readonly second: Verified;
  readonly reference: number;
  readonly rounding: number;
  readonly propagated: Propagated;
}

/** The values of all operators and what moves them, from their own runs. */
function evaluateChain(chain: BoundChain, rows: Rows, outputs: readonly KernelOutput[]): EvaluatedChain {
  const columns: Float64Array[] = [];
  const references: number[] = [];
  const operators: EvaluatedOperator[] = [];
  const numbers: Record<string, Record<string, number>> = {};
  for (const [at, operator] of chain.operators.entries()) {
    const { definition } = operator;
    const compiled = compileOperator(definition);
    numbers[definition.id] = declaredNumbers(operator, chain, columns);
    assertRequirements(operator, chain, columns);
    const output = outputs[at];
    if (output === undefined) throw new Error(`${definition.id} was not run.`);
    const { values, failure } = readRows(output, compiled.program, rows.count);
    if (failure?.row === 0) throw inOperator(definition, failure.error);
    columns.push(values);
    const raw = values[0] ?? Number.NaN;
    const formula = { expression: compiled.equation.expression, where: compiled.where };
    const symbols = symbolsOf(operator, chain, (by) => columns[by]?.[0]);
    if (!Number.isFinite(raw)) throw noValue(definition, raw, (visit) => void traceValue(formula, symbols, visit));
    const value = fromCoherent(raw, definition.output.unit);
    if (!Number.isFinite(value)) throw noValue(definition, value, () => {});

    const second = verifyValue(
      formula,
      symbolsOf(operator, chain, (by) => references[by]),
    );
    if (!second.hasFiniteParts)
      throw noValue(definition, Number.NaN, (visit) => void traceValue(formula, symbols, visit));
    const reference = Number.isFinite(second.reference) ? second.reference : raw;
    references.push(reference);
    const rounding = ownRounding(raw, reference, second.bound);
    const linear = propagate(definition.id, values, rows, rounding);
    const isFirstOrder =
      linear.isFirstOrder && holdsAtEdges(operator, symbols, rows, { at, valuesBy: (by) => columns[by] });
    const propagated = isFirstOrder ? linear : { ...linear, isFirstOrder };
    operators.push({ definition, raw, value, second, reference, rounding, propagated });
  }
  return { numbers, operators };
}

function collectChain(
  { numbers, operators }: EvaluatedChain,
  outputs: readonly KernelOutput[],
  distributions: (at: number) => Distribution,
): ChainResult {
  let sampled = operators.length;
  const answers = operators.map((operator, at) => {
    const { definition, value, raw, propagated } = operator;
    const { unit } = definition.output;
    const output = propagated.isFirstOrder ? undefined : outputs[sampled++];
    const spread =
      output === undefined ? firstOrder(propagated) : [sampledSpread(distributions(at), output, raw, propagated)];
    const contributions = [
      bound('rounding', operator.rounding + propagated.rounding, 'second evaluation, rounding of given numbers'),
      ...spread,
      ...models(operator, operators),
    ];
    const { uncertainty, budget } = uncertain(
      contributions.map((one) => ({ ...one, value: fromCoherent(one.value, unit) })),
    );
    return { budget, result: { operator_id: definition.id, value, unit, uncertainty } };
  });
  const [last, answer] = [operators.at(-1), answers.at(-1)];
  if (last === undefined || answer === undefined) throw new Error('A chain needs an operator in addition to KO42.');
  const { second, reference, rounding, propagated, definition } = last;
  const inUnit = (number: number) => fromCoherent(number, definition.output.unit);
  return {
    results: answers.map(({ result }) => result),
    numbers,
    budget: answer.budget,
    verified: { method: second.method, reference: inUnit(reference), scale: Math.abs(inUnit(second.scale)) },
    isWitnessed: Number.isFinite(second.reference),
    rounding: inUnit(rounding + propagated.rounding),
  };
}

const firstOrder = ({ constants, inputs, names }: Propagated): readonly Contribution[] => [
  ...(constants === 0
    ? []
    : [standard('constants', constants, `standard uncertainties of ${namesText(names.constants)}`)]),
  ...(inputs === 0 ? [] : [standard('inputs', inputs, `given for ${namesText(names.inputs)}, first order`)]),
];

/** Half of the width, because standard uncertainties count twice. */
function sampledSpread(
  distribution: Distribution,
  output: KernelOutput,
  raw: number,
  { names }: Propagated,
): Contribution {
  const basis = `${samplesText(distribution)} of ${namesText([...names.inputs, ...names.constants])}`;
  return standard('propagation', distribution.halfWidth(output, raw) / 2, basis);
}

/** The accuracy of the operator itself, and of those before it as far as they move it. */
function models(
  { definition, raw, propagated }: EvaluatedOperator,
  operators: readonly EvaluatedOperator[],
): readonly Contribution[] {
  const earlier = propagated.models.map(({ operator, bound: size }) => {
    const { id, accuracy } = operators[operator]?.definition ?? definition;
    return bound('model', size, `${id}: ${accuracy?.basis}`);
  });
  if (definition.accuracy === undefined) return earlier;
  return [...earlier, bound('model', accuracyBound(definition, raw), definition.accuracy.basis)];
}

function inOperator({ id }: OperatorDefinition, { code, message, facts }: DomainError): DomainError {
  return new DomainError(code, `${id}: ${message}`, { facts });
}

/** @throws DomainError VALIDATION_FAILED if the output of an earlier operator is out of range here */
function declaredNumbers(
  { definition, sources }: BoundOperator,
  { operators }: BoundChain,
  columns: readonly Float64Array[],
): Record<string, number> {
  const numbers: Record<string, number> = {};
  for (const [symbol, source] of sources) {
    const input = definition.inputs[symbol];
    if (input === undefined || source.kind === 'default') continue;
    if (source.kind === 'given') {
      numbers[symbol] = source.declared;
      continue;
    }
    const value = fromCoherent(columns[source.by]?.[0] ?? Number.NaN, input.unit);
    const fault = faultOf(value, input);
    if (fault !== undefined) {
      const message = `${definition.id}.${symbol}, which comes from ${operators[source.by]?.definition.id}, ${fault}; ${describeInput(input)} is expected.`;
      throw new DomainError('VALIDATION_FAILED', message, {
        details: [{ path: `inputs.${symbol}`, code: 'OUT_OF_RANGE', message }],
      });
    }
    numbers[symbol] = value;
  }
  return numbers;
}

/**
 * Of an operator that another one feeds; the others are checked when they are bound.
 *
 * @throws DomainError VALIDATION_FAILED
 */
function assertRequirements(operator: BoundOperator, chain: BoundChain, columns: readonly Float64Array[]): void {
  if (![...operator.sources.values()].some(({ kind }) => kind === 'fed')) return;
  const values = symbolsOf(operator, chain, (by) => columns[by]?.[0]);
  const details = unmetBy(operator.definition, values);
  const [first] = details;
  if (first) throw new DomainError('VALIDATION_FAILED', first.message, { details });
}

/** Every symbol of an operator with its number in coherent units. */
function symbolsOf(
  { definition, sources }: BoundOperator,
  { variables }: BoundChain,
  fed: (by: number) => number | undefined,
): ReadonlyMap<string, number> {
  const values = new Map(Object.entries(compileOperator(definition).constants));
  for (const [symbol, source] of sources) {
    if (source.kind === 'given') values.set(symbol, variables[source.variable]?.value ?? Number.NaN);
    else values.set(symbol, source.kind === 'fed' ? (fed(source.by) ?? Number.NaN) : source.value);
  }
  return values;
}
