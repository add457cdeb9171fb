// The types of the transition function: state, stimuli, the environment that it reads, and the result of a step.

import type { Collections } from './data/collections.ts';
import type { DataFault } from './data/faults.ts';
import type { Scalars } from './definition.ts';
import type { EngineOfContract } from './engine-edition.ts';
import type { OracleView } from './oracle-readings.ts';
import type { PartyState } from './parties/party-state.ts';
import type { ClockStates } from './time/clocks.ts';
import type { ScheduleBounds } from './time/schedule.ts';
import type { Evaluate } from './typed-expressions.ts';
import type { Window } from './window.ts';

export type Lifecycle = 'active' | 'completed' | 'failed';

export interface Timer {
  readonly transition: string;
  readonly due: number;
  /** Retries so far of a one-shot whose condition was false. */
  readonly retries: number;
  /** Missed occurrences up to this tick were settled (schedule.ts): those that remain fire one by one. */
  readonly settled?: number;
  /** Of a schedule: from where its dates count, and until when. */
  readonly bounds?: ScheduleBounds;
}

/** Everything of a contract that must be stored; the rest follows from the definition and the log. */
export interface ContractState {
  readonly engine?: EngineOfContract | undefined;
  readonly state: string;
  readonly lifecycle: Lifecycle;
  readonly context: Scalars;
  /** Of a contract that declares some. */
  readonly collections?: Collections | undefined;
  readonly deployed: number;
  /** Tick of the last entry into a state, and the number of entries so far. */
  readonly entered: number;
  readonly entries: number;
  /** Sequence number of the stimulus that led into the state; samples of earlier rows are older than the entry. */
  readonly enteredAt: number;
  readonly timers: readonly Timer[];
  /** Fires of timers since the entry, by transition. */
  readonly firesSinceEntry: Readonly<Record<string, number>>;
  /** Transitions whose windows stayed empty since the entry and have been checked once for it. */
  readonly emptyWindows: readonly string[];
  /** Tick since which a check on expiry is pending: samples expired during another stimulus, or while no node was running. */
  readonly pendingSince: number | null;
  /** The next event that would fire a transition is skipped. */
  readonly skipNextMatch: boolean;
  readonly fires: number;
  readonly missed: number;
  /** Stimuli that fired nothing because a condition was false. */
  readonly blockedCount: number;
  /** Consecutive failed actions. */
  readonly failures: number;
  /** Of a contract with stopwatches. */
  readonly clocks?: ClockStates | undefined;
  /** Of a contract with parties. */
  readonly parties?: PartyState | undefined;
  /** Of a contract with instances by key, which has no state of its own: how many run, and how many have finished. */
  readonly instances?: InstanceCounts | undefined;
}

export interface InstanceCounts {
  readonly active: number;
  readonly finished: number;
}

/** The party that sent something, set by the engine. */
export interface SentBy {
  readonly party?: string | undefined;
  /** The account or key that acted for it. */
  readonly voter?: string | undefined;
}

/** What the transition function reacts to; `number` is the sequence number of its row. */
export type Stimulus = { readonly tick: number; readonly number: number } & (
  | (SentBy & {
      readonly kind: 'event';
      readonly name: string;
      readonly payload: Readonly<Record<string, unknown>>;
      readonly isOwn?: boolean;
      /** Sent by a caller, not emitted by a contract. */
      readonly isExternal?: boolean;
      /** Who sent it: the identity of a caller, or the id of the contract that emitted it. */
      readonly actor?: string | undefined;
    })
  | {
      readonly kind: 'timer';
      readonly transition: string;
      /** The occurrence that fires, and the following one. */
      readonly due: number;
      readonly next: number | undefined;
    }
  | { readonly kind: 'expiry' }
  | (SentBy & {
      readonly kind: 'manual';
      readonly transition: string;
      readonly payload?: Readonly<Record<string, unknown>> | undefined;
      readonly actor?: string | undefined;
    })
);

/** An event as windows count it; `number` is that of its row. */
export type CountedEvent = Pick<
  Extract<Stimulus, { kind: 'event' }>,
  'name' | 'payload' | 'tick' | 'number' | 'isExternal' | 'actor' | 'party' | 'voter'
>;

/** What the transition function reads from outside; each answer is a pure function of its arguments. */
export interface Environment {
  readonly evaluate: Evaluate;
  /** @throws DomainError if the operator or solver refuses */
  compute(call: ComputeCall): number;
  /** The whole-number balance of (token, holder). */
  balance(token: string, holder: string): number;
  /** The oracle at the tick of the stimulus; undefined before its first reading. */
  readonly oracle?: OracleView | undefined;
}

export interface ComputeCall {
  readonly operator?: string;
  readonly solver?: string;
  readonly inputs: Readonly<Record<string, number>>;
}

export interface EmittedEvent {
  readonly event: string;
  readonly payload: Scalars;
}

/** An event to another machine. */
export interface SentEvent extends EmittedEvent {
  /** Name of the machine. */
  readonly to: string;
  /** The event that tells the contract if the machine does not take it. */
  readonly on_refused?: string | undefined;
}

/** An activity that a transition starts: a law, a solver or a request, with the events that tell what became of it. */
export interface StartedCall {
  readonly operator?: string | undefined;
  readonly solver?: string | undefined;
  readonly inputs?: Readonly<Record<string, number>> | undefined;
  /** Of the value. */
  readonly unit?: string | undefined;
  readonly http?: StartedRequest | undefined;
  readonly into: string;
  readonly on_error: string;
  readonly tries: number;
  /** Ticks before the second try. */
  readonly backoff: number;
}

export interface StartedRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly payload?: Scalars | undefined;
  /** Where each field of the event stands in the response, and its type. */
  readonly fields?: Readonly<Record<string, { readonly at: string; readonly type: string }>> | undefined;
}

export interface TokenMove {
  readonly token: string;
  readonly holder: string;
  /** Change of the balance; negative when tokens are taken. */
  readonly amount: number;
}

export interface FiredTransition {
  readonly transition: string;
  readonly from: string;
  readonly to: string;
  readonly operator: string;
  readonly hasProof: boolean;
  /** Entry number of the source state: part of the unique key of a fire. */
  readonly entry: number;
  readonly emitted: readonly EmittedEvent[];
  readonly computed: readonly (ComputeCall & { readonly into: string; readonly value: number })[];
  readonly tokens: readonly TokenMove[];
  readonly webhooks: readonly { readonly url: string; readonly payload: Scalars }[];
  readonly logs: readonly string[];
  /** If this transition sent any. */
  readonly sends?: readonly SentEvent[] | undefined;
  /** Activities, if this transition started any. */
  readonly calls?: readonly StartedCall[] | undefined;
  /** SHA-256 of the canonical JSON of all collections, if this transition changed one. */
  readonly collectionsHash?: string | undefined;
}

export interface RefusedTransition {
  readonly transition: string;
  readonly code:
    | 'CONDITION'
    | 'TOO_FEW_SAMPLES'
    | 'NO_VALUE'
    | 'ACTION_FAILED'
    | 'PAYLOAD'
    | 'SKIPPED'
    | 'FORBIDDEN_PARTY'
    | 'QUORUM'
    | 'VETO'
    | 'VOTED';
  readonly reason: string;
  /** The name of what was wrong with money, a collection or a hash. */
  readonly fault?: DataFault | undefined;
  /** The field of the payload that caused it, if one did. */
  readonly field?: FieldFault | undefined;
}

/** A field of a payload with a value of the wrong form, or one that an action cannot use. */
export interface FieldFault {
  /** Path from the request: `payload.amount`. */
  readonly path: string;
  /** Undefined if it is missing. */
  readonly got: unknown;
  readonly expected: string;
}

export interface TransitionResult {
  readonly state: ContractState;
  readonly fired: FiredTransition | undefined;
  readonly refused: readonly RefusedTransition[];
}

/** The windows of a contract, by transition. They can be rebuilt from the log. */
export type Windows = Map<string, Window>;
