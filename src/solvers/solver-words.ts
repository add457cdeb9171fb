// Words by which a sentence names a solver and its inputs, beyond its title, labels and names of fields. They choose and
// fill (src/dispatch); they are not sealed and may be reworded.
//
// A phrase is compared word by word, without case, accents and plurals; a star ends a word of any length: "buckl*".

import type { z } from 'zod';

type Field<Shape extends z.ZodObject> = keyof Shape['shape'] & string;
type ByField<Shape extends z.ZodObject, Value> = { readonly [Name in Field<Shape>]?: Value };

export interface SolverWords<Shape extends z.ZodObject = z.ZodObject> {
  /** Each alone says that the solver is meant. */
  readonly names: readonly string[];
  /** Two of them say it, or one beside an input. */
  readonly topics?: readonly string[];
  /** Words that are at home here, and elsewhere too. */
  readonly hints?: readonly string[];
  /** Further names of an input. */
  readonly inputs?: ByField<Shape, readonly string[]>;
  /** Names of 1 over an input: "infectious period" of a rate of recovery. */
  readonly inverse?: ByField<Shape, readonly string[]>;
  /** Phrases by value of a choice or switch; without them the values themselves are the words. */
  readonly choices?: ByField<Shape, Readonly<Record<string, readonly string[]>>>;
  /** Inputs that take a quantity by its unit alone, the first of its dimension. */
  readonly byUnit?: readonly Field<Shape>[];
  /** Units of inputs where a choice changes them, or quantities that make a choice. */
  readonly units?: readonly {
    /** Values that a choice has. */
    readonly when?: ByField<Shape, readonly string[]>;
    /** A choice that these units make. */
    readonly sets?: ByField<Shape, string>;
    readonly of: ByField<Shape, string>;
  }[];
  /** The input that takes equations of the sentence: `x' = y; y' = -x`. */
  readonly equations?: Field<Shape>;
}
