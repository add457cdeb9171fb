// Fixture: the contract engine on a database, with a clock set by the test and without a scheduler.

import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { Evaluate } from '../../../src/contracts/typed-expressions.ts';
import { type Clock, TICK_NS } from '../../../src/core/clock.ts';
import { uuidV7 } from '../../../src/core/ids.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from '../../../src/expressions/evaluate.ts';
import { compileKernel, instantiate } from '../../../src/kernels/instance.ts';
import { loadKernel } from '../../../src/kernels/load-node.ts';
import { OPERATORS } from '../../../src/operators/load.ts';
import type { Principal } from '../../../src/services/access/access.ts';
import { ContractService } from '../../../src/services/contracts/contracts.ts';
import { ContractEngine, type EngineOptions } from '../../../src/services/engine/engine.ts';
import { computeInContract } from '../../../src/services/engine/environment.ts';
import type { GuardLimits } from '../../../src/services/engine/guard-budget.ts';
import { RuntimeCache, type RuntimeLimits } from '../../../src/services/engine/runtime-cache.ts';
import { WindowSegments, type WindowSegmentsOptions } from '../../../src/services/engine/window-segments.ts';
import { SealedBox } from '../../../src/services/node/sealed-box.ts';
import type { Role } from '../../../src/storage/machines/access/members.ts';
import { Ledger } from '../../../src/storage/machines/ledger.ts';
import type { Storage } from '../../../src/storage/storage.ts';

export const OWNER: Principal = {
  accountId: '',
  keyId: '',
  keyPrefix: '',
  scope: 'admin',
  tier: 'high',
  isDemo: false,
  zid: 'c'.repeat(32),
};

export interface EngineFixture {
  readonly storage: Storage;
  readonly engine: ContractEngine;
  readonly ledger: Ledger;
  readonly contracts: ContractService;
  /** Roles of callers by identity; owner by default. */
  readonly roles: Map<string, Role>;
  setTick(tick: number): void;
  /** Evaluates expressions outside changes. */
  readonly evaluate: Evaluate;
  /** Number of expressions evaluated by changes so far. */
  readonly evaluations: number;
}

/** So few that tests with restarts read windows from segments. */
const SAMPLES_EACH = 3;

const BOX = new SealedBox(new Uint8Array(32).fill(7), randomBytes);

/** @param segments  false: windows are always filled from the rows */
export async function createEngineFixture(
  storage: Storage,
  guardLimits?: GuardLimits,
  limits: Partial<RuntimeLimits> = {},
  segments: boolean | Partial<WindowSegmentsOptions> = true,
  more: Pick<EngineOptions, 'ownBytes'> = {},
): Promise<EngineFixture> {
  let ns = 0n;
  const clock: Clock = { source: 'stepped', now: () => ns };
  const instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
  const evaluate: Evaluate = (program, values) => evaluateProgram(instance, program, values);
  let evaluations = 0;
  const counted: Evaluate = (program, values) => {
    evaluations++;
    return evaluate(program, values);
  };
  const { keptSamples: _, ...withoutSamples } = storage;
  const ledger = new Ledger({ ...storage, randomBytes });
  const engine = new ContractEngine({
    ledger,
    runtimes: new RuntimeCache({
      ...withoutSamples,
      evaluate,
      limits,
      ...(segments === false ? {} : { segments: windowSegments(storage, segments === true ? {} : segments) }),
    }),
    clock,
    environment: { evaluate: counted, compute: (call) => computeInContract(instance, call) },
    newId: () => uuidV7(Date.now(), randomBytes(10)),
    prove: () => undefined,
    ...(guardLimits === undefined ? {} : { guardLimits }),
    ...more,
  });
  // The role of a caller is that of its identity in `roles`; the owner's by default.
  const roles = new Map<string, Role>();
  const roleOf = async (_: unknown, { zid = '' }: Principal) => roles.get(zid) ?? 'owner';
  const contracts = new ContractService({ ...storage, engine, operators: OPERATORS, roleOf });
  const setTick = (tick: number) => {
    ns = BigInt(tick) * TICK_NS;
  };
  return {
    storage,
    engine,
    ledger,
    contracts,
    roles,
    setTick,
    evaluate,
    get evaluations() {
      return evaluations;
    },
  };
}

const windowSegments = ({ windowSegments: segments }: Storage, options: Partial<WindowSegmentsOptions>) =>
  new WindowSegments({
    segments,
    box: BOX,
    samplesEach: SAMPLES_EACH,
    onDamage: (machine, fault) => expect.fail(`Machine ${machine}: ${fault}`),
    ...options,
  });
