// The equilibria that were found, each once, with the eigenvalues of the linearised equations; and whether the way ends
// in one of them.

import { at, maxMagnitude } from '../parts/arrays.ts';
import { type Eigenvalues, eigenvalues } from '../parts/eigenvalues.ts';
import type { Growth } from './growth.ts';

export interface Equilibrium extends Eigenvalues {
  readonly states: readonly number[];
  /** Real part of the first eigenvalue: at which rate most neighbours leave, or the last ones come. */
  readonly growth: number;
  readonly isStable: boolean;
}

export interface Equilibria {
  readonly all: readonly Equilibrium[];
  /** Where the way ends, or where it never left; undefined if it goes on. */
  readonly end?: Equilibrium | undefined;
  /** Whether the start itself is an equilibrium. */
  readonly isStart: boolean;
  /** Whether the way stands still while it is averaged, be it at one equilibrium of many. */
  readonly stands: boolean;
}

/** Two that are closer than this part of their size, or than the second of the extent of the way, are one. */
const SAME = 1e-7;
const SAME_PLACE = 1e-9;
/** A start so close to an equilibrium, as a part of its size, is meant to be it. */
const AT_START = 1e-9;
/** Part of the extent of the way that is left at its end in an equilibrium. */
const AT_REST = 1e-8;
/** How near an end must otherwise be, and how much slower than before. */
const NEAR = 0.05;
/** Part of its extent that a way may still move if it stands. */
const STANDING = 1e-6;
const SLOWER = 0.9;

/** @param found  f64[count, 2 + n + n²], as the kernel writes them: from the end, from the start, and others */
export function equilibriaOf(
  found: Float64Array,
  start: readonly number[],
  end: Float64Array,
  path: Float64Array,
  { speeds, times }: Growth,
): Equilibria {
  const n = start.length;
  const width = 2 + n + n * n;
  const all: Equilibrium[] = [];
  const near = SAME_PLACE * extentOf(path, Array.from(end));
  const rowOf = (row: number): Equilibrium | undefined => {
    if (at(found, row * width) !== 1) return undefined;
    const states = Array.from(found.subarray(row * width + 2, row * width + 2 + n));
    const known = all.find(
      (one) => distance(one.states, states) <= Math.max(near, SAME * maxMagnitude([...one.states, ...states])),
    );
    if (known !== undefined) return known;
    const matrix = found.subarray(row * width + 2 + n, (row + 1) * width);
    const values = eigenvalues(Array.from({ length: n }, (_, i) => Array.from(matrix.subarray(i * n, (i + 1) * n))));
    const growth = values.values[0]?.re ?? Number.NaN;
    const one = { ...values, states, growth, isStable: growth + values.error < 0 };
    all.push(one);
    return one;
  };
  const [atEnd, atStart] = [rowOf(0), rowOf(1)];
  for (let row = 2; row < found.length / width; row++) rowOf(row);
  const isStart = atStart !== undefined && distance(atStart.states, start) <= AT_START * maxMagnitude(start);
  const isEnd = atEnd?.isStable === true && isAtRest(atEnd, end, path, speeds);
  all.sort((a, b) => a.growth - b.growth || order(a.states, b.states));
  const stands = maxMagnitude(speeds) * (times.at(-1) ?? 0) <= STANDING * extentOf(path, Array.from(end));
  return { all, stands, end: isStart ? atStart : isEnd ? atEnd : undefined, isStart };
}

const order = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((decided, one, i) => decided || one - (b[i] ?? 0), 0);

const distance = (a: readonly number[], b: ArrayLike<number>) =>
  a.reduce((largest, one, i) => Math.max(largest, Math.abs(one - at(b, i))), 0);

/** Whether the way has arrived, or is close and still comes closer. */
function isAtRest({ states }: Equilibrium, end: Float64Array, path: Float64Array, speeds: Float64Array): boolean {
  const rows = speeds.length;
  const [far, apart] = [extentOf(path, states), distance(states, end)];
  if (apart <= AT_REST * far) return true;
  const largest = (from: number, to: number) => maxMagnitude(speeds.subarray(from, to));
  const [before, last] = [largest(rows / 2, rows / 2 + rows / 8), largest(rows - rows / 8, rows)];
  return apart <= NEAR * far && last < SLOWER * before;
}

/** The largest distance of the path from a place. */
function extentOf(path: Float64Array, states: readonly number[]): number {
  let largest = 0;
  for (let i = 0; i < path.length; i++)
    largest = Math.max(largest, Math.abs(at(path, i) - (states[i % states.length] ?? 0)));
  return largest;
}
