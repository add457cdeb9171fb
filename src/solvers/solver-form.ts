// Words that a form says of a solver's fields beyond their schema. Words of forms are not sealed and may be reworded.

import type { z } from 'zod';
import type { ArrayWords } from './plot-words.ts';
import type { QuantityWords } from './quantity-words.ts';

/** What the value is, in a few words, and the unit people read it in where the solver's is a symbol of its equations. */
export interface AnswerWords {
  readonly name: string;
  readonly unit?: string;
}

export interface SolverForm<Shape extends z.ZodObject = z.ZodObject> {
  readonly answer: AnswerWords;
  /** What the value is for some inputs, in place of `answer`; the first that holds counts. */
  readonly answers?: readonly (AnswerWords & { readonly when: Condition<z.input<Shape>> })[];
  /** A few words for each quantity of a result, shown in place of its name. */
  readonly quantities?: QuantityWords;
  /** A few words for each field, shown beside its name. */
  readonly labels: { readonly [Field in keyof Shape['shape']]: string };
  /** Words for units that are scales of the problem, such as its initial peak; the first that holds counts. */
  readonly units?: readonly UnitWords<z.input<Shape>>[];
  /** Words for arrays in pictures, by name, where the name does not say it; a row of several is numbered. */
  readonly arrays?: ArrayWords;
  /** Fields that steer the computation and leave the problem as it is: grids, steps, tolerances, seeds. Forms fold them. */
  readonly numerics: readonly (keyof Shape['shape'])[];
  /** When a field counts, where its description does not say it by choices; forms fold the others. */
  readonly usedWhen?: {
    readonly [Field in keyof Shape['shape']]?: Condition<z.input<Shape>> | readonly Condition<z.input<Shape>>[];
  };
  /** Fields without a default that long forms show all the same; they fold the other ones. */
  readonly shown?: readonly (keyof Shape['shape'])[];
  /** Fields that may be drawn with the pointer or the keyboard beside being typed. */
  readonly drawn?: { readonly [Field in keyof Shape['shape']]?: readonly DrawnForm<z.input<Shape>>[] };
  /** Problems to start from, each with one click. */
  readonly examples?: readonly Example<z.input<Shape>>[];
}

/** What a drawing becomes in its field, and where it may be made. */
export interface DrawnForm<Input = Readonly<Record<string, unknown>>> {
  /**
   * Of a curve `numbers` at even places, `pairs` of place and value, or a `curve` as a formula of x; of a plane `spots`
   * as a formula of x and y, or `marks`: rows of . and # from the top.
   */
  readonly as: 'numbers' | 'pairs' | 'curve' | 'spots' | 'marks';
  /** The fields of the lengths, which begin at 0: along x, and of a plane along y. */
  readonly over: readonly (keyof Input & string)[];
  /** Values that a drawing begins with on its axis. */
  readonly range?: readonly [low: number, high: number];
  /** Unit of the lengths. */
  readonly unit?: string;
  readonly when?: Condition<Input>;
}

export interface UnitWords<Input = Readonly<Record<string, unknown>>> {
  /** As it is sealed: `epsilon`. */
  readonly unit: string;
  /** Shown in its place beside numbers and axes: `of the initial peak`. */
  readonly words?: string;
  /** What it is, in a sentence. */
  readonly meaning: string;
  readonly when?: Condition<Input>;
}

/** Some values of a field, or all but some; null is an empty field, and `given` a filled one. */
type Values<Value> = 'given' | readonly (Value | null)[] | { readonly not: readonly (Value | null)[] };

/** Holds if each of these fields has one of its values. */
export type Condition<Input = Readonly<Record<string, unknown>>> = {
  readonly [Field in keyof Input]?: Values<Exclude<Input[Field], undefined>>;
};

export interface Example<Input = Readonly<Record<string, unknown>>> {
  readonly title: string;
  readonly input: Input;
  /** What to look at in its picture, in one sentence. */
  readonly look?: string;
}
