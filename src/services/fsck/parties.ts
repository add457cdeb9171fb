// Checks the parties of the contracts of one machine against its chain: who was bound, what they sent and signed, and
// the bindings, numbers and proposals that the state of each contract holds.

import { payloadOf } from '../../chain/bundle.ts';
import type { Row } from '../../chain/row.ts';
import type { ContractState } from '../../contracts/contract-state.ts';
import { termsHashOf } from '../../contracts/parties/acceptance.ts';
import type { Proposal } from '../../contracts/parties/party-state.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { sha256Hex } from '../../core/sha256.ts';
import { PartyAudit } from '../../protocol/party-audit.ts';
import type { InspectedContract } from '../../storage/fsck/contracts.ts';
import type { ReportFault } from './faults.ts';
import { tryParseJson } from './rows.ts';

type Payload = Readonly<Record<string, unknown>>;

interface OpenProposal {
  readonly termsHash: unknown;
  readonly accepted: number;
}

/** A contract with parties, according to the chain. */
interface Chained {
  readonly audit: PartyAudit;
  /** Unreadable rows that precede its first row, and so say nothing of it. */
  readonly unreadableBefore: number;
  open: Map<number, OpenProposal>;
  readonly instances: Map<string, ChainedInstance>;
}

/** What parties of an instance have proposed and accepted, according to the chain. */
interface ChainedInstance {
  open: Map<number, OpenProposal>;
  accepted: { no: number; voters: number } | undefined;
}

export class PartiesCheck {
  readonly #report: ReportFault;
  /** The keys of contracts with instances, as their definitions name them. */
  readonly #keyOf: (contract: string) => string | undefined;
  readonly #contracts = new Map<string, Chained>();
  /** Rows that may concern parties and cannot be read: of all kinds, and of acts. */
  #unreadable = 0;
  #unreadableActs = 0;

  constructor(report: ReportFault, keyOf: (contract: string) => string | undefined) {
    this.#report = report;
    this.#keyOf = keyOf;
  }

  visit(row: Row): void {
    const isRead = row.type === 'event' || row.type === 'contract' || row.type === 'transition';
    if (isRead && row.payload_text === undefined) {
      this.#unreadable++;
      if (row.type === 'contract') this.#unreadableActs++;
    }
    if (row.type === 'contract') this.#act(row);
    for (const { audit } of isRead ? this.#contracts.values() : []) {
      const fault = audit.visit(row);
      if (fault !== undefined) this.#report('audit', { seq: row.seq }, 'SIGNATURE', fault, 'payload');
    }
  }

  #act({ seq, payload_text }: Row): void {
    const payload = payloadOf({ payload_text });
    const { contract, act, bindings, terms_hash: termsHash, party, proposal, instance } = payload;
    if (typeof contract !== 'string') return;
    const isFirst = bindings !== undefined && act !== 'proposed' && !this.#contracts.has(contract);
    if (isFirst) {
      const isWhole = act === 'deployed' || this.#unreadableActs === 0;
      const audit = new PartyAudit(contract, isWhole, this.#keyOf(contract));
      const unreadableBefore = act === 'deployed' ? this.#unreadable : 0;
      this.#contracts.set(contract, { audit, unreadableBefore, open: new Map(), instances: new Map() });
    }
    const chained = this.#contracts.get(contract);
    if (chained === undefined) return;
    if (typeof instance === 'string') {
      actOfInstance(chained, instance, seq, payload);
      return;
    }
    const no = Number(proposal);
    const before = chained.open.get(no);
    if (act === 'proposed') chained.open.set(seq, { termsHash, accepted: party === undefined ? 0 : 1 });
    else if (act === 'accepted' && before) chained.open.set(no, { ...before, accepted: before.accepted + 1 });
    else if (act === 'withdrawn') chained.open.delete(no);
    else if (act === 'patched' || act === 'rolled back' || act === 'rebound') chained.open = new Map();
  }

  /** What is wrong with the parties in the stored state of an instance; undefined if nothing is, or rows are unreadable. */
  instanceFault(contract: string, key: string, { parties }: Pick<ContractState, 'parties'>): string | undefined {
    const chained = this.#contracts.get(contract);
    if (this.#unreadable > (chained?.unreadableBefore ?? 0)) return undefined;
    const audit = chained?.audit.instance(key);
    const { open = new Map(), accepted } = chained?.instances.get(key) ?? {};
    if (canonicalJson(parties?.bindings ?? null) !== canonicalJson(audit?.bindings ?? null))
      return `The parties of ${key} are not bound as the chain says.`;
    if (parties === undefined) return undefined;
    if (canonicalJson(parties.nonces ?? null) !== canonicalJson(audit?.nonces ?? {}))
      return `The numbers of signatures of ${key} are not those of the chain.`;
    const held = (parties.proposals ?? []).map((proposal) => factsOf(contract, proposal, key));
    const expected = [...open].map(([no, { termsHash, accepted }]) => [no, termsHash, accepted]);
    if (canonicalJson(held) !== canonicalJson(expected))
      return `The open proposals of ${key} are not those of the chain.`;
    const voters = parties.accepted && { no: parties.accepted.no, voters: parties.accepted.voters.length };
    if (canonicalJson(voters ?? null) === canonicalJson(accepted ?? null)) return undefined;
    return `Those who accepted a version in ${key} are not those of the chain.`;
  }

  finish(contracts: readonly InspectedContract[]): void {
    for (const { id, state: text } of contracts) {
      const chained = this.#contracts.get(id);
      const isReadable =
        chained === undefined ? this.#unreadableActs === 0 : this.#unreadable === chained.unreadableBefore;
      if (!isReadable) continue;
      const state = tryParseJson(text) as ContractState | undefined;
      const parties = state?.parties;
      if (state === undefined || (chained === undefined && parties === undefined)) continue;
      const report = (message: string) => this.#report('contract', { id }, 'STATE', message, 'state');
      if (chained === undefined || parties === undefined) {
        // A version without parties ends them.
        if (parties !== undefined) report('The state has parties; the chain bound none.');
        continue;
      }
      const { audit, open } = chained;
      if (canonicalJson(parties.bindings ?? null) !== canonicalJson(audit.bindings ?? null))
        report('The parties are not bound as the chain says.');
      if (canonicalJson(parties.nonces ?? null) !== canonicalJson(audit.nonces))
        report('The numbers of signatures are not those of the chain.');
      const held = canonicalJson((parties.proposals ?? []).map((proposal) => factsOf(id, proposal)));
      const expected = canonicalJson([...open].map(([no, { termsHash, accepted }]) => [no, termsHash, accepted]));
      if (held !== expected) report('The open proposals are not those of the chain.');
    }
  }
}

/** What a row says of the proposals in one instance, and of who accepts the version that it waits for. */
function actOfInstance({ instances }: Chained, key: string, seq: number, payload: Payload): void {
  const { act, terms_hash: termsHash, party, proposal, at_version: version } = payload;
  const chained = instances.get(key) ?? { open: new Map<number, OpenProposal>(), accepted: undefined };
  instances.set(key, chained);
  const no = Number(proposal);
  const before = chained.open.get(no);
  if (act === 'proposed') chained.open.set(seq, { termsHash, accepted: party === undefined ? 0 : 1 });
  else if (act === 'accepted' && before !== undefined)
    chained.open.set(no, { ...before, accepted: before.accepted + 1 });
  else if (act === 'accepted') {
    const { no: former, voters } = chained.accepted ?? { no: 0, voters: 0 };
    chained.accepted = { no: Number(version), voters: former === version ? voters + 1 : 1 };
  } else if (act === 'withdrawn') chained.open.delete(no);
  else if (act === 'rebound' || act === 'moved' || act === 'spawned') {
    chained.open = new Map();
    chained.accepted = undefined;
  }
}

/** Number, recomputed hash of the terms, and acceptances of a proposal. */
function factsOf(contract: string, { no, terms, accepted }: Proposal, instance?: string): unknown[] {
  const { definition } = terms;
  const isIntact = definition === undefined || sha256Hex(canonicalJson(definition)) === terms.definitionHash;
  return [no, isIntact ? termsHashOf(contract, terms, instance) : 'another definition', accepted.length];
}
