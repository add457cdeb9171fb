// Messages between a page and its worker: plain data only.

import type { BundleClaim, MachineBundle } from '../../chain/bundle.ts';
import type { ErrorCode, ErrorDetail } from '../../core/errors.ts';
import type { KernelImage } from '../../kernels/abi.ts';
import type { Operator } from '../../operators/operator.ts';
import type { NumericArray } from '../../protocol/array-digest.ts';
import type { Quantities } from '../../protocol/chain-request.ts';
import type { Citation, CitationContext } from '../../protocol/citation/citation.ts';
import type { Difference } from '../../protocol/difference.ts';
import type { PureFields } from '../../protocol/pure-fields.ts';
import type { ReplayReport } from '../../protocol/replay.ts';
import type { Claim } from '../../protocol/seal.ts';
import type { PublicJwk } from '../../protocol/signing.ts';
import type { PointsRequest } from '../../protocol/sweep/law-request.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import type { ReceiptWords } from '../../protocol/words/describe.ts';
import type { Solution } from '../../solvers/definition.ts';
import type { Drawing } from '../../solvers/plot.ts';
import type {
  InclusionProof,
  RowCheckResult,
  RowRange,
  SignedCheckpoint,
  TreeHead,
} from '../machines/audit/chain-checks.ts';
import type { OpenedFile } from './opened-file.ts';

/** Tasks by name, each with its request and its result. */
export interface Tasks {
  /** Loads the code of a solver ahead of its first run. */
  prepare: { request: { readonly solver: string }; result: undefined };
  solve: {
    request: {
      readonly solver: string;
      readonly input: Readonly<Record<string, unknown>>;
      /** The operators that the input names, as the registry describes them. */
      readonly laws?: readonly Operator[];
      /** Fail with BUDGET_EXCEEDED, before running, if the estimate is longer. */
      readonly maxEstimateMs?: number;
    };
    result: RunResult;
  };
  /** One operator of a domain, as the registry describes it. */
  compute: {
    request: {
      readonly operator: Operator;
      readonly domain: string;
      readonly quantities: Quantities;
      readonly points?: PointsRequest;
    };
    result: RunResult;
  };
  /** Compares the local result with the server's envelope and verifies the envelope's seal. */
  compare: {
    request: { readonly pure: PureFields; readonly envelope: Untrusted; readonly trusted: readonly PublicJwk[] };
    result: Comparison;
  };
  openFile: { request: { readonly file: Blob }; result: OpenedFile };
  verifySeal: {
    request: { readonly envelope: Untrusted; readonly trusted?: readonly PublicJwk[] };
    result: readonly Claim[];
  };
  describe: {
    request: {
      readonly envelope: Untrusted;
      readonly isSigned: boolean;
      /** The node's own records of laws that the receipt names. */
      readonly laws: readonly Operator[];
      readonly trusted?: readonly PublicJwk[];
    };
    result: ReceiptWords;
  };
  /** Whether the seal holds is not checked here. */
  cite: {
    request: Pick<CitationContext, 'address' | 'publisher'> & {
      readonly envelope: Untrusted;
      /** The node's own records of laws that the receipt names. */
      readonly laws: readonly Operator[];
    };
    result: CitedReceipt;
  };
  replay: {
    request: {
      readonly envelope: Untrusted;
      readonly isSealed: boolean;
      readonly trusted?: readonly PublicJwk[];
      readonly kernel?: KernelImage;
    };
    result: ReplayReport;
  };
  verifyBundle: {
    request: { readonly bundle: MachineBundle; readonly trusted?: readonly PublicJwk[] };
    result: { readonly claims: readonly BundleClaim[]; readonly elapsedMs: number };
  };
  checkRows: { request: { readonly range: RowRange }; result: RowCheckResult };
  openCheckpoint: {
    request: { readonly note: string; readonly slug: string; readonly trusted: readonly PublicJwk[] };
    result: SignedCheckpoint | undefined;
  };
  verifyInclusion: { request: { readonly inclusion: InclusionProof }; result: boolean };
  verifyConsistency: {
    request: { readonly before: TreeHead; readonly after: TreeHead; readonly path: readonly string[] };
    result: boolean;
  };
  rootHash: { request: { readonly rowHashes: readonly string[] }; result: string };
}

export type TaskName = keyof Tasks;

export interface RunResult {
  readonly solution: Solution;
  readonly pure: PureFields;
  /** SHA-256 over the canonical JSON of all pure fields. */
  readonly sha256: string;
  readonly elapsedMs: number;
  /** Slug of the kernel. */
  readonly kernel: string;
  /** Input arrays of the runs that `pure` holds only by hash. */
  readonly runArrays: readonly NumericArray[];
  /** Units of the inputs. */
  readonly inputUnits: Readonly<Record<string, string>>;
}

/** A citation, and the same in the formats of bibliographies. */
export interface CitedReceipt extends Citation {
  readonly bibtex: string;
  readonly csl: string;
}

export interface Comparison {
  readonly localSha256: string;
  readonly serverSha256: string;
  readonly isEqual: boolean;
  readonly difference?: Difference;
  readonly claims: readonly Claim[];
}

/** A plot of the latest frame recorded by a running kernel. */
export interface LiveFrame extends Drawing {
  readonly fraction: number;
}

export type WorkerRequest =
  | { readonly [Name in TaskName]: { readonly id: number; readonly kind: Name } & Tasks[Name]['request'] }[TaskName]
  | { readonly id: number; readonly kind: 'cancel' };

export interface TaskFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: readonly ErrorDetail[];
  readonly facts: Readonly<Record<string, unknown>>;
}

export type WorkerEvent =
  | { readonly id: number; readonly kind: 'progress'; readonly fraction: number }
  | { readonly id: number; readonly kind: 'frame'; readonly frame: LiveFrame }
  | { readonly id: number; readonly kind: 'done'; readonly result: Tasks[TaskName]['result'] }
  | {
      readonly id: number;
      readonly kind: 'failed';
      readonly failure: TaskFailure;
      /** The worker can serve no further tasks like this one. */
      readonly isWorkerBroken?: boolean;
    };
