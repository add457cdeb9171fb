// Model of a contract with parties, written from the rules in docs/contracts.md and independent of the engine: who may
// send, votes that change, lapse and veto, signatures that count once, versions that are proposed and accepted.

import { Definition } from '../../../src/contracts/definition.ts';

/** In ticks: how long a vote counts, and how long a poll is open. */
export const WITHIN = 3;
const OPEN_FOR = 15;
const NEEDED = 2;
const MAX_PROPOSALS = 4;

const common = { operator: 'KO42', proof: false };
const votes = { kind: 'quorum', event: 'vote', of: 'voters', at_least: 'needed', within: WITHIN, changes: true };
const add = (name: string) => ({ post: [{ set: { [name]: `${name} + 1` } }] });

export const POLL = Definition.parse({
  name: 'poll',
  version: '1.0',
  edition: 2,
  operators: ['KO42'],
  initial: 'idle',
  pause: 'operator',
  parameters: { needed: { type: 'integer', default: NEEDED, min: 1, max: 3 } },
  context: Object.fromEntries(
    ['passed', 'dropped', 'lapsed', 'notes'].map((name) => [name, { type: 'integer', initial: 0 }]),
  ),
  parties: { chair: {}, voters: { count: { min: 3, max: 3 } } },
  amend: { by: 'quorum', of: 'voters', at_least: 2 },
  events: {
    open: { from: 'chair' },
    vote: { payload: { choice: 'string' } },
    nod: { from: ['chair', 'voters'], signed: true },
    note: {},
  },
  states: {
    idle: { role: 'initial' },
    voting: { role: 'intermediate' },
    done: { role: 'terminal', outcome: 'success' },
  },
  transitions: [
    { ...common, id: 'open', from: 'idle', to: 'voting', trigger: { kind: 'event', event: 'open' } },
    {
      ...common,
      id: 'pass',
      from: 'voting',
      to: 'idle',
      trigger: { ...votes, filter: 'event.choice == "yes"', veto: 'event.choice == "veto"' },
      ...add('passed'),
    },
    {
      ...common,
      id: 'drop',
      from: 'voting',
      to: 'idle',
      trigger: { ...votes, filter: 'event.choice == "no"' },
      ...add('dropped'),
    },
    {
      ...common,
      id: 'end',
      from: 'voting',
      to: 'done',
      trigger: { kind: 'quorum', event: 'nod', of: ['chair', 'voters'], at_least: 2, distinct: 'parties' },
    },
    {
      ...common,
      id: 'lapse',
      from: 'voting',
      to: 'idle',
      trigger: { kind: 'one_shot', after: OPEN_FOR },
      ...add('lapsed'),
    },
    {
      ...common,
      id: 'note',
      from: 'voting',
      to: 'voting',
      by: 'chair',
      trigger: { kind: 'event', event: 'note' },
      ...add('notes'),
    },
  ],
});

/** Who sends: a bound key, or one that is not bound. */
export type Sender = 'chair' | 'ann' | 'bob' | 'cleo' | 'mallory';
export type EventName = 'open' | 'vote' | 'nod' | 'note';

const partyOf = (sender: Sender) => (sender === 'mallory' ? undefined : sender === 'chair' ? 'chair' : 'voters');

/** A signature as the model sees it: a number, and whether it is of this act. */
export interface Signed {
  readonly nonce: number;
  readonly isForged: boolean;
}

export type Outcome = 'FORBIDDEN_PARTY' | 'CONFLICT' | 'NOT_FOUND' | undefined;

interface Vote {
  readonly tick: number;
  readonly choice: string;
}

interface Proposal {
  readonly label: number;
  readonly needed: number;
  readonly accepted: Set<Sender>;
}

export class PartyModel {
  now: number;
  state: 'idle' | 'voting' | 'done' = 'idle';
  status: 'active' | 'paused' | 'completed' = 'active';
  readonly context = { passed: 0, dropped: 0, lapsed: 0, notes: 0 };
  version = 1;
  needed = NEEDED;
  proposals: Proposal[] = [];
  readonly nonces = new Map<Sender, number>();
  readonly #votes = new Map<Sender, Vote>();
  readonly #nods = new Set<Sender>();
  #due: number | undefined;
  #labels = 0;

  constructor(now: number) {
    this.now = now;
  }

  get visibleState() {
    const { status, state: currentState, context, version: current_version_no } = this;
    const next_fire = status === 'active' ? (this.#due ?? null) : null;
    return { status, currentState, context: { ...context }, current_version_no, next_fire };
  }

  /** Voters by event, as they stand. */
  get ballots() {
    return { vote: [...this.#votes.keys()].sort(), nod: [...this.#nods].sort() };
  }

  wake(tick = this.now): void {
    if (this.status !== 'active' || this.#due === undefined || this.#due > tick) return;
    this.context.lapsed++;
    this.#enter('idle', tick);
  }

  #enter(state: 'idle' | 'voting' | 'done', tick: number): void {
    this.state = state;
    this.#votes.clear();
    this.#nods.clear();
    this.#due = state === 'voting' ? tick + OPEN_FOR : undefined;
    if (state === 'done') this.status = 'completed';
  }

  /** Why a sender may not send an event now. */
  #isForbidden(name: EventName, sender: Sender, { isForged }: Signed): boolean {
    const party = isForged ? undefined : partyOf(sender);
    if (party === undefined) return true;
    // An event says for whom it is, or its transitions do.
    const allowed = { open: ['chair'], vote: ['voters'], nod: ['chair', 'voters'], note: ['chair'] }[name];
    return !allowed.includes(party);
  }

  send(name: EventName, choice: string, sender: Sender, signed: Signed): Outcome {
    if (this.#isForbidden(name, sender, signed)) return 'FORBIDDEN_PARTY';
    if (this.status !== 'active') return 'CONFLICT';
    if (signed.nonce <= (this.nonces.get(sender) ?? -1)) return 'CONFLICT';
    this.nonces.set(sender, signed.nonce);
    // What was due before this tick is done first.
    this.wake(this.now - 1);
    if (this.state === 'idle' && name === 'open') this.#enter('voting', this.now);
    else if (this.state === 'voting') this.#vote(name, choice, sender);
    return undefined;
  }

  #vote(name: EventName, choice: string, sender: Sender): void {
    if (name === 'note') this.context.notes++;
    if (name === 'nod') {
      this.#nods.add(sender);
      if (new Set([...this.#nods].map(partyOf)).size >= 2) this.#enter('done', this.now);
    }
    if (name !== 'vote') return;
    this.#votes.set(sender, { tick: this.now, choice });
    const standing = [...this.#votes.values()].filter(({ tick }) => tick > this.now - WITHIN);
    const count = (wanted: string) => standing.filter((vote) => vote.choice === wanted).length;
    if (count('yes') >= this.needed && count('veto') === 0) {
      this.context.passed++;
      this.#enter('idle', this.now);
    } else if (count('no') >= this.needed) {
      this.context.dropped++;
      this.#enter('idle', this.now);
    }
  }

  pause(): boolean {
    if (this.status === 'completed') return false;
    this.status = 'paused';
    return true;
  }

  resume(): boolean {
    if (this.status !== 'paused') return false;
    this.status = 'active';
    return true;
  }

  /** @returns the label of the proposal; undefined if it is refused */
  propose(needed: number): number | undefined {
    if (this.status === 'completed' || this.proposals.length >= MAX_PROPOSALS) return undefined;
    if (this.proposals.some((other) => other.needed === needed)) return undefined;
    const label = this.#labels++;
    this.proposals.push({ label, needed, accepted: new Set() });
    return label;
  }

  /** @param label  of a proposal that is or was open */
  decide(act: 'accepted' | 'withdrawn', label: number, sender: Sender, signed: Signed): Outcome {
    if (signed.isForged || partyOf(sender) === undefined) return 'FORBIDDEN_PARTY';
    if (act === 'accepted' && this.status === 'completed') return 'CONFLICT';
    const proposal = this.proposals.find((other) => other.label === label);
    if (proposal === undefined) return 'NOT_FOUND';
    // The owner, who is no party, made all of them.
    if (act === 'withdrawn') return 'FORBIDDEN_PARTY';
    if (proposal.accepted.has(sender)) return undefined;
    if (signed.nonce <= (this.nonces.get(sender) ?? -1)) return 'CONFLICT';
    this.nonces.set(sender, signed.nonce);
    proposal.accepted.add(sender);
    if ([...proposal.accepted].filter((one) => partyOf(one) === 'voters').length < 2) return undefined;
    this.needed = proposal.needed;
    this.version++;
    this.proposals = [];
    // A new version clears the votes; the timer keeps its place.
    this.#votes.clear();
    this.#nods.clear();
    return undefined;
  }

  /** By the owner. */
  withdraw(label: number): Outcome {
    if (!this.proposals.some((other) => other.label === label)) return 'NOT_FOUND';
    this.proposals = this.proposals.filter((other) => other.label !== label);
    return undefined;
  }
}
