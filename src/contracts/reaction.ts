// What a contract is at one moment, what may happen to it, what it asks of the world, and what it does.

import type { Scalars } from './definition.ts';
import type { OracleView } from './readings.ts';
import type { Evaluate } from './typed.ts';
import type { Window } from './window.ts';

export type Lifecycle = 'active' | 'completed' | 'failed';

export interface Timer {
  readonly transition: string;
  readonly due: number;
  /** How often a guarded one-shot was tried again. */
  readonly retries: number;
  /** Occurrences up to this tick were settled (schedule.ts): all that are left of them fire. */
  readonly settled?: number;
}

/** All of a contract that must be stored: the rest follows from the definition and the log. */
export interface ContractState {
  readonly state: string;
  readonly lifecycle: Lifecycle;
  readonly context: Scalars;
  readonly deployed: number;
  /** Tick of the entry into the state, and how many entries there were. */
  readonly entered: number;
  readonly entries: number;
  /** Number of the stimulus that led into the state: samples before it are older than the entry. */
  readonly enteredAt: number;
  readonly timers: readonly Timer[];
  /** Fires of timers since the entry, by transition. */
  readonly firesSinceEntry: Readonly<Record<string, number>>;
  /** Transitions whose windows stayed empty since the entry and were looked at once. */
  readonly silent: readonly string[];
  /** When samples left a window that minds while something else happened, or nobody was there: a look at it is owed. */
  readonly owed: number | null;
  /** The next event that would fire something fires nothing. */
  readonly swallows: boolean;
  readonly fires: number;
  readonly missed: number;
  /** How often something might have fired and a condition held it back. */
  readonly guarded: number;
  /** Refusals by failed actions in a row. */
  readonly failures: number;
}

export type Stimulus = { readonly tick: number; readonly number: number } & (
  | {
      readonly kind: 'event';
      readonly name: string;
      readonly payload: Readonly<Record<string, unknown>>;
      readonly isOwn?: boolean;
    }
  | {
      readonly kind: 'timer';
      readonly transition: string;
      /** The occurrence that fires, and the one after it. */
      readonly due: number;
      readonly next: number | undefined;
    }
  | { readonly kind: 'expiry' }
  | {
      readonly kind: 'manual';
      readonly transition: string;
      readonly payload?: Readonly<Record<string, unknown>> | undefined;
    }
);

/** What the function asks of the world; each answer is a pure function of what is asked. */
export interface World {
  readonly evaluate: Evaluate;
  /** @throws DomainError if the operator or solver refuses */
  compute(call: ComputeCall): number;
  /** Whole numbers held by (token, holder). */
  balance(token: string, holder: string): number;
  /** What the oracle says at the tick of the stimulus; undefined where there has been no reading. */
  readonly oracle?: OracleView | undefined;
}

export interface ComputeCall {
  readonly operator?: string;
  readonly solver?: string;
  readonly inputs: Readonly<Record<string, number>>;
}

export interface Emitted {
  readonly event: string;
  readonly payload: Scalars;
}

export interface TokenMove {
  readonly token: string;
  readonly holder: string;
  /** What is added; taken away where it is negative. */
  readonly amount: number;
}

export interface Fired {
  readonly transition: string;
  readonly from: string;
  readonly to: string;
  readonly operator: string;
  readonly hasProof: boolean;
  /** Of the state that was left: part of the key that makes a fire unique. */
  readonly entry: number;
  readonly emitted: readonly Emitted[];
  readonly computed: readonly (ComputeCall & { readonly into: string; readonly value: number })[];
  readonly tokens: readonly TokenMove[];
  readonly webhooks: readonly { readonly url: string; readonly payload: Scalars }[];
  readonly logs: readonly string[];
}

export interface Refused {
  readonly transition: string;
  readonly code: 'CONDITION' | 'TOO_FEW_SAMPLES' | 'NO_VALUE' | 'ACTION_FAILED' | 'PAYLOAD' | 'SKIPPED';
  readonly reason: string;
}

export interface Reaction {
  readonly state: ContractState;
  readonly fired: Fired | undefined;
  readonly refused: readonly Refused[];
}

/** The windows of a contract, by transition. They follow from the log and can be built anew from it. */
export type Windows = Map<string, Window>;
