// Events of parties: what their rows say of the sender, and that a signature is used once.

import { keyOfEvent, keyRuleOf } from '../../contracts/instances/keys.ts';
import type { Seat } from '../../contracts/parties/bindings.ts';
import type { SenderFields, SignedBy } from '../../contracts/parties/sent-by.ts';
import { DomainError } from '../../core/errors.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { LiveContract } from './live-contract.ts';

/** The seat of the sender of an event. */
export interface EventSeat extends Seat {
  /** It is one of an instance that the event is to create: the row of the instance says so, if there will be one. */
  readonly isSpawned?: boolean;
}

/** By contract. */
export type Seats = ReadonlyMap<string, EventSeat>;

/** The fields of a row that say for which parties its actor acted. */
export function senderFields(seats: Seats, to: string | undefined, signed: SignedBy | undefined): SenderFields {
  const bound = [...seats].filter(([, { isSpawned = false }]) => !isSpawned);
  const parties = bound.map(([contract, { party }]) => [contract, party] as const);
  const key = bound.find(([, seat]) => seat.key !== undefined)?.[1].key;
  return {
    ...(to === undefined ? {} : { to }),
    ...(parties.length === 0 ? {} : { as: Object.fromEntries(parties) }),
    ...(key === undefined ? {} : { key }),
    ...(signed === undefined ? {} : { signed }),
  };
}

/** Whom a signed event is for: a contract, or its instance; undefined if there is none with this key. */
export function receiverOf(
  live: LiveContract,
  payload: Readonly<Record<string, unknown>> = {},
): LiveContract | undefined {
  const { instances, stored } = live;
  if (instances === undefined) return live;
  const rule = keyRuleOf(stored.definition);
  const key = rule && keyOfEvent(rule, payload);
  return typeof key === 'string' ? instances.get(key) : undefined;
}

/** Uses the number of a signature. @throws DomainError CONFLICT if the key has signed it or a larger one before */
export function useNonce(live: LiveContract, { public_key: key, nonce }: SignedBy): void {
  const { state } = live.running;
  const { parties } = state;
  if (parties === undefined) return;
  const last = Object.hasOwn(parties.nonces, key) ? (parties.nonces[key] ?? 0) : -1;
  if (nonce <= last) {
    const message = `signature.nonce is ${nonce}; this key has used ${last}, and a larger number is expected. A signature counts once.`;
    throw new DomainError('CONFLICT', message, { facts: { nonce, last_nonce: last } });
  }
  live.running.state = { ...state, parties: { ...parties, nonces: { ...parties.nonces, [key]: nonce } } };
}

/** @throws DomainError CONFLICT if the contract or its machine is paused, or the contract has ended */
export function assertRunning(
  { stored: { status } }: { readonly stored: Pick<LiveContract['stored'], 'status'> },
  machine: Machine,
): void {
  if (status === 'active' && machine.status === 'active') return;
  const what = status === 'active' ? `The machine is ${machine.status}` : `The contract is ${status}`;
  throw new DomainError('CONFLICT', `${what}; it takes no events.`, { facts: { status } });
}
