// Verification engine: the portal's uses a worker and the node, the offline verifier's is self-contained.

import type { BundleClaim, MachineBundle } from '../../chain/bundle.ts';
import type { ReplayReport } from '../../protocol/replay.ts';
import type { Claim } from '../../protocol/seal.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import type { ReceiptWords } from '../../protocol/words/describe.ts';
import type { CheckHints } from '../../protocol/words/verdict.ts';
import type { CitedReceipt } from '../worker/messages.ts';
import type { OpenedFile, OpenedReceipt } from '../worker/opened-file.ts';

export interface VerifyEngine {
  /** @throws DomainError BODY_TOO_LARGE, BAD_REQUEST, VALIDATION_FAILED */
  openFile(file: Blob): Promise<OpenedFile>;
  /** Signature and statement, without a replay. @throws DomainError VALIDATION_FAILED if not a receipt */
  verifySeal(envelope: Untrusted): Promise<readonly Claim[]>;
  /** The receipt in words, with what this engine knows of its laws. */
  describe(envelope: Untrusted, isSigned: boolean): Promise<ReceiptWords>;
  /** @throws DomainError KERNEL_UNAVAILABLE, BUDGET_EXCEEDED, … */
  replay(receipt: OpenedReceipt, onProgress: (fraction: number) => void): Promise<ReplayReport>;
  /**
   * Its citation, with a link to this portal; missing where there is no portal to link to.
   *
   * @throws DomainError VALIDATION_FAILED for what is no sealed receipt
   */
  readonly cite?: (envelope: Untrusted) => Promise<CitedReceipt>;
  /** All claims of a chain bundle, and the elapsed time. */
  verifyBundle(bundle: MachineBundle): Promise<{ readonly claims: readonly BundleClaim[]; readonly elapsedMs: number }>;
  /** Sentences on where a dropped file and its fields are sent. */
  readonly privacyNote: string;
  /** Asks the issuing node; undefined offline. */
  readonly verifyHmac?: (envelope: Untrusted) => Promise<Claim>;
  /**
   * Takes what is no receipt but helps to check one: a kernel or a key set. False for every other file.
   *
   * @throws DomainError BAD_REQUEST for a key set without a key that can be pinned
   */
  readonly addTool?: (file: File) => Promise<boolean>;
  /** Keys that the reader pins; missing where they are known otherwise. */
  readonly pins?: Pins;
  /** Reasons shown for checks that this engine cannot make. */
  readonly hints: CheckHints;
}

/** Keys that the reader trusts, by fingerprint. */
export interface Pins {
  readonly fingerprints: readonly string[];
  /** @throws DomainError BAD_REQUEST for another text than a fingerprint */
  add(fingerprint: string): void;
  remove(fingerprint: string): void;
}
