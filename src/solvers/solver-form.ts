// Words that a form says of a solver's fields beyond their schema. Words of forms are not sealed and may be reworded.

import type { z } from 'zod';

export interface SolverForm<Shape extends z.ZodObject = z.ZodObject> {
  /** A few words for each field, shown beside its name. */
  readonly labels: { readonly [Field in keyof Shape['shape']]: string };
  /** Fields that steer the computation and leave the problem as it is: grids, steps, tolerances, seeds. Forms fold them. */
  readonly numerics: readonly (keyof Shape['shape'])[];
  /** Problems to start from, each with one click. */
  readonly examples?: readonly { readonly title: string; readonly input: z.input<Shape> }[];
}
