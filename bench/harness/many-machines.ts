// Many machines with a contract each on PostgreSQL, and the contract engine on them as a node composes it.

import { randomBytes } from 'node:crypto';
import { type NewRow, SYSTEM_ACTOR } from '../../src/chain/row.ts';
import type { Evaluate } from '../../src/contracts/typed-expressions.ts';
import { type Clock, tickOf } from '../../src/core/clock.ts';
import { uuidV7 } from '../../src/core/ids.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from '../../src/expressions/evaluate.ts';
import { compileKernel, instantiate } from '../../src/kernels/instance.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { OPERATORS } from '../../src/operators/load.ts';
import type { Principal } from '../../src/services/access/access.ts';
import { ContractService } from '../../src/services/contracts/contracts.ts';
import { ContractEngine } from '../../src/services/engine/engine.ts';
import { computeInContract } from '../../src/services/engine/environment.ts';
import { RuntimeCache } from '../../src/services/engine/runtime-cache.ts';
import { WindowSegments } from '../../src/services/engine/window-segments.ts';
import { SealedBox } from '../../src/services/node/sealed-box.ts';
import { Ledger } from '../../src/storage/machines/ledger.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { newMachine } from '../../test/suites/new-machine.ts';
import { SWITCH_STATES, switchTransitions } from '../../test/suites/switch-transitions.ts';

const clock: Clock = { source: 'host', now: () => BigInt(Date.now()) * 1_000_000n };
const newId = () => uuidV7(Date.now(), randomBytes(10));

const OWNER: Principal = {
  accountId: '',
  keyId: '',
  keyPrefix: '',
  scope: 'admin',
  tier: 'high',
  isDemo: false,
  zid: 'c'.repeat(32),
};

const common = { version: '1.0', operators: ['KO42'], initial: 'off' };
/** Fires at every event `flip`. */
export const SWITCH = {
  ...common,
  name: 'switch',
  events: { flip: {} },
  states: SWITCH_STATES,
  transitions: switchTransitions({ kind: 'event', event: 'flip' }),
};

const MONTH_TICKS = 3_000_000;

/** Fires at every event `flip`, with the mean of a month. */
export const AVERAGE = {
  ...common,
  name: 'average',
  events: { flip: { payload: { ms: 'number' } } },
  states: SWITCH_STATES,
  transitions: switchTransitions(
    { kind: 'on_aggregate', event: 'flip', fn: 'avg', field: 'ms', within: MONTH_TICKS },
    { fires_when: 'agg.value > 0' },
  ),
};

export const FLIP = { name: 'flip', payload: { ms: 5 } };

export interface Node {
  readonly engine: ContractEngine;
  readonly contracts: ContractService;
  readonly ledger: Ledger;
}

const MASTER_KEY = randomBytes(32);

/**
 * A node with nothing in memory.
 *
 * @param hasSegments  whether it fills windows from segments, and stores them
 */
export async function startEngine(storage: Storage, hasSegments = true): Promise<Node> {
  const kernel = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
  const evaluate: Evaluate = (program, values) => evaluateProgram(kernel, program, values);
  const ledger = new Ledger({ ...storage, randomBytes });
  const { keptSamples: _, ...withoutSamples } = storage;
  const box = new SealedBox(MASTER_KEY, randomBytes);
  const segments = hasSegments ? new WindowSegments({ segments: storage.windowSegments, box }) : undefined;
  const engine = new ContractEngine({
    ledger,
    runtimes: new RuntimeCache({ ...withoutSamples, evaluate, ...(segments && { segments }) }),
    clock,
    environment: { evaluate, compute: (call) => computeInContract(kernel, call) },
    newId,
    prove: () => undefined,
  });
  const roleOf = async () => 'owner' as const;
  const contracts = new ContractService({ ...storage, engine, operators: OPERATORS, roleOf });
  return { engine, contracts, ledger };
}

const INSERTED_TOGETHER = 500;
const DEPLOYED_TOGETHER = 256;

/** Public machines with one contract each. @returns their ids */
export async function createMachines(
  storage: Storage,
  { contracts }: Node,
  count: number,
  definition: object,
): Promise<readonly string[]> {
  const machines = Array.from({ length: count }, () =>
    newMachine(`bench-${definitionName(definition)}-${newId()}`, tickOf(clock.now())),
  );
  for (let from = 0; from < count; from += INSERTED_TOGETHER) {
    const some = machines.slice(from, from + INSERTED_TOGETHER);
    await storage.transaction(async (on) => {
      for (const { machine } of some) await storage.machines.insert(machine, on);
      await storage.audit.insert(
        some.map(({ machine, genesis }) => ({ machineId: machine.id, row: genesis })),
        on,
      );
    });
  }
  let next = 0;
  const deployer = async () => {
    for (let one = machines[next++]; one !== undefined; one = machines[next++])
      await contracts.deploy(one.machine, OWNER, { definition: definition as never });
  };
  await Promise.all(Array.from({ length: DEPLOYED_TOGETHER }, deployer));
  return machines.map(({ machine }) => machine.id);
}

const definitionName = (definition: object) => ('name' in definition ? String(definition.name) : 'contract');

const ROWS_TOGETHER = 1_000;

/** Writes rows of the event `flip` past the engine; what it has in memory of the machine is stale then. */
export async function writeSamples({ ledger, engine }: Node, machineId: string, count: number): Promise<void> {
  const row: NewRow = {
    svcond: tickOf(clock.now()),
    type: 'event',
    source: 'api',
    actor: SYSTEM_ACTOR,
    payload: FLIP,
  };
  for (let written = 0; written < count; written += ROWS_TOGETHER) {
    await ledger.commit(machineId, () => ({ rows: new Array<NewRow>(ROWS_TOGETHER).fill(row), answer: undefined }));
  }
  engine.runtimes.evict(machineId);
}
