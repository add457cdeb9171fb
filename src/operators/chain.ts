// COMPUTE and VERIFY for a chain of operators: the runs of the expression kernel, and the results from their outputs.
//
// All operators run over the same rows. Row 0 has the given numbers; each other row perturbs one of them, so that
// uncertainties propagate through the whole chain, correlations included.

import { DomainError } from '../core/errors.ts';
import { bound, standard, type Uncertain, uncertain } from '../core/uncertainty.ts';
import { readRows, rowsRun } from '../expressions/evaluate.ts';
import { traceValue, type Verified, verifyValue } from '../expressions/verify.ts';
import type { KernelOutput, KernelRun } from '../kernels/abi.ts';
import type { BoundChain, BoundOperator, Source } from './bind.ts';
import { compileOperator } from './evaluate.ts';
import { noValue } from './no-value.ts';
import type { OperatorDefinition } from './operator.ts';
import { deviationOf, ROUNDOFF, type Rows, rowsOf, sumOfRoundings } from './propagation.ts';
import { describeInput, faultOf } from './range.ts';
import { fromCoherent } from './unit-table.ts';

export interface ChainPlan {
  /** One per operator, in order. A function where the operator takes the output of an earlier one. */
  readonly runs: readonly (KernelRun | ((before: readonly KernelOutput[]) => KernelRun))[];
  /** Upper estimate of the instructions of all rows; a sum counts with its whole budget. */
  readonly instructions: number;
  /**
   * @param outputs  in the order of `runs`
   * @throws DomainError DIVISION_BY_ZERO, NUMERIC_OVERFLOW, VALUE_UNDEFINED where an operator has no finite value;
   *   VALIDATION_FAILED where an output is out of range for the next operator; BUDGET_EXCEEDED where a run exceeds its
   *   steps; PRECISION_REFUSED where an uncertainty has no first-order propagation
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
  const rows = rowsOf(chain.variables);
  const runs = chain.operators.map((operator) => {
    const makeRun = (before: readonly KernelOutput[]) => runOf(operator, chain, rows, before);
    const isFed = [...operator.sources.values()].some(({ kind }) => kind === 'fed');
    return isFed ? makeRun : makeRun([]);
  });
  const instructions = chain.operators.reduce((sum, { definition }) => sum + operatorSteps(definition), 0) * rows.count;
  return { runs, instructions, collect: (outputs) => collectChain(chain, rows, outputs) };
}

const SUM_STEPS = 200_000;

/** Upper estimate of the instructions of one evaluation. */
export function operatorSteps(definition: OperatorDefinition): number {
  const { program, hasSum } = compileOperator(definition);
  return hasSum ? SUM_STEPS : program.code.length;
}

function runOf(
  { definition, sources }: BoundOperator,
  { operators }: BoundChain,
  { count, columns }: Rows,
  before: readonly KernelOutput[],
): KernelRun {
  const { program, constants } = compileOperator(definition);
  const width = program.slots.length;
  const slots = new Float64Array(count * width);
  for (const [slot, symbol] of program.slots.entries()) {
    const source = sources.get(symbol);
    const column = source === undefined ? undefined : columnOf(source, operators, columns, count, before);
    const constant = source?.kind === 'default' ? source.value : constants[symbol];
    for (let row = 0; row < count; row++) slots[row * width + slot] = column?.[row] ?? constant ?? Number.NaN;
  }
  return rowsRun(program, slots, count);
}

function columnOf(
  source: Source,
  operators: readonly BoundOperator[],
  columns: readonly Float64Array[],
  count: number,
  before: readonly KernelOutput[],
): Float64Array | undefined {
  if (source.kind === 'given') return columns[source.variable];
  if (source.kind === 'default') return undefined;
  const [output, operator] = [before[source.by], operators[source.by]];
  if (output === undefined || operator === undefined) throw new Error('An operator runs before the one that feeds it.');
  return readRows(output, compileOperator(operator.definition).program, count).values;
}

function collectChain(chain: BoundChain, rows: Rows, outputs: readonly KernelOutput[]): ChainResult {
  const columns: Float64Array[] = [];
  const references: number[] = [];
  const results: OperatorResult[] = [];
  const numbers: Record<string, Record<string, number>> = {};
  let last: Pick<ChainResult, 'budget' | 'verified' | 'isWitnessed' | 'rounding'> | undefined;
  for (const [at, operator] of chain.operators.entries()) {
    const { definition } = operator;
    const { unit } = definition.output;
    const compiled = compileOperator(definition);
    numbers[definition.id] = declaredNumbers(operator, chain, columns);
    const output = outputs[at];
    if (output === undefined) throw new Error(`${definition.id} was not run.`);
    const { values, failure } = readRows(output, compiled.program, rows.count);
    if (failure?.row === 0) throw inOperator(definition, failure.error);
    columns.push(values);
    const raw = values[0] ?? Number.NaN;
    const formula = { expression: compiled.equation.expression, where: compiled.where };
    const symbols = symbolsOf(operator, chain, (by) => columns[by]?.[0]);
    if (!Number.isFinite(raw)) throw noValue(definition, raw, (visit) => void traceValue(formula, symbols, visit));
    const value = fromCoherent(raw, unit);
    if (!Number.isFinite(value)) throw noValue(definition, value, () => {});

    const second = verifyValue(
      formula,
      symbolsOf(operator, chain, (by) => references[by]),
    );
    if (!second.hasFiniteParts)
      throw noValue(definition, Number.NaN, (visit) => void traceValue(formula, symbols, visit));
    const isWitnessed = Number.isFinite(second.reference);
    const reference = isWitnessed ? second.reference : raw;
    references.push(reference);
    // Where the value underflowed to 0, the second evaluation bounds its exact size.
    const underflow = raw === 0 && Number.isFinite(second.bound) ? second.bound : 0;
    const rounding =
      Math.abs(raw - reference) + 2 * ROUNDOFF * Math.abs(raw) + sumOfRoundings(values, rows) + underflow;
    const deviation = deviationOf(definition, values, rows, chain.variables);
    const { uncertainty, budget } = uncertain([
      bound('rounding', fromCoherent(rounding, unit), 'second evaluation and rounding of the given numbers'),
      standard('inputs', fromCoherent(deviation, unit), 'given standard uncertainties, first order'),
    ]);
    results.push({ operator_id: definition.id, value, unit, uncertainty });
    last = {
      budget,
      verified: {
        method: second.method,
        reference: fromCoherent(reference, unit),
        scale: Math.abs(fromCoherent(second.scale, unit)),
      },
      isWitnessed,
      rounding: fromCoherent(rounding, unit),
    };
  }
  if (last === undefined) throw new Error('A chain needs an operator in addition to KO42.');
  return { results, numbers, ...last };
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
