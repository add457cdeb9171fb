// What a page and its worker say to each other. Everything is plain data.

import type { ErrorCode, ErrorDetail } from '../../core/errors.ts';
import type { PureFields } from '../../protocol/envelope.ts';
import type { Difference, ReplayReport, Untrusted } from '../../protocol/replay.ts';
import type { Claim, PublicJwk } from '../../protocol/seal.ts';
import type { Solution } from '../../solvers/solver.ts';

/** Orders by name: what is asked, and what is answered. */
export interface Work {
  solve: {
    ask: {
      readonly solver: string;
      readonly input: Readonly<Record<string, unknown>>;
      /** Refuse, with BUDGET_EXCEEDED and before anything runs, what is expected to take longer. */
      readonly patienceMs?: number;
    };
    answer: Solved;
  };
  /** Two answers to one question, and the seal of the second. */
  compare: {
    ask: { readonly pure: PureFields; readonly envelope: Untrusted; readonly trusted: readonly PublicJwk[] };
    answer: Comparison;
  };
  read: { ask: { readonly file: Blob }; answer: Untrusted };
  seal: { ask: { readonly envelope: Untrusted; readonly trusted?: readonly PublicJwk[] }; answer: readonly Claim[] };
  replay: {
    ask: { readonly envelope: Untrusted; readonly trusted?: readonly PublicJwk[] };
    answer: ReplayReport;
  };
}

export type WorkName = keyof Work;

export interface Solved {
  readonly solution: Solution;
  readonly pure: PureFields;
  /** SHA-256 over the canonical JSON of all pure fields. */
  readonly sha256: string;
  readonly elapsedMs: number;
}

export interface Comparison {
  readonly here: string;
  readonly there: string;
  readonly isEqual: boolean;
  readonly difference?: Difference;
  readonly claims: readonly Claim[];
}

/** The newest frame that a kernel has recorded while it runs. */
export interface Glimpse {
  readonly parameters: readonly number[];
  readonly frame: Float64Array<ArrayBuffer>;
  readonly fraction: number;
}

export type Order =
  | { readonly [Name in WorkName]: { readonly id: number; readonly kind: Name } & Work[Name]['ask'] }[WorkName]
  | { readonly id: number; readonly kind: 'cancel' };

export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: readonly ErrorDetail[];
  readonly facts: Readonly<Record<string, unknown>>;
}

export type Report =
  | { readonly id: number; readonly kind: 'progress'; readonly fraction: number }
  | { readonly id: number; readonly kind: 'glimpse'; readonly glimpse: Glimpse }
  | { readonly id: number; readonly kind: 'done'; readonly answer: Work[WorkName]['answer'] }
  | { readonly id: number; readonly kind: 'failed'; readonly failure: Failure };
