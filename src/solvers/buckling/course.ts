// A quantity along a column: a number, a table, or an expression in x, with the places where it jumps.

import { parseExpression } from '../../expressions/parse.ts';
import { symbolsOf } from '../../expressions/tree.ts';
import { validationError } from '../parts/errors.ts';
import { fieldFunction } from '../parts/field-expression.ts';
import { entriesOf, malformed, numberOf } from './entries.ts';
import { integral } from './gauss.ts';

export interface Course {
  /** Not asked for at a jump. */
  at(x: number): number;
  /** From x to the top. */
  above(x: number): number;
  /** Jumps and kinks inside the column, rising. */
  readonly breaks: readonly number[];
  readonly isConstant: boolean;
  /** Linear between its breaks. */
  readonly isLinear: boolean;
  readonly min: number;
  readonly max: number;
}

/** Rows of a table. */
const MAX_ROWS = 200;
/** Samples of an expression: features wider than this part of the column are seen. */
export const SAMPLES = 20_000;
/** A change between two samples, as a part of the largest value, that may be a jump. */
const STEEP = 1e-3;
const MAX_JUMPS = 64;
const MAX_VALUE = 1e30;

interface Given {
  readonly path: string;
  readonly length: number;
  /** Whether it may be zero. */
  readonly mayVanish: boolean;
}

/** @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID */
export function courseOf(text: string, given: Given): Course {
  const value = numberOf(text.trim());
  if (!Number.isNaN(value)) return constantCourse(value, given);
  // Expressions have no semicolons and lines.
  return /[;\n]/.test(text.trim()) ? tableCourse(text, given) : expressionCourse(text, given);
}

export function constantCourse(value: number, given: Given): Course {
  assertValue(value, 0, given);
  const { length } = given;
  const above = (x: number) => value * (length - x);
  return { at: () => value, above, breaks: [], isConstant: true, isLinear: true, min: value, max: value };
}

function assertValue(value: number, x: number, { path, mayVanish }: Given): void {
  if (value <= MAX_VALUE && (value > 0 || (mayVanish && value === 0))) return;
  const expected = `${mayVanish ? 'zero or more' : 'more than zero'}, and at most ${MAX_VALUE}`;
  throw validationError(path, `${path} is ${value} at x = ${x} m; expected ${expected}.`, 'OUT_OF_RANGE');
}

function tableCourse(text: string, given: Given): Course {
  const { path, length } = given;
  const rows = entriesOf(text, path, MAX_ROWS).map((words) => {
    const [x, value] = [numberOf(words[0]), numberOf(words[1])];
    if (words.length !== 2 || Number.isNaN(x + value))
      throw malformed(path, words, 'a number, an expression in x, or rows of "x value"');
    assertValue(value, x, given);
    return { x, value };
  });
  const first = rows[0]?.x;
  const last = rows.at(-1)?.x;
  if (rows.length < 2 || first !== 0 || last !== length) {
    const message = `${path}: the table goes from ${first} to ${last} m; expected 0 to ${length}, the length.`;
    throw validationError(path, message, 'NOT_COVERED', { length });
  }
  for (const [i, { x }] of rows.entries()) {
    const before = rows[i - 1]?.x ?? 0;
    if (x < before) throw validationError(path, `${path}: x is ${x} after ${before}; expected rising x.`, 'NOT_RISING');
    if (x === before && x === rows[i - 2]?.x)
      throw validationError(path, `${path} has three rows at x = ${x}; two of them make a jump.`, 'REPEATED');
  }
  if (rows[1]?.x === 0 || rows.at(-2)?.x === length)
    throw validationError(path, `${path}: a jump at an end of the column means nothing.`, 'REPEATED');
  const pieces = rows.slice(1).flatMap((right, i) => {
    const left = rows[i] ?? right;
    return right.x > left.x ? [{ from: left.x, to: right.x, left: left.value, right: right.value }] : [];
  });
  const sums = new Float64Array(pieces.length + 1);
  for (let i = pieces.length - 1; i >= 0; i--) {
    const { from, to, left, right } = pieces[i] ?? { from: 0, to: 0, left: 0, right: 0 };
    sums[i] = (sums[i + 1] ?? 0) + 0.5 * (left + right) * (to - from);
  }
  const pieceAt = (x: number) => {
    let [low, high] = [0, pieces.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (x < (pieces[middle]?.to ?? 0)) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const valueIn = (i: number, x: number) => {
    const { from, to, left, right } = pieces[i] ?? { from: 0, to: 1, left: 0, right: 0 };
    return left + ((right - left) * (x - from)) / (to - from);
  };
  const values = rows.map(({ value }) => value);
  return {
    at: (x) => valueIn(pieceAt(x), x),
    above: (x) => {
      const i = pieceAt(x);
      const { to, right } = pieces[i] ?? { to: x, right: 0 };
      return (sums[i + 1] ?? 0) + 0.5 * (valueIn(i, x) + right) * (to - x);
    },
    breaks: pieces.slice(1).map(({ from }) => from),
    isConstant: values.every((value) => value === values[0]),
    isLinear: true,
    min: Math.min(...values),
    max: Math.max(...values),
  };
}

function expressionCourse(text: string, given: Given): Course {
  const { path, length } = given;
  for (const name of symbolsOf(parseExpression(text)))
    if (name !== 'x')
      throw validationError(path, `${path}: the symbol ${name} in ${JSON.stringify(text)}; allowed is x.`);
  const f = fieldFunction(text, path);
  const at = (x: number) => f(x, 0);
  const samples = new Float64Array(SAMPLES + 1);
  let [min, max] = [Number.POSITIVE_INFINITY, 0];
  for (let i = 0; i <= SAMPLES; i++) {
    const x = (length * i) / SAMPLES;
    const value = at(x);
    assertValue(value, x, given);
    samples[i] = value;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  const breaks = jumpsOf(at, samples, max, given);
  const edges = Float64Array.from(
    [...breaks, ...Array.from({ length: SAMPLES + 1 }, (_, i) => (length * i) / SAMPLES)].sort((a, b) => a - b),
  );
  const part = (from: number, to: number) => integral(at, from, to);
  let sums: Float64Array | undefined;
  const cumulated = () => {
    const all = new Float64Array(edges.length);
    for (let i = edges.length - 2; i >= 0; i--) all[i] = (all[i + 1] ?? 0) + part(edges[i] ?? 0, edges[i + 1] ?? 0);
    return all;
  };
  const above = (x: number) => {
    sums ??= cumulated();
    let [low, high] = [0, edges.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((edges[middle] ?? 0) <= x) low = middle;
      else high = middle;
    }
    return (sums[high] ?? 0) + part(x, edges[high] ?? 0);
  };
  return { at, above, breaks, isConstant: min === max, isLinear: min === max, min, max };
}

/** Places between two samples where the function jumps, by bisection towards the larger change. */
function jumpsOf(at: (x: number) => number, samples: Float64Array, max: number, given: Given): readonly number[] {
  const { path, length } = given;
  const found: number[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    let [a, b] = [(length * i) / SAMPLES, (length * (i + 1)) / SAMPLES];
    let [fa, fb] = [samples[i] ?? 0, samples[i + 1] ?? 0];
    const change = Math.abs(fb - fa);
    if (change <= STEEP * max) continue;
    for (let step = 0; step < 60; step++) {
      const middle = a + 0.5 * (b - a);
      if (middle <= a || middle >= b) break;
      const value = at(middle);
      assertValue(value, middle, given);
      if (Math.abs(value - fa) > Math.abs(fb - value)) [b, fb] = [middle, value];
      else [a, fa] = [middle, value];
      if (Math.abs(fb - fa) < 0.3 * change) break;
    }
    if (Math.abs(fb - fa) < 0.3 * change || b >= length) continue;
    found.push(b);
    if (found.length > MAX_JUMPS)
      throw validationError(path, `${path} jumps at more than ${MAX_JUMPS} places.`, 'UNRESOLVED', { max: MAX_JUMPS });
  }
  return found;
}
