// What operations may use: services as types. server.ts builds the real ones.

import type { KernelBlock, KernelVersion } from '../protocol/kernel-description.ts';
import type { AccessService } from '../services/access.ts';
import type { IdempotencyService } from '../services/idempotency.ts';
import type { KernelArchive } from '../services/kernel-archive.ts';
import type { KeyRing } from '../services/key-ring.ts';
import type { KeyService } from '../services/keys.ts';
import type { MasterKeySource } from '../services/master-key.ts';
import type { ProofService } from '../services/proofs.ts';
import type { PulseService } from '../services/pulse.ts';
import type { RateLimiter } from '../services/rate-limit.ts';
import type { ReplayService } from '../services/replay.ts';
import type { ResultService } from '../services/results.ts';
import type { RunService } from '../services/runs.ts';
import type { SolveService } from '../services/solve.ts';

export interface Services {
  readonly access: AccessService;
  readonly keys: KeyService;
  readonly rateLimit: RateLimiter;
  readonly idempotency: IdempotencyService;
  readonly pulse: PulseService;
  readonly solve: SolveService;
  readonly proofs: ProofService;
  readonly replay: ReplayService;
  readonly runs: RunService;
  readonly results: ResultService;
  readonly kernels: KernelArchive;
  readonly keyRing: KeyRing;
  /** How the node's secrets are stored. */
  readonly sealing: { readonly cipher: string; readonly key_source: MasterKeySource };
  readonly description: {
    block(baseUrl: string, version: KernelVersion): KernelBlock;
    prompt(version: KernelVersion): string;
    markdown(baseUrl: string): string;
  };
}
