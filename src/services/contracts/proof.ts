// Verifies the proof chain of a contract: its rows against the chain and the signed tree, its fires against its rows,
// each version against its hash, each receipt against the key ring, and its state against its last transition.

import type { Row } from '../../chain/row.ts';
import type { RowType } from '../../chain/row-type.ts';
import { isFrom, STRANGER_SOURCE } from '../../chain/tally.ts';
import { resultFault } from '../../contracts/calls/result.ts';
import type { StartedCall } from '../../contracts/contract-state.ts';
import { haveHash } from '../../contracts/data/collections.ts';
import { ChainedInstances } from '../../contracts/instances/chained-instances.ts';
import { ownOf } from '../../contracts/migration/kept.ts';
import { Migration } from '../../contracts/migration/schema.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import type { Clock } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { isRecord } from '../../core/record.ts';
import { sha256Hex } from '../../core/sha256.ts';
import { PartyAudit } from '../../protocol/party-audit.ts';
import type { ReceiptKeys, TransitionClaim } from '../../protocol/receipt.ts';
import type { StoredContract } from '../../storage/contracts/contracts.ts';
import type { StoredFire } from '../../storage/contracts/fires.ts';
import type { StoredInstance } from '../../storage/contracts/instances.ts';
import type { StoredVersion } from '../../storage/contracts/versions.ts';
import type { Executor } from '../../storage/database/sql.ts';
import type { Role } from '../../storage/machines/access/members.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Principal } from '../access/access.ts';
import type { TreeService } from '../machines/trees.ts';
import { TrialTurns } from './trial-turns.ts';

export type ProofFault =
  | 'HASH'
  | 'LINK'
  | 'GAP'
  | 'TICK'
  | 'COMMIT'
  | 'TREE'
  | 'DEFINITION'
  | 'VERSION'
  | 'FIRE'
  | 'ORDER'
  | 'RECEIPT'
  | 'PARTY'
  | 'RESULT'
  | 'COUNT'
  | 'STATE';

export interface ContractProofOptions {
  readonly storage: Pick<
    Storage,
    'transaction' | 'machines' | 'contracts' | 'contractInstances' | 'contractVersions' | 'fires' | 'audit'
  >;
  readonly trees: TreeService;
  readonly receipts: ReceiptKeys;
  readonly clock: Clock;
  /** The role of a caller on a machine. */
  readonly roleOf: (machine: Machine, by: Principal) => Promise<Role | undefined>;
  /** LIMITS.contracts.proof by default. */
  readonly limits?: { readonly rows: number; readonly publicRows: number; readonly page: number };
}

/** Everything stored about a contract, from one snapshot. */
interface Snapshot {
  readonly machine: Machine;
  readonly contract: StoredContract;
  readonly versions: readonly StoredVersion[];
  /** Oldest first. */
  readonly fires: readonly StoredFire[];
  /** Rows of types `contract` and `transition` since the deployment, oldest first. */
  readonly rows: readonly Row[];
  /** Rows of events, if the contract has parties or has started activities. */
  readonly events: readonly Row[];
  /** Of a contract with a key. */
  readonly instances: readonly StoredInstance[];
}

interface Payload {
  readonly [name: string]: unknown;
}

/** Receipts that are checked in one turn of the event loop. */
const ROWS_PER_TURN = 100;

export class ContractProofs {
  readonly #options: ContractProofOptions;
  readonly #limits: NonNullable<ContractProofOptions['limits']>;
  readonly #turns: TrialTurns;

  constructor(options: ContractProofOptions) {
    this.#options = options;
    this.#limits = options.limits ?? LIMITS.contracts.proof;
    this.#turns = new TrialTurns(options.clock);
  }

  /**
   * Reads and checks in slices, so that a long chain does not hold up other requests.
   *
   * @throws DomainError NOT_FOUND, BUDGET_EXCEEDED if there are too many rows for one call of this caller, OUT_OF_TIME
   */
  async verify({ id: machineId }: Machine, id: string, by: Principal | undefined) {
    const stored = await this.#read(machineId, id, by);
    const checked: Checked = {
      rows: 0,
      transitions: 0,
      versions: 0,
      receipts: 0,
      stamps: 0,
      signatures: 0,
      unreadable: 0,
    };
    const proof = (failure: ProofFailure | undefined) => ({
      valid: failure === undefined,
      checked,
      ...(failure === undefined ? {} : { first_bad: failure }),
    });
    const chainFailure = await this.#chainFault(stored, checked);
    if (chainFailure) return proof(chainFailure);
    const rows: ContractRow[] = [];
    const inTurns = (check: Generator<void, ProofFailure | undefined>) =>
      this.#turns.run(machineId, check, this.#options.clock.now());
    return proof(
      (await inTurns(this.#versionOrFireFault(stored, rows, checked))) ??
        (await this.#receiptFault(stored, rows, checked)) ??
        (await inTurns(partyFault(stored, checked))) ??
        (await inTurns(activityFault(stored, rows, checked))) ??
        (await inTurns(stateFault(stored, rows, checked))),
    );
  }

  /** Collects the readable rows of the contract too. */
  *#versionOrFireFault(
    stored: Snapshot,
    rows: ContractRow[],
    checked: Checked,
  ): Generator<void, ProofFailure | undefined> {
    for (const row of stored.rows) {
      if (row.payload_text === undefined) checked.unreadable++;
      const payload = row.payload_text === undefined ? undefined : (JSON.parse(row.payload_text) as Payload);
      if (payload?.contract === stored.contract.id) rows.push({ row, payload });
      yield;
    }
    return versionFault(stored, rows, checked) ?? (yield* fireFault(stored, rows, checked));
  }

  async #read(machineId: string, id: string, by: Principal | undefined): Promise<Snapshot> {
    const { storage, roleOf } = this.#options;
    // Rows and fires are only ever appended, so those up to this head can be read page by page, without a transaction.
    const { machine, contract, versions, instances } = await storage.transaction(async (on) => {
      const [machine] = await storage.machines.byIds([machineId], false, on);
      const contract = machine && (await storage.contracts.get(machineId, id, on));
      if (machine === undefined || contract === undefined) {
        throw new DomainError('NOT_FOUND', `Contract ${id} not found on this machine.`);
      }
      const versions = await storage.contractVersions.list(machineId, id, on);
      const instances = contract.definition.key === undefined ? [] : await this.#instances(machineId, id, on);
      return { machine, contract, versions: versions.toReversed(), instances };
    });
    const isMember = by !== undefined && (await roleOf(machine, by)) !== undefined;
    const { rows: memberRows, publicRows, page } = this.#limits;
    const maxRows = isMember ? memberRows : publicRows;
    const { seq: last, slug } = machine.head;
    const since = contract.createdSvcond;
    const [deployed] = await storage.audit.select(machineId, slug, { since, order: 'oldest first', limit: 1 });
    if (last - (deployed?.seq ?? last) >= maxRows) {
      const who = isMember ? '' : ' for callers who are not members';
      const message = `Limit of ${maxRows} rows in one call${who} exceeded; the machine wrote more since the deployment.`;
      throw new DomainError('BUDGET_EXCEEDED', message, { facts: { rows_max: maxRows } });
    }
    const rowsOf = (types: readonly RowType[]) =>
      pages(page, (from, limit) =>
        storage.audit.select(machineId, slug, {
          types: [...types],
          since,
          from,
          before: last + 1,
          order: 'oldest first',
          limit,
        }),
      );
    const rows = await rowsOf(['contract', 'transition']);
    const hasCalls = rows.some(({ type, payload_text: text }) => type === 'transition' && text?.includes('"calls":['));
    const events = contract.state.parties === undefined && !hasCalls ? [] : await rowsOf(['event']);
    const fires = await pages(page, (first, limit) =>
      storage.fires.range(machineId, id, { first, last: Number.MAX_SAFE_INTEGER, limit }),
    );
    // Fires behind the present head are forged; those behind the head that was read first may only be new.
    const [present] = await storage.machines.byIds([machineId], false);
    const presentLast = present?.head.seq ?? last;
    return {
      machine,
      contract,
      versions,
      fires: fires.filter(({ seq }) => seq <= last || seq > presentLast),
      rows,
      events,
      instances,
    };
  }

  /** Instances as of one snapshot, since each change of one replaces it. @throws DomainError BUDGET_EXCEEDED */
  async #instances(machineId: string, id: string, on: Executor): Promise<StoredInstance[]> {
    const { page, rows: max } = this.#limits;
    const all: StoredInstance[] = [];
    for (;;) {
      const bounds = { limit: page, maxBytes: LIMITS.pageBytes, after: all.at(-1) };
      const found = await this.#options.storage.contractInstances.page(machineId, id, bounds, on);
      all.push(...found.rows);
      if (found.next === undefined) return all;
      if (all.length <= max) continue;
      throw new DomainError('BUDGET_EXCEEDED', `Limit of ${max} instances in one call exceeded.`);
    }
  }

  /** Validates the chain from the deployment on, a page at a time. */
  async #chainFault({ machine, rows }: Snapshot, checked: Checked): Promise<ProofFailure | undefined> {
    const { page } = this.#limits;
    const last = machine.head.seq;
    for (let from = rows[0]?.seq ?? last; from <= last; from += page) {
      const validation = await this.#options.trees.validate(machine, from, Math.min(last, from + page - 1));
      checked.rows += validation.checked;
      const { first_bad: bad } = validation;
      if (bad)
        return failureOf(
          bad.reason,
          `Row ${bad.seq} of the chain does not match its hash, link or signed tree.`,
          bad.seq,
        );
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    return undefined;
  }

  async #receiptFault(
    { machine, contract, versions }: Snapshot,
    rows: readonly ContractRow[],
    checked: Checked,
  ): Promise<ProofFailure | undefined> {
    const { receipts } = this.#options;
    const proved = new Map(versions.map(({ no, definitionText }) => [no, provedTransitions(definitionText)]));
    for (const [at, { row, payload }] of rows.entries()) {
      if (at % ROWS_PER_TURN === 0) await new Promise<void>((resolve) => setImmediate(resolve));
      if (row.type !== 'transition') continue;
      const { seq, svcond } = row;
      const version = versions.find(({ no }) => no === payload.version);
      const isProved = proved.get(Number(payload.version))?.has(String(payload.transition)) === true;
      if (!isProved && payload.receipt === undefined) continue;
      const receipt = (payload.receipt ?? {}) as Partial<TransitionReceipt> & Partial<Stamp>;
      if (receipt.kind !== 'transition') {
        // Anybody can mint a stamp, so none is accepted once the node signs receipts.
        if (checked.receipts > 0 || !this.#isStamp(receipt as Stamp)) {
          return failureOf('RECEIPT', `The stamp in row ${seq} is no receipt of its transition.`, seq);
        }
        checked.stamps++;
        continue;
      }
      const { transition, from, to, entry, computed = [] } = payload as unknown as TransitionClaim;
      const { previous, svcProof, epoch } = receipt as TransitionReceipt;
      const definition_hash = version?.definitionHash ?? '';
      const place = { machine: machine.head.slug, contract: contract.id, definition_hash, seq, svcond, previous };
      const { instance, by } = receipt;
      // Receipts that were signed before they named their instance, or who caused them, stay valid: their text has none.
      const named = { ...(instance === undefined ? {} : { instance }), ...(by === undefined ? {} : { by }) };
      const claim = { ...place, ...named, transition, from, to, entry, computed: computed.map(withoutReceipt) };
      const isOfRow =
        receipt.definition_hash === definition_hash && (instance === undefined || instance === payload.instance);
      const isSigned = isOfRow && receipts.isTransition(svcProof, claim, epoch);
      if (!isSigned || !(await this.#isRow(machine, previous))) {
        return failureOf('RECEIPT', `The receipt in row ${seq} is not one of this transition.`, seq);
      }
      checked.receipts++;
    }
    return undefined;
  }

  /** Whether this node signed a stamp of the time when fires had no receipts. It names no transition. */
  #isStamp({ svcProof, operatorIds, R_t, svcond, keyPrefix, value, unit, epoch }: Stamp): boolean {
    const claim = { operatorIds, R_t, svcond, keyPrefix, value, unit };
    return this.#options.receipts.verify(svcProof, claim, epoch).valid;
  }

  async #isRow({ id, head }: Machine, { seq, row_hash }: TransitionClaim['previous']): Promise<boolean> {
    const [row] = await this.#options.storage.audit.range(id, head.slug, seq, seq);
    return row?.row_hash === row_hash;
  }
}

interface TransitionReceipt {
  readonly kind: 'transition';
  readonly instance?: string | undefined;
  readonly by?: TransitionClaim['by'];
  readonly definition_hash: string;
  readonly previous: TransitionClaim['previous'];
  readonly svcProof: string;
  readonly epoch: number;
}

/** A call as the transition made it; the row adds the receipt of a solver. */
function withoutReceipt(call: object): object {
  const { receipt: _, ...made } = call as { readonly receipt?: unknown };
  return made;
}

/** Reads everything in pages, with a turn of the event loop after each. */
async function pages<Item extends { readonly seq: number }>(
  page: number,
  read: (from: number, limit: number) => Promise<readonly Item[]>,
): Promise<Item[]> {
  const all: Item[] = [];
  for (;;) {
    const found = await read((all.at(-1)?.seq ?? -1) + 1, page);
    all.push(...found);
    if (found.length < page) return all;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/** What was checked so far. */
interface Checked {
  rows: number;
  transitions: number;
  versions: number;
  receipts: number;
  stamps: number;
  signatures: number;
  unreadable: number;
}

/** Ids of the transitions that require a proof. */
function provedTransitions(definitionText: string): ReadonlySet<string> {
  const { transitions = [] } = JSON.parse(definitionText) as {
    readonly transitions?: readonly { readonly id: string; readonly proof: boolean }[];
  };
  return new Set(transitions.flatMap(({ id, proof }) => (proof ? [id] : [])));
}

/** A readable row of the contract. */
interface ContractRow {
  readonly row: Row;
  readonly payload: Payload;
}

interface Stamp {
  readonly svcProof?: string;
  readonly operatorIds: readonly string[];
  readonly R_t: number;
  readonly svcond: number;
  readonly keyPrefix: string;
  readonly value?: number;
  readonly unit?: string;
  readonly epoch?: number;
}

type ProofFailure = ReturnType<typeof failureOf>;

const failureOf = (reason: ProofFault, message: string, seq: number | null = null, version: number | null = null) => ({
  reason,
  seq,
  version,
  message,
});

const DEFINING: ReadonlySet<unknown> = new Set(['deployed', 'patched', 'rolled back', 'rebound']);

/** Checks that parties acted only while they were bound, and that their signatures are valid and counted once. */
function* partyFault(
  { contract, rows, events, instances }: Snapshot,
  checked: Checked,
): Generator<void, ProofFailure | undefined> {
  const { parties } = contract.state;
  if (parties === undefined) return undefined;
  const audit = new PartyAudit(contract.id, true, contract.definition.key);
  for (const row of [...rows, ...events].sort((a, b) => a.seq - b.seq)) {
    yield;
    const fault = audit.visit(row);
    if (fault !== undefined) return failureOf('PARTY', fault, row.seq);
  }
  checked.signatures = audit.signatures;
  if (checked.unreadable > 0) return undefined;
  for (const { key, state } of instances) {
    yield;
    const expected = audit.instance(key)?.bindings ?? null;
    if (canonicalJson(state.parties?.bindings ?? null) !== canonicalJson(expected))
      return failureOf('PARTY', `The parties of ${key} are not bound as the chain says.`);
  }
  if (canonicalJson(audit.bindings ?? null) === canonicalJson(parties.bindings)) return undefined;
  return failureOf('PARTY', 'The parties are not bound as the chain says.');
}

/** Checks that each activity has one result at most, and that its evidence confirms it. */
function* activityFault(
  { contract, events }: Snapshot,
  rows: readonly ContractRow[],
  checked: Checked,
): Generator<void, ProofFailure | undefined> {
  const started = new Map<string, StartedCall>();
  for (const { row, payload } of rows)
    if (row.type === 'transition' && Array.isArray(payload.calls))
      for (const [no, call] of payload.calls.entries()) started.set(`${row.seq} ${no}`, call as StartedCall);
  const told = new Set<string>();
  for (const event of events) {
    const { seq, payload_text: text } = event;
    if (!isFrom('call', event) || text === undefined) continue;
    yield;
    const payload = JSON.parse(text) as Payload;
    if (payload.to !== contract.id || !isRecord(payload.call)) continue;
    const key = `${String(payload.call.seq)} ${String(payload.call.no)}`;
    const call = started.get(key);
    // A row that cannot be read may have started it.
    const isUnknown = call === undefined && checked.unreadable === 0;
    const fault = told.has(key)
      ? 'was told before'
      : isUnknown
        ? 'is of none that a transition started'
        : resultFault(payload, call);
    if (fault !== undefined) return failureOf('RESULT', `The result of an activity in row ${seq} ${fault}.`, seq);
    told.add(key);
  }
  return undefined;
}

/** Checks that each version has its stored hash, and that the chain names the same one. */
function versionFault(
  { versions, contract }: Snapshot,
  rows: readonly ContractRow[],
  checked: Checked,
): ProofFailure | undefined {
  const named = new Map(
    rows
      .filter(
        ({ row, payload }) => row.type === 'contract' && payload.instance === undefined && DEFINING.has(payload.act),
      )
      .map(({ row, payload }) => [payload.version, { seq: row.seq, hash: payload.definition_hash }]),
  );
  for (const { no, definitionText, definitionHash } of versions) {
    if (hashOf(definitionText) !== definitionHash) {
      return failureOf('DEFINITION', `The definition of version ${no} does not match its stored hash.`, null, no);
    }
    const row = named.get(no);
    if (row !== undefined && row.hash !== definitionHash) {
      return failureOf(
        'VERSION',
        `Row ${row.seq} names a definition other than the one stored as version ${no}.`,
        row.seq,
        no,
      );
    }
    named.delete(no);
    checked.versions++;
  }
  const [unstored] = named;
  if (unstored) {
    const [no, { seq }] = unstored;
    return failureOf('VERSION', `Row ${seq} names version ${no}, which is missing.`, seq);
  }
  const newest = versions.at(-1);
  if (newest?.no !== contract.versionNo || newest.definitionHash !== contract.definitionHash) {
    return failureOf(
      'VERSION',
      `The contract is at version ${contract.versionNo}, which is not the newest stored version.`,
    );
  }
  if (hashOf(contract.definitionText) !== contract.definitionHash) {
    const message = 'The running definition does not match its hash.';
    return failureOf('DEFINITION', message, null, contract.versionNo);
  }
  return undefined;
}

function hashOf(definitionText: string): string {
  try {
    return sha256Hex(canonicalJson(JSON.parse(definitionText)));
  } catch {
    return ''; // not JSON
  }
}

/** Checks that fires and transition rows match one to one and agree. */
function* fireFault(
  { fires, rows: allRows }: Snapshot,
  rows: readonly ContractRow[],
  checked: Checked,
): Generator<void, ProofFailure | undefined> {
  const transitionRows = new Map(
    rows.filter(({ row }) => row.type === 'transition').map((entry) => [entry.row.seq, entry]),
  );
  const unreadable = new Set(allRows.filter((row) => row.payload_text === undefined).map(({ seq }) => seq));
  for (const fire of fires) {
    yield;
    const { seq } = fire;
    const row = transitionRows.get(seq);
    if (row === undefined && unreadable.has(seq)) continue;
    if (row === undefined || factsOfRow(row) !== factsOf(fire)) {
      return failureOf('FIRE', `The fire of ${fire.transition} does not match row ${seq}.`, seq, fire.versionNo);
    }
    transitionRows.delete(seq);
    checked.transitions++;
  }
  const [unmatched] = transitionRows.keys();
  if (unmatched === undefined) return undefined;
  return failureOf('FIRE', `The fire of row ${unmatched} is missing.`, unmatched);
}

function factsOf({ versionNo, transition, from, to, entry, occurrence, svcond, instance }: StoredFire): string {
  return canonicalJson([versionNo, transition, from, to, entry, occurrence, svcond, instance ?? null]);
}

function factsOfRow({ row: { svcond }, payload }: ContractRow): string {
  const { version, transition, from, to, entry, occurrence, instance } = payload;
  const facts = [version, transition, from, to, entry, occurrence, svcond, instance];
  return canonicalJson(facts.map((value) => value ?? null));
}

/**
 * Checks that each transition starts where the previous one ended, and that the last one leads to the current state and
 * collections.
 */
function* stateFault(
  { contract, fires, versions, instances }: Snapshot,
  rows: readonly ContractRow[],
  { unreadable }: Checked,
): Generator<void, ProofFailure | undefined> {
  if (contract.state.fires !== fires.length) {
    const message = `The contract counts ${contract.state.fires} fires; ${fires.length} are stored.`;
    return failureOf('COUNT', message);
  }
  if (contract.definition.key !== undefined) return yield* instanceFault({ instances, versions }, rows, unreadable);
  if (unreadable > 0) return undefined; // an unreadable row may be a reset
  const initialOf = (no: unknown) =>
    (JSON.parse(versions.find((version) => version.no === no)?.definitionText ?? '{}') as { initial?: string }).initial;
  let state: string | undefined;
  let collections: unknown;
  for (const { row, payload } of rows) {
    yield;
    // A version may declare other collections; the next change of one states their hash again.
    if (DEFINING.has(payload.act)) collections = undefined;
    collections = payload.collections ?? collections;
    if (row.type === 'contract') {
      if (payload.act === 'deployed' || (DEFINING.has(payload.act) && payload.reset === true))
        state = initialOf(payload.version);
      else if (DEFINING.has(payload.act) && payload.migrate !== undefined) {
        const mapped = mappedState(payload.migrate, state);
        if (payload.from !== state || payload.to !== mapped) {
          const message = `Row ${row.seq} migrates from ${payload.from} to ${payload.to}; the contract was in ${state}, which goes to ${mapped}.`;
          return failureOf('ORDER', message, row.seq);
        }
        state = mapped;
      }
      continue;
    }
    if (payload.from !== state) {
      return failureOf('ORDER', `Row ${row.seq} leaves ${payload.from}; the contract was in ${state}.`, row.seq);
    }
    state = String(payload.to);
  }
  if (collections !== undefined && !haveHash(contract.state.collections, collections))
    return failureOf('STATE', 'The collections of the contract are not those of its last transition.');
  if (state === contract.state.state) return undefined;
  return failureOf('STATE', `The contract is in ${contract.state.state}; its rows lead to ${state}.`);
}

/** Checks the instances of a contract in the same way. */
function* instanceFault(
  { instances, versions }: Pick<Snapshot, 'instances' | 'versions'>,
  rows: readonly ContractRow[],
  unreadable: number,
): Generator<void, ProofFailure | undefined> {
  const initials = new Map<unknown, unknown>(
    versions.map(({ no, definitionText }) => [no, (JSON.parse(definitionText) as { initial?: string }).initial]),
  );
  const chained = new ChainedInstances((no) => initials.get(no));
  for (const { row, payload } of rows) {
    yield;
    const fault = chained.visit({ ...row, isOfStranger: row.source === STRANGER_SOURCE }, payload);
    if (fault !== undefined && unreadable === 0) return failureOf('ORDER', `Row ${row.seq} ${fault}.`, row.seq);
  }
  if (unreadable > 0) return undefined; // an unreadable row may have spawned one
  for (const instance of instances) {
    yield;
    const fault = chained.compare(instance, true);
    if (fault !== undefined) return failureOf('STATE', fault.message);
  }
  const [missing] = chained.keys;
  return missing === undefined ? undefined : failureOf('STATE', `The instance ${missing} is missing.`);
}

/** The state that a recorded migration makes of another. */
function mappedState(migrate: unknown, state: string | undefined): string | undefined {
  const { states = {} } = Migration.safeParse(migrate).data ?? {};
  return state === undefined ? undefined : (ownOf(states, state) ?? state);
}
