// A chain of laws over many points, without objects for each: the same rows, values and ± as those of a chain at one
// point (chain.ts, propagation.ts).
//
// A point that this cannot decide (a refusal, a probe without a value, an uncertainty that needs samples) is left to the
// chain of that point, which finds the same rows in the outputs.

import type { Contribution } from '../core/uncertainty.ts';
import { readRows, rowsRun } from '../expressions/evaluate.ts';
import { COLUMN_LENGTH, FormulaColumns, hasColumns } from '../expressions/precise/columns.ts';
import { type Verified, verifyValue } from '../expressions/verify.ts';
import type { KernelOutput, KernelRun } from '../kernels/abi.ts';
import type { BoundChain, BoundOperator } from './bind.ts';
import { accuracyBound, refusedLater } from './chain.ts';
import { holdsAtEdges } from './edge-requirements.ts';
import { compileOperator, unmetBy } from './evaluate.ts';
import type { InputDefinition, OperatorDefinition } from './operator.ts';
import { ownRounding, type Propagated, propagate } from './propagation.ts';
import { faultOf } from './range.ts';
import { SweptRows } from './swept-rows.ts';
import { fromCoherent, roundingsOf, toCoherent } from './unit-table.ts';

/** A swept input. */
export interface SweptVariable {
  /** Index among the variables of the chain. */
  readonly variable: number;
  /** The caller's unit; undefined for the declared one. */
  readonly unit: string | undefined;
}

/** The value of a point, in the unit of the last operator's output. */
export interface PointValue {
  readonly value: number;
  /** Bound of all rounding, the first of the contributions. */
  readonly rounding: number;
  readonly contributions: readonly Pick<Contribution, 'kind' | 'value'>[];
  /** The second evaluation, converted only where it is asked for. */
  witness(): { readonly reference: number; readonly scale: number };
  readonly isWitnessed: boolean;
  /** Relative to the value, in coherent units: the distance of the second evaluation, or the rounding if that is larger. */
  readonly deviation: number;
}

/** Whether a chain can be swept here: the length of a sum would stop the rows of all points. */
export const isSweepable = ({ operators }: BoundChain): boolean =>
  operators.every(({ definition }) => !compileOperator(definition).hasSum);

/** Of a symbol of an operator: the number it has, or the operator that feeds it. */
interface Slot {
  readonly symbol: string;
  readonly number: number;
  readonly by: number;
}

/** An operator with what all points share. */
interface Stage {
  readonly operator: BoundOperator;
  readonly definition: OperatorDefinition;
  readonly compiled: ReturnType<typeof compileOperator>;
  readonly formula: Parameters<typeof verifyValue>[0];
  /** Of the program, in its order. */
  readonly slots: readonly Slot[];
  /** Inputs that take a swept number, with its place among the swept ones. */
  readonly swept: readonly { readonly symbol: string; readonly input: InputDefinition; readonly at: number }[];
  readonly fed: readonly { readonly symbol: string; readonly input: InputDefinition; readonly by: number }[];
  /** Of all symbols; those that points do not share are set where they are needed. */
  readonly symbols: Map<string, number>;
  /** The second evaluation; undefined where it may take too many steps. */
  readonly columns: FormulaColumns | undefined;
}

type Second = Omit<Verified, 'method'>;

/** What one operator has at a point, in coherent units. */
interface Evaluated {
  readonly raw: number;
  /** In the unit of the operator. */
  readonly value: number;
  readonly second: Second;
  /** Handed on to the second evaluation of the operators that it feeds. */
  readonly reference: number;
  /** Of the operator itself. */
  readonly own: number;
  readonly propagated: Propagated;
}

/** A point that may have a value, and what its operators have so far. */
interface Candidate {
  readonly point: number;
  readonly found: Evaluated[];
  /** Of the operator that was looked at last, in its unit. */
  value: number;
}

const NONE = -1;

/** Points that are decided at once. */
export const CHUNK_POINTS = COLUMN_LENGTH;

export class SweptChain {
  /** First row of each point, and the end. */
  readonly starts: Int32Array;
  readonly #chain: BoundChain;
  readonly #swept: readonly SweptVariable[];
  readonly #stages: readonly Stage[];
  readonly #rows: SweptRows;
  /** Coherent values and roundings of the swept numbers of each point, in pairs; NaN of a point without rows. */
  readonly #points: Float64Array;
  /** Of the rows of one point. */
  #values = new Float64Array(64);
  #count = 0;

  /** @param chain  of any point; @param swept  in the order of the values of `addPoint` */
  constructor(chain: BoundChain, swept: readonly SweptVariable[], maxPoints: number) {
    if (!isSweepable(chain)) throw new Error('This chain is swept point by point.');
    this.#chain = chain;
    this.#swept = swept;
    this.#points = new Float64Array(2 * swept.length * maxPoints).fill(Number.NaN);
    this.starts = new Int32Array(maxPoints + 1);
    const variables = new Set(swept.map(({ variable }) => variable));
    this.#rows = new SweptRows(chain, variables);
    const { numbers, indices } = this.#rows;
    this.#stages = chain.operators.map((operator, at) => stageOf(operator, numbers, indices[at], swept));
  }

  /** Adds a point, which has no rows if a law refuses its numbers. */
  addPoint(point: readonly number[]): void {
    const start = this.rowCount;
    const index = this.#count++;
    this.starts[index + 1] = start;
    if (!this.#bind(point)) return;
    let at = 2 * this.#swept.length * index;
    for (const { variable } of this.#swept) {
      const { value, roundings } = this.#rows.numbers[variable] as { value: number; roundings: number };
      this.#points[at++] = value;
      this.#points[at++] = roundings;
    }
    this.starts[index + 1] = start + this.#rows.place();
  }

  /** A run for each operator over all rows; a function where it takes the output of an earlier one. */
  runs(): readonly (KernelRun | ((before: readonly KernelOutput[]) => KernelRun))[] {
    return this.#stages.map((stage) => {
      const makeRun = (before: readonly KernelOutput[]) => this.#run(stage, before);
      return stage.fed.length > 0 ? makeRun : makeRun([]);
    });
  }

  get rowCount(): number {
    return this.starts[this.#count] as number;
  }

  /**
   * @param first   of at most CHUNK_POINTS points, in the order of `addPoint`, from 0
   * @param values  of the run of each operator
   * @returns by point; undefined where the chain of the point must decide
   */
  valuesFrom(first: number, values: readonly Float64Array[]): readonly (PointValue | undefined)[] {
    const count = Math.min(CHUNK_POINTS, this.#count - first);
    let candidates: Candidate[] = [];
    for (let point = first; point < first + count; point++)
      if (this.#hasRows(point)) candidates.push({ point, found: [], value: Number.NaN });
    for (const at of this.#stages.keys()) candidates = this.#evaluated(at, values, candidates);
    const decided: (PointValue | undefined)[] = new Array(count).fill(undefined);
    for (const { point, found } of candidates) decided[point - first] = this.#pointValue(found);
    return decided;
  }

  /** @returns whether the laws take the numbers; otherwise the point has no rows */
  #bind(point: readonly number[]): boolean {
    for (const { swept, symbols } of this.#stages) {
      for (const { symbol, input, at } of swept) {
        const { variable, unit } = this.#swept[at] as SweptVariable;
        const number = point[at] as number;
        const value = toCoherent(number, unit ?? input.unit);
        if (faultOf(unit === undefined ? number : fromCoherent(value, input.unit), input) !== undefined) return false;
        this.#rows.set(variable, value, roundingsOf(number, value));
        symbols.set(symbol, value);
      }
    }
    return this.#stages.every(
      ({ definition, compiled, symbols, fed }) =>
        fed.length > 0 || compiled.requirements.length === 0 || unmetBy(definition, symbols).length === 0,
    );
  }

  #hasRows(point: number): boolean {
    return !Number.isNaN(this.#points[2 * this.#swept.length * point]);
  }

  /** Sets the rows of a point that has some. @returns how many there are */
  #restore(point: number): number {
    let from = 2 * this.#swept.length * point;
    for (const { variable } of this.#swept)
      this.#rows.set(variable, this.#points[from++] as number, this.#points[from++] as number);
    return this.#rows.place();
  }

  /** The coherent value of a swept number. */
  #sweptAt(point: number, at: number): number {
    return this.#points[2 * (this.#swept.length * point + at)] as number;
  }

  #run({ compiled: { program }, slots }: Stage, before: readonly KernelOutput[]): KernelRun {
    const width = slots.length;
    const { rowCount } = this;
    const cells = new Float64Array(rowCount * width);
    const fed = before.map((output, by) => this.#handedOn(output, by));
    const { values, signs } = this.#rows;
    let [at, row] = [0, 0];
    const write = (): void => {
      for (let slot = 0; slot < width; slot++) {
        const { number, by } = slots[slot] as Slot;
        cells[at++] = by !== NONE ? (fed[by]?.(row, signs) ?? Number.NaN) : (values[number] ?? Number.NaN);
      }
      row++;
    };
    for (let point = 0; point < this.#count; point++) {
      if (!this.#hasRows(point)) continue;
      this.#restore(point);
      this.#rows.visit(write);
    }
    return rowsRun(program, cells, rowCount);
  }

  /** What an operator hands on in a row: its value, moved by its accuracy in the rows that do so. */
  #handedOn(output: KernelOutput, by: number): (row: number, signs: Float64Array) => number {
    const { definition, compiled } = this.#stages[by] as Stage;
    const { values } = readRows(output, compiled.program, this.rowCount);
    const isExact = definition.accuracy === undefined || by === this.#chain.operators.length - 1;
    if (isExact) return (row) => values[row] as number;
    return (row, signs) => {
      const value = values[row] as number;
      return value + (signs[by] as number) * accuracyBound(definition, value);
    };
  }

  /** The candidates that have a value here too, which is added to what they have. */
  #evaluated(at: number, values: readonly Float64Array[], candidates: readonly Candidate[]): Candidate[] {
    const [stage, own] = [this.#stages[at] as Stage, values[at] as Float64Array];
    const taken = candidates.filter((one) => this.#isTaken(stage, one, own[this.starts[one.point] as number]));
    const seconds = this.#seconds(stage, taken);
    return taken.filter((one, index) => {
      const evaluated = this.#evaluate(at, values, one, seconds(index));
      if (evaluated !== undefined) one.found.push(evaluated);
      return evaluated !== undefined;
    });
  }

  /** Whether the operator takes what it is fed, and has a value. */
  #isTaken(stage: Stage, candidate: Candidate, raw = Number.NaN): boolean {
    const { fed, definition, compiled } = stage;
    for (const { input, by } of fed) {
      const value = candidate.found[by]?.raw ?? Number.NaN;
      if (faultOf(fromCoherent(value, input.unit), input) !== undefined) return false;
    }
    candidate.value = fromCoherent(raw, definition.output.unit);
    if (!(Number.isFinite(raw) && Number.isFinite(candidate.value))) return false;
    if (fed.length === 0 || compiled.requirements.length === 0) return true;
    return unmetBy(definition, this.#symbolsOf(stage, candidate, 'raw')).length === 0;
  }

  #symbolsOf(
    { symbols, swept, fed }: Stage,
    { point, found }: Candidate,
    of: 'raw' | 'reference',
  ): Map<string, number> {
    for (const { symbol, at } of swept) symbols.set(symbol, this.#sweptAt(point, at));
    for (const { symbol, by } of fed) symbols.set(symbol, found[by]?.[of] ?? Number.NaN);
    return symbols;
  }

  /** The second evaluations of an operator, by index of the candidate. */
  #seconds(stage: Stage, candidates: readonly Candidate[]): (index: number) => Second {
    const { columns, formula, swept, fed } = stage;
    if (columns === undefined) {
      const secondOf = (one: Candidate) => verifyValue(formula, this.#symbolsOf(stage, one, 'reference'));
      return (index) => secondOf(candidates[index] as Candidate);
    }
    for (const { symbol, at } of swept) {
      const column = columns.symbol(symbol);
      for (const [row, { point }] of candidates.entries()) column[row] = this.#sweptAt(point, at);
    }
    for (const { symbol, by } of fed) {
      const column = columns.symbol(symbol);
      for (const [row, { found }] of candidates.entries()) column[row] = found[by]?.reference ?? Number.NaN;
    }
    columns.evaluate(candidates.length);
    return (row) => ({
      reference: columns.reference(row),
      bound: columns.bound(row),
      scale: columns.scale(row),
      hasFiniteParts: columns.hasFiniteParts(row),
    });
  }

  #evaluate(at: number, all: readonly Float64Array[], candidate: Candidate, second: Second): Evaluated | undefined {
    if (!second.hasFiniteParts) return undefined;
    const stage = this.#stages[at] as Stage;
    const { point, value } = candidate;
    const values = this.#valuesOf(point, all[at] as Float64Array);
    const raw = values[0] as number;
    const reference = Number.isFinite(second.reference) ? second.reference : raw;
    const own = ownRounding(raw, reference, second.bound);
    const propagated = refusedLater(() => propagate(stage.definition.id, values, this.#rows, own));
    if (propagated?.isFirstOrder !== true) return undefined;
    if (stage.compiled.requirements.length > 0) {
      const start = this.starts[point] as number;
      const place = { at, valuesBy: (by: number) => all[by]?.subarray(start, this.starts[point + 1]) };
      if (!holdsAtEdges(stage.operator, this.#symbolsOf(stage, candidate, 'raw'), this.#rows, place)) return undefined;
    }
    return { raw, value, second, reference, own, propagated };
  }

  /** The values of the rows of a point, which become the current ones; until the next call. */
  #valuesOf(point: number, all: Float64Array): Float64Array {
    const start = this.starts[point] as number;
    const count = this.#restore(point);
    if (this.#values.length < count) this.#values = new Float64Array(2 * count);
    for (let row = 0; row < count; row++) this.#values[row] = all[start + row] as number;
    return this.#values;
  }

  #pointValue(found: readonly Evaluated[]): PointValue | undefined {
    const [last, stage] = [found.at(-1), this.#stages.at(-1)];
    if (last === undefined || stage === undefined) return undefined;
    const { raw, second, reference, own, propagated } = last;
    const { definition } = stage;
    const inUnit = (value: number) => fromCoherent(value, definition.output.unit);
    const rounding = inUnit(own + propagated.rounding);
    const contributions: Pick<Contribution, 'kind' | 'value'>[] = [{ kind: 'bound', value: rounding }];
    for (const size of [propagated.constants, propagated.inputs])
      if (size !== 0) contributions.push({ kind: 'standard', value: inUnit(size) });
    for (const { bound } of propagated.models) contributions.push({ kind: 'bound', value: inUnit(bound) });
    if (definition.accuracy !== undefined)
      contributions.push({ kind: 'bound', value: inUnit(accuracyBound(definition, raw)) });
    return {
      value: last.value,
      rounding,
      contributions,
      witness: () => ({ reference: inUnit(reference), scale: Math.abs(inUnit(second.scale)) }),
      isWitnessed: Number.isFinite(second.reference),
      deviation: Math.max(Math.abs(raw - reference), own + propagated.rounding) / Math.abs(raw),
    };
  }
}

function stageOf(
  operator: BoundOperator,
  numbers: SweptRows['numbers'],
  indices: ReadonlyMap<string, number> = new Map(),
  sweptVariables: readonly SweptVariable[],
): Stage {
  const { definition, sources } = operator;
  const compiled = compileOperator(definition);
  const own = [...sources].flatMap(([symbol, source]) => {
    const input = definition.inputs[symbol];
    return input === undefined ? [] : [{ symbol, source, input }];
  });
  const fed = own.flatMap(({ symbol, source, input }) =>
    source.kind === 'fed' ? [{ symbol, input, by: source.by }] : [],
  );
  const swept = own.flatMap(({ symbol, source, input }) => {
    const at =
      source.kind === 'given' ? sweptVariables.findIndex(({ variable }) => variable === source.variable) : NONE;
    return at === NONE ? [] : [{ symbol, input, at }];
  });
  const symbols = new Map([...indices].map(([symbol, at]) => [symbol, numbers[at]?.value ?? Number.NaN]));
  const formula = { expression: compiled.equation.expression, where: compiled.where };
  const varying = [...swept, ...fed].map(({ symbol }) => symbol);
  return {
    ...{ operator, definition, compiled, formula, swept, fed, symbols },
    slots: compiled.program.slots.map((symbol) => {
      const source = sources.get(symbol);
      return { symbol, number: indices.get(symbol) ?? NONE, by: source?.kind === 'fed' ? source.by : NONE };
    }),
    columns: hasColumns(formula) ? new FormulaColumns(formula, symbols, varying) : undefined,
  };
}
