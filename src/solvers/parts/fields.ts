// Named parts of a solution: arrays and quantities.

import type { Solution } from '../definition.ts';
import type { Field } from '../field.ts';

/** An array of any shape, row-major. */
export const field = (name: string, unit: string, shape: readonly number[], data: Float64Array): Field => ({
  name,
  unit,
  shape,
  data,
});

/** A column: one row a sample, a state, or a node. */
export const series = (name: string, unit: string, data: Float64Array): Field => field(name, unit, [data.length], data);

/** A further result besides the value. */
export const quantity = (name: string, value: number, unit: string): Solution['quantities'][number] => ({
  name,
  value,
  unit,
});
