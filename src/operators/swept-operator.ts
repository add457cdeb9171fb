// One operator over many points, without objects for each: the same rows, values and ± as those of a chain of one
// operator (chain.ts, propagation.ts), whose inputs have no given uncertainties.
//
// A point that this cannot decide (a refusal, a probe without a value) is left to the chain of that point, which finds
// the same rows in the outputs.

import type { Contribution } from '../core/uncertainty.ts';
import { rowsRun } from '../expressions/evaluate.ts';
import { verifyValue } from '../expressions/verify.ts';
import type { KernelRun } from '../kernels/abi.ts';
import type { BoundChain } from './bind.ts';
import { accuracyBound } from './chain.ts';
import { numbersOf } from './error-sources.ts';
import { compileOperator, unmetBy } from './evaluate.ts';
import { difference, largerChange, ROUNDOFF, relativeStep, rootOfSquares } from './propagation.ts';
import { faultOf } from './range.ts';
import { fromCoherent, roundingsOf, toCoherent } from './unit-table.ts';

/** A swept input. */
export interface SweptVariable {
  /** Index among the variables of the chain. */
  readonly variable: number;
  /** The caller's unit; undefined for the declared one. */
  readonly unit: string | undefined;
}

/** The value of a point, in the unit of the operator's output. */
export interface PointValue {
  readonly value: number;
  /** Bound of all rounding, the first of the contributions. */
  readonly rounding: number;
  readonly contributions: readonly Pick<Contribution, 'kind' | 'value'>[];
  readonly reference: number;
  readonly scale: number;
  readonly isWitnessed: boolean;
}

/** Whether a chain can be swept here. */
export function isSweepable({ operators, variables }: BoundChain): boolean {
  const [operator] = operators;
  if (operators.length !== 1 || operator === undefined) return false;
  return !compileOperator(operator.definition).hasSum && variables.every(({ sigma }) => sigma === 0);
}

/** Two rows of a number that is moved up and down; -1 where it would leave its range. */
const NO_ROW = -1;

export class SweptOperator {
  readonly #swept: readonly SweptVariable[];
  readonly #definition;
  readonly #compiled;
  readonly #formula;
  readonly #numbers;
  /** Current value and roundings of each number, in coherent units. */
  readonly #values: Float64Array;
  readonly #roundings: Float64Array;
  /** Number of each slot of the program. */
  readonly #slotNumbers: readonly number[];
  readonly #slopes;
  readonly #symbols: Map<string, number>;
  readonly #sweptSymbols: readonly string[];
  /** Rows of each point, flat: the first row, then two for each slope and number. */
  #slots = new Float64Array(1 << 12);
  #rows = 0;
  /** Coherent values and roundings of the swept numbers of each point, in pairs; NaN of a point without rows. */
  readonly #points: Float64Array;
  #count = 0;

  /** @param chain  of any point; @param swept  in the order of the values of `addPoint` */
  constructor(chain: BoundChain, swept: readonly SweptVariable[], maxPoints: number) {
    const [operator] = chain.operators;
    if (operator === undefined || !isSweepable(chain)) throw new Error('This chain is swept point by point.');
    this.#swept = swept;
    this.#points = new Float64Array(2 * swept.length * maxPoints).fill(Number.NaN);
    this.#definition = operator.definition;
    this.#compiled = compileOperator(operator.definition);
    this.#formula = { expression: this.#compiled.equation.expression, where: this.#compiled.where };
    const { numbers, indices, sources } = numbersOf(chain);
    this.#numbers = numbers;
    this.#values = Float64Array.from(numbers, ({ value }) => value);
    this.#roundings = Float64Array.from(numbers, ({ roundings }) => roundings);
    const byName = indices[0] ?? new Map<string, number>();
    this.#slotNumbers = this.#compiled.program.slots.map((symbol) => byName.get(symbol) ?? NO_ROW);
    this.#symbols = new Map([...byName].map(([symbol, at]) => [symbol, numbers[at]?.value ?? Number.NaN]));
    this.#sweptSymbols = swept.map(({ variable }) => [...byName].find(([, number]) => number === variable)?.[0] ?? '');
    this.#slopes = sources.map(({ parts }) => {
      const step = Math.min(
        ...parts.map(({ number, deviation }) => relativeStep(numbers[number], deviation)),
        Number.POSITIVE_INFINITY,
      );
      return { parts, step };
    });
  }

  /** @returns whether the law takes the numbers; otherwise the point has no rows */
  #bind(point: readonly number[]): boolean {
    const { inputs } = this.#definition;
    for (let at = 0; at < this.#swept.length; at++) {
      const { variable, unit } = this.#swept[at] as SweptVariable;
      const symbol = this.#sweptSymbols[at] ?? '';
      const input = inputs[symbol];
      const number = point[at] as number;
      if (input === undefined) return false;
      const value = toCoherent(number, unit ?? input.unit);
      if (faultOf(unit === undefined ? number : fromCoherent(value, input.unit), input) !== undefined) return false;
      this.#set(at, variable, value, roundingsOf(number, value));
    }
    return this.#compiled.requirements.length === 0 || unmetBy(this.#definition, this.#symbols).length === 0;
  }

  #set(at: number, variable: number, value: number, roundings: number): void {
    this.#values[variable] = value;
    this.#roundings[variable] = roundings;
    this.#symbols.set(this.#sweptSymbols[at] ?? '', value);
  }

  /** Keeps what `#bind` found for this point. */
  #keep(point: number): void {
    let at = 2 * this.#swept.length * point;
    for (const { variable } of this.#swept) {
      this.#points[at++] = this.#values[variable] as number;
      this.#points[at++] = this.#roundings[variable] as number;
    }
  }

  /** @returns whether the point has rows */
  #restore(point: number): boolean {
    let from = 2 * this.#swept.length * point;
    if (Number.isNaN(this.#points[from])) return false;
    for (let at = 0; at < this.#swept.length; at++) {
      const { variable } = this.#swept[at] as SweptVariable;
      this.#set(at, variable, this.#points[from++] as number, this.#points[from++] as number);
    }
    return true;
  }

  /** Appends the rows of a point. @returns how many; 0 if the law refuses its numbers */
  addPoint(point: readonly number[]): number {
    const index = this.#count++;
    if (!this.#bind(point)) return 0;
    this.#keep(index);
    const before = this.#rows;
    this.#addRow();
    for (const { parts, step } of this.#slopes) {
      this.#addMoved(parts, step);
      this.#addMoved(parts, -step);
    }
    for (let number = 0; number < this.#numbers.length; number++) {
      if (!this.#isRounded(number)) continue;
      const change = this.#spacing(number);
      for (const sign of SIGNS) {
        if (!this.#isAllowed(number, sign * change)) continue;
        const value = this.#values[number] as number;
        this.#values[number] = value + sign * change;
        this.#addRow();
        this.#values[number] = value;
      }
    }
    return this.#rows - before;
  }

  /** All rows as one run. */
  run(): KernelRun {
    const width = this.#slotNumbers.length;
    return rowsRun(this.#compiled.program, this.#slots.slice(0, this.#rows * width), this.#rows);
  }

  /**
   * @param point  in the order of `addPoint`, from 0
   * @param values  of the run
   * @param row  first row of the point
   * @returns undefined where the chain of the point must decide
   */
  valueAt(point: number, values: Float64Array, row: number): PointValue | undefined {
    if (!this.#restore(point)) return undefined;
    const raw = values[row] as number;
    const { unit } = this.#definition.output;
    const value = fromCoherent(raw, unit);
    if (!Number.isFinite(raw) || !Number.isFinite(value)) return undefined;
    const second = verifyValue(this.#formula, this.#symbols);
    if (!second.hasFiniteParts) return undefined;
    const isWitnessed = Number.isFinite(second.reference);
    const reference = isWitnessed ? second.reference : raw;
    const underflow = raw === 0 && Number.isFinite(second.bound) ? second.bound : 0;
    const own = Math.abs(raw - reference) + 2 * ROUNDOFF * Math.abs(raw) + underflow;
    let at = row + 1;
    const sizes: number[] = [];
    for (const { step } of this.#slopes) {
      const size = Math.abs(difference(raw, values[at] as number, values[at + 1] as number, step));
      if (!Number.isFinite(size)) return undefined;
      sizes.push(size);
      at += 2;
    }
    let propagated = 0;
    for (let number = 0; number < this.#numbers.length; number++) {
      if (!this.#isRounded(number)) continue;
      const change = this.#spacing(number);
      const above = this.#isAllowed(number, change) ? at++ : NO_ROW;
      const below = this.#isAllowed(number, -change) ? at++ : NO_ROW;
      if (above === NO_ROW && below === NO_ROW) continue;
      const largest = largerChange(raw, values[above] ?? Number.NaN, values[below] ?? Number.NaN);
      if (largest === undefined) return undefined;
      propagated += (largest / 2) * (this.#roundings[number] as number);
    }
    const rounding = fromCoherent(own + propagated, unit);
    const constants = fromCoherent(rootOfSquares(sizes), unit);
    const contributions: Pick<Contribution, 'kind' | 'value'>[] = [{ kind: 'bound', value: rounding }];
    if (constants !== 0) contributions.push({ kind: 'standard', value: constants });
    if (this.#definition.accuracy !== undefined)
      contributions.push({ kind: 'bound', value: fromCoherent(accuracyBound(this.#definition, raw), unit) });
    return {
      value,
      rounding,
      contributions,
      reference: fromCoherent(reference, unit),
      scale: Math.abs(fromCoherent(second.scale, unit)),
      isWitnessed,
    };
  }

  #isRounded(number: number): boolean {
    return this.#roundings[number] !== 0 && this.#values[number] !== 0 && this.#numbers[number]?.isWhole === false;
  }

  #spacing(number: number): number {
    return 2 * ROUNDOFF * Math.abs(this.#values[number] as number);
  }

  #isAllowed(number: number, change: number): boolean {
    const { min, max } = this.#numbers[number] as { readonly min: number; readonly max: number };
    const moved = (this.#values[number] as number) + change;
    return moved >= min && moved <= max;
  }

  #addMoved(parts: readonly { readonly number: number; readonly deviation: number }[], step: number): void {
    const before = parts.map(({ number }) => this.#values[number] as number);
    for (const { number, deviation } of parts)
      this.#values[number] = (this.#values[number] as number) + step * deviation;
    this.#addRow();
    for (const [at, { number }] of parts.entries()) this.#values[number] = before[at] as number;
  }

  #addRow(): void {
    const width = this.#slotNumbers.length;
    let at = this.#rows * width;
    if (at + width > this.#slots.length) {
      const larger = new Float64Array(2 * this.#slots.length);
      larger.set(this.#slots);
      this.#slots = larger;
    }
    for (let slot = 0; slot < width; slot++) {
      const number = this.#slotNumbers[slot] as number;
      this.#slots[at++] = number === NO_ROW ? Number.NaN : (this.#values[number] as number);
    }
    this.#rows++;
  }
}

const SIGNS = [1, -1] as const;
