// The functions by name: those of Moré, Garbow and Hillstrom, and the usual ones of global optimization.
//
// Moré, Garbow & Hillstrom, Testing Unconstrained Optimization Software, ACM Trans. Math. Softw. 7 (1981) 17–41. A value
// that the paper computes, as i/5 or exp(t), is computed by the expression, so that its constants are exact or decimals.

import { FEW } from './functions-few.ts';
import { MANY } from './functions-many.ts';
import type { Model } from './model.ts';

export interface TestFunction {
  /** Numbers of variables that it has: one, or a range, perhaps of multiples. */
  readonly n: { readonly min: number; readonly max: number; readonly default: number; readonly multiple?: number };
  start(n: number): readonly number[];
  rows(n: number): Model['rows'];
  /** The smallest value that is known; undefined where none is. */
  minimum?(n: number): number | undefined;
}

export const FUNCTIONS = { ...FEW, ...MANY } as const satisfies Readonly<Record<string, TestFunction>>;

export type FunctionName = keyof typeof FUNCTIONS;

export const FUNCTION_NAMES = Object.keys(FUNCTIONS) as [FunctionName, ...FunctionName[]];
