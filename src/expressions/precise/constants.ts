// Constants in double-double; the tests have their values with 40 digits.

import type { DoubleDouble } from './double-double.ts';

export const PI: DoubleDouble = { high: Math.PI, low: 1.2246467991473532e-16 };
export const HALF_PI: DoubleDouble = { high: 1.5707963267948966, low: 6.123233995736766e-17 };
export const LN2: DoubleDouble = { high: Math.LN2, low: 2.3190468138462996e-17 };
export const LN10: DoubleDouble = { high: Math.LN10, low: -2.1707562233822494e-16 };
/** 1/e. */
export const INVERSE_E: DoubleDouble = { high: 0.36787944117144233, low: -1.2428753672788363e-17 };
/** Euler's constant γ. */
export const EULER: DoubleDouble = { high: 0.5772156649015329, low: -4.942915152430645e-18 };
export const SQRT_2_PI: DoubleDouble = { high: 2.5066282746310007, low: -1.8328579980459167e-16 };
/** ln √(2π). */
export const LN_SQRT_2_PI: DoubleDouble = { high: 0.9189385332046728, low: -3.8782941580672414e-17 };
/** 2/√π. */
export const TWO_OVER_SQRT_PI: DoubleDouble = { high: 1.1283791670955126, low: 1.533545961316588e-17 };
export const SQRT_HALF: DoubleDouble = { high: Math.SQRT1_2, low: -4.833646656726457e-17 };
