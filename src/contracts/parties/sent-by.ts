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
}

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
