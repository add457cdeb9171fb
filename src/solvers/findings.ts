// Named results of a solution that are no single number: a state in a word, rows of numbers. They stand at the top of an
// answer under these names; the seal covers all but the words of `reasons` and `equation`.

/** What the guard of `protect` says. */
export interface GuardFindings {
  readonly guardState: 'OK' | 'DEGRADED' | 'BREACH';
  readonly branch: 'harmonic' | 'hyperbolic';
  /** In words. */
  readonly reasons: readonly string[];
}

export type Findings = Partial<GuardFindings>;
