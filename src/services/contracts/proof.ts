// Verifies the proof chain of a contract: its rows against the chain and the signed tree, its fires against its rows,
// each version against its hash, each receipt against the key ring, and its state against its last transition.

import type { Row } from '../../chain/row.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { ReceiptKeys, TransitionClaim } from '../../protocol/receipt.ts';
import type { StoredContract } from '../../storage/contracts/contracts.ts';
import type { StoredFire } from '../../storage/contracts/fires.ts';
import type { StoredVersion } from '../../storage/contracts/versions.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { Storage } from '../../storage/storage.ts';
import type { TreeService } from '../machines/trees.ts';

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
  | 'COUNT'
  | 'STATE';

export interface ContractProofOptions {
  readonly storage: Pick<Storage, 'transaction' | 'machines' | 'contracts' | 'contractVersions' | 'fires' | 'audit'>;
  readonly trees: TreeService;
  readonly receipts: ReceiptKeys;
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
}

interface Payload {
  readonly [name: string]: unknown;
}

export class ContractProofs {
  readonly #options: ContractProofOptions;

  constructor(options: ContractProofOptions) {
    this.#options = options;
  }

  /** @throws DomainError NOT_FOUND, BUDGET_EXCEEDED if there are too many rows for one call */
  async verify({ id: machineId }: Machine, id: string) {
    const stored = await this.#read(machineId, id);
    const checked = { rows: 0, transitions: 0, versions: 0, receipts: 0, stamps: 0, unreadable: 0 };
    const proof = (failure: ProofFailure | undefined) => ({
      valid: failure === undefined,
      checked,
      ...(failure === undefined ? {} : { first_bad: failure }),
    });
    const chainFailure = await this.#chainFault(stored, checked);
    if (chainFailure) return proof(chainFailure);
    const rows = stored.rows.flatMap((row) => {
      if (row.payload_text === undefined) checked.unreadable++;
      const payload = row.payload_text === undefined ? undefined : (JSON.parse(row.payload_text) as Payload);
      return payload?.contract === id ? [{ row, payload }] : [];
    });
    return proof(
      versionFault(stored, rows, checked) ??
        fireFault(stored, rows, checked) ??
        (await this.#receiptFault(stored, rows, checked)) ??
        stateFault(stored, rows, checked),
    );
  }

  async #read(machineId: string, id: string): Promise<Snapshot> {
    const { storage } = this.#options;
    const { rows: maxRows } = LIMITS.contracts.proof;
    return storage.transaction(async (on) => {
      const [machine] = await storage.machines.byIds([machineId], false, on);
      const contract = machine && (await storage.contracts.get(machineId, id, on));
      if (machine === undefined || contract === undefined) {
        throw new DomainError('NOT_FOUND', `Contract ${id} not found on this machine.`);
      }
      const versions = await storage.contractVersions.list(machineId, id, on);
      const fires = await storage.fires.list(machineId, id, maxRows + 1, undefined, on);
      const filter = { types: ['contract', 'transition'], since: contract.createdSvcond } as const;
      const rows = await storage.audit.select(
        machineId,
        machine.head.slug,
        { ...filter, order: 'oldest first', limit: maxRows + 1 },
        on,
      );
      if (rows.length > maxRows || fires.length > maxRows) {
        const message = `Limit of ${maxRows} rows in one call exceeded; the machine wrote more since the deployment.`;
        throw new DomainError('BUDGET_EXCEEDED', message, { facts: { rows_max: maxRows } });
      }
      return { machine, contract, versions: versions.toReversed(), fires: fires.toReversed(), rows };
    });
  }

  /** Validates the chain from the deployment on, a page at a time. */
  async #chainFault({ machine, rows }: Snapshot, checked: { rows: number }): Promise<ProofFailure | undefined> {
    const { max } = LIMITS.chain.validatedRows;
    const last = machine.head.seq;
    for (let from = rows[0]?.seq ?? last; from <= last; from += max) {
      const validation = await this.#options.trees.validate(machine, from, Math.min(last, from + max - 1));
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
    checked: { receipts: number; stamps: number },
  ): Promise<ProofFailure | undefined> {
    const { receipts } = this.#options;
    for (const { row, payload } of rows) {
      if (row.type !== 'transition') continue;
      const { seq, svcond } = row;
      const version = versions.find(({ no }) => no === payload.version);
      const definition = JSON.parse(version?.definitionText ?? '{}') as {
        transitions?: readonly { id: string; proof: boolean }[];
      };
      const isProved = definition.transitions?.find(({ id }) => id === payload.transition)?.proof === true;
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
      const claim = { ...place, transition, from, to, entry, computed: computed.map(withoutReceipt) };
      const isSigned = receipt.definition_hash === definition_hash && receipts.isTransition(svcProof, claim, epoch);
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

const DEFINING: ReadonlySet<unknown> = new Set(['deployed', 'patched', 'rolled back']);

/** Checks that each version has its stored hash, and that the chain names the same one. */
function versionFault(
  { versions, contract }: Snapshot,
  rows: readonly ContractRow[],
  checked: { versions: number },
): ProofFailure | undefined {
  const named = new Map(
    rows
      .filter(({ row, payload }) => row.type === 'contract' && DEFINING.has(payload.act))
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
function fireFault(
  { fires, rows: allRows }: Snapshot,
  rows: readonly ContractRow[],
  checked: { transitions: number },
): ProofFailure | undefined {
  const transitionRows = new Map(
    rows.filter(({ row }) => row.type === 'transition').map((entry) => [entry.row.seq, entry]),
  );
  const unreadable = new Set(allRows.filter((row) => row.payload_text === undefined).map(({ seq }) => seq));
  for (const fire of fires) {
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

function factsOf({ versionNo, transition, from, to, entry, occurrence, svcond }: StoredFire): string {
  return canonicalJson([versionNo, transition, from, to, entry, occurrence, svcond]);
}

function factsOfRow({ row: { svcond }, payload }: ContractRow): string {
  const { version, transition, from, to, entry, occurrence } = payload;
  return canonicalJson([version, transition, from, to, entry, occurrence, svcond].map((value) => value ?? null));
}

/**
 * Checks that each transition starts where the previous one ended, and that the last one leads to the current state.
 */
function stateFault(
  { contract, fires, versions }: Snapshot,
  rows: readonly ContractRow[],
  { unreadable }: { readonly unreadable: number },
): ProofFailure | undefined {
  if (contract.state.fires !== fires.length) {
    const message = `The contract counts ${contract.state.fires} fires; ${fires.length} are stored.`;
    return failureOf('COUNT', message);
  }
  if (unreadable > 0) return undefined; // an unreadable row may be a reset
  const initialOf = (no: unknown) =>
    (JSON.parse(versions.find((version) => version.no === no)?.definitionText ?? '{}') as { initial?: string }).initial;
  let state: string | undefined;
  for (const { row, payload } of rows) {
    if (row.type === 'contract') {
      if (payload.act === 'deployed' || (DEFINING.has(payload.act) && payload.reset === true))
        state = initialOf(payload.version);
      continue;
    }
    if (payload.from !== state) {
      return failureOf('ORDER', `Row ${row.seq} leaves ${payload.from}; the contract was in ${state}.`, row.seq);
    }
    state = String(payload.to);
  }
  if (state === contract.state.state) return undefined;
  return failureOf('STATE', `The contract is in ${contract.state.state}; its rows lead to ${state}.`);
}
