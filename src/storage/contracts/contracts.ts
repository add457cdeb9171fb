// Contracts as they stand, their versions, fires and timers.

import type { Definition, Scalars } from '../../contracts/definition.ts';
import type { ContractState } from '../../contracts/reaction.ts';
import { type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../machines/ledger.ts';

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
  readonly next_fire: number | null;
  readonly held_next_fire: number | null;
  readonly held_at: number | null;
  readonly created_svcond: number;
}

const COLUMNS = `machine_id, id, name, template_id, status, version_no, definition, encode(definition_hash, 'hex') as definition_hash,
  parameters, state, next_fire, held_next_fire, held_at, created_svcond`;

export interface StoredVersion {
  readonly machineId: string;
  readonly contractId: string;
  readonly no: number;
  readonly definitionText: string;
  readonly definitionHash: string;
  readonly parameters: Scalars;
  readonly svcond: number;
  readonly actor: string;
  readonly reason: string;
}

export interface StoredFire {
  readonly machineId: string;
  readonly contractId: string;
  readonly versionNo: number;
  readonly transition: string;
  readonly entry: number;
  readonly occurrence: string;
  readonly seq: number;
  readonly svcond: number;
  readonly from: string;
  readonly to: string;
}

export interface TokenChange {
  readonly machineId: string;
  readonly token: string;
  readonly holder: string;
  readonly amount: number;
}

/** How many groups the timers are divided into among nodes. */
export const SHARDS = 64;

export function shardOf(machineId: string): number {
  return Number.parseInt(machineId.slice(-2), 16) % SHARDS;
}

const text = (value: number | undefined): string | null => (value === undefined ? null : String(value));

export interface ContractChange {
  readonly contract: StoredContract;
  /** New, or of a new version; else only its state is written. */
  readonly isWhole: boolean;
  /** It may have a timer that must go. */
  readonly hadTimer: boolean;
}

/** The live rows, new or changed, and with each its one timer: gone where it waits for nothing. */
export const contractRows: Writer<ContractChange> = {
  async write(all, on) {
    // Of several changes of one contract in a flush the last one stands.
    const changes = new Map<string, ContractChange>();
    for (const { contract, isWhole, hadTimer } of all) {
      const before = changes.get(contract.id);
      changes.set(contract.id, {
        contract,
        isWhole: isWhole || before?.isWhole === true,
        hadTimer: hadTimer || before !== undefined,
      });
    }
    const changed = [...changes.values()];
    const of = (some: readonly ContractChange[]) => some.map(({ contract }) => contract);
    await writeWhole(of(changed.filter(({ isWhole }) => isWhole)), on);
    await writeStates(of(changed.filter(({ isWhole }) => !isWhole)), on);
    const isWaiting = ({ contract }: ContractChange) => contract.nextFire !== undefined;
    await setTimers(of(changed.filter(isWaiting)), on);
    await removeTimers(of(changed.filter((change) => change.hadTimer && !isWaiting(change))), on);
  },
};

async function writeWhole(contracts: readonly StoredContract[], on: Executor): Promise<void> {
  if (contracts.length === 0) return;
  const column = <T>(read: (one: StoredContract) => T) => contracts.map(read);
  await rows(
    on,
    `insert into contract (machine_id, id, name, template_id, status, version_no, definition, definition_hash, parameters, state,
         current_state, fire_count, next_fire, held_next_fire, held_at, created_svcond)
       select machine_id, id, name, template_id, status, version_no, definition, decode(definition_hash, 'hex'), parameters, state,
         current_state, fire_count, next_fire, held_next_fire, held_at, created_svcond
       from unnest(?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::int[], ?::text[], ?::text[], ?::text[], ?::text[],
         ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[])
         as new (machine_id, id, name, template_id, status, version_no, definition, definition_hash, parameters, state,
           current_state, fire_count, next_fire, held_next_fire, held_at, created_svcond)
       on conflict (machine_id, id) do update set name = excluded.name, status = excluded.status, version_no = excluded.version_no,
         definition = excluded.definition, definition_hash = excluded.definition_hash, parameters = excluded.parameters,
         state = excluded.state, current_state = excluded.current_state, fire_count = excluded.fire_count,
         next_fire = excluded.next_fire, held_next_fire = excluded.held_next_fire, held_at = excluded.held_at`,
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
      column(({ state }) => JSON.stringify(state)),
      column(({ state }) => state.state),
      column(({ state }) => String(state.fires)),
      column(({ nextFire }) => text(nextFire)) as string[],
      column(({ heldNextFire }) => text(heldNextFire)) as string[],
      column(({ heldAt }) => text(heldAt)) as string[],
      column(({ createdSvcond }) => String(createdSvcond)),
    ],
  );
}

/** What fires change: the definition, which is long, stays where it is. */
async function writeStates(contracts: readonly StoredContract[], on: Executor): Promise<void> {
  if (contracts.length === 0) return;
  const column = <T>(read: (one: StoredContract) => T) => contracts.map(read);
  await rows(
    on,
    `update contract set status = new.status, state = new.state, current_state = new.current_state, fire_count = new.fire_count,
       next_fire = new.next_fire, held_next_fire = new.held_next_fire, held_at = new.held_at
     from unnest(?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[])
       as new (machine_id, id, status, state, current_state, fire_count, next_fire, held_next_fire, held_at)
     where contract.machine_id = new.machine_id and contract.id = new.id`,
    [
      column(({ machineId }) => machineId),
      column(({ id }) => id),
      column(({ status }) => status),
      column(({ state }) => JSON.stringify(state)),
      column(({ state }) => state.state),
      column(({ state }) => String(state.fires)),
      column(({ nextFire }) => text(nextFire)) as string[],
      column(({ heldNextFire }) => text(heldNextFire)) as string[],
      column(({ heldAt }) => text(heldAt)) as string[],
    ],
  );
}

async function setTimers(contracts: readonly StoredContract[], on: Executor): Promise<void> {
  if (contracts.length === 0) return;
  await rows(
    on,
    `insert into timer (machine_id, contract_id, shard, fire_tick)
     select * from unnest(?::uuid[], ?::uuid[], ?::smallint[], ?::bigint[])
     on conflict (machine_id, contract_id) do update set fire_tick = excluded.fire_tick`,
    [
      contracts.map(({ machineId }) => machineId),
      contracts.map(({ id }) => id),
      contracts.map(({ machineId }) => String(shardOf(machineId))),
      contracts.map(({ nextFire }) => String(nextFire)),
    ],
  );
}

async function removeTimers(contracts: readonly StoredContract[], on: Executor): Promise<void> {
  if (contracts.length === 0) return;
  await rows(
    on,
    `delete from timer using unnest(?::uuid[], ?::uuid[]) as gone (machine_id, contract_id)
     where timer.machine_id = gone.machine_id and timer.contract_id = gone.contract_id`,
    [contracts.map(({ machineId }) => machineId), contracts.map(({ id }) => id)],
  );
}

export const versionRows: Writer<StoredVersion> = {
  async write(versions, on) {
    for (const {
      machineId,
      contractId,
      no,
      definitionText,
      definitionHash,
      parameters,
      svcond,
      actor,
      reason,
    } of versions) {
      await rows(
        on,
        `insert into contract_version (machine_id, contract_id, no, definition, definition_hash, parameters, svcond, actor, reason)
         values (?, ?, ?, ?, decode(?, 'hex'), ?, ?, ?, ?)`,
        [machineId, contractId, no, definitionText, definitionHash, JSON.stringify(parameters), svcond, actor, reason],
      );
    }
  },
};

/** An occurrence that was fired before breaks the transaction: nobody fires it twice. */
export const fireRows: Writer<StoredFire> = {
  async write(fires, on) {
    const column = <T>(read: (one: StoredFire) => T) => fires.map(read);
    await rows(
      on,
      `insert into fire (machine_id, contract_id, version_no, transition, entry, occurrence, seq, svcond, from_state, to_state)
       select * from unnest(?::uuid[], ?::uuid[], ?::int[], ?::text[], ?::bigint[], ?::text[], ?::bigint[], ?::bigint[], ?::text[],
         ?::text[])`,
      [
        column(({ machineId }) => machineId),
        column(({ contractId }) => contractId),
        column(({ versionNo }) => String(versionNo)),
        column(({ transition }) => transition),
        column(({ entry }) => String(entry)),
        column(({ occurrence }) => occurrence),
        column(({ seq }) => String(seq)),
        column(({ svcond }) => String(svcond)),
        column(({ from }) => from),
        column(({ to }) => to),
      ],
    );
  },
};

export const tokenRows: Writer<TokenChange> = {
  async write(changes, on) {
    const sums = new Map<string, TokenChange>();
    for (const change of changes) {
      const key = `${change.machineId}\0${change.token}\0${change.holder}`;
      sums.set(key, { ...change, amount: change.amount + (sums.get(key)?.amount ?? 0) });
    }
    const all = [...sums.values()];
    // Balances are small tables: a row each, so that a balance below zero names itself.
    for (const { machineId, token, holder, amount } of all) {
      await rows(
        on,
        `insert into token_balance (machine_id, token, holder, amount) values (?, ?, ?, ?)
         on conflict (machine_id, token, holder) do update set amount = token_balance.amount + ?`,
        [machineId, token, holder, Math.max(0, amount), amount],
      );
    }
  },
};

/** A machine with contracts whose time has come. */
export interface DueMachine {
  readonly machineId: string;
  /** Of the oldest of them. */
  readonly fireTick: number;
}

export class ContractRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** All of a machine, oldest first. */
  async ofMachine(machineId: string, on: Executor = this.#knex): Promise<StoredContract[]> {
    const found = await rows<ContractRow>(on, `select ${COLUMNS} from contract where machine_id = ? order by id`, [
      machineId,
    ]);
    return found.map(fromRow);
  }

  /** All of these machines, or those of them that stand so, newest first. */
  async ofMachines(
    machineIds: readonly string[],
    { status, limit }: { readonly status?: ContractStatus | undefined; readonly limit: number },
    on: Executor = this.#knex,
  ): Promise<StoredContract[]> {
    const found = await rows<ContractRow>(
      on,
      `select ${COLUMNS} from contract where machine_id = any(?::uuid[]) ${status === undefined ? '' : 'and status = ?'}
       order by id desc limit ?`,
      [machineIds, ...(status === undefined ? [] : [status]), limit],
    );
    return found.map(fromRow);
  }

  async get(machineId: string, id: string, on: Executor = this.#knex): Promise<StoredContract | undefined> {
    const [row] = await rows<ContractRow>(on, `select ${COLUMNS} from contract where machine_id = ? and id = ?`, [
      machineId,
      id,
    ]);
    return row && fromRow(row);
  }

  async versions(machineId: string, contractId: string, on: Executor = this.#knex): Promise<StoredVersion[]> {
    const found = await rows<{
      no: number;
      definition: string;
      definition_hash: string;
      parameters: string;
      svcond: number;
      actor: string;
      reason: string;
    }>(
      on,
      `select no, definition, encode(definition_hash, 'hex') as definition_hash, parameters, svcond, actor, reason
       from contract_version where machine_id = ? and contract_id = ? order by no desc`,
      [machineId, contractId],
    );
    return found.map((row) => ({
      machineId,
      contractId,
      no: row.no,
      definitionText: row.definition,
      definitionHash: row.definition_hash,
      parameters: JSON.parse(row.parameters) as Scalars,
      svcond: row.svcond,
      actor: row.actor,
      reason: row.reason,
    }));
  }

  /** Newest first. */
  async fires(
    machineId: string,
    contractId: string,
    limit: number,
    before?: number,
    on: Executor = this.#knex,
  ): Promise<StoredFire[]> {
    const found = await rows<Omit<StoredFire, 'machineId' | 'contractId'>>(
      on,
      `select version_no as "versionNo", transition, entry, occurrence, seq, svcond, from_state as "from", to_state as "to"
       from fire where machine_id = ? and contract_id = ? and seq < ? order by seq desc limit ?`,
      [machineId, contractId, before ?? Number.MAX_SAFE_INTEGER, limit],
    );
    return found.map((row) => ({ ...row, machineId, contractId }));
  }

  /** Fires of rows `first` to `last`, oldest first. */
  async firesBetween(
    machineId: string,
    contractId: string,
    { first, last, limit }: { readonly first: number; readonly last: number; readonly limit: number },
    on: Executor = this.#knex,
  ): Promise<StoredFire[]> {
    const found = await rows<Omit<StoredFire, 'machineId' | 'contractId'>>(
      on,
      `select version_no as "versionNo", transition, entry, occurrence, seq, svcond, from_state as "from", to_state as "to"
       from fire where machine_id = ? and contract_id = ? and seq between ? and ? order by seq limit ?`,
      [machineId, contractId, first, last, limit],
    );
    return found.map((row) => ({ ...row, machineId, contractId }));
  }

  /** Row of the fire that `count` later ones follow, up to and including row `last`; undefined if there are no more. */
  async fireBehind(
    machineId: string,
    contractId: string,
    { first, last }: { readonly first: number; readonly last: number },
    count: number,
    on: Executor = this.#knex,
  ): Promise<number | undefined> {
    const [row] = await rows<{ seq: number }>(
      on,
      `select seq from fire where machine_id = ? and contract_id = ? and seq between ? and ?
       order by seq desc offset ? limit 1`,
      [machineId, contractId, first, last, count],
    );
    return row?.seq;
  }

  async balances(
    machineId: string,
    on: Executor = this.#knex,
  ): Promise<{ token: string; holder: string; amount: number }[]> {
    return rows(on, 'select token, holder, amount from token_balance where machine_id = ?', [machineId]);
  }

  /** How many ticks late timers fired after tick `since`: 99 of 100 no later. 0 where none did. */
  async timerLag(machineId: string, since: number): Promise<number> {
    const [{ lag } = { lag: 0 }] = await rows<{ lag: number | null }>(
      this.#knex,
      `select percentile_disc(0.99) within group (order by svcond - substr(occurrence, 2)::bigint) as lag
       from fire where machine_id = ? and svcond > ? and occurrence like 't%'`,
      [machineId, since],
    );
    return lag ?? 0;
  }

  /** Machines of these shards with contracts that want to be looked at by now, those that wait longest first. */
  async due(
    shards: readonly number[],
    now: number,
    limit: number,
    except: readonly string[] = [],
    on: Executor = this.#knex,
  ): Promise<DueMachine[]> {
    return rows(
      on,
      `select machine_id as "machineId", min(fire_tick) as "fireTick"
       from timer join machine on machine.id = machine_id and machine.status = 'active'
       where shard = any(?::smallint[]) and fire_tick <= ? and machine_id <> all(?::uuid[])
       group by machine_id order by 2 limit ?`,
      [shards.map(String), now, except, limit],
    );
  }
}

function fromRow(row: ContractRow): StoredContract {
  return {
    machineId: row.machine_id,
    id: row.id,
    name: row.name,
    templateId: row.template_id ?? undefined,
    status: row.status,
    versionNo: row.version_no,
    definition: JSON.parse(row.definition) as Definition,
    definitionText: row.definition,
    definitionHash: row.definition_hash,
    parameters: JSON.parse(row.parameters) as Scalars,
    state: JSON.parse(row.state) as ContractState,
    nextFire: row.next_fire ?? undefined,
    heldNextFire: row.held_next_fire ?? undefined,
    heldAt: row.held_at ?? undefined,
    createdSvcond: row.created_svcond,
  };
}
