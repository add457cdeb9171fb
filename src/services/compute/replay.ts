// Verifies and replays receipts on the server, with archived kernels, in worker threads.

import type { ReplayReport } from '../../protocol/replay.ts';
import type { Claim } from '../../protocol/seal.ts';
import { keyidOf } from '../../protocol/signing.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import { describeReceipt, type ReceiptWords } from '../../protocol/words/describe.ts';
import { kernelSlugOf, registryKnowledge } from '../../protocol/words/registry-knowledge.ts';
import { type CheckedClaim, isSealed, type ReceiptVerdict, receiptVerdict } from '../../protocol/words/verdict.ts';
import type { KernelArchive } from '../node/kernel-archive.ts';
import type { KeyRing } from '../node/key-ring.ts';
import type { VerdictControls, VerdictPool } from './verdict-pool.ts';

export interface ReplayOptions {
  readonly kernels: KernelArchive;
  readonly keyRing: KeyRing;
  readonly verdicts: VerdictPool;
}

export interface ReplayAnswer extends ReplayReport {
  readonly verdict: ReceiptVerdict;
  /** The receipt in words. */
  readonly receipt: ReceiptWords;
}

export class ReplayService {
  readonly #options: ReplayOptions;

  constructor(options: ReplayOptions) {
    this.#options = options;
  }

  async run(envelope: Untrusted, controls: VerdictControls): Promise<ReplayAnswer> {
    const { kernels, keyRing, verdicts } = this.#options;
    const tools = { kernel: (sha256: string) => kernels.find(sha256), trusted: keyRing.jwks().keys };
    const report = await verdicts.replayInWorker(envelope, tools, controls);
    return {
      ...report,
      verdict: receiptVerdict(report.claims, { hmac: 'send the receipt to POST /api/svc/verify' }, keyidOf(envelope)),
      receipt: await this.describe(envelope, report.claims),
    };
  }

  /** A receipt in words, with the registry, kernels and keys of this node. */
  async describe(envelope: Untrusted, claims: readonly CheckedClaim[]): Promise<ReceiptWords> {
    const { kernels, keyRing } = this.#options;
    const slug = kernelSlugOf(envelope);
    const kernel = slug === undefined ? undefined : await kernels.current(slug);
    const keyOwner = ({ kid, x }: Untrusted) =>
      keyRing.jwks().keys.some((key) => key.kid === kid && key.x === x) ? 'a key of this node' : undefined;
    return describeReceipt(envelope, registryKnowledge(kernel?.sha256, keyOwner), isSealed(claims));
  }

  /**
   * Checks the seal against the keys of this node, and the laws against its registry, without a replay.
   *
   * @throws DomainError VALIDATION_FAILED
   */
  verifyWithoutKernel(envelope: Untrusted, controls: VerdictControls): Promise<readonly Claim[]> {
    const { keyRing, verdicts } = this.#options;
    return verdicts.verifyInWorker(envelope, { trusted: keyRing.jwks().keys }, controls);
  }
}
