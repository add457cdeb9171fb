// The functions by name: those of Moré, Garbow and Hillstrom, and the usual ones of global optimization.
//
// Moré, Garbow & Hillstrom, Testing Unconstrained Optimization Software, ACM Trans. Math. Softw. 7 (1981) 17–41. A value
// that the paper computes, as i/5 or exp(t), is computed by the expression, so that its constants are exact or decimals.

import { FEW } from './functions-few.ts';
import { MANY } from './functions-many.ts';
import type { TestFunction } from './test-function.ts';

export const FUNCTIONS = { ...FEW, ...MANY } as const satisfies Readonly<Record<string, TestFunction>>;

export type FunctionName = keyof typeof FUNCTIONS;

export const FUNCTION_NAMES = Object.keys(FUNCTIONS) as [FunctionName, ...FunctionName[]];
