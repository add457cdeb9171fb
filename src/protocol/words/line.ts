// Lines of a receipt in words: plain data that the command line, the API and the pages render.

export type LineKind =
  | 'result'
  | 'uncertainty'
  | 'law'
  | 'solver'
  | 'input'
  | 'step'
  | 'witness'
  | 'note'
  | 'date'
  | 'signer'
  | 'issued_to'
  | 'kernel';

/** One line. All texts are safe to display; HTML must still be escaped. */
export interface ReceiptLine {
  readonly kind: LineKind;
  /** In words: `Input v`. */
  readonly label: string;
  /** What the file says, without additions. Only this can be signed. */
  readonly text: string;
  /** What the reading program adds: names, conversions, rounded numbers, warnings. No signature covers it. */
  readonly added: readonly string[];
}
