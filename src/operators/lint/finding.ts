// What the checker says: one finding is one fault in one place, with the way to mend it.

/** An error refuses the registry, a warning asks for a look, `open` is work that has not been done yet. */
export type Severity = 'error' | 'warning' | 'open';

/** What a check says about the thing that it was shown; who adds the thing's name makes a finding of it. */
export interface Complaint {
  readonly severity: Severity;
  readonly text: string;
  readonly mend: string;
}

export interface Finding extends Complaint {
  readonly prefix: string;
  /** Absent for what concerns a whole file. */
  readonly id?: string;
  readonly check: string;
}

export const error = (text: string, mend: string): Complaint => ({ severity: 'error', text, mend });
export const warning = (text: string, mend: string): Complaint => ({ severity: 'warning', text, mend });
export const open = (text: string, mend: string): Complaint => ({ severity: 'open', text, mend });
