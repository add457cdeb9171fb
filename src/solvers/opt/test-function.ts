// A test function: how many variables it has, where a search starts, and what is known of its minimum.

import type { Model } from './model.ts';

export interface TestFunction {
  /** Numbers of variables that it has: one, or a range, perhaps of multiples. */
  readonly n: { readonly min: number; readonly max: number; readonly default: number; readonly multiple?: number };
  start(n: number): readonly number[];
  rows(n: number): Model['rows'];
  /** The smallest value that is known; undefined where none is. */
  minimum?(n: number): number | undefined;
}
