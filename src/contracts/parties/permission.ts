// Permission to send an event to a contract, by the parties that its definition names.

import type { CompiledContract, CompiledTransition } from '../compiled.ts';
import type { ContractState, SentBy } from '../contract-state.ts';
import { isTriedOn } from '../windows/named-windows.ts';

interface SentEvent extends SentBy {
  readonly name: string;
  readonly isOwn?: boolean | undefined;
}

/** The reason why a sender may not send an event now; undefined if it may. */
export function senderFault(
  { senders, transitions }: CompiledContract,
  { state }: Pick<ContractState, 'state'>,
  { name, party, voter, isOwn }: SentEvent,
): string | undefined {
  if (senders === undefined || isOwn === true) return undefined;
  const from = senders.from.get(name);
  if (from !== undefined && (party === undefined || !from.has(party))) return only(name, from, party);
  if (senders.signed.has(name) && voter?.startsWith('ed25519:') !== true) {
    return `${name} must be signed by an Ed25519 key of a party; see signature.`;
  }
  const listening = transitions.filter((transition) => isTriedOn(transition, name));
  const here = listening.filter((transition) => transition.from.has(state));
  const tried = here.length > 0 ? here : listening;
  const allowed = tried.map(partiesOf);
  if (allowed.length === 0 || allowed.some((parties) => admits(parties, party))) return undefined;
  return only(name, new Set(allowed.flatMap((parties) => [...(parties ?? [])])), party);
}

/** Whether the event of this sender may fire the transition. */
export const maySend = (transition: CompiledTransition, party: string | undefined): boolean =>
  admits(partiesOf(transition), party);

/** The parties whose events a transition takes; undefined if it takes those of any sender. */
const partiesOf = ({ by, trigger }: CompiledTransition): ReadonlySet<string> | undefined =>
  trigger.kind === 'quorum' ? trigger.of : by;

const admits = (parties: ReadonlySet<string> | undefined, party: string | undefined) =>
  parties === undefined || (party !== undefined && parties.has(party));

function only(name: string, parties: ReadonlySet<string>, party: string | undefined): string {
  const sender = party === undefined ? 'this key is bound to no party' : `this key acts for ${party}`;
  return `${name} is for ${[...parties].join(' or ')} to send; ${sender}.`;
}
