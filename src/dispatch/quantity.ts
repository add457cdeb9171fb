// A quantity of a sentence: a number, its unit, and where it stands.

export interface Quantity {
  /** Index of the first token, and that behind the last. */
  readonly from: number;
  readonly to: number;
  /** In `unit`, which differs from the words for months, multiples and percent. */
  readonly value: number;
  /** Missing for a pure number. */
  readonly unit?: string;
  readonly words: string;
  readonly isSpelled: boolean;
  /** Of an adverb that says how often interest is added: only such a field takes it. */
  readonly isCompounding?: boolean;
}

/** Whether an answer that leaves it out has left something out: "one of them" is no number, "six months" is one. */
export const isStated = ({ isSpelled, unit }: Quantity): boolean => !isSpelled || unit !== undefined;
