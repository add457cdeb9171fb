// Reports what an event did not do: which transitions refused it, and where it was ignored.

import type { Refusal } from '../../contracts/instances/route.ts';
import { isReserved } from '../../contracts/transition-function.ts';
import { isTried, untriedRefusal } from '../../contracts/untried-event.ts';
import { LIMITS } from '../../core/limits.ts';
import { didYouMean, nearestNames } from '../../core/nearest.ts';
import type { LiveContract } from './live-contract.ts';

/** A transition that did not fire, in the field names of the API. */
export interface RefusalReport {
  readonly contract: string;
  /** Key of the instance, if there is one for the event. */
  readonly instance?: string;
  /** Null if the contract could not use the event for anything. */
  readonly transition: string | null;
  readonly code: string;
  readonly reason: string;
  readonly fault?: string;
  readonly path?: string;
  readonly got?: unknown;
  readonly expected?: string;
}

export interface IgnoredReport {
  /** Null if no contract of the machine knows the event. */
  readonly contract: string | null;
  readonly instance?: string;
  readonly code: 'NO_LISTENER' | 'NOT_ACTIVE' | 'RESERVED_NAME' | 'NO_TRANSITION' | 'UNKNOWN_FIELD';
  readonly reason: string;
  readonly path?: string;
}

interface Sent {
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly number: number;
  /** The contract that emitted it. */
  readonly source?: string | undefined;
}

const { explained: MAX_ENTRIES } = LIMITS.contracts;

export class UnfiredReport {
  readonly refused: RefusalReport[] = [];
  readonly ignored: IgnoredReport[] = [];

  get lists(): { readonly refused: readonly RefusalReport[]; readonly ignored: readonly IgnoredReport[] } {
    const { refused, ignored } = this;
    return { refused, ignored };
  }

  /** Notes what can be said of an event before a contract decides it. */
  addEvent(live: LiveContract, { name, payload, number, source }: Sent, isActive: boolean): void {
    if (source !== undefined) return;
    const { id, status } = live.stored;
    const instance = live.instance?.key;
    const contract = { contract: id, ...(instance === undefined ? {} : { instance }) };
    const { contract: compiled, state } = live.running;
    if (isReserved(compiled, state, { name, number, isExternal: true })) {
      const reason = `The contract emits ${name} itself, and its definition does not declare the event open.`;
      this.#ignore({ ...contract, code: 'RESERVED_NAME', reason });
      return;
    }
    if (!isActive) {
      const reason = status === 'active' ? 'The machine is paused.' : `The contract is ${status}.`;
      this.#ignore({ ...contract, code: 'NOT_ACTIVE', reason });
    }
    const declared = compiled.definition.events?.[name]?.payload;
    for (const field of declared === undefined ? [] : Object.keys(payload)) {
      if (Object.hasOwn(declared ?? {}, field)) continue;
      const reason = `${name} declares no field ${field}.${didYouMean(field, Object.keys(declared ?? {}))}`;
      this.#ignore({ ...contract, code: 'UNKNOWN_FIELD', reason, path: `payload.${field}` });
    }
    if (!isActive) return;
    if (isTried(compiled, state, name)) return;
    const refusal = untriedRefusal(compiled, state, { name, payload });
    if (refusal !== undefined) {
      this.addRefusals(id, [refusal], instance);
      return;
    }
    // A named window counts it in every state.
    if ([...compiled.windows.values()].some(({ event }) => event === name)) return;
    this.#ignore({
      ...contract,
      code: 'NO_TRANSITION',
      reason: `No transition out of ${state.state} listens to ${name}.`,
    });
  }

  addRefusals(contract: string, refused: readonly Refusal[], instance?: string): void {
    for (const { transition, code, reason, fault: named, field } of refused) {
      if (this.refused.length >= MAX_ENTRIES) return;
      const fault = field && { ...field, got: field.got ?? null };
      this.refused.push({
        contract,
        ...(instance === undefined ? {} : { instance }),
        transition,
        code,
        reason,
        ...(named === undefined ? {} : { fault: named }),
        ...fault,
      });
    }
  }

  /** Notes that no contract listens to an event, if there are any. */
  addUnheard(name: string, known: readonly string[]): void {
    const [nearest] = nearestNames(name, [...new Set(known)].slice(0, MAX_ENTRIES), 1);
    const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
    this.#ignore({
      contract: null,
      code: 'NO_LISTENER',
      reason: `No contract of this machine listens to ${name}.${hint}`,
    });
  }

  #ignore(entry: IgnoredReport): void {
    if (this.ignored.length < MAX_ENTRIES) this.ignored.push(entry);
  }
}
