// A chain of laws over many points, without objects for each: the same rows, values and ± as those of a chain at one
// point (chain.ts, propagation.ts).
//
// A point that this cannot decide (a refusal, a probe without a value, an uncertainty that needs samples) is left to the
// chain of that point, which finds the same rows in the outputs.

import type { Contribution } from '../core/uncertainty.ts';
import { readRows, rowsRun } from '../expressions/evaluate.ts';
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
  readonly reference: number;
  readonly scale: number;
  readonly isWitnessed: boolean;
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
  /** Of the point, for its value, and for its second value, which is fed second values; the same if nothing is fed. */
  readonly symbols: Map<string, number>;
  readonly references: Map<string, number>;
}

/** What one operator has at a point, in coherent units. */
interface Evaluated {
  readonly raw: number;
  readonly second: Verified;
  readonly reference: number;
  /** Of the operator itself. */
  readonly own: number;
  readonly propagated: Propagated;
  /** Of all rows of the point. */
  readonly values: Float64Array;
}

const NONE = -1;

export class SweptChain {
  readonly #chain: BoundChain;
  readonly #swept: readonly SweptVariable[];
  readonly #stages: readonly Stage[];
  readonly #rows: SweptRows;
  /** Coherent values and roundings of the swept numbers of each point, in pairs; NaN of a point without rows. */
  readonly #points: Float64Array;
  #count = 0;
  #rowCount = 0;

  /** @param chain  of any point; @param swept  in the order of the values of `addPoint` */
  constructor(chain: BoundChain, swept: readonly SweptVariable[], maxPoints: number) {
    if (!isSweepable(chain)) throw new Error('This chain is swept point by point.');
    this.#chain = chain;
    this.#swept = swept;
    this.#points = new Float64Array(2 * swept.length * maxPoints).fill(Number.NaN);
    this.#rows = new SweptRows(chain);
    this.#stages = chain.operators.map((operator, at) => stageOf(operator, this.#rows.indices[at], swept));
    for (const [at, { symbols, references }] of this.#stages.entries()) {
      for (const [symbol, number] of this.#rows.indices[at] ?? [])
        symbols.set(symbol, this.#rows.numbers[number]?.value ?? Number.NaN);
      if (references !== symbols) for (const [symbol, value] of symbols) references.set(symbol, value);
    }
  }

  /** Adds a point. @returns the number of its rows; 0 if a law refuses its numbers */
  addPoint(point: readonly number[]): number {
    const index = this.#count++;
    if (!this.#bind(point)) return 0;
    let at = 2 * this.#swept.length * index;
    for (const { variable } of this.#swept) {
      const { value, roundings } = this.#rows.numbers[variable] as { value: number; roundings: number };
      this.#points[at++] = value;
      this.#points[at++] = roundings;
    }
    const rows = this.#rows.place();
    this.#rowCount += rows;
    return rows;
  }

  /** A run for each operator over all rows; a function where it takes the output of an earlier one. */
  runs(): readonly (KernelRun | ((before: readonly KernelOutput[]) => KernelRun))[] {
    return this.#stages.map((stage) => {
      const makeRun = (before: readonly KernelOutput[]) => this.#run(stage, before);
      return stage.fed.length > 0 ? makeRun : makeRun([]);
    });
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /**
   * @param point  in the order of `addPoint`, from 0
   * @param values  of the run of each operator
   * @param row  first row of the point
   * @returns undefined where the chain of the point must decide
   */
  valueAt(point: number, values: readonly Float64Array[], row: number): PointValue | undefined {
    if (!this.#restore(point)) return undefined;
    const rows = this.#rows.place();
    const found: Evaluated[] = [];
    for (const [at, stage] of this.#stages.entries()) {
      const own = values[at]?.subarray(row, row + rows);
      const one = own && this.#evaluate(at, stage, own, found);
      if (one === undefined) return undefined;
      found.push(one);
    }
    return this.#pointValue(found);
  }

  /** @returns whether the laws take the numbers; otherwise the point has no rows */
  #bind(point: readonly number[]): boolean {
    for (const { swept, symbols, references } of this.#stages) {
      for (const { symbol, input, at } of swept) {
        const { variable, unit } = this.#swept[at] as SweptVariable;
        const number = point[at] as number;
        const value = toCoherent(number, unit ?? input.unit);
        if (faultOf(unit === undefined ? number : fromCoherent(value, input.unit), input) !== undefined) return false;
        this.#rows.set(variable, value, roundingsOf(number, value));
        symbols.set(symbol, value);
        if (references !== symbols) references.set(symbol, value);
      }
    }
    return this.#stages.every(
      ({ definition, compiled, symbols, fed }) =>
        fed.length > 0 || compiled.requirements.length === 0 || unmetBy(definition, symbols).length === 0,
    );
  }

  /** @returns whether the point has rows */
  #restore(point: number): boolean {
    let from = 2 * this.#swept.length * point;
    if (Number.isNaN(this.#points[from])) return false;
    for (const { variable } of this.#swept)
      this.#rows.set(variable, this.#points[from++] as number, this.#points[from++] as number);
    for (const { swept, symbols, references } of this.#stages) {
      for (const { symbol, at } of swept) {
        const value = this.#rows.values[this.#swept[at]?.variable ?? NONE] ?? Number.NaN;
        symbols.set(symbol, value);
        if (references !== symbols) references.set(symbol, value);
      }
    }
    return true;
  }

  #run({ compiled: { program }, slots }: Stage, before: readonly KernelOutput[]): KernelRun {
    const width = slots.length;
    const cells = new Float64Array(this.#rowCount * width);
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
      if (!this.#restore(point)) continue;
      this.#rows.place();
      this.#rows.visit(write);
    }
    return rowsRun(program, cells, this.#rowCount);
  }

  /** What an operator hands on in a row: its value, moved by its accuracy in the rows that do so. */
  #handedOn(output: KernelOutput, by: number): (row: number, signs: Float64Array) => number {
    const { definition, compiled } = this.#stages[by] as Stage;
    const { values } = readRows(output, compiled.program, this.#rowCount);
    const isExact = definition.accuracy === undefined || by === this.#chain.operators.length - 1;
    if (isExact) return (row) => values[row] as number;
    return (row, signs) => {
      const value = values[row] as number;
      return value + (signs[by] as number) * accuracyBound(definition, value);
    };
  }

  #evaluate(
    at: number,
    { operator, definition, formula, symbols, references, fed, compiled }: Stage,
    values: Float64Array,
    before: readonly Evaluated[],
  ): Evaluated | undefined {
    for (const { symbol, input, by } of fed) {
      const { raw = Number.NaN, reference = Number.NaN } = before[by] ?? {};
      if (faultOf(fromCoherent(raw, input.unit), input) !== undefined) return undefined;
      symbols.set(symbol, raw);
      references.set(symbol, reference);
    }
    if (fed.length > 0 && compiled.requirements.length > 0 && unmetBy(definition, symbols).length > 0) return undefined;
    const raw = values[0] as number;
    if (!Number.isFinite(raw) || !Number.isFinite(fromCoherent(raw, definition.output.unit))) return undefined;
    const second = verifyValue(formula, references);
    if (!second.hasFiniteParts) return undefined;
    const reference = Number.isFinite(second.reference) ? second.reference : raw;
    const own = ownRounding(raw, reference, second.bound);
    const propagated = refusedLater(() => propagate(definition.id, values, this.#rows, own));
    if (propagated?.isFirstOrder !== true) return undefined;
    const place = { at, valuesBy: (by: number) => before[by]?.values };
    if (!holdsAtEdges(operator, symbols, this.#rows, place)) return undefined;
    return { raw, second, reference, own, propagated, values };
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
      value: inUnit(raw),
      rounding,
      contributions,
      reference: inUnit(reference),
      scale: Math.abs(inUnit(second.scale)),
      isWitnessed: Number.isFinite(second.reference),
    };
  }
}

function stageOf(
  operator: BoundOperator,
  indices: ReadonlyMap<string, number> | undefined,
  swept: readonly SweptVariable[],
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
  const symbols = new Map<string, number>();
  return {
    operator,
    definition,
    compiled,
    formula: { expression: compiled.equation.expression, where: compiled.where },
    slots: compiled.program.slots.map((symbol) => {
      const source = sources.get(symbol);
      return { symbol, number: indices?.get(symbol) ?? NONE, by: source?.kind === 'fed' ? source.by : NONE };
    }),
    swept: own.flatMap(({ symbol, source, input }) => {
      const at = source.kind === 'given' ? swept.findIndex(({ variable }) => variable === source.variable) : NONE;
      return at === NONE ? [] : [{ symbol, input, at }];
    }),
    fed,
    symbols,
    references: fed.length === 0 ? symbols : new Map(),
  };
}
