// Contracts in their present state. Their versions, fires, timers and token balances have files of their own.

import type { ContractState } from '../../contracts/contract-state.ts';
import type { Definition, Scalars } from '../../contracts/definition.ts';
import { type BoundedPage, boundedPage } from '../database/bounded-page.ts';
import { type Binding, type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';
import { collectionsText, stateText, storedState } from './stored-state.ts';
import { deleteTimers, setTimers } from './timers.ts';

export type ContractStatus = 'active' | 'paused' | 'frozen' | 'completed' | 'failed';

export interface StoredContract {
  readonly machineId: string;
  readonly id: string;
  readonly name: string;
  readonly templateId: string | undefined;
  readonly status: ContractStatus;
  readonly versionNo: number;
  readonly definition: Definition;
  /** Canonical JSON, as it was hashed. */
  readonly definitionText: string;
  /** Hex. */
  readonly definitionHash: string;
  readonly parameters: Scalars;
  readonly state: ContractState;
  readonly nextFire: number | undefined;
  readonly heldNextFire: number | undefined;
  readonly heldAt: number | undefined;
  readonly createdSvcond: number;
  /** Tick of the last change. */
  readonly updatedSvcond: number;
  /** Whether its state was last moved by somebody who is not a member, or by what that led to. */
  readonly isOfStranger?: boolean | undefined;
}

/** A contract in a list. */
export type ListedContract = Omit<StoredContract, 'definition' | 'definitionText'>;

/** Selects contracts of a list; an absent field selects all. */
export interface ContractFilter {
  readonly status?: ContractStatus | undefined;
  readonly state?: string | undefined;
  readonly templateId?: string | undefined;
  /** Only contracts whose next timer is due before this tick. */
  readonly dueBefore?: number | undefined;
  /** Only contracts that have changed at this tick or later. */
  readonly updatedSince?: number | undefined;
}

interface ContractPage extends PageSize, ContractFilter {
  /** The last id seen. */
  readonly after?: string | undefined;
}

interface PageSize {
  readonly limit: number;
  /** Bytes of names, parameters and states. */
  readonly maxBytes: number;
}

interface ContractRow {
  readonly machine_id: string;
  readonly id: string;
  readonly name: string;
  readonly template_id: string | null;
  readonly status: ContractStatus;
  readonly version_no: number;
  readonly definition: string;
  readonly definition_hash: string;
  readonly parameters: string;
  readonly state: string;
  readonly collections: string | null;
  readonly next_fire: number | null;
  readonly held_next_fire: number | null;
  readonly held_at: number | null;
  readonly created_svcond: number;
  readonly updated_svcond: number;
}

const LISTED = `machine_id, id, name, template_id, status, version_no,
  encode(definition_hash, 'hex') as definition_hash, parameters, state, collections, next_fire, held_next_fire, held_at,
  created_svcond, updated_svcond`;
const LISTED_BYTES = `octet_length(name) + octet_length(parameters) + octet_length(state)
  + coalesce(octet_length(collections), 0)`;
const COLUMNS = `${LISTED}, definition`;

const text = (value: number | undefined): string | null => (value === undefined ? null : String(value));

export interface ContractChange {
  readonly contract: StoredContract;
  /** True for a new contract or version; otherwise only the state is written. */
  readonly isWhole: boolean;
  /** Whether its collections are not those that are stored; true for a new contract or version. */
  readonly hasNewCollections: boolean;
  /** True if a timer may be stored, which is deleted unless a next fire is due. */
  readonly hadTimer: boolean;
}

/** Contracts, new or changed, and the timer of each: set to the next fire, or deleted if there is none. */
export const contractRows: Writer<ContractChange> = {
  async write(all, on) {
    // Of several changes of one contract in a flush, the last one is written.
    const changes = new Map<string, ContractChange>();
    for (const { contract, isWhole, hasNewCollections, hadTimer } of all) {
      const before = changes.get(contract.id);
      changes.set(contract.id, {
        contract,
        isWhole: isWhole || before?.isWhole === true,
        hasNewCollections: hasNewCollections || before?.hasNewCollections === true,
        hadTimer: hadTimer || before !== undefined,
      });
    }
    const changed = [...changes.values()];
    await writeWhole(
      changed.filter(({ isWhole }) => isWhole),
      on,
    );
    await writeStates(
      changed.filter(({ isWhole }) => !isWhole),
      on,
    );
    await setTimers(
      changed.flatMap(({ contract: { machineId, id, nextFire } }) =>
        nextFire === undefined ? [] : [{ machineId, contractId: id, fireTick: nextFire }],
      ),
      on,
    );
    await deleteTimers(
      changed.flatMap(({ contract: { machineId, id, nextFire }, hadTimer }) =>
        hadTimer && nextFire === undefined ? [{ machineId, contractId: id }] : [],
      ),
      on,
    );
  },
};

async function writeWhole(changes: readonly ContractChange[], on: Executor): Promise<void> {
  if (changes.length === 0) return;
  const column = <T>(read: (one: StoredContract) => T) => changes.map(({ contract }) => read(contract));
  await rows(
    on,
    `insert into contract (machine_id, id, name, template_id, status, version_no, definition, definition_hash,
       parameters, state, collections, current_state, fire_count, next_fire, held_next_fire, held_at, updated_svcond,
       created_svcond)
     select machine_id, id, name, template_id, status, version_no, definition, decode(definition_hash, 'hex'),
       parameters, state, nullif(collections, 'null'), current_state, fire_count, next_fire, held_next_fire, held_at,
       updated_svcond, created_svcond
     from unnest(?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::int[], ?::text[], ?::text[], ?::text[],
       ?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[])
       as new (machine_id, id, name, template_id, status, version_no, definition, definition_hash, parameters, state,
         collections, current_state, fire_count, next_fire, held_next_fire, held_at, updated_svcond, created_svcond)
     on conflict (machine_id, id) do update set name = excluded.name, status = excluded.status,
       version_no = excluded.version_no, definition = excluded.definition, definition_hash = excluded.definition_hash,
       parameters = excluded.parameters, state = excluded.state,
       collections = excluded.collections, current_state = excluded.current_state, fire_count = excluded.fire_count,
       next_fire = excluded.next_fire, held_next_fire = excluded.held_next_fire, held_at = excluded.held_at,
       updated_svcond = excluded.updated_svcond`,
    [
      column(({ machineId }) => machineId),
      column(({ id }) => id),
      column(({ name }) => name),
      column(({ templateId }) => templateId ?? null) as string[],
      column(({ status }) => status),
      column(({ versionNo }) => String(versionNo)),
      column(({ definitionText }) => definitionText),
      column(({ definitionHash }) => definitionHash),
      column(({ parameters }) => JSON.stringify(parameters)),
      ...stateColumns(changes),
      column(({ createdSvcond }) => String(createdSvcond)),
    ],
  );
}

/** Values of state, collections, current_state, fire_count, next_fire, held_next_fire, held_at and updated_svcond. */
function stateColumns(changes: readonly ContractChange[]): string[][] {
  const column = <T>(read: (one: StoredContract) => T) => changes.map(({ contract }) => read(contract));
  return [
    column(stateText),
    changes.map(({ contract, hasNewCollections }) => collectionsText(contract.state, hasNewCollections)) as string[],
    column(({ state }) => state.state),
    column(({ state }) => String(state.fires)),
    column(({ nextFire }) => text(nextFire)) as string[],
    column(({ heldNextFire }) => text(heldNextFire)) as string[],
    column(({ heldAt }) => text(heldAt)) as string[],
    column(({ updatedSvcond }) => String(updatedSvcond)),
  ];
}

/** Writes what fires change. The definition, which is long, stays unwritten. */
async function writeStates(changes: readonly ContractChange[], on: Executor): Promise<void> {
  if (changes.length === 0) return;
  const column = <T>(read: (one: StoredContract) => T) => changes.map(({ contract }) => read(contract));
  await rows(
    on,
    `update contract set status = new.status, state = new.state,
       collections = coalesce(new.collections, contract.collections), current_state = new.current_state,
       fire_count = new.fire_count, next_fire = new.next_fire, held_next_fire = new.held_next_fire,
       held_at = new.held_at, updated_svcond = new.updated_svcond
     from unnest(?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[],
       ?::bigint[], ?::bigint[], ?::bigint[])
       as new (machine_id, id, status, state, collections, current_state, fire_count, next_fire, held_next_fire, held_at,
         updated_svcond)
     where contract.machine_id = new.machine_id and contract.id = new.id`,
    [
      column(({ machineId }) => machineId),
      column(({ id }) => id),
      column(({ status }) => status),
      ...stateColumns(changes),
    ],
  );
}

export class ContractRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** Contracts of a machine, oldest first. */
  async ofMachine(machineId: string, on: Executor = this.#knex): Promise<StoredContract[]> {
    const found = await rows<ContractRow>(on, `select ${COLUMNS} from contract where machine_id = ? order by id`, [
      machineId,
    ]);
    return found.map(fromRow);
  }

  /** A page of the contracts of machines that events can move, by machine and id, without their definitions. */
  async runningPage(
    machineIds: readonly string[],
    { limit, maxBytes, after }: Pick<ContractPage, 'limit' | 'maxBytes' | 'after'>,
    on: Executor = this.#knex,
  ): Promise<BoundedPage<ListedContract>> {
    const query = `select ${LISTED} from contract where machine_id = any(?::uuid[])
      and status not in ('completed', 'frozen') ${after === undefined ? '' : 'and id > ?'}`;
    const bindings = [machineIds, ...(after === undefined ? [] : [after])];
    const bounds = { order: 'machine_id, id', bytes: LISTED_BYTES, maxBytes, maxRows: limit };
    const page = await boundedPage<Omit<ContractRow, 'definition'>>(on, query, bindings, bounds);
    return { ...page, rows: page.rows.map(listedFromRow) };
  }

  /** A page of the contracts of a machine, oldest first, without their definitions. */
  async pageOfMachine(
    machineId: string,
    page: ContractPage,
    on: Executor = this.#knex,
  ): Promise<BoundedPage<ListedContract>> {
    return listed(on, { condition: 'machine_id = ?', binding: machineId }, page, 'asc');
  }

  /** A page of the contracts of these machines, newest first, without their definitions. */
  async pageOfMachines(
    machineIds: readonly string[],
    page: ContractPage,
    on: Executor = this.#knex,
  ): Promise<BoundedPage<ListedContract>> {
    return listed(on, { condition: 'machine_id = any(?::uuid[])', binding: machineIds }, page, 'desc');
  }

  /** States that mention a ZID, for whoever asks whether it acts in a contract of the machine. */
  async statesNaming(machineId: string, zid: string, on: Executor = this.#knex): Promise<ContractState[]> {
    const query = 'select state from contract where machine_id = ? and strpos(state, ?) > 0';
    const found = await rows<Pick<ContractRow, 'state'>>(on, query, [machineId, JSON.stringify(zid)]);
    return found.map(({ state }) => JSON.parse(state) as ContractState);
  }

  async get(machineId: string, id: string, on: Executor = this.#knex): Promise<StoredContract | undefined> {
    const [row] = await rows<ContractRow>(on, `select ${COLUMNS} from contract where machine_id = ? and id = ?`, [
      machineId,
      id,
    ]);
    return row && fromRow(row);
  }
}

async function listed(
  on: Executor,
  machines: { readonly condition: string; readonly binding: Binding },
  { limit, maxBytes, after, ...filter }: ContractPage,
  direction: 'asc' | 'desc',
): Promise<BoundedPage<ListedContract>> {
  const conditions: readonly (readonly [condition: string, binding: Binding | undefined])[] = [
    [machines.condition, machines.binding],
    [direction === 'asc' ? 'id > ?' : 'id < ?', after],
    ['status = ?', filter.status],
    ['current_state = ?', filter.state],
    ['template_id = ?', filter.templateId],
    ['next_fire < ?', filter.dueBefore],
    ['updated_svcond >= ?', filter.updatedSince],
  ];
  const given = conditions.filter(([, binding]) => binding !== undefined);
  const query = `select ${LISTED} from contract where ${given.map(([condition]) => condition).join(' and ')}`;
  const bindings = given.map(([, binding]) => binding as Binding);
  const bounds = { order: `id ${direction}`, bytes: LISTED_BYTES, maxBytes, maxRows: limit };
  const page = await boundedPage<Omit<ContractRow, 'definition'>>(on, query, bindings, bounds);
  return { ...page, rows: page.rows.map(listedFromRow) };
}

function fromRow(row: ContractRow): StoredContract {
  return {
    ...listedFromRow(row),
    definition: JSON.parse(row.definition) as Definition,
    definitionText: row.definition,
  };
}

function listedFromRow(row: Omit<ContractRow, 'definition'>): ListedContract {
  const { stranger: isOfStranger, ...state } = storedState(row);
  return {
    machineId: row.machine_id,
    id: row.id,
    name: row.name,
    templateId: row.template_id ?? undefined,
    status: row.status,
    versionNo: row.version_no,
    definitionHash: row.definition_hash,
    parameters: JSON.parse(row.parameters) as Scalars,
    state,
    isOfStranger,
    nextFire: row.next_fire ?? undefined,
    heldNextFire: row.held_next_fire ?? undefined,
    heldAt: row.held_at ?? undefined,
    createdSvcond: row.created_svcond,
    updatedSvcond: row.updated_svcond,
  };
}
