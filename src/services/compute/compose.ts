// Composes computation services: solvers, operators, receipts, filed runs and replays.

import { LocalRunner } from '../../kernels/local-runner.ts';
import type { Pool } from '../../kernels/pool.ts';
import { definitionOf } from '../../operators/definition.ts';
import { findOperator } from '../../operators/load.ts';
import { SOLVERS } from '../../solvers/index.ts';
import type { AccountMacs } from '../../storage/access/account-macs.ts';
import type { AccessServices } from '../access/compose.ts';
import type { NodeServices } from '../node/compose.ts';
import { newUuid, type Platform, unixMs } from '../node/platform.ts';
import type { SealedBox } from '../node/sealed-box.ts';
import { AutoService } from './auto.ts';
import { ComputeService } from './compute.ts';
import { FieldStore, type FieldStoreOptions } from './field-store.ts';
import { type LiveLimits, LiveRuns } from './live-runs.ts';
import { LongRuns, type LongRunsOptions } from './long-runs.ts';
import { ProofService } from './proofs.ts';
import { ReceiptService } from './receipts.ts';
import { ReplayService } from './replay.ts';
import { ResultService } from './results.ts';
import { RunService } from './runs.ts';
import { SevenSteps } from './seven-steps.ts';
import { editionOf, SolveService } from './solve.ts';
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
  Pick<NodeServices, 'kernels' | 'keyRing' | 'sealer' | 'freeSpace' | 'owners'> &
  Pick<AccessServices, 'rateLimit'> & { readonly runner: Pool; readonly verdicts: VerdictPool } & {
    readonly fieldLimits: FieldStoreOptions['limits'];
    readonly accountMacs: AccountMacs;
    readonly nodeId: string;
    readonly box: SealedBox;
    /** Override those of `LIMITS.live`. */
    readonly liveLimits?: Partial<LiveLimits> | undefined;
  };

export interface ComputeModule {
  readonly services: ComputeServices;
  /** Runs that nodes share; undefined on an embedded database. */
  readonly longRuns: LongRuns | undefined;
}

export function composeCompute(options: ComputeOptions): ComputeModule {
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
  const longRuns = composeLongRuns(options, (request, controls) => solve.runHere(request, controls));
  const solve = new SolveService(steps, (id) => definitionOf(findOperator(id)), clock, longRuns);
  const compute = new ComputeService(steps, rateLimit);
  const { nodeId, randomBytes, liveLimits: limits } = options;
  return {
    longRuns,
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

function composeLongRuns(options: ComputeOptions, compute: LongRunsOptions['compute']): LongRuns | undefined {
  const { storage, kernels, runner, box, nodeId, log, owners } = options;
  if (storage.database.kind === 'embedded') return undefined;
  const readEditions = async () =>
    Promise.all(SOLVERS.map(async (solver) => editionOf(solver, (await kernels.current(solver.id)).sha256)));
  let known: Promise<readonly string[]> | undefined;
  return new LongRuns({
    runs: storage.longRuns,
    box,
    nodeId,
    newId: () => newUuid(options),
    capacity: () => runner.load().size,
    editions: () => {
      known ??= readEditions();
      return known;
    },
    place: () => owners.owners.placeOfRuns,
    compute,
    onError: (err) => log.warn({ err }, 'a long run could not be computed'),
  });
}
