// What a verifying page needs done. The portal's engine works in a worker and asks the node; the verifier's file has all inside.

import type { BundleClaim, MachineBundle } from '../../chain/bundle.ts';
import type { KernelImage } from '../../kernels/abi.ts';
import type { ReplayReport } from '../../protocol/replay.ts';
import type { Claim } from '../../protocol/seal.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import type { Opened } from '../work/open-file.ts';

export interface VerifyEngine {
  /** @throws DomainError BODY_TOO_LARGE, BAD_REQUEST, VALIDATION_FAILED */
  open(file: Blob): Promise<Opened>;
  /** Signature and statement; nothing is computed. @throws DomainError VALIDATION_FAILED for what is no receipt */
  seal(envelope: Untrusted): Promise<readonly Claim[]>;
  /** @throws DomainError KERNEL_UNAVAILABLE, BUDGET_EXCEEDED, … */
  replay(
    envelope: Untrusted,
    onProgress: (fraction: number) => void,
    /** Where the file brought it along. */
    kernel?: KernelImage,
  ): Promise<ReplayReport>;
  /** Everything that a stretch of a chain says, and how long it took to look. */
  bundle(bundle: MachineBundle): Promise<{ readonly claims: readonly BundleClaim[]; readonly elapsedMs: number }>;
  /** What becomes of a file that is dropped here, as a sentence. */
  readonly whereabouts: string;
  /** Asks the node that issued it, where there is one to ask. */
  readonly hmac?: (envelope: Untrusted) => Promise<Claim>;
  /** Takes the bytes of a kernel that came as a file. */
  readonly addKernel?: (bytes: Blob) => Promise<void>;
  /** Why the HMAC is not checked, where it cannot be. */
  readonly hmacReason?: string;
}
