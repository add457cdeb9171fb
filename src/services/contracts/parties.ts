// Parties of contracts: what they may reach without being members, the events that they send, the changes that they
// accept, and who is bound.

import { SYSTEM_ACTOR } from '../../chain/row.ts';
import { type ActSignature, isActSigned, nameOfAct } from '../../chain/signed-act.ts';
import type { Environment } from '../../contracts/contract-state.ts';
import { subscribedEvents } from '../../contracts/execution.ts';
import { unknownName } from '../../contracts/parameters.ts';
import { missingAcceptances } from '../../contracts/parties/acceptance.ts';
import { quorumProgress } from '../../contracts/parties/ballot.ts';
import { type GivenBindings, type Seat, type Sender, seatOf, voterOf } from '../../contracts/parties/bindings.ts';
import type { Ballot, Terms } from '../../contracts/parties/party-state.ts';
import { senderFault } from '../../contracts/parties/permission.ts';
import { DomainError } from '../../core/errors.ts';
import type { StoredContract } from '../../storage/contracts/contracts.ts';
import { isUuid } from '../../storage/database/cursor.ts';
import { ROLES } from '../../storage/machines/access/members.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Principal } from '../access/access.ts';
import type { ContractEngine } from '../engine/engine.ts';
import { assertRunning } from '../engine/party-events.ts';
import { assertSize, type MachineService } from '../machines/machines.ts';
import { BoundParties } from './bound-parties.ts';
import { type ContractChange, changeContract, requireStatus } from './change-contract.ts';
import type { ContractService } from './contracts.ts';
import { accept, proposalRecord, propose, withdraw } from './proposals.ts';

export interface ContractPartiesOptions {
  readonly storage: Pick<Storage, 'machines' | 'contracts' | 'identities' | 'developers' | 'keys'>;
  readonly engine: ContractEngine;
  readonly machines: MachineService;
  readonly contracts: ContractService;
  readonly environment: Pick<Environment, 'evaluate'>;
}

export interface PartyEvent {
  readonly name: string;
  readonly payload?: Readonly<Record<string, unknown>> | undefined;
  readonly signature?: ActSignature | undefined;
}

/** A contract for a caller who may see it. */
interface Access {
  readonly machine: Machine;
  readonly stored: StoredContract;
  readonly sender: Sender;
  readonly seat: Seat | undefined;
}

export class ContractParties {
  readonly #options: ContractPartiesOptions;
  readonly #bound: BoundParties;

  constructor(options: ContractPartiesOptions) {
    this.#options = options;
    this.#bound = new BoundParties(options.storage);
  }

  /** The machine of a contract in which the caller acts for a party; undefined otherwise. */
  async machineOf(slug: string, id: string, by: Principal): Promise<Machine | undefined> {
    const found = await this.#find(slug, id);
    const bindings = found?.stored.state.parties?.bindings;
    return bindings && seatOf(bindings, senderOf(by)) ? found.machine : undefined;
  }

  /**
   * Delivers an event to one contract, from a party or from an operator of the machine.
   *
   * @throws DomainError NOT_FOUND, AUTH_REQUIRED, FORBIDDEN_PARTY, VALIDATION_FAILED, CONFLICT
   */
  async send(slug: string, id: string, { name, payload = {}, signature }: PartyEvent, by: Principal | undefined) {
    assertSize(payload);
    const { machine, stored, sender, seat } = await this.#access(slug, id, { name, payload }, signature, by);
    const { runtimes } = this.#options.engine;
    const contract = runtimes.compile(stored);
    const names = subscribedEvents(contract);
    if (!names.has(name)) {
      const fault = unknownName('name', 'event', name, names);
      throw new DomainError('VALIDATION_FAILED', fault.message, { details: [fault] });
    }
    const fault = senderFault(contract, stored.state, { name, party: seat?.party, voter: seat?.voter });
    if (fault !== undefined) throw new DomainError('FORBIDDEN_PARTY', fault, { facts: { event: name } });
    const role = by && (await this.#options.machines.roleOf(machine, by));
    const isOperator = role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf('operator');
    if (seat === undefined && !isOperator) {
      const message = `Only parties of this contract and operators of ${slug} send it events; this key is neither.`;
      throw new DomainError('FORBIDDEN_PARTY', message);
    }
    // A contract that has ended is not loaded after a restart, and would not be found below.
    assertRunning({ stored }, machine);
    const event = { name, payload, to: id, sender, signed: signature, isByParty: !isOperator };
    const actor = by?.zid ?? SYSTEM_ACTOR;
    const sent = await this.#options.engine.ingest(machine.id, actor, event);
    const row = sent.rows.find(({ seq }) => seq === sent.seq);
    if (row === undefined) throw new Error(`Row ${sent.seq} of ${slug} not found after its event was written.`);
    const { fired, refused, ignored } = sent;
    return {
      seq: row.seq,
      svcond: row.svcond,
      row_hash: row.row_hash,
      party: seat?.party ?? null,
      fired,
      refused,
      ignored,
    };
  }

  /** @throws DomainError as `accept` of proposals.ts */
  async decide(
    act: 'accepted' | 'withdrawn',
    slug: string,
    id: string,
    { no, termsHash, signature }: { no: number; termsHash: string; signature?: ActSignature | undefined },
    by: Principal | undefined,
  ) {
    const words = { name: nameOfAct(act), payload: { terms_hash: termsHash } };
    const { machine, sender } = await this.#access(slug, id, words, signature, by);
    const given = { no, termsHash, sender, signed: signature };
    await this.#change(machine, id, by, (change) => (act === 'accepted' ? accept : withdraw)(change, given));
    return { contract: (await this.#options.contracts.get(machine, id)).contract };
  }

  /** Proposes other bindings of one party. @throws DomainError VALIDATION_FAILED, CONFLICT, FORBIDDEN_PARTY */
  async rebind(machine: Machine, id: string, party: string, given: GivenBindings[string], by: Principal) {
    const { contracts } = this.#options;
    const bound = await this.#bound.resolveParty(machine, party, given);
    const proposal = await this.#change(machine, id, by, (change) => {
      requireStatus(change.live, 'be changed', 'active', 'paused');
      const { stored, running } = change.live;
      const before = running.state.parties?.bindings;
      if (before === undefined) throw new DomainError('CONFLICT', 'The contract has no parties.');
      const bindings = { ...before, [party]: bound };
      this.#bound.assertFit(stored.definition, bindings);
      const { versionNo: base, definitionHash, parameters, name } = stored;
      const kept = { base, definitionHash, parameters, name, reset: false };
      const terms: Terms = { kind: 'binding', ...kept, bindings, act: 'rebound' };
      return proposalRecord(propose(change, terms, senderOf(by)));
    });
    return { contract: (await contracts.get(machine, id)).contract, proposal };
  }

  /** Who is bound to each party, how far quorums of the present state are, and what is proposed. */
  async view(machine: Machine, id: string, by: Principal | undefined) {
    const { engine, environment, contracts } = this.#options;
    const { stored } = await contracts.get(machine, id);
    const { definition, state } = stored;
    const { parties } = state;
    if (parties === undefined) return { you: null, parties: [], quorums: [], proposals: [] };
    const contract = engine.runtimes.compile(stored);
    const tick = Math.max(engine.tick, machine.head.svcond);
    const seat = by && seatOf(parties.bindings, senderOf(by));
    const quorums = contract.transitions.flatMap(({ id, from, trigger }) => {
      if (trigger.kind !== 'quorum' || !from.has(state.state)) return [];
      const progress = quorumProgress(contract, state, { id, trigger }, tick, environment.evaluate);
      const ballot: Ballot = parties.votes[trigger.event] ?? {};
      const votes = Object.entries(ballot).map(([voter, { party, tick, counts, vetoes }]) => ({
        voter,
        party,
        svcond: tick,
        counts: counts.includes(id),
        veto: vetoes.includes(id),
      }));
      return [{ transition: id, event: trigger.event, of: [...trigger.of], ...progress, votes }];
    });
    return {
      you: seat?.party ?? null,
      parties: Object.entries(definition.parties ?? {}).map(([name, { count, description = null }]) => ({
        name,
        description,
        min: count?.min ?? 1,
        max: count?.max ?? 1,
        bound: (parties.bindings[name] ?? []).map((binding) => ({ ...binding, voter: voterOf(binding) })),
      })),
      quorums,
      proposals: parties.proposals.map((proposal) => ({
        ...proposalRecord(proposal),
        missing: missingAcceptances(definition, parties.bindings, proposal).map(({ of, needed }) => ({ of, needed })),
      })),
    };
  }

  async #change<Answer>(
    machine: Machine,
    id: string,
    by: Principal | undefined,
    work: (change: ContractChange) => Answer,
  ): Promise<Answer> {
    const { engine, storage } = this.#options;
    const { runtimes } = engine;
    const actor = by?.zid ?? SYSTEM_ACTOR;
    const { contracts } = storage;
    const answer = await changeContract({ engine, contracts }, machine, actor, id, (session, live) =>
      work({ session, live, runtimes, actor }),
    );
    // Windows that count something new are filled from the log when the runtime is next built.
    runtimes.evict(machine.id);
    return answer;
  }

  /**
   * The contract for a caller with a key or a signature. Who may not see a private machine learns nothing of it.
   *
   * @throws DomainError NOT_FOUND, AUTH_REQUIRED, FORBIDDEN, FORBIDDEN_PARTY for a signature that is not valid
   */
  async #access(
    slug: string,
    id: string,
    words: { readonly name: string; readonly payload: Readonly<Record<string, unknown>> },
    signature: ActSignature | undefined,
    by: Principal | undefined,
  ): Promise<Access> {
    const found = await this.#find(slug, id);
    const isValid = signature !== undefined && isActSigned({ machine: slug, contract: id, ...words }, signature);
    const sender = signature === undefined ? senderOf(by) : { ed25519: isValid ? signature.public_key : '' };
    const bindings = found?.stored.state.parties?.bindings;
    const seat = bindings && seatOf(bindings, sender);
    const role = found && by && (await this.#options.machines.roleOf(found.machine, by));
    if (found === undefined || !(found.machine.isPublic || role !== undefined || seat !== undefined))
      throw new DomainError('NOT_FOUND', `Machine ${slug} not found, or not visible to you.`);
    if (signature === undefined && by === undefined)
      throw new DomainError('AUTH_REQUIRED', 'Send an API key, or a signature by an Ed25519 key of a party.');
    if (signature === undefined && by?.scope === 'read')
      throw new DomainError('FORBIDDEN', 'Key of scope write required; this key has scope read.');
    if (signature !== undefined && seat === undefined) {
      const reason = isValid
        ? `${signature.public_key} is bound to no party of this contract`
        : `it is not a signature of ${words.name} for contract ${id} of machine ${slug} by this key`;
      throw new DomainError('FORBIDDEN_PARTY', `signature is refused: ${reason}.`);
    }
    return { ...found, sender, seat };
  }

  async #find(slug: string, id: string): Promise<{ machine: Machine; stored: StoredContract } | undefined> {
    const { machines, contracts } = this.#options.storage;
    const machine = await machines.bySlug(slug);
    const stored = machine && isUuid(id) ? await contracts.get(machine.id, id) : undefined;
    return machine && stored ? { machine, stored } : undefined;
  }
}

const senderOf = (by: Principal | undefined): Sender => ({ zid: by?.zid, keyId: by?.keyId });
