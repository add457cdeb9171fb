// Previews of what a contract could do now. They are cached for a few ticks, since owners poll them, and never stored.

import { LRUCache } from 'lru-cache';
import type { CompiledTransition } from '../../contracts/compiled.ts';
import { ContractReplay } from '../../contracts/contract-replay.ts';
import type { Environment } from '../../contracts/contract-state.ts';
import type { Definition } from '../../contracts/definition.ts';
import { adoptEngine } from '../../contracts/lifecycle.ts';
import { nextFires } from '../../contracts/next-fires.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { Storage } from '../../storage/storage.ts';
import type { RuntimeCache } from '../engine/runtime-cache.ts';

export interface ContractPreviewOptions {
  readonly storage: Pick<Storage, 'transaction' | 'machines' | 'contracts'>;
  readonly runtimes: RuntimeCache;
  readonly environment: Omit<Environment, 'balance'>;
  readonly clock: Clock;
}

const MAX_CACHED = 1_000;
const MAX_NEXT_FIRES = 5;

export class ContractPreviews {
  readonly #options: ContractPreviewOptions;
  readonly #cache = new LRUCache<string, { readonly expiresTick: number; readonly answer: Promise<Preview> }>({
    max: MAX_CACHED,
  });

  constructor(options: ContractPreviewOptions) {
    this.#options = options;
  }

  /** @throws DomainError NOT_FOUND */
  async get({ id: machineId }: Machine, id: string) {
    const now = tickOf(this.#options.clock.now());
    const key = `${machineId} ${id}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined && now < cached.expiresTick) return cached.answer;
    const answer = previewOf(this.#options, machineId, id, now);
    this.#cache.set(key, { expiresTick: now + LIMITS.contracts.previewTicks, answer });
    // Failures are not cached.
    answer.catch(() => this.#cache.delete(key));
    return answer;
  }
}

type Preview = Awaited<ReturnType<typeof previewOf>>;

/** @throws DomainError NOT_FOUND */
async function previewOf(
  { storage, runtimes, environment }: ContractPreviewOptions,
  machineId: string,
  id: string,
  tick: number,
) {
  return storage.transaction(async (on) => {
    const [machine] = await storage.machines.byIds([machineId], false, on);
    const stored = machine && (await storage.contracts.get(machineId, id, on));
    if (machine === undefined || stored === undefined) {
      throw new DomainError('NOT_FOUND', `Contract ${id} not found on this machine.`);
    }
    const runtime = await runtimes.buildDetached(
      machine,
      [{ ...stored, state: adoptEngine(stored.state, machine.head.seq), status: 'active' }],
      on,
    );
    const running = runtime.contracts.get(id)?.running ?? runtimes.createLive(stored).running;
    const svcond = Math.max(tick, machine.head.svcond);
    const machineState = { balances: runtime.balances, isMachineActive: true };
    const replay = new ContractReplay(running, svcond, {
      contractId: id,
      environment,
      machineState,
      maxHops: LIMITS.contracts.hops,
    });
    const isKeyed = stored.definition.key !== undefined;
    const isActive = stored.status === 'active' && machine.status === 'active' && !isKeyed;
    const enabled = running.contract.transitions.filter(({ from }) => isActive && from.has(running.state.state));
    return {
      svcond,
      definition: summaryOf(running.contract.definition),
      currentState: running.state.state,
      status: stored.status,
      enabled: enabled.map((transition) => previewTransition(replay.copy(), transition, svcond)),
      next_fires: isActive ? nextFires(running, svcond, MAX_NEXT_FIRES) : [],
    };
  });
}

/** Fires a transition manually on a copy, to evaluate its condition without the payload of an event. */
function previewTransition(copy: ContractReplay, { id, to, trigger, condition }: CompiledTransition, tick: number) {
  copy.fireManually(id, undefined, { tick, seq: Number.MAX_SAFE_INTEGER, actor: undefined });
  const [refusal] = copy.refused;
  const value = refusal === undefined || refusal.code === 'ACTION_FAILED' ? true : isFalse(refusal.code) ? false : null;
  return { transition: id, to, trigger: trigger.kind, guard: condition?.text ?? null, value };
}

const isFalse = (code: string) => code === 'CONDITION' || code === 'TOO_FEW_SAMPLES';

function summaryOf({ name, version, title, states, transitions, operators }: Definition) {
  return {
    name,
    version,
    title: title ?? null,
    states: Object.keys(states),
    transitions: transitions.length,
    operators,
  };
}
