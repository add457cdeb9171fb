// The part of a contract's state that belongs to its parties: bindings, votes, proposals.

import type { Definition, Scalars } from '../definition.ts';
import type { Migration } from '../migration/schema.ts';
import type { PartyBindings } from './bindings.ts';

/** The vote of one voter, which counts for some of the transitions on its event. */
export interface Vote {
  readonly tick: number;
  readonly party: string;
  readonly counts: readonly string[];
  /** Transitions that it blocks. */
  readonly vetoes: readonly string[];
}

/** Votes by voter. */
export type Ballot = Readonly<Record<string, Vote>>;

/** A change of the contract that waits for acceptance. */
export interface Proposal {
  /** Number of its row. */
  readonly no: number;
  readonly terms: Terms;
  /** What is accepted: the hash of everything that the change sets. */
  readonly termsHash: string;
  /** Voters who have accepted it. */
  readonly accepted: readonly string[];
  /** Who proposed it: a voter, or the ZID of an admin. */
  readonly by: string;
  readonly tick: number;
}

/** What a proposal sets: a new version, or who is bound to a party. */
export interface Terms {
  readonly kind: 'version' | 'binding';
  /** Version that it changes. */
  readonly base: number;
  /** Absent if the definition stays. */
  readonly definition?: Definition | undefined;
  readonly definitionHash: string;
  readonly parameters: Scalars;
  readonly name: string;
  readonly reset: boolean;
  /** What becomes of the state, from that of version `base`. */
  readonly migrate?: Migration | undefined;
  /** Absent if everybody stays bound. */
  readonly bindings?: PartyBindings | undefined;
  /** Act of the row that puts it into effect. */
  readonly act: string;
}

export interface PartyState {
  readonly bindings: PartyBindings;
  /** The largest number that each Ed25519 key has signed. */
  readonly nonces: Readonly<Record<string, number>>;
  /** Votes since the entry into the state, by event. */
  readonly votes: Readonly<Record<string, Ballot>>;
  readonly proposals: readonly Proposal[];
  /** Of an instance: who of its own parties has accepted a newer version of its contract. */
  readonly accepted?: { readonly no: number; readonly voters: readonly string[] } | undefined;
}

export const partyStateOf = (bindings: PartyBindings): PartyState => ({
  bindings,
  nonces: {},
  votes: {},
  proposals: [],
});
