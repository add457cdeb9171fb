// Words that a form says of a solver's fields beyond their schema. Words of forms are not sealed and may be reworded.

import type { z } from 'zod';

/** What the value is, in a few words, and the unit people read it in where the solver's is a symbol of its equations. */
export interface AnswerWords {
  readonly name: string;
  readonly unit?: string;
}

export interface SolverForm<Shape extends z.ZodObject = z.ZodObject> {
  readonly answer: AnswerWords;
  /** A few words for each field, shown beside its name. */
  readonly labels: { readonly [Field in keyof Shape['shape']]: string };
  /** Fields that steer the computation and leave the problem as it is: grids, steps, tolerances, seeds. Forms fold them. */
  readonly numerics: readonly (keyof Shape['shape'])[];
  /** Problems to start from, each with one click. */
  readonly examples?: readonly Example<z.input<Shape>>[];
}

export interface Example<Input = Readonly<Record<string, unknown>>> {
  readonly title: string;
  readonly input: Input;
  /** What to look at in its picture, in one sentence. */
  readonly look?: string;
}
