// Parties of an instance: those of its contract, and those whom the event that spawned it has named.

import { canonicalJson } from '../../core/canonical-json.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { ContractState } from '../contract-state.ts';
import type { Definition, Scalars } from '../definition.ts';
import {
  type PartyBinding,
  type PartyBindings,
  type Seat,
  type Sender,
  seatOf,
  voterOf,
  votersOf,
} from '../parties/bindings.ts';
import { partyStateOf } from '../parties/party-state.ts';
import { shortened } from './keys.ts';
import type { Refusal } from './route.ts';

/** Who may act in a new instance, and who sent the event that spawns it. */
export interface SpawnParties {
  /** Bindings of the contract; undefined without parties. */
  readonly bindings: PartyBindings | undefined;
  /** Undefined for an event that a contract or another machine sent. @param bindings  those of the instance */
  readonly senderIn: (bindings: PartyBindings) => Sender | undefined;
}

/** No parties. */
export const NOBODY: SpawnParties = { bindings: undefined, senderIn: () => undefined };

interface SpawnEvent {
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const ACTOR = 'event.actor';
const ZID = /^[0-9a-f]{32}$/;
const PUBLIC_KEY = /^[0-9a-f]{64}$/;
const EXPECTED = 'the ZID of an account (32 hexadecimal digits) or an Ed25519 public key (64)';

/** The parties that each instance binds for itself, with the field that names them. */
export const ownParties = ({ parties = {} }: Pick<Definition, 'parties'>): readonly (readonly [string, string])[] =>
  Object.entries(parties).flatMap(([name, { bind }]) => (bind === undefined ? [] : [[name, bind] as const]));

/**
 * The bindings with which an instance begins, or why it cannot.
 *
 * @returns undefined for a definition without parties
 */
export function spawnBindings(
  definition: Definition,
  { name, payload }: SpawnEvent,
  { bindings: fixed, senderIn }: SpawnParties,
): { readonly bindings: PartyBindings | undefined } | { readonly refusal: Refusal } {
  if (definition.parties === undefined) return { bindings: undefined };
  const bindings: Record<string, readonly PartyBinding[]> = { ...fixed };
  const taken = new Map(
    Object.keys(bindings).flatMap((party) => [...votersOf(bindings, party)].map((v) => [v, party])),
  );
  for (const [party, bind] of ownParties(definition)) {
    const field = bind.slice('event.'.length);
    const given = bind === ACTOR ? senderIn({}) : bindingOf(Object.hasOwn(payload, field) ? payload[field] : undefined);
    const path = bind === ACTOR ? 'actor' : `payload.${field}`;
    const got = bind === ACTOR ? null : shortened(payload[field]);
    if (given === undefined) {
      const shown = bind === ACTOR ? 'no account or key sent it' : `${path} is ${JSON.stringify(got)}`;
      const reason = `${name} binds nobody to ${party}: ${shown}; expected ${EXPECTED}.`;
      return { refusal: { transition: null, code: 'BAD_PARTY', reason, field: { path, got, expected: EXPECTED } } };
    }
    const binding: PartyBinding = 'ed25519' in given ? { ed25519: given.ed25519 ?? '' } : { zid: given.zid ?? '' };
    const other = taken.get(voterOf(binding));
    if (other !== undefined) {
      const expected = 'another account or key than those of the other parties';
      const reason = `${name} binds ${voterOf(binding)} to ${party}, which acts for ${other} already; expected ${expected}.`;
      return { refusal: { transition: null, code: 'BAD_PARTY', reason, field: { path, got, expected } } };
    }
    taken.set(voterOf(binding), party);
    bindings[party] = [binding];
  }
  return { bindings };
}

/** The account or key that a value names. */
function bindingOf(value: unknown): Sender | undefined {
  if (typeof value !== 'string') return undefined;
  return ZID.test(value) ? { zid: value } : PUBLIC_KEY.test(value) ? { ed25519: value } : undefined;
}

/**
 * The sender of an event as scenarios name it: an account or key, a party, or the second of a party as `inspectors.2`.
 * Somebody else is a key of that name, so that `customer.2` is another customer than that of an instance.
 */
export function namedSender(bindings: PartyBindings, by: string): Sender | undefined {
  const known = bindingOf(by);
  if (known !== undefined) return known;
  const [party = '', no = '1'] = by.split('.');
  const bound = Object.hasOwn(bindings, party) ? bindings[party]?.[Number(no) - 1] : undefined;
  return bound ?? (by === 'engine' || by.includes(':') ? undefined : { ed25519: `${party}.${no}` });
}

/** The seat of the sender of an event in an instance. */
export function seatIn(bindings: PartyBindings | undefined, { senderIn }: Pick<SpawnParties, 'senderIn'>) {
  const sender = bindings && senderIn(bindings);
  return bindings && sender && seatOf(bindings, sender);
}

/** Who sent something, as the transition function reads it. */
export const sentAs = (seat: Seat | undefined) => ({ party: seat?.party, voter: seat?.voter });

/** Bindings of an instance under a version of its contract: its own ones stay. */
export function movedBindings(
  definition: Definition,
  fixed: PartyBindings | undefined,
  { parties }: Pick<ContractState, 'parties'>,
): PartyBindings | undefined {
  if (definition.parties === undefined) return undefined;
  const own = ownParties(definition).map(([name]) => [name, parties?.bindings[name] ?? []] as const);
  return { ...fixed, ...Object.fromEntries(own) };
}

/** Whom the contract and an instance bind to different parties: one acts for one party, so the instance keeps its own. */
export const boundTwice = (
  definition: Pick<Definition, 'parties'>,
  fixed: PartyBindings | undefined = {},
  own: PartyBindings = {},
): readonly string[] => {
  const voters = ownParties(definition).flatMap(([name]) => [...votersOf(own, name)]);
  const taken = new Set(Object.keys(fixed).flatMap((party) => [...votersOf(fixed, party)]));
  return voters.filter((voter) => taken.has(voter));
};

/** An instance in which others act from now on. Votes were cast by those before, and proposals were made to them. */
export const reboundState = (state: ContractState, bindings: PartyBindings): ContractState => ({
  ...state,
  parties: { ...partyStateOf(bindings), nonces: state.parties?.nonces ?? {} },
});

/** What an instance is decided by. */
interface Terms {
  readonly definitionHash: string;
  readonly parameters: Scalars;
}

/** Whether the terms of an instance stay the same under a version that only binds others. */
export const isSameTerms = (one: Terms, other: Terms): boolean =>
  one.definitionHash === other.definitionHash && canonicalJson(one.parameters) === canonicalJson(other.parameters);

/** Voters of an instance's own parties who have not accepted a version; it waits for them. */
export function missingForVersion(
  definition: Definition,
  { parties }: Pick<ContractState, 'parties'>,
  no: number,
): readonly string[] {
  const accepted = parties?.accepted?.no === no ? parties.accepted.voters : [];
  const own = ownParties(definition).flatMap(([name]) => [...votersOf(parties?.bindings ?? {}, name)]);
  return own.filter((voter) => !accepted.includes(voter));
}

/** The hash that a party of an instance accepts: of the version that comes after its own. */
export const versionTermsHash = (
  contract: string,
  instance: string,
  no: number,
  { definitionHash, parameters }: Terms,
): string => sha256Hex(canonicalJson({ contract, instance, version: no, definition_hash: definitionHash, parameters }));
