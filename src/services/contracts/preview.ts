// What a contract could do now, for an owner who looks often: worked out once in some ticks, written nowhere.

import { LRUCache } from 'lru-cache';
import type { CompiledTransition } from '../../contracts/compiled.ts';
import type { Definition } from '../../contracts/definition.ts';
import type { World } from '../../contracts/reaction.ts';
import { Replayed } from '../../contracts/replayed.ts';
import { type Upcoming, upcoming } from '../../contracts/upcoming.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Runtimes } from './runtime.ts';

export interface EnabledTransition {
  readonly transition: string;
  readonly to: string;
  readonly trigger: string;
  /** The condition as it is written; null where there is none. */
  readonly guard: string | null;
  /** Whether it holds now; null where that depends on what an event will carry. */
  readonly value: boolean | null;
}

export interface Preview {
  /** The tick in which it was worked out. */
  readonly svcond: number;
  readonly definition: {
    readonly name: string;
    readonly version: string;
    readonly title: string | null;
    readonly states: readonly string[];
    readonly transitions: number;
    readonly operators: readonly string[];
  };
  readonly currentState: string;
  readonly status: string;
  readonly enabled: readonly EnabledTransition[];
  readonly next_fires: readonly Upcoming[];
}

export interface ContractPreviewOptions {
  readonly storage: Pick<Storage, 'transaction' | 'machines' | 'contracts'>;
  readonly runtimes: Runtimes;
  readonly world: Omit<World, 'balance'>;
  readonly clock: Clock;
}

const KEPT = 1_000;
const MOST_NEXT = 5;

export class ContractPreviews {
  readonly #options: ContractPreviewOptions;
  readonly #kept = new LRUCache<string, { readonly until: number; readonly answer: Promise<Preview> }>({ max: KEPT });

  constructor(options: ContractPreviewOptions) {
    this.#options = options;
  }

  /** @throws DomainError NOT_FOUND */
  async of({ id: machineId }: Machine, id: string): Promise<Preview> {
    const now = tickOf(this.#options.clock.now());
    const key = `${machineId} ${id}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined && now < kept.until) return kept.answer;
    const answer = this.#look(machineId, id, now);
    this.#kept.set(key, { until: now + LIMITS.contracts.previewTicks, answer });
    // A failure is not kept.
    answer.catch(() => this.#kept.delete(key));
    return answer;
  }

  async #look(machineId: string, id: string, tick: number): Promise<Preview> {
    const { storage, runtimes, world } = this.#options;
    return storage.transaction(async (on) => {
      const [machine] = await storage.machines.byIds([machineId], false, on);
      const stored = machine && (await storage.contracts.get(machineId, id, on));
      if (machine === undefined || stored === undefined) {
        throw new DomainError('NOT_FOUND', `There is no contract ${id} on this machine.`);
      }
      const runtime = await runtimes.apart(machine, [{ ...stored, status: 'active' }], on);
      const running = runtime.contracts.get(id)?.running ?? runtimes.liveOf(stored).running;
      const svcond = Math.max(tick, machine.head.svcond);
      const before = { balances: runtime.balances, isMachineActive: true };
      const whole = new Replayed(running, svcond, { world, before, hops: LIMITS.contracts.hops });
      const isAwake = stored.status === 'active' && machine.status === 'active';
      const enabled = running.contract.transitions.filter(({ from }) => isAwake && from.has(running.state.state));
      return {
        svcond,
        definition: summaryOf(running.contract.definition),
        currentState: running.state.state,
        status: stored.status,
        enabled: enabled.map((transition) => seen(whole.copy(), transition, svcond)),
        next_fires: isAwake ? upcoming(running, svcond, MOST_NEXT) : [],
      };
    });
  }
}

/** Tried on a copy by hand: the condition is read as it would be, but for what only an event brings. */
function seen(copy: Replayed, { id, to, trigger, condition }: CompiledTransition, tick: number): EnabledTransition {
  copy.fireByHand(id, undefined, { tick, seq: Number.MAX_SAFE_INTEGER });
  const [refusal] = copy.refused;
  const value = refusal === undefined || refusal.code === 'ACTION_FAILED' ? true : isFalse(refusal.code) ? false : null;
  return { transition: id, to, trigger: trigger.kind, guard: condition?.text ?? null, value };
}

const isFalse = (code: string) => code === 'CONDITION' || code === 'TOO_FEW_SAMPLES';

function summaryOf({ name, version, title, states, transitions, operators }: Definition): Preview['definition'] {
  return {
    name,
    version,
    title: title ?? null,
    states: Object.keys(states),
    transitions: transitions.length,
    operators,
  };
}
