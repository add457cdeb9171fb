// Composes the contract engine, and the scheduler that wakes it when timers are due.

import type { ComputeCall, Environment } from '../../contracts/contract-state.ts';
import type { Evaluate } from '../../contracts/typed-expressions.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from '../../expressions/evaluate.ts';
import { compileKernel, instantiate } from '../../kernels/instance.ts';
import { loadKernel } from '../../kernels/load-node.ts';
import { shardOf } from '../../storage/contracts/timers.ts';
import type { Ledger } from '../../storage/machines/ledger.ts';
import type { AccessServices } from '../access/compose.ts';
import type { ComputeServices } from '../compute/compose.ts';
import type { NodeServices } from '../node/compose.ts';
import type { Lifecycle } from '../node/lifecycle.ts';
import { newUuid, type Platform } from '../node/platform.ts';
import type { SealedBox } from '../node/sealed-box.ts';
import { ContractEngine } from './engine.ts';
import { computeInContract, signTransition } from './environment.ts';
import { KeptSamples } from './kept-samples.ts';
import { OwnBytes } from './own-bytes.ts';
import { RuntimeCache } from './runtime-cache.ts';
import { Scheduler } from './scheduler.ts';
import { EventCourier } from './sent-events.ts';
import { SolverGuards, type SolverOutcome } from './solver-guards.ts';
import { WindowSegments } from './window-segments.ts';

/** Parts that other services use; operations have no direct access. */
export interface EngineModule {
  readonly engine: ContractEngine;
  readonly environment: Omit<Environment, 'balance'>;
  /** Shards of machines whose timers this node fires. */
  readonly shards: () => readonly number[];
  /** Machines whose contracts are in memory, and an estimate of their bytes. */
  readonly runtimes: () => { readonly count: number; readonly bytes: number };
  readonly lifecycle: Lifecycle;
  /** Delivers events to other machines. */
  readonly courier: EventCourier;
  /** Runs a law or a solver for a machine, sealed. */
  readonly seal: (call: ComputeCall, machineId: string, name?: string) => Promise<SolverOutcome>;
  /** Resolves when no wake waits for a solver. */
  readonly settled: () => Promise<void>;
}

type EngineOptions = Platform &
  Pick<NodeServices, 'keyRing' | 'owners'> &
  Pick<ComputeServices, 'solve' | 'compute'> &
  Pick<AccessServices, 'rateLimit'> & {
    readonly box: SealedBox;
    readonly ledger: Ledger;
    /** Bytes of contracts in memory. */
    readonly runtimeBytes: number;
    /** Called after each commit that wrote webhooks. */
    readonly onWebhooks: () => void;
    /** Called after each commit that started activities. */
    readonly onCalls: () => void;
  };

export async function composeEngine(options: EngineOptions): Promise<EngineModule> {
  const { storage, clock, log, keyRing, solve, compute, box, ledger, owners, runtimeBytes } = options;
  const { onWebhooks, onCalls, rateLimit } = options;
  const newId = () => newUuid(options);
  const expressions = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
  const evaluate: Evaluate = (program, values) => evaluateProgram(expressions, program, values);
  const environment: EngineModule['environment'] = {
    evaluate,
    compute: (call) => computeInContract(expressions, call),
  };
  const solverGuards = new SolverGuards({ solve, compute, fields: storage.fields, clock });
  const runtimes = new RuntimeCache({
    ...storage,
    keptSamples: new KeptSamples(storage.keptSamples, box),
    segments: new WindowSegments({
      segments: storage.windowSegments,
      box,
      onDamage: (machine, fault) =>
        log.warn({ machine, fault }, 'windows are read from the rows: a segment is damaged'),
    }),
    evaluate,
    limits: { bytes: runtimeBytes },
  });
  const engine = new ContractEngine({
    ledger,
    runtimes,
    clock,
    environment,
    newId,
    prove: (fired, place) => signTransition(fired, place, keyRing.receipts),
    solve: (call, machineId) => solverGuards.run(call, machineId),
    onError: (err) => log.warn({ err }, 'contract could not be woken after a solver run'),
    onWebhooks,
    onCalls,
    onSends: () => courier.wake(),
    ownBytes: new OwnBytes({
      ...{ members: storage.members, rateLimit },
      onError: (err) => log.warn({ err }, 'bytes of rows of timers could not be counted'),
    }),
  });
  const scheduler = new Scheduler({
    timers: storage.timers,
    owners: owners.owners,
    engine,
    clock,
    onError: (err) => log.warn({ err }, 'contract could not be woken'),
  });
  const courier = new EventCourier({
    ...storage,
    engine,
    owners: owners.owners,
    shards: () => scheduler.shards,
    clock,
    onError: (err) => log.warn({ err }, 'event could not be delivered to another machine'),
  });
  owners.owners.onHandOver((shards) => runtimes.evictAll((machineId) => shards.has(shardOf(machineId))));
  return {
    engine,
    environment,
    shards: () => scheduler.shards,
    runtimes: () => runtimes.size,
    lifecycle: scheduler,
    courier,
    seal: (call, machineId, name) => solverGuards.run(call, machineId, name),
    settled: () => engine.settled(),
  };
}
