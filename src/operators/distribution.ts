// Propagation of distributions by Monte Carlo, where the first order is not enough (JCGM 101:2008): normal deviates of
// given inputs and constants go through the whole chain as one program, and the smallest interval about the value that
// holds 95 % of the samples is its uncertainty.
//
// An input is known to lie in its range, so samples outside count for nothing. A sample without a value inside the
// ranges counts as outside the interval.

import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { assemble, type Definition, type Program } from '../expressions/bytecode.ts';
import { drawnRun, readRows } from '../expressions/evaluate.ts';
import { type Expression, nodeCount, renamed } from '../expressions/tree.ts';
import type { KernelOutput, KernelRun } from '../kernels/abi.ts';
import type { BoundChain, BoundOperator } from './bind.ts';
import type { ChainNumbers, ErrorSource } from './error-sources.ts';
import { compileOperator } from './evaluate.ts';
import { orderOfQuantile } from './order-of-quantile.ts';
import type { Requirement } from './requirements.ts';

/** Key of the random numbers, the same in every run. */
const SEED = 101;
/** Smallest share of the samples that lie in the ranges of their inputs. */
const MIN_WITHIN = 0.1;

/** The propagation through one operator of a chain, with the operators that feed it. */
export interface Distribution {
  readonly run: KernelRun;
  /**
   * @param value  of the operator, in coherent units
   * @returns the half-width of the interval
   * @throws DomainError PRECISION_REFUSED where too few samples have a value
   */
  halfWidth(output: KernelOutput, value: number): number;
}

/** @param at  index of the operator. @throws DomainError PRECISION_REFUSED for a chain that is too long */
export function distributionOf(chain: BoundChain, at: number, own: ChainNumbers): Distribution {
  const { program, slots } = programOf(chain, at, own);
  const id = chain.operators[at]?.definition.id ?? '';
  const sources = own.sources.filter(({ parts }) => parts.some(({ number }) => slots.includes(number)));
  const count = samplesOf(chain.operators.slice(0, at + 1));
  const run = drawnRun(program, { ...drawsOf(slots, sources, own), sources: sources.length, seed: SEED }, count);
  return {
    run,
    halfWidth: (output, value) => {
      const { values, failure } = readRows(output, program, count);
      if (failure) throw new DomainError(failure.error.code, `${id}: ${failure.error.message}`);
      return halfWidthOf(values, output.statistics.outside ?? 0, value, { id, sources });
    },
  };
}

const samplesOf = (operators: readonly BoundOperator[]) =>
  operators.some(({ definition }) => compileOperator(definition).hasSum)
    ? LIMITS.samples.rowsWithSums
    : LIMITS.samples.rows;

/** Upper estimate of the samples of each operator of a chain: none without given uncertainties. */
export const sampleCount = ({ operators, variables }: BoundChain) =>
  variables.some(({ sigma }) => sigma > 0) ? operators.length * samplesOf(operators) : 0;

/** What was drawn, in words. */
export const samplesText = ({ run }: Distribution) => `95 % of ${run.steps} samples`;

/** The operator and those that feed it as one program, and the number of each of its slots. */
function programOf(
  { operators }: BoundChain,
  at: number,
  { indices }: ChainNumbers,
): { readonly program: Program; readonly slots: readonly number[] } {
  const definitions: Definition[] = [];
  const slots = new Set<number>();
  const include = (index: number): string => {
    const operator = operators[index];
    if (operator === undefined) throw new Error('A chain has no such operator.');
    const name = `y${index}`;
    if (definitions.some((one) => one.name === name)) return name;
    const { equation, where, requirements } = compileOperator(operator.definition);
    const names = new Map<string, string>();
    for (const [symbol, number] of indices[index] ?? []) {
      slots.add(number);
      names.set(symbol, `n${number}`);
    }
    for (const [symbol, source] of operator.sources) if (source.kind === 'fed') names.set(symbol, include(source.by));
    for (const { name: local, expression } of where) {
      definitions.push({ name: `w${index}_${local}`, expression: renamed(expression, names) });
      names.set(local, `w${index}_${local}`);
    }
    const expression = onlyWhere(requirements, equation.expression);
    definitions.push({ name, expression: renamed(expression, names) });
    return name;
  };
  include(at);
  const nodes = definitions.reduce((count, { expression }) => count + nodeCount(expression), 0);
  if (nodes > LIMITS.expression.nodes) {
    const message = `The chain up to ${operators[at]?.definition.id} has ${nodes} nodes; at most ${LIMITS.expression.nodes} can propagate uncertainties that the first order does not cover. Compute its operators one by one.`;
    throw new DomainError('PRECISION_REFUSED', message);
  }
  const result = definitions.pop();
  if (result === undefined) throw new Error('A chain has no operator.');
  const numbers = [...slots];
  return {
    program: assemble(
      result.expression,
      numbers.map((number) => `n${number}`),
      definitions,
    ),
    slots: numbers,
  };
}

/** Without a value where a requirement does not hold. */
const onlyWhere = (requirements: readonly Requirement[], value: Expression): Expression =>
  requirements.reduce<Expression>(
    (yes, { condition }) => ({ kind: 'choice', condition, yes, no: NO_VALUE, start: 0, end: 0 }),
    value,
  );

const NO_VALUE: Expression = { kind: 'number', value: Number.NaN, start: 0, end: 0 };

function drawsOf(slots: readonly number[], sources: readonly ErrorSource[], { numbers }: ChainNumbers) {
  const centers = new Float64Array(slots.length);
  const factors = new Float64Array(slots.length * sources.length);
  const limits = new Float64Array(slots.length * 3);
  for (const [slot, at] of slots.entries()) {
    const number = numbers[at];
    if (number === undefined) throw new Error('A slot has no number.');
    centers[slot] = number.value;
    let isDrawn = false;
    for (const [k, { parts }] of sources.entries()) {
      for (const part of parts) {
        if (part.number !== at) continue;
        factors[slot * sources.length + k] = part.deviation;
        isDrawn = true;
      }
    }
    // A whole number that is not drawn stays as it is: in coherent units, two per year is no whole number.
    limits.set([number.min, number.max, number.isWhole && isDrawn ? 1 : 0], slot * 3);
  }
  return { centers, factors, limits };
}

function halfWidthOf(
  values: Float64Array,
  outside: number,
  value: number,
  { id, sources }: { readonly id: string; readonly sources: readonly ErrorSource[] },
): number {
  const within = values.length - outside;
  const names = sources.filter(({ kind }) => kind === 'inputs').map(({ name }) => name);
  if (within < MIN_WITHIN * values.length) {
    const message = `The uncertainties of ${names.join(', ')} reach far beyond the ranges of ${id}: ${within} of ${values.length} samples are in range, and ${MIN_WITHIN * values.length} are needed.`;
    throw new DomainError('PRECISION_REFUSED', message);
  }
  let finite = 0;
  const distances = new Float64Array(values.length);
  for (const sample of values) {
    const distance = Math.abs(sample - value);
    if (distance < Number.POSITIVE_INFINITY) distances[finite++] = distance;
  }
  const needed = orderOfQuantile(within);
  if (finite < needed) {
    const message = `The uncertainty of ${names.join(', ')} cannot be propagated through ${id}: only ${finite} of ${within} samples have a value, and ${needed} are needed.`;
    throw new DomainError('PRECISION_REFUSED', message);
  }
  return distances.subarray(0, finite).sort()[needed - 1] ?? Number.NaN;
}
