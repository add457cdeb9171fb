// Replays sealed envelopes on the server, with archived kernels, in the worker pool.

import type { KernelRunner } from '../../kernels/abi.ts';
import type { SealedDefinition } from '../../operators/definition.ts';
import { type ReplayReport, replayEnvelope } from '../../protocol/replay.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
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

export class ReplayService {
  readonly #options: ReplayOptions;

  constructor(options: ReplayOptions) {
    this.#options = options;
  }

  /** @param controls  caller, for fair scheduling in the pool, and cancellation */
  run(envelope: Untrusted, controls: { readonly signal: AbortSignal; readonly caller: string }): Promise<ReplayReport> {
    const { kernels, keyRing, runner, definition } = this.#options;
    return replayEnvelope(
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
  }
}
