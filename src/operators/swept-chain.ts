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
import { RequirementColumns } from './requirements.ts';
import { type RowWriter, SweptRows } from './swept-rows.ts';
import { converterFromCoherent, converterToCoherent, fromCoherent, roundingsOf } from './unit-table.ts';

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
  readonly swept: readonly SweptSymbol[];
  readonly fed: readonly { readonly symbol: string; readonly input: InputDefinition; readonly by: number }[];
  /** Of all symbols; those that points do not share are set where they are needed. */
  readonly symbols: Map<string, number>;
  /** The second evaluation; undefined where it may take too many steps. */
  readonly columns: FormulaColumns | undefined;
  /** The requirements over given numbers alone; undefined without, and where they may take too many steps. */
  readonly required: RequirementColumns | undefined;
  /** To the unit of the output. */
  readonly inUnit: (value: number) => number;
}

interface SweptSymbol {
  readonly symbol: string;
  readonly input: InputDefinition;
  readonly at: number;
  /** From the caller's unit. */
  readonly toCoherent: (value: number) => number;
  /** To the declared unit; undefined where the caller's is the declared one. */
  readonly toDeclared: ((value: number) => number) | undefined;
  /** Of the requirements. */
  readonly required: readonly Float64Array[];
}

interface PointList {
  readonly count: number;
  /** The swept numbers of a point. */
  at(index: number): readonly number[];
}

/** What one operator has at a point, in coherent units. The objects serve all points: a number in them has its place. */
class Evaluated {
  raw = Number.NaN;
  /** In the unit of the operator. */
  value = Number.NaN;
  /** The second evaluation. */
  second = Number.NaN;
  scale = Number.NaN;
  /** Handed on to the second evaluation of the operators that it feeds. */
  reference = Number.NaN;
  /** Of the operator itself. */
  own = Number.NaN;
  propagated: Propagated | undefined;
}

/** A point that may have a value, and what its operators have so far. */
interface Candidate {
  point: number;
  readonly found: readonly Evaluated[];
}

const NONE = -1;

/** Points that are decided at once. */
const CHUNK_POINTS = COLUMN_LENGTH;

export class SweptChain {
  /** First row of each point, and the end. */
  readonly starts: Int32Array;
  readonly #chain: BoundChain;
  readonly #swept: readonly SweptVariable[];
  readonly #stages: readonly Stage[];
  readonly #rows: SweptRows;
  /** Coherent values and roundings of the swept numbers of each point, in pairs; NaN of a point without rows. */
  readonly #points: Float64Array;
  /** Which rows each point has. */
  readonly #layouts: Int32Array;
  readonly #candidates: readonly Candidate[];
  readonly #pointValue: LastValue;
  /** Of the rows of one point. */
  #values = new Float64Array(64);
  readonly #count: number;

  /** @param chain  of any point; @param swept  in the order of the values of a point */
  constructor(chain: BoundChain, swept: readonly SweptVariable[], points: PointList) {
    if (!isSweepable(chain)) throw new Error('This chain is swept point by point.');
    this.#chain = chain;
    this.#count = points.count;
    this.#swept = swept;
    this.#points = new Float64Array(2 * swept.length * points.count).fill(Number.NaN);
    this.starts = new Int32Array(points.count + 1);
    this.#layouts = new Int32Array(points.count);
    const variables = new Set(swept.map(({ variable }) => variable));
    this.#rows = new SweptRows(chain, variables);
    const { numbers, indices } = this.#rows;
    this.#stages = chain.operators.map((operator, at) => stageOf(operator, numbers, indices[at], swept));
    this.#candidates = Array.from({ length: CHUNK_POINTS }, () => ({
      point: NONE,
      found: chain.operators.map(() => new Evaluated()),
    }));
    this.#pointValue = new LastValue(this.#stages.at(-1) as Stage);
    for (let first = 0; first < points.count; first += CHUNK_POINTS) this.#addPoints(first, points);
  }

  /** Adds points, which have no rows where a law refuses their numbers. */
  #addPoints(first: number, points: PointList): void {
    const end = Math.min(points.count, first + CHUNK_POINTS);
    for (let index = first; index < end; index++)
      if (!this.#bind(index, index - first, points.at(index))) this.#refuse(index);
    for (const { required } of this.#stages) {
      if (required === undefined) continue;
      required.evaluate(end - first);
      for (let index = first; index < end; index++) if (!required.holds(index - first)) this.#refuse(index);
    }
    for (let index = first; index < end; index++) {
      let rows = 0;
      if (this.#hasRows(index)) {
        this.#setNumbers(index);
        rows = this.#rows.place();
        this.#layouts[index] = this.#rows.layout;
      }
      this.starts[index + 1] = (this.starts[index] as number) + rows;
    }
  }

  #refuse(index: number): void {
    this.#points[2 * this.#swept.length * index] = Number.NaN;
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
   * @param values  of the run of each operator
   * @param take    called for each point that has a value, in order; for other points, their chain must decide. The value
   *   is good until the next call
   */
  eachValue(values: readonly Float64Array[], take: (point: number, value: PointValue) => void): void {
    for (let first = 0; first < this.#count; first += CHUNK_POINTS) {
      let candidates: readonly Candidate[] = this.#candidatesFrom(first);
      for (const at of this.#stages.keys()) candidates = this.#evaluated(at, values, candidates);
      for (const { point, found } of candidates) {
        this.#pointValue.set(found[this.#stages.length - 1] as Evaluated);
        take(point, this.#pointValue);
      }
    }
  }

  #candidatesFrom(first: number): readonly Candidate[] {
    let count = 0;
    for (let point = first; point < this.#count && point < first + CHUNK_POINTS; point++)
      if (this.#hasRows(point)) (this.#candidates[count++] as Candidate).point = point;
    return this.#candidates.slice(0, count);
  }

  /**
   * Sets the numbers of a point, and those of its row for the requirements that have columns.
   *
   * @returns whether the laws take them as far as it is known here; otherwise the point has no rows
   */
  #bind(index: number, row: number, point: readonly number[]): boolean {
    for (const { swept, symbols } of this.#stages) {
      for (const { symbol, input, at, toCoherent, toDeclared, required } of swept) {
        const number = point[at] as number;
        const value = toCoherent(number);
        if (faultOf(toDeclared === undefined ? number : toDeclared(value), input) !== undefined) return false;
        const place = 2 * (this.#swept.length * index + at);
        this.#points[place] = value;
        this.#points[place + 1] = roundingsOf(number, value);
        for (const column of required) column[row] = value;
        symbols.set(symbol, value);
      }
    }
    return this.#stages.every(
      ({ definition, compiled, symbols, fed, required }) =>
        fed.length > 0 ||
        compiled.requirements.length === 0 ||
        required !== undefined ||
        unmetBy(definition, symbols).length === 0,
    );
  }

  #hasRows(point: number): boolean {
    return !Number.isNaN(this.#points[2 * this.#swept.length * point]);
  }

  /** Sets the rows of a point that has some. @returns how many there are */
  #restore(point: number): number {
    this.#setNumbers(point);
    return this.#rows.restore(this.#layouts[point] as number);
  }

  #setNumbers(point: number): void {
    let from = 2 * this.#swept.length * point;
    for (const { variable } of this.#swept)
      this.#rows.set(variable, this.#points[from++] as number, this.#points[from++] as number);
  }

  /** The coherent value of a swept number. */
  #sweptAt(point: number, at: number): number {
    return this.#points[2 * (this.#swept.length * point + at)] as number;
  }

  #run({ compiled: { program }, slots, fed: links }: Stage, before: readonly KernelOutput[]): KernelRun {
    const { rowCount } = this;
    const cells = new Float64Array(rowCount * slots.length);
    const { values, signs } = this.#rows;
    const fed = before.map((output, by) => this.#handedOn(output, by));
    const rows =
      links.length === 0 ? new NumberRows(cells, slots, values) : new FedRows(cells, slots, values, signs, fed);
    for (let point = 0; point < this.#count; point++) {
      if (!this.#hasRows(point)) continue;
      this.#restore(point);
      this.#rows.visit(rows);
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

  /** The candidates that have a value here too, with what they have. */
  #evaluated(at: number, values: readonly Float64Array[], candidates: readonly Candidate[]): readonly Candidate[] {
    const [stage, own] = [this.#stages[at] as Stage, values[at] as Float64Array];
    const taken = candidates.filter((one) =>
      this.#isTaken(stage, one, one.found[at] as Evaluated, own[this.starts[one.point] as number]),
    );
    this.#evaluateColumns(stage, taken);
    return taken.filter((one, row) => this.#isEvaluated(at, values, one, row));
  }

  /** Whether the operator takes what it is fed, and has a value, which is set. */
  #isTaken(stage: Stage, candidate: Candidate, own: Evaluated, raw = Number.NaN): boolean {
    const { fed, definition, compiled } = stage;
    for (const { input, by } of fed) {
      const value = candidate.found[by]?.raw ?? Number.NaN;
      if (faultOf(fromCoherent(value, input.unit), input) !== undefined) return false;
    }
    own.raw = raw;
    own.value = stage.inUnit(raw);
    if (!(Number.isFinite(raw) && Number.isFinite(own.value))) return false;
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
  #evaluateColumns({ columns, swept, fed }: Stage, candidates: readonly Candidate[]): void {
    if (columns === undefined) return;
    for (const { symbol, at } of swept) {
      const column = columns.symbol(symbol);
      for (let row = 0; row < candidates.length; row++)
        column[row] = this.#sweptAt((candidates[row] as Candidate).point, at);
    }
    for (const { symbol, by } of fed) {
      const column = columns.symbol(symbol);
      for (const [row, { found }] of candidates.entries()) column[row] = found[by]?.reference ?? Number.NaN;
    }
    columns.evaluate(candidates.length);
  }

  #secondOf(stage: Stage, candidate: Candidate, row: number): Omit<Verified, 'method'> {
    const { columns } = stage;
    return columns === undefined
      ? verifyValue(stage.formula, this.#symbolsOf(stage, candidate, 'reference'))
      : {
          reference: columns.reference(row),
          bound: columns.bound(row),
          scale: columns.scale(row),
          hasFiniteParts: columns.hasFiniteParts(row),
        };
  }

  /** Whether ± of the operator is decided here, too; it is set. @param row  of the second evaluation */
  #isEvaluated(at: number, all: readonly Float64Array[], candidate: Candidate, row: number): boolean {
    const stage = this.#stages[at] as Stage;
    const { reference: second, bound, scale, hasFiniteParts } = this.#secondOf(stage, candidate, row);
    if (!hasFiniteParts) return false;
    const { point } = candidate;
    const own = candidate.found[at] as Evaluated;
    const values = this.#valuesOf(point, all[at] as Float64Array);
    own.second = second;
    own.scale = scale;
    own.reference = Number.isFinite(second) ? second : own.raw;
    own.own = ownRounding(own.raw, own.reference, bound);
    own.propagated = refusedLater(() => propagate(stage.definition.id, values, this.#rows, own.own));
    if (own.propagated?.isFirstOrder !== true) return false;
    if (stage.compiled.requirements.length === 0) return true;
    const start = this.starts[point] as number;
    const place = { at, valuesBy: (by: number) => all[by]?.subarray(start, this.starts[point + 1]) };
    return holdsAtEdges(stage.operator, this.#symbolsOf(stage, candidate, 'raw'), this.#rows, place);
  }

  /** The values of the rows of a point, which become the current ones; until the next call. */
  #valuesOf(point: number, all: Float64Array): Float64Array {
    const start = this.starts[point] as number;
    const count = this.#restore(point);
    if (this.#values.length < count) this.#values = new Float64Array(2 * count);
    for (let row = 0; row < count; row++) this.#values[row] = all[start + row] as number;
    return this.#values;
  }
}

/** Rows of an operator that no other one feeds. */
class NumberRows implements RowWriter {
  readonly #cells: Float64Array;
  readonly #numbers: Int32Array;
  readonly #values: Float64Array;
  #at = 0;

  constructor(cells: Float64Array, slots: readonly Slot[], values: Float64Array) {
    this.#cells = cells;
    this.#numbers = Int32Array.from(slots, ({ number }) => number);
    this.#values = values;
  }

  write(): void {
    const cells = this.#cells;
    const numbers = this.#numbers;
    const values = this.#values;
    let at = this.#at;
    for (let slot = 0; slot < numbers.length; slot++) cells[at++] = values[numbers[slot] as number] ?? Number.NaN;
    this.#at = at;
  }
}

class FedRows implements RowWriter {
  readonly #cells: Float64Array;
  readonly #slots: readonly Slot[];
  readonly #values: Float64Array;
  readonly #signs: Float64Array;
  readonly #fed: readonly ((row: number, signs: Float64Array) => number)[];
  #at = 0;
  #row = 0;

  constructor(
    cells: Float64Array,
    slots: readonly Slot[],
    values: Float64Array,
    signs: Float64Array,
    fed: readonly ((row: number, signs: Float64Array) => number)[],
  ) {
    this.#cells = cells;
    this.#slots = slots;
    this.#values = values;
    this.#signs = signs;
    this.#fed = fed;
  }

  write(): void {
    for (const { number, by } of this.#slots)
      this.#cells[this.#at++] =
        by !== NONE ? (this.#fed[by]?.(this.#row, this.#signs) ?? Number.NaN) : (this.#values[number] ?? Number.NaN);
    this.#row++;
  }
}

/** What the last operator says of one point after another. */
class LastValue implements PointValue {
  value = Number.NaN;
  rounding = Number.NaN;
  readonly contributions: { kind: Contribution['kind']; value: number }[] = [];
  isWitnessed = false;
  deviation = Number.NaN;
  readonly #stage: Stage;
  #found = new Evaluated();
  #count = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  set(found: Evaluated): void {
    const { raw, value, second, reference, own, propagated } = found;
    if (propagated === undefined) throw new Error('The last operator was not evaluated.');
    const { definition, inUnit } = this.#stage;
    this.#found = found;
    this.value = value;
    this.rounding = inUnit(own + propagated.rounding);
    this.#count = 0;
    this.#add('bound', this.rounding);
    if (propagated.constants !== 0) this.#add('standard', inUnit(propagated.constants));
    if (propagated.inputs !== 0) this.#add('standard', inUnit(propagated.inputs));
    for (const { bound } of propagated.models) this.#add('bound', inUnit(bound));
    if (definition.accuracy !== undefined) this.#add('bound', inUnit(accuracyBound(definition, raw)));
    this.contributions.length = this.#count;
    this.isWitnessed = Number.isFinite(second);
    this.deviation = Math.max(Math.abs(raw - reference), own + propagated.rounding) / Math.abs(raw);
  }

  witness(): { readonly reference: number; readonly scale: number } {
    const { inUnit } = this.#stage;
    const { reference, scale } = this.#found;
    return { reference: inUnit(reference), scale: Math.abs(inUnit(scale)) };
  }

  #add(kind: Contribution['kind'], value: number): void {
    const part = this.contributions[this.#count];
    if (part === undefined) this.contributions.push({ kind, value });
    else {
      part.kind = kind;
      part.value = value;
    }
    this.#count++;
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
  const symbols = new Map([...indices].map(([symbol, at]) => [symbol, numbers[at]?.value ?? Number.NaN]));
  const formula = { expression: compiled.equation.expression, where: compiled.where };
  const placeOf = (source: (typeof own)[number]['source']): number =>
    source.kind === 'given' ? sweptVariables.findIndex(({ variable }) => variable === source.variable) : NONE;
  const moved = own.flatMap(({ symbol, source }) => (placeOf(source) === NONE ? [] : [symbol]));
  const checked = { requirements: compiled.requirements, where: compiled.where, values: symbols };
  const isChecked = fed.length === 0 && compiled.requirements.length > 0 && RequirementColumns.canHold(checked);
  const required = isChecked ? new RequirementColumns(checked, moved) : undefined;
  const swept = own.flatMap(({ symbol, source, input }): SweptSymbol[] => {
    const at = placeOf(source);
    if (at === NONE) return [];
    const columns = required?.columnsOf(symbol) ?? [];
    const unit = sweptVariables[at]?.unit;
    const toDeclared = unit === undefined ? undefined : converterFromCoherent(input.unit);
    return [{ symbol, input, at, toCoherent: converterToCoherent(unit ?? input.unit), toDeclared, required: columns }];
  });
  const varying = [...moved, ...fed.map(({ symbol }) => symbol)];
  return {
    ...{ operator, definition, compiled, formula, swept, fed, symbols, required },
    slots: compiled.program.slots.map((symbol) => {
      const source = sources.get(symbol);
      return { symbol, number: indices.get(symbol) ?? NONE, by: source?.kind === 'fed' ? source.by : NONE };
    }),
    columns: hasColumns(formula) ? new FormulaColumns(formula, symbols, varying) : undefined,
    inUnit: converterFromCoherent(definition.output.unit),
  };
}
