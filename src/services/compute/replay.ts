// Replays on the server: kernels from the archive, runs in the pool.

import type { KernelRunner } from '../../kernels/abi.ts';
import type { SealedDefinition } from '../../operators/definition.ts';
import { type ReplayReport, replayEnvelope } from '../../protocol/replay.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import { findSolver } from '../../solvers/index.ts';
import type { KernelArchive } from '../node/kernel-archive.ts';
import type { KeyRing } from '../node/key-ring.ts';

export interface ReplayParts {
  readonly kernels: KernelArchive;
  readonly keyRing: KeyRing;
  readonly runner: KernelRunner;
  /** Of the registry as it is today. */
  readonly definition: (id: string) => SealedDefinition | undefined;
}

export class ReplayService {
  readonly #parts: ReplayParts;

  constructor(parts: ReplayParts) {
    this.#parts = parts;
  }

  /** @param controls  who asks, for a fair share of the pool, and the signal that stops it */
  run(envelope: Untrusted, controls: { readonly signal: AbortSignal; readonly caller: string }): Promise<ReplayReport> {
    const { kernels, keyRing, runner, definition } = this.#parts;
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
