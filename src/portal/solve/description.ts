// What a page knows of a solver before anything is loaded: read from the solvers' records when the portal is built.

/** A list is a text with commas. */
export type FieldKind = 'number' | 'integer' | 'choice' | 'switch' | 'text' | 'list';

export interface FieldDescription {
  readonly name: string;
  readonly kind: FieldKind;
  /** "1" for pure numbers and for what has no unit. */
  readonly unit: string;
  readonly symbol?: string;
  readonly help: string;
  readonly least?: number;
  readonly most?: number;
  /** The ends themselves are not allowed. */
  readonly isOpen?: boolean;
  readonly choices?: readonly string[];
  /** Lines of a text that has several. */
  readonly rows?: number;
  /** Without one, the solver chooses. */
  readonly standard?: number | string | boolean;
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
  /** Names of the kernel's parameter block, in order. */
  readonly parameters: readonly string[];
  readonly references: readonly { readonly cite: string; readonly at: string; readonly doi?: string }[];
  readonly fields: readonly FieldDescription[];
}

declare const __SOLVERS__: readonly SolverDescription[];

/** Filled in by scripts/build-portal.ts. */
export const SOLVERS: readonly SolverDescription[] = typeof __SOLVERS__ === 'undefined' ? [] : __SOLVERS__;
