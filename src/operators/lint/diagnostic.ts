// Diagnostics of the operator checker: a fault with its severity and the way to fix it.

/** An error fails the check, a warning asks for a review, `open` is work that has not been done yet. */
export type Severity = 'error' | 'warning' | 'open';

/** What one check found, without its place in the registry. */
export interface Diagnostic {
  readonly severity: Severity;
  readonly text: string;
  readonly fix: string;
}

/** A diagnostic with its place. */
export interface Finding extends Diagnostic {
  readonly prefix: string;
  /** Absent where the diagnostic is about a whole file. */
  readonly id?: string;
  readonly check: string;
}

export const error = (text: string, fix: string): Diagnostic => ({ severity: 'error', text, fix });
export const warning = (text: string, fix: string): Diagnostic => ({ severity: 'warning', text, fix });
export const open = (text: string, fix: string): Diagnostic => ({ severity: 'open', text, fix });
