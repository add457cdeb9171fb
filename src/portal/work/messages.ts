// What a page and its worker say to each other. Everything is plain data.

import type { BundleClaim, MachineBundle } from '../../chain/bundle.ts';
import type { ErrorCode, ErrorDetail } from '../../core/errors.ts';
import type { KernelImage } from '../../kernels/abi.ts';
import type { Operator } from '../../operators/operator.ts';
import type { Quantities } from '../../protocol/chain-request.ts';
import type { Difference } from '../../protocol/difference.ts';
import type { PureFields } from '../../protocol/pure-fields.ts';
import type { ReplayReport } from '../../protocol/replay.ts';
import type { Claim, PublicJwk } from '../../protocol/seal.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import type { Solution } from '../../solvers/solver.ts';
import type { Inclusion, RowsChecked, SignedCheckpoint, Stretch, Tree } from '../machines/audit/check-rows.ts';
import type { Opened } from './open-file.ts';

/** Orders by name: what is asked, and what is answered. */
export interface Work {
  solve: {
    ask: {
      readonly solver: string;
      readonly input: Readonly<Record<string, unknown>>;
      /** The operators that the input names, as the registry describes them. */
      readonly laws?: readonly Operator[];
      /** Refuse, with BUDGET_EXCEEDED and before anything runs, what is expected to take longer. */
      readonly patienceMs?: number;
    };
    answer: Solved;
  };
  /** One operator of a domain, as the registry describes it. */
  compute: {
    ask: { readonly operator: Operator; readonly domain: string; readonly quantities: Quantities };
    answer: Solved;
  };
  /** Two answers to one question, and the seal of the second. */
  compare: {
    ask: { readonly pure: PureFields; readonly envelope: Untrusted; readonly trusted: readonly PublicJwk[] };
    answer: Comparison;
  };
  open: { ask: { readonly file: Blob }; answer: Opened };
  seal: { ask: { readonly envelope: Untrusted; readonly trusted?: readonly PublicJwk[] }; answer: readonly Claim[] };
  replay: {
    ask: { readonly envelope: Untrusted; readonly trusted?: readonly PublicJwk[]; readonly kernel?: KernelImage };
    answer: ReplayReport;
  };
  bundle: {
    ask: { readonly bundle: MachineBundle; readonly trusted?: readonly PublicJwk[] };
    answer: { readonly claims: readonly BundleClaim[]; readonly elapsedMs: number };
  };
  /** Rows of an audit chain, the note over them, the place of one in its tree, two trees, and the root over all rows. */
  rows: { ask: { readonly stretch: Stretch }; answer: RowsChecked };
  note: {
    ask: { readonly note: string; readonly slug: string; readonly trusted: readonly PublicJwk[] };
    answer: SignedCheckpoint | undefined;
  };
  inclusion: { ask: { readonly inclusion: Inclusion }; answer: boolean };
  consistency: {
    ask: { readonly before: Tree; readonly after: Tree; readonly path: readonly string[] };
    answer: boolean;
  };
  root: { ask: { readonly rowHashes: readonly string[] }; answer: string };
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
