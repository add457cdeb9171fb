// The sender of an event, from its row: the caller is the actor of the row, and the payload says for which party it acted.

import type { SentBy } from '../contract-state.ts';
import type { PartyBindings, Seat, Sender } from './bindings.ts';
import { seatOf } from './bindings.ts';

/** A signature as rows keep it. */
export interface SignedBy {
  readonly public_key: string;
  /** A number above all that this key has signed for the contract before. */
  readonly nonce: number;
  /** 128 hexadecimal digits. */
  readonly signature: string;
}

/** The part of a row's payload that says who sent it. */
export interface SenderFields {
  /** The only contract that it is for. */
  readonly to?: string;
  /** Parties by contract. */
  readonly as?: Readonly<Record<string, string>>;
  /** Developer key by which the sender was recognized. */
  readonly key?: string;
  readonly signed?: SignedBy;
  /** The row of another machine that sent it. */
  readonly from?: SendingRow;
  /** The event of this machine that another did not take, of which this one tells. */
  readonly outcome?: { readonly seq: number; readonly no: number };
  /** The activity of this machine of which this one tells. */
  readonly call?: { readonly seq: number; readonly no: number };
}

/** The row of a transition that sent an event, and the number of the event in it. */
interface SendingRow {
  readonly machine: string;
  readonly seq: number;
  readonly no: number;
  readonly row_hash: string;
  /** Number of machines in the chain of events that led to it. */
  readonly hops: number;
}

/** The sender of an event from another machine, as guards read it: no account has such a name. */
export const machineActor = (machine: string): string => `machine:${machine}`;

/** Whether the engine raised the event, so that no caller could have sent it. */
export const isRaised = ({ outcome, call }: Pick<SenderFields, 'outcome' | 'call'>): boolean =>
  outcome !== undefined || call !== undefined;

/** The sender of the event of a row, as guards read it. */
export const actorOf = ({ from }: Pick<SenderFields, 'from'>, actor: string): string =>
  from === undefined ? actor : machineActor(from.machine);

/** Who sent the event of a row, for one contract. */
export function sentByOf({ as, signed }: SenderFields, contract: string, actor: string): SentBy {
  const party = as !== undefined && Object.hasOwn(as, contract) ? as[contract] : undefined;
  if (party === undefined) return {};
  return { party, voter: signed === undefined ? `zid:${actor}` : `ed25519:${signed.public_key}` };
}

/** The seat of a sender whose row says so; undefined if its bindings do not confirm it. */
export function confirmedSeat(bindings: PartyBindings, { key, signed }: SenderFields, actor: string): Seat | undefined {
  const sender: Sender = signed === undefined ? { zid: actor, keyId: key } : { ed25519: signed.public_key };
  return seatOf(bindings, sender);
}
