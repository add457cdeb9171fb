// Composes computation services: solvers, operators, receipts, filed runs and replays.

import type { KernelRunner } from '../../kernels/abi.ts';
import { LocalRunner } from '../../kernels/local-runner.ts';
import { definitionOf } from '../../operators/definition.ts';
import { findOperator } from '../../operators/load.ts';
import type { AccountMacs } from '../../storage/access/account-macs.ts';
import type { AccessServices } from '../access/compose.ts';
import type { NodeServices } from '../node/compose.ts';
import { newUuid, type Platform, unixMs } from '../node/platform.ts';
import { AutoService } from './auto.ts';
import { ComputeService } from './compute.ts';
import { FieldStore, type FieldStoreOptions } from './field-store.ts';
import { type LiveLimits, LiveRuns } from './live-runs.ts';
import { ProofService } from './proofs.ts';
import { ReceiptService } from './receipts.ts';
import { ReplayService } from './replay.ts';
import { ResultService } from './results.ts';
import { RunService } from './runs.ts';
import { SevenSteps } from './seven-steps.ts';
import { SolveService } from './solve.ts';
import type { VerdictPool } from './verdict-pool.ts';

export interface ComputeServices {
  readonly solve: SolveService;
  readonly liveRuns: LiveRuns;
  readonly compute: ComputeService;
  readonly auto: AutoService;
  readonly proofs: ProofService;
  readonly replay: ReplayService;
  readonly runs: RunService;
  readonly results: ResultService;
  readonly receipts: ReceiptService;
}

type ComputeOptions = Platform &
  Pick<NodeServices, 'kernels' | 'keyRing' | 'sealer' | 'freeSpace'> &
  Pick<AccessServices, 'rateLimit'> & { readonly runner: KernelRunner; readonly verdicts: VerdictPool } & {
    readonly fieldLimits: FieldStoreOptions['limits'];
    readonly accountMacs: AccountMacs;
    readonly nodeId: string;
    /** Override those of `LIMITS.live`. */
    readonly liveLimits?: Partial<LiveLimits> | undefined;
  };

export function composeCompute(options: ComputeOptions): { readonly services: ComputeServices } {
  const { storage, clock, kernels, keyRing, sealer, rateLimit, runner, verdicts, freeSpace, fieldLimits } = options;
  const freeBytes = () => freeSpace.refresh();
  const nowMs = () => unixMs(clock);
  const { fields, transaction } = storage;
  const fieldStore = new FieldStore({ fields, transaction, nowMs, freeBytes, limits: fieldLimits });
  const steps = new SevenSteps({
    fieldStore,
    rateLimit,
    freeSpace,
    clock,
    kernels,
    keyRing,
    sealer,
    verdicts,
    runner,
    inlineRunner: new LocalRunner(),
    storage,
    accountMacs: options.accountMacs,
    newId: () => newUuid(options),
  });
  const runs = new RunService(storage.runs, storage.fields, nowMs);
  const results = new ResultService(storage.fields, fieldStore, nowMs);
  const replay = new ReplayService({ kernels, keyRing, verdicts });
  const solve = new SolveService(steps, (id) => definitionOf(findOperator(id)), clock);
  const compute = new ComputeService(steps, rateLimit);
  const { nodeId, randomBytes, liveLimits: limits } = options;
  return {
    services: {
      solve,
      liveRuns: new LiveRuns({ solve, nodeId, randomBytes, limits }),
      compute,
      auto: new AutoService(solve, compute),
      proofs: new ProofService(clock, keyRing.receipts, replay),
      replay,
      runs,
      results,
      receipts: new ReceiptService(results, runs),
    },
  };
}
