// Parties of contracts: what they may reach without being members, the events that they send, the changes that they
// accept, and who is bound.

import { SYSTEM_ACTOR } from '../../chain/row.ts';
import { type ActSignature, isActSigned, nameOfAct } from '../../chain/signed-act.ts';
import type { Environment } from '../../contracts/contract-state.ts';
import { subscribedEvents } from '../../contracts/execution.ts';
import { keyOfEvent, keyRuleOf } from '../../contracts/instances/keys.ts';
import {
  boundTwice,
  isSameTerms,
  missingForVersion,
  movedBindings,
  seatIn,
  sentAs,
  spawnBindings,
  versionTermsHash,
} from '../../contracts/instances/parties.ts';
import { unknownName } from '../../contracts/parameters.ts';
import { missingAcceptances } from '../../contracts/parties/acceptance.ts';
import { openQuorums } from '../../contracts/parties/ballot.ts';
import {
  type GivenBindings,
  type PartyBindings,
  type Seat,
  type Sender,
  seatOf,
  voterOf,
} from '../../contracts/parties/bindings.ts';
import type { Ballot, Terms } from '../../contracts/parties/party-state.ts';
import { senderFault } from '../../contracts/parties/permission.ts';
import { DomainError } from '../../core/errors.ts';
import type { StoredContract } from '../../storage/contracts/contracts.ts';
import type { StoredInstance } from '../../storage/contracts/instances.ts';
import { isUuid } from '../../storage/database/cursor.ts';
import { ROLES, type Role } from '../../storage/machines/access/members.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Principal } from '../access/access.ts';
import type { ContractEngine } from '../engine/engine.ts';
import { KeyedDelivery } from '../engine/keyed-delivery.ts';
import { assertRunning } from '../engine/party-events.ts';
import { assertSize, type MachineService } from '../machines/machines.ts';
import { BoundParties } from './bound-parties.ts';
import { type ContractChange, changeContract, requireStatus } from './change-contract.ts';
import type { ContractService } from './contracts.ts';
import { acceptVersion, assertRebinds, instanceIn } from './instance-parties.ts';
import { assertApart } from './keyed-contracts.ts';
import { accept, proposalRecord, propose, withdraw } from './proposals.ts';

export interface ContractPartiesOptions {
  readonly storage: Pick<
    Storage,
    'machines' | 'contracts' | 'contractInstances' | 'contractVersions' | 'identities' | 'developers' | 'keys'
  >;
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

/** A contract, and the instance of it that a call is about. */
interface Found {
  readonly machine: Machine;
  readonly stored: StoredContract;
  readonly instance: StoredInstance | undefined;
  /** Of the instance, or of the contract if the call is about none. */
  readonly bindings: PartyBindings | undefined;
}

/** A contract for a caller who may see it. */
interface Access extends Found {
  readonly sender: Sender;
  readonly seat: Seat | undefined;
  readonly role: Role | undefined;
}

export class ContractParties {
  readonly #options: ContractPartiesOptions;
  readonly #bound: BoundParties;

  constructor(options: ContractPartiesOptions) {
    this.#options = options;
    this.#bound = new BoundParties(options.storage);
  }

  /**
   * The machine of a contract, or of its instance, in which the caller acts for a party; undefined otherwise.
   *
   * @param key  of the instance: those who act in one see no other
   */
  async machineOf(slug: string, id: string, by: Principal, key?: string): Promise<Machine | undefined> {
    const found = await this.#find(slug, id, key);
    const sender = senderOf(by);
    const seat =
      found && (seatAmong(found.bindings, sender) ?? seatAmong(found.stored.state.parties?.bindings, sender));
    return seat && found.machine;
  }

  /**
   * Delivers an event to one contract, from a party or from an operator of the machine.
   *
   * @throws DomainError NOT_FOUND, AUTH_REQUIRED, FORBIDDEN_PARTY, VALIDATION_FAILED, CONFLICT
   */
  async send(slug: string, id: string, { name, payload = {}, signature }: PartyEvent, by: Principal | undefined) {
    assertSize(payload);
    const words = { name, payload };
    const { machine, stored, sender, seat, role } = await this.#access(slug, id, words, signature, by, payload);
    const { runtimes } = this.#options.engine;
    const contract = runtimes.compile(stored);
    const names = subscribedEvents(contract);
    if (!names.has(name)) {
      const fault = unknownName('name', 'event', name, names);
      throw new DomainError('VALIDATION_FAILED', fault.message, { details: [fault] });
    }
    // Who may send what to an instance is decided where its state is, in the change.
    const isKeyed = stored.definition.key !== undefined;
    const fault = isKeyed ? undefined : senderFault(contract, stored.state, { name, ...sentAs(seat) });
    if (fault !== undefined) throw new DomainError('FORBIDDEN_PARTY', fault, { facts: { event: name } });
    const isOperator = role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf('operator');
    if (seat === undefined && !isOperator) {
      const message = `Only parties of this contract and operators of ${slug} send it events; this key is neither.`;
      throw new DomainError('FORBIDDEN_PARTY', message);
    }
    // A contract that has ended is not loaded after a restart, and would not be found below.
    assertRunning({ stored }, machine);
    const event = {
      name,
      payload,
      to: id,
      sender,
      signed: signature,
      isByParty: !isOperator,
      isByStranger: role === undefined,
    };
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
  async decide(act: 'accepted' | 'withdrawn', slug: string, id: string, decision: Decision, by: Principal | undefined) {
    const { no, termsHash, signature, instance } = decision;
    const words = { name: nameOfAct(act), payload: { terms_hash: termsHash } };
    const { machine, sender, role } = await this.#access(slug, id, words, signature, by, instance);
    const given = { no, termsHash, sender, signed: signature };
    const work = act === 'accepted' ? accept : withdraw;
    await this.#change(
      machine,
      id,
      by,
      strangersOwn(role, (change) => work(change, given)),
      instance,
    );
    return { contract: (await this.#options.contracts.get(machine, id)).contract };
  }

  /**
   * Accepts, for a party of an instance, the version of its contract that stands. The instance moves to it when all of
   * its own parties have.
   *
   * @throws DomainError as `decide`
   */
  async acceptVersion(
    slug: string,
    id: string,
    key: string,
    decision: Omit<Decision, 'instance'>,
    by: Principal | undefined,
  ) {
    const { no, termsHash, signature } = decision;
    const words = { name: nameOfAct('accepted'), payload: { terms_hash: termsHash } };
    const { machine, sender, role } = await this.#access(slug, id, words, signature, by, key);
    const given = { no, termsHash, sender, signed: signature };
    await this.#change(
      machine,
      id,
      by,
      strangersOwn(role, (change) => acceptVersion(change, given)),
      key,
    );
    return this.view(machine, id, by, key);
  }

  /**
   * Proposes other bindings of one party, of the contract or of one instance.
   *
   * @throws DomainError VALIDATION_FAILED, CONFLICT, FORBIDDEN_PARTY
   */
  async rebind(
    machine: Machine,
    id: string,
    {
      party,
      bindings: given,
      instance,
    }: { party: string; bindings: GivenBindings[string]; instance?: string | undefined },
    by: Principal,
  ) {
    const { contracts } = this.#options;
    const bound = await this.#bound.resolveParty(machine, party, given);
    const proposal = await this.#change(
      machine,
      id,
      by,
      (change) => {
        requireStatus(change.live, 'be changed', 'active', 'paused');
        const { stored, running } = change.live;
        if (instance === undefined && stored.definition.parties?.[party]?.bind !== undefined)
          throw namesNoInstance(party);
        const before = running.state.parties?.bindings;
        if (before === undefined) throw new DomainError('CONFLICT', 'The contract has no parties.');
        const bindings = { ...before, [party]: bound };
        if (instance === undefined) this.#bound.assertFit(stored.definition, bindings);
        else {
          assertRebinds(stored.definition, party, bindings);
          assertApart(change.live, bindings);
        }
        const { versionNo: base, definitionHash, parameters, name } = stored;
        const kept = { base, definitionHash, parameters, name, reset: false };
        const terms: Terms = { kind: 'binding', ...kept, bindings, act: 'rebound' };
        return proposalRecord(propose(change, terms, senderOf(by)));
      },
      instance,
    );
    return { contract: (await contracts.get(machine, id)).contract, proposal };
  }

  /**
   * Who is bound to each party, how far quorums of the present state are, and what is proposed.
   *
   * @param key  of an instance: its own parties, votes and proposals, and the version that waits for them
   */
  async view(machine: Machine, id: string, by: Principal | undefined, key?: string) {
    const { engine, environment, contracts } = this.#options;
    const { stored: standing } = await contracts.get(machine, id);
    const instance = key === undefined ? undefined : await this.#instance(machine, standing, key);
    const stored = instance === undefined ? standing : await this.#ofInstance(standing, instance);
    const { definition, state } = stored;
    const { parties } = state;
    const ofVersion = { version: instance === undefined ? null : awaitedVersion(standing, stored, instance) };
    if (parties === undefined) return { you: null, parties: [], quorums: [], proposals: [], ...ofVersion };
    const contract = engine.runtimes.compile(stored);
    const tick = Math.max(engine.tick, machine.head.svcond);
    const bindings = (instance && bindingsWhenTouched(standing, stored, instance)) ?? parties.bindings;
    const seat = by && seatOf(bindings, senderOf(by));
    const isKeyedParent = instance === undefined && definition.key !== undefined;
    const open = isKeyedParent ? [] : openQuorums(contract, state, tick, environment.evaluate);
    const quorums = open.map(({ id, trigger, ...progress }) => {
      const ballot: Ballot = parties.votes[trigger.event] ?? {};
      const votes = Object.entries(ballot).map(([voter, { party, tick, counts, vetoes }]) => ({
        voter,
        party,
        svcond: tick,
        counts: counts.includes(id),
        veto: vetoes.includes(id),
      }));
      return { transition: id, event: trigger.event, of: [...trigger.of], ...progress, votes };
    });
    return {
      you: seat?.party ?? null,
      ...ofVersion,
      parties: Object.entries(definition.parties ?? {}).map(([name, { count, bind = null, description = null }]) => ({
        name,
        description,
        bind,
        min: count?.min ?? 1,
        max: count?.max ?? 1,
        bound: (bindings[name] ?? []).map((binding) => ({ ...binding, voter: voterOf(binding) })),
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
    key?: string,
  ): Promise<Answer> {
    const { engine, storage } = this.#options;
    const { runtimes } = engine;
    const actor = by?.zid ?? SYSTEM_ACTOR;
    const { contracts } = storage;
    const answer = await changeContract({ engine, contracts }, machine, actor, id, (session, live, _, runtime) => {
      if (key === undefined) return work({ session, live, runtimes, actor });
      const found = instanceIn(live, key);
      if (live.instances !== undefined && session.isActive(live))
        new KeyedDelivery(session, runtime, live, live.instances).moveToVersion(found);
      return work({ session, live: instanceIn(live, key), runtimes, actor });
    });
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
    about?: string | PartyEvent['payload'],
  ): Promise<Access> {
    const found = await this.#find(slug, id, about);
    const isValid = signature !== undefined && isActSigned({ machine: slug, contract: id, ...words }, signature);
    const sender = signature === undefined ? senderOf(by) : { ed25519: isValid ? signature.public_key : '' };
    const seat =
      found &&
      (seatAmong(found.bindings, sender) ?? (found.machine.isPublic ? spawningSeat(found, words, sender) : undefined));
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
    return { ...found, sender, seat, role };
  }

  /** @param about  key of the instance, or the payload of an event that names it */
  async #find(slug: string, id: string, about?: string | PartyEvent['payload']): Promise<Found | undefined> {
    const { machines, contracts, contractInstances } = this.#options.storage;
    const machine = await machines.bySlug(slug);
    const stored = machine && isUuid(id) ? await contracts.get(machine.id, id) : undefined;
    if (machine === undefined || stored === undefined) return undefined;
    const rule = keyRuleOf(stored.definition);
    const key = typeof about === 'string' ? about : rule && about && keyOfEvent(rule, about);
    const isKeyed = rule !== undefined && typeof key === 'string';
    const [instance] = isKeyed ? await contractInstances.byKeys(machine.id, id, [key]) : [];
    const of = instance && (await this.#ofInstance(stored, instance));
    const bindings = of && instance ? bindingsWhenTouched(stored, of, instance) : stored.state.parties?.bindings;
    return { machine, stored, instance, bindings };
  }

  /** @throws DomainError NOT_FOUND */
  async #instance({ id: machineId }: Machine, { id }: StoredContract, key: string): Promise<StoredInstance> {
    const [found] = await this.#options.storage.contractInstances.byKeys(machineId, id, [key]);
    if (found !== undefined) return found;
    throw new DomainError('NOT_FOUND', `Instance ${JSON.stringify(key)} of contract ${id} not found.`);
  }

  /** The contract as the instance has it: its state, under the version that decides it. */
  async #ofInstance(standing: StoredContract, { versionNo, state }: StoredInstance): Promise<StoredContract> {
    if (versionNo === standing.versionNo) return { ...standing, state };
    const { machineId, id } = standing;
    const [version] = await this.#options.storage.contractVersions.byNumbers(machineId, id, [versionNo]);
    if (version === undefined) throw new Error(`Version ${versionNo} of contract ${id} is missing.`);
    const { definitionText, definitionHash, parameters } = version;
    const definition = JSON.parse(definitionText) as StoredContract['definition'];
    return { ...standing, state, versionNo, definition, definitionText, definitionHash, parameters };
  }
}

/** A decision on a proposal, by its number; of a version, by the number of the version. */
interface Decision {
  readonly no: number;
  readonly termsHash: string;
  readonly signature?: ActSignature | undefined;
  readonly instance?: string | undefined;
}

/** Marks the rows of a change as those of a stranger, if the caller has no role. */
function strangersOwn<Answer>(role: Role | undefined, work: (change: ContractChange) => Answer) {
  return (change: ContractChange): Answer => {
    if (role === undefined) change.session.markStranger();
    return work(change);
  };
}

function namesNoInstance(party: string): DomainError {
  const message = `instance is missing: each instance binds ${party} for itself; expected the key of one.`;
  return new DomainError('VALIDATION_FAILED', message, { details: [{ path: 'instance', code: 'MISSING', message }] });
}

const seatAmong = (bindings: PartyBindings | undefined, sender: Sender): Seat | undefined =>
  bindings && seatOf(bindings, sender);

/**
 * Who acts in an instance by what touches it next, which moves it to the version that stands if it need not wait. While
 * the contract is paused nothing does, but who has left it has left.
 */
function bindingsWhenTouched(standing: StoredContract, stored: StoredContract, instance: StoredInstance) {
  const { state, status } = instance;
  const own = state.parties?.bindings;
  const isMoved = status === 'active' && stored.versionNo !== standing.versionNo;
  const fixed = standing.state.parties?.bindings;
  const stays =
    awaitedVersion(standing, stored, instance) !== null || boundTwice(standing.definition, fixed, own).length > 0;
  return isMoved && !stays ? movedBindings(standing.definition, fixed, state) : own;
}

/** The seat that an event would give its sender in a new instance; whether it may begin one, the change decides. */
function spawningSeat(
  { stored: { definition, state }, instance }: Found,
  { name, payload }: { readonly name: string; readonly payload: Readonly<Record<string, unknown>> },
  sender: Sender,
): Seat | undefined {
  const rule = keyRuleOf(definition);
  const canBegin = rule?.spawn.has(name) === true && (instance === undefined || rule.respawns);
  if (!canBegin) return undefined;
  const parties = { bindings: state.parties?.bindings, senderIn: () => sender };
  const bound = spawnBindings(definition, { name, payload }, parties);
  return 'refusal' in bound ? undefined : seatIn(bound.bindings, parties);
}

/** The newer version that an instance waits to take, until its own parties have accepted it; null if there is none. */
function awaitedVersion(standing: StoredContract, stored: StoredContract, { key, state }: StoredInstance) {
  if (standing.versionNo === stored.versionNo || isSameTerms(stored, standing)) return null;
  const missing = missingForVersion(stored.definition, state, standing.versionNo);
  if (missing.length === 0) return null;
  const { versionNo: no, definition, definitionHash: definition_hash, parameters } = standing;
  const terms_hash = versionTermsHash(standing.id, key, no, standing);
  return { no, terms_hash, definition_hash, definition, parameters, missing: [...missing] };
}

const senderOf = (by: Principal | undefined): Sender => ({ zid: by?.zid, keyId: by?.keyId });
