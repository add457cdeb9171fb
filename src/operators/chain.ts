// COMPUTE and VERIFY for a chain of operators: the runs of the expression kernel, and what follows from what they left.
//
// All operators run over the same rows. Row 0 is the call; the others move one given number each, so that an
// uncertainty is carried through the whole chain with all that its operators have in common.

import { DomainError } from '../core/errors.ts';
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

export interface ChainWork {
  /** One for each operator, in order; one that is fed needs what the earlier ones left behind. */
  readonly runs: readonly (KernelRun | ((before: readonly KernelOutput[]) => KernelRun))[];
  /** Instructions of all rows together, as far as the code tells: a sum counts with its budget. */
  readonly instructions: number;
  /**
   * @param outputs  in the order of `runs`
   * @throws DomainError DIVISION_BY_ZERO, NUMERIC_OVERFLOW, VALUE_UNDEFINED where an operator has no finite value;
   *   VALIDATION_FAILED where one yields what the next does not take; BUDGET_EXCEEDED where one gave up;
   *   PRECISION_REFUSED where an uncertainty cannot be carried to the first order
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
  /** Of the last operator, in its unit. */
  readonly verified: Pick<Verified, 'method' | 'reference' | 'scale'>;
  /** Whether its value came out a second way at all. */
  readonly isWitnessed: boolean;
  /** What rounding may have done to the value of the last operator, in its unit. */
  readonly rounding: number;
  /** Given and fed numbers of each operator in declared units, for the printed equations. */
  readonly numbers: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export function planChain(chain: BoundChain): ChainWork {
  const rows = rowsOf(chain.variables);
  const runs = chain.operators.map((operator) => {
    const make = (before: readonly KernelOutput[]) => runOf(operator, chain, rows, before);
    const isFed = [...operator.sources.values()].some(({ kind }) => kind === 'fed');
    return isFed ? make : make([]);
  });
  const instructions = chain.operators.reduce((sum, { definition }) => sum + stepsOf(definition), 0) * rows.count;
  return { runs, instructions, collect: (outputs) => collectChain(chain, rows, outputs) };
}

const SUM_STEPS = 200_000;

const stepsOf = (definition: OperatorDefinition) => {
  const { program, hasSum } = compileOperator(definition);
  return hasSum ? SUM_STEPS : program.code.length;
};

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
  let last: Pick<ChainResult, 'verified' | 'isWitnessed' | 'rounding'> | undefined;
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
    if (!second.isWhole) throw noValue(definition, Number.NaN, (visit) => void traceValue(formula, symbols, visit));
    const isWitnessed = Number.isFinite(second.reference);
    const reference = isWitnessed ? second.reference : raw;
    references.push(reference);
    // A part may have vanished below the smallest number, and what it was multiplied with tells how much that is.
    const vanished = raw === 0 && Number.isFinite(second.bound) ? second.bound : 0;
    const rounding = Math.abs(raw - reference) + 2 * ROUNDOFF * Math.abs(raw) + sumOfRoundings(values, rows) + vanished;
    const deviation = deviationOf(definition, values, rows, chain.variables);
    const uncertainty = fromCoherent(rounding + deviation, unit);
    results.push({ operator_id: definition.id, value, unit, uncertainty });
    last = {
      verified: {
        method: second.method,
        reference: fromCoherent(reference, unit),
        scale: Math.abs(fromCoherent(second.scale, unit)),
      },
      isWitnessed,
      rounding: fromCoherent(rounding, unit),
    };
  }
  if (last === undefined) throw new Error('A chain has an operator beside KO42.');
  return { results, numbers, ...last };
}

function inOperator({ id }: OperatorDefinition, { code, message, facts }: DomainError): DomainError {
  return new DomainError(code, `${id}: ${message}`, { facts });
}

/** @throws DomainError VALIDATION_FAILED if an earlier operator yields what this one does not take */
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
