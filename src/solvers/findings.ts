// Named results of a solution that are no single number: a state in a word, rows of numbers. They stand at the top of an
// answer under these names; the seal covers all but the words of `reasons` and `lattice_equation`.

/** What the guard of `protect` says. */
export interface GuardFindings {
  readonly guardState: 'OK' | 'DEGRADED' | 'BREACH';
  readonly branch: 'harmonic' | 'hyperbolic';
  /** In words. */
  readonly reasons: readonly string[];
}

/** A step of a clock series (`shift`). */
export interface StepFinding {
  readonly t: number;
  readonly phase: number;
  readonly svcond: number;
  readonly R_t: number;
  /** R_t less that of the step before. */
  readonly delta: number;
  readonly S_R_t: number;
}

/** A node of a chain (`lattice`). */
export interface NodeFinding {
  readonly domain?: string;
  readonly operator_id?: string;
  readonly value?: number;
  readonly unit?: string;
  readonly uncertainty?: number;
  readonly omega: number;
  /** Phase at the start and at the end, in rad. */
  readonly theta0: number;
  readonly theta: number;
  /** 1 + α sin θ at the end. */
  readonly R_t: number;
}

export interface ChainFindings {
  /** Mean order parameter, 0 to 1. */
  readonly coherenceScore: number;
  readonly locked: boolean;
  readonly nodes: readonly NodeFinding[];
  /** In words. */
  readonly lattice_equation: string;
}

export type Findings = Partial<GuardFindings & ChainFindings & { readonly steps: readonly StepFinding[] }>;
