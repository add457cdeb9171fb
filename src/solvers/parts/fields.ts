// Named parts of a solution: arrays and quantities.

import { ROUNDOFF } from '../../core/decimal-error.ts';
import type { Quantity } from '../definition.ts';
import type { Field } from '../field.ts';

/** An array of any shape, row-major. */
export const field = (name: string, unit: string, shape: readonly number[], data: Float64Array): Field => ({
  name,
  unit,
  shape,
  data,
});

/** A column: one number a sample, a state, or a node. Numbers other than a Float64Array are copied. */
export const series = (name: string, unit: string, values: Float64Array | readonly number[]): Field =>
  field(name, unit, [values.length], values instanceof Float64Array ? values : Float64Array.from(values));

/** A further result besides the value. @param uncertainty  absolute half-width, in `unit` */
export const quantity = (name: string, value: number, unit: string, uncertainty: number): Quantity => ({
  name,
  value,
  unit,
  uncertainty,
});

/** A closed form of the inputs, which has the roundings of a few operations and of the numbers that it takes. */
export const rounded = (name: string, value: number, unit: string, roundings = 16): Quantity =>
  quantity(name, value, unit, roundings * ROUNDOFF * Math.abs(value));

/** A quantity that has no error: an input, a count, or what the plan chose. */
export const exactly = (name: string, value: number, unit: string): Quantity => ({ name, value, unit });
