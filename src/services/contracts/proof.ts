// The whole proof chain of a contract: its rows against the chain and the signed tree, its fires against its rows, each
// version against its hash, each stamp against the key ring, and where it stands against the last transition.

import type { Row } from '../../chain/row.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { ReceiptKeys } from '../../protocol/receipt.ts';
import type { StoredContract, StoredFire, StoredVersion } from '../../storage/contracts/contracts.ts';
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

export interface BadLink {
  readonly reason: ProofFault;
  readonly seq: number | null;
  readonly version: number | null;
  readonly message: string;
}

export interface ContractProof {
  readonly valid: boolean;
  readonly checked: {
    readonly rows: number;
    readonly transitions: number;
    readonly versions: number;
    readonly receipts: number;
    /** Rows of the contract whose payload is not there to be read. */
    readonly unreadable: number;
  };
  readonly first_bad?: BadLink;
}

export interface ContractProofOptions {
  readonly storage: Pick<Storage, 'transaction' | 'machines' | 'contracts' | 'audit'>;
  readonly trees: TreeService;
  readonly receipts: ReceiptKeys;
}

/** What was stored about a contract, as one moment shows it. */
interface Stored {
  readonly machine: Machine;
  readonly contract: StoredContract;
  readonly versions: readonly StoredVersion[];
  /** Oldest first. */
  readonly fires: readonly StoredFire[];
  /** Those of types `contract` and `transition` since the deployment, oldest first. */
  readonly rows: readonly Row[];
}

interface Said {
  readonly [name: string]: unknown;
}

export class ContractProofs {
  readonly #options: ContractProofOptions;

  constructor(options: ContractProofOptions) {
    this.#options = options;
  }

  /** @throws DomainError NOT_FOUND, BUDGET_EXCEEDED where there is too much to check in one call */
  async verify({ id: machineId }: Machine, id: string): Promise<ContractProof> {
    const stored = await this.#read(machineId, id);
    const checked = { rows: 0, transitions: 0, versions: 0, receipts: 0, unreadable: 0 };
    const answer = (bad: BadLink | undefined): ContractProof => ({
      valid: bad === undefined,
      checked,
      ...(bad === undefined ? {} : { first_bad: bad }),
    });
    const inChain = await this.#chainFault(stored, checked);
    if (inChain) return answer(inChain);
    const own = stored.rows.flatMap((row) => {
      if (row.payload_text === undefined) checked.unreadable++;
      const said = row.payload_text === undefined ? undefined : (JSON.parse(row.payload_text) as Said);
      return said?.contract === id ? [{ row, said }] : [];
    });
    return answer(
      versionFault(stored, own, checked) ??
        fireFault(stored, own, checked) ??
        this.#receiptFault(stored, own, checked) ??
        standingFault(stored, own, checked),
    );
  }

  async #read(machineId: string, id: string): Promise<Stored> {
    const { storage } = this.#options;
    const { rows: most } = LIMITS.contracts.proof;
    return storage.transaction(async (on) => {
      const [machine] = await storage.machines.byIds([machineId], false, on);
      const contract = machine && (await storage.contracts.get(machineId, id, on));
      if (machine === undefined || contract === undefined) {
        throw new DomainError('NOT_FOUND', `There is no contract ${id} on this machine.`);
      }
      const versions = await storage.contracts.versions(machineId, id, on);
      const fires = await storage.contracts.fires(machineId, id, most + 1, undefined, on);
      const filter = { types: ['contract', 'transition'], since: contract.createdSvcond } as const;
      const rows = await storage.audit.select(
        machineId,
        machine.head.slug,
        { ...filter, order: 'oldest first', limit: most + 1 },
        on,
      );
      if (rows.length > most || fires.length > most) {
        const message = `The machine wrote more than ${most} transitions since the deployment; no more are checked in one call.`;
        throw new DomainError('BUDGET_EXCEEDED', message, { facts: { rows_max: most } });
      }
      return { machine, contract, versions: versions.toReversed(), fires: fires.toReversed(), rows };
    });
  }

  /** The stretch of the chain from the deployment on, a page at a time. */
  async #chainFault({ machine, rows }: Stored, checked: { rows: number }): Promise<BadLink | undefined> {
    const { max } = LIMITS.chain.validated;
    const last = machine.head.seq;
    for (let from = rows[0]?.seq ?? last; from <= last; from += max) {
      const validation = await this.#options.trees.validate(machine, from, Math.min(last, from + max - 1));
      checked.rows += validation.checked;
      const { first_bad: bad } = validation;
      if (bad)
        return link(bad.reason, `Row ${bad.seq} of the chain is not what was hashed, linked and signed.`, bad.seq);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    return undefined;
  }

  #receiptFault({ versions }: Stored, own: readonly OwnRow[], checked: { receipts: number }): BadLink | undefined {
    for (const { row, said } of own) {
      if (row.type !== 'transition') continue;
      const { seq } = row;
      const version = versions.find(({ no }) => no === said.version);
      const definition = JSON.parse(version?.definitionText ?? '{}') as {
        transitions?: readonly { id: string; proof: boolean }[];
      };
      const isProved = definition.transitions?.find((one) => one.id === said.transition)?.proof === true;
      if (!isProved && said.receipt === undefined) continue;
      const { svcProof, operatorIds, R_t, svcond, keyPrefix, value, unit, epoch } = (said.receipt ?? {}) as Stamp;
      const claim = { operatorIds, R_t, svcond, keyPrefix, value, unit };
      if (!this.#options.receipts.verify(svcProof, claim, epoch).valid) {
        return link('RECEIPT', `The stamp in row ${seq} was not signed by this node.`, seq);
      }
      checked.receipts++;
    }
    return undefined;
  }
}

interface OwnRow {
  readonly row: Row;
  readonly said: Said;
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

const link = (
  reason: ProofFault,
  message: string,
  seq: number | null = null,
  version: number | null = null,
): BadLink => ({ reason, seq, version, message });

const DEFINING: ReadonlySet<unknown> = new Set(['deployed', 'patched', 'rolled back']);

/** Each version has the hash that it is stored under, and that the chain names. */
function versionFault(
  { versions, contract }: Stored,
  own: readonly OwnRow[],
  checked: { versions: number },
): BadLink | undefined {
  const named = new Map(
    own
      .filter(({ row, said }) => row.type === 'contract' && DEFINING.has(said.act))
      .map(({ row, said }) => [said.version, { seq: row.seq, hash: said.definition_hash }]),
  );
  for (const { no, definitionText, definitionHash } of versions) {
    if (hashOf(definitionText) !== definitionHash) {
      return link(
        'DEFINITION',
        `The definition of version ${no} does not have the hash that it is stored under.`,
        null,
        no,
      );
    }
    const row = named.get(no);
    if (row !== undefined && row.hash !== definitionHash) {
      return link('VERSION', `Row ${row.seq} names another definition than is stored as version ${no}.`, row.seq, no);
    }
    named.delete(no);
    checked.versions++;
  }
  const [lost] = named;
  if (lost) return link('VERSION', `Row ${lost[1].seq} names version ${lost[0]}, which is not stored.`, lost[1].seq);
  const newest = versions.at(-1);
  if (newest?.no !== contract.versionNo || newest.definitionHash !== contract.definitionHash) {
    return link('VERSION', `The contract is at version ${contract.versionNo}, the newest stored one is another.`);
  }
  if (hashOf(contract.definitionText) !== contract.definitionHash) {
    const message = 'The definition that runs does not have its hash.';
    return link('DEFINITION', message, null, contract.versionNo);
  }
  return undefined;
}

function hashOf(definitionText: string): string {
  try {
    return sha256Hex(canonicalJson(JSON.parse(definitionText)));
  } catch {
    return ''; // no JSON any more
  }
}

/** Each fire has its row, each row its fire, and they say the same. */
function fireFault(
  { fires, rows }: Stored,
  own: readonly OwnRow[],
  checked: { transitions: number },
): BadLink | undefined {
  const said = new Map(own.filter(({ row }) => row.type === 'transition').map((one) => [one.row.seq, one]));
  const unreadable = new Set(rows.filter((row) => row.payload_text === undefined).map(({ seq }) => seq));
  for (const fire of fires) {
    const { seq } = fire;
    const row = said.get(seq);
    if (row === undefined && unreadable.has(seq)) continue;
    if (row === undefined || factsOfRow(row) !== factsOf(fire)) {
      return link('FIRE', `The fire of ${fire.transition} is not what row ${seq} says.`, seq, fire.versionNo);
    }
    said.delete(seq);
    checked.transitions++;
  }
  const [lost] = said.keys();
  return lost === undefined ? undefined : link('FIRE', `Row ${lost} tells of a fire that is not stored.`, lost);
}

function factsOf({ versionNo, transition, from, to, entry, occurrence, svcond }: StoredFire): string {
  return canonicalJson([versionNo, transition, from, to, entry, occurrence, svcond]);
}

function factsOfRow({ row: { svcond }, said }: OwnRow): string {
  const { version, transition, from, to, entry, occurrence } = said;
  return canonicalJson([version, transition, from, to, entry, occurrence, svcond].map((one) => one ?? null));
}

/** Each transition begins where the one before ended, and the last one ended where the contract stands. */
function standingFault(
  { contract, fires, versions }: Stored,
  own: readonly OwnRow[],
  { unreadable }: { readonly unreadable: number },
): BadLink | undefined {
  if (contract.state.fires !== fires.length) {
    const message = `The contract counts ${contract.state.fires} fires; ${fires.length} are stored.`;
    return link('COUNT', message);
  }
  if (unreadable > 0) return undefined; // a reset may be among what cannot be read
  const initialOf = (no: unknown) =>
    (JSON.parse(versions.find((one) => one.no === no)?.definitionText ?? '{}') as { initial?: string }).initial;
  let state: string | undefined;
  for (const { row, said } of own) {
    if (row.type === 'contract') {
      if (said.act === 'deployed' || (DEFINING.has(said.act) && said.reset === true)) state = initialOf(said.version);
      continue;
    }
    if (said.from !== state) {
      return link('ORDER', `Row ${row.seq} leaves ${said.from}; the contract was in ${state}.`, row.seq);
    }
    state = String(said.to);
  }
  if (state === contract.state.state) return undefined;
  return link('STATE', `The contract is in ${contract.state.state}; its rows lead to ${state}.`);
}
