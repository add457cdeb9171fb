// Descriptions of the solvers, generated from their definitions when the portal is built.

/** A list is a comma-separated text. */
export type FieldKind = 'number' | 'integer' | 'choice' | 'switch' | 'text' | 'list';

export interface FieldDescription {
  readonly name: string;
  readonly kind: FieldKind;
  /** "1" if dimensionless. */
  readonly unit: string;
  readonly symbol?: string;
  readonly help: string;
  readonly min?: number;
  readonly max?: number;
  /** True if the bounds themselves are not allowed. */
  readonly isExclusive?: boolean;
  readonly choices?: readonly string[];
  /** Rows of a multi-line text. */
  readonly rows?: number;
  /** Chosen by the solver if undefined. */
  readonly defaultValue?: number | string | boolean;
}

export interface SolverDescription {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly domain: string;
  readonly unit: string;
  readonly method: string;
  readonly stability?: string;
  readonly operatorChain: readonly string[];
  readonly references: readonly { readonly cite: string; readonly at: string; readonly doi?: string }[];
  readonly fields: readonly FieldDescription[];
}

declare const __SOLVERS__: readonly SolverDescription[];
declare const __START_SOLVER__: string;

/** Injected by scripts/build-portal.ts. */
export const SOLVERS: readonly SolverDescription[] = typeof __SOLVERS__ === 'undefined' ? [] : __SOLVERS__;

/** Id of the solver on the start page; injected too. */
export const START_SOLVER: string = typeof __START_SOLVER__ === 'undefined' ? '' : __START_SOLVER__;
