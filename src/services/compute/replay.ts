// Replays sealed envelopes on the server, with archived kernels, in the worker pool.

import type { KernelRunner } from '../../kernels/abi.ts';
import type { SealedDefinition } from '../../operators/definition.ts';
import { type ReplayReport, replayEnvelope, verifyEnvelope } from '../../protocol/replay.ts';
import type { Claim } from '../../protocol/seal.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import { describeReceipt, type ReceiptWords } from '../../protocol/words/describe.ts';
import { kernelSlugOf, registryKnowledge } from '../../protocol/words/registry-knowledge.ts';
import { type CheckedClaim, isSealed, type ReceiptVerdict, receiptVerdict } from '../../protocol/words/verdict.ts';
import { findSolver } from '../../solvers/index.ts';
import type { KernelArchive } from '../node/kernel-archive.ts';
import type { KeyRing } from '../node/key-ring.ts';

export interface ReplayOptions {
  readonly kernels: KernelArchive;
  readonly keyRing: KeyRing;
  readonly runner: KernelRunner;
  /** Current definition in the registry. */
  readonly definition: (id: string) => SealedDefinition | undefined;
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

  /** @param controls  caller, for fair scheduling in the pool, and cancellation */
  async run(
    envelope: Untrusted,
    controls: { readonly signal: AbortSignal; readonly caller: string },
  ): Promise<ReplayAnswer> {
    const { kernels, keyRing, runner, definition } = this.#options;
    const report = await replayEnvelope(
      envelope,
      {
        kernel: (sha256) => kernels.find(sha256),
        solver: findSolver,
        runner,
        definition,
        trusted: keyRing.jwks().keys,
      },
      { signal: controls.signal, owner: controls.caller },
    );
    return {
      ...report,
      verdict: receiptVerdict(report.claims, { hmac: 'send the receipt to POST /api/svc/verify' }),
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

  /** Checks the seal against the keys of this node, without a replay. @throws DomainError VALIDATION_FAILED */
  verifySeal(envelope: Untrusted): readonly Claim[] {
    return verifyEnvelope(envelope, this.#options.keyRing.jwks().keys);
  }
}
