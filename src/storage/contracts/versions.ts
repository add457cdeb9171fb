// Versions of contracts: each definition that a contract has had, and who deployed it.

import type { Scalars } from '../../contracts/definition.ts';
import { type BoundedPage, boundedPage } from '../database/bounded-page.ts';
import { type Binding, type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';

export interface StoredVersion {
  readonly machineId: string;
  readonly contractId: string;
  /** Counts from 1. */
  readonly no: number;
  /** Canonical JSON, as it was hashed. */
  readonly definitionText: string;
  /** Hex. */
  readonly definitionHash: string;
  readonly parameters: Scalars;
  readonly svcond: number;
  readonly actor: string;
  readonly reason: string;
}

interface VersionRow {
  readonly no: number;
  readonly definition: string;
  readonly definition_hash: string;
  readonly parameters: string;
  readonly svcond: number;
  readonly actor: string;
  readonly reason: string;
}

/** A definition, and the contract version that has it. */
export type StoredDefinition = Pick<
  StoredVersion,
  'contractId' | 'no' | 'definitionText' | 'definitionHash' | 'svcond'
>;

interface DefinitionRow {
  readonly contract_id: string;
  readonly no: number;
  readonly definition: string;
  readonly definition_hash: string;
  readonly svcond: number;
}

/** A version without its definition. */
export type ListedVersion = Pick<StoredVersion, 'no' | 'definitionHash' | 'parameters' | 'svcond' | 'actor' | 'reason'>;

interface VersionPage {
  readonly limit: number;
  /** Number of the version before which the page begins. */
  readonly before?: number | undefined;
  readonly maxBytes: number;
}

interface DefinitionPage {
  readonly after?: Pick<StoredVersion, 'contractId' | 'no'> | undefined;
  readonly maxRows: number;
  readonly maxBytes: number;
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
        `insert into contract_version
           (machine_id, contract_id, no, definition, definition_hash, parameters, svcond, actor, reason)
         values (?, ?, ?, ?, decode(?, 'hex'), ?, ?, ?, ?)`,
        [machineId, contractId, no, definitionText, definitionHash, JSON.stringify(parameters), svcond, actor, reason],
      );
    }
  },
};

export class ContractVersionRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /**
   * Definitions of all contracts of a machine, newest contracts first, and newest versions first.
   *
   * @param after  the last one seen
   */
  async pageOfMachine(
    machineId: string,
    { after, maxRows, maxBytes }: DefinitionPage,
    on: Executor = this.#knex,
  ): Promise<BoundedPage<StoredDefinition>> {
    const query = `select contract_id, no, definition, encode(definition_hash, 'hex') as definition_hash, svcond
       from contract_version where machine_id = ?${after === undefined ? '' : ' and (contract_id, no) < (?, ?)'}`;
    const bindings: Binding[] = [machineId, ...(after === undefined ? [] : [after.contractId, after.no])];
    const bounds = { order: 'contract_id desc, no desc', bytes: 'octet_length(definition)', maxBytes, maxRows };
    const page = await boundedPage<DefinitionRow>(on, query, bindings, bounds);
    return {
      ...page,
      rows: page.rows.map((row) => ({
        contractId: row.contract_id,
        no: row.no,
        definitionText: row.definition,
        definitionHash: row.definition_hash,
        svcond: row.svcond,
      })),
    };
  }

  /** All versions of a contract with their definitions, newest first. */
  list(machineId: string, contractId: string, on: Executor = this.#knex): Promise<StoredVersion[]> {
    return this.#read(machineId, contractId, undefined, on);
  }

  /** Some versions of a contract with their definitions, newest first. */
  async byNumbers(
    machineId: string,
    contractId: string,
    numbers: Iterable<number>,
    on: Executor = this.#knex,
  ): Promise<StoredVersion[]> {
    const wanted = [...new Set(numbers)];
    return wanted.length === 0 ? [] : this.#read(machineId, contractId, wanted, on);
  }

  /** A page of the versions of a contract, newest first. */
  async page(
    machineId: string,
    contractId: string,
    { limit, before, maxBytes }: VersionPage,
    on: Executor = this.#knex,
  ): Promise<BoundedPage<ListedVersion>> {
    const query = `select no, encode(definition_hash, 'hex') as definition_hash, parameters, svcond, actor, reason
       from contract_version where machine_id = ? and contract_id = ? and no < ?::bigint`;
    const bindings: Binding[] = [machineId, contractId, before ?? Number.MAX_SAFE_INTEGER];
    const bounds = { order: 'no desc', bytes: 'octet_length(parameters)', maxBytes, maxRows: limit };
    const page = await boundedPage<Omit<VersionRow, 'definition'>>(on, query, bindings, bounds);
    return { ...page, rows: page.rows.map(listedOf) };
  }

  /** Number of the versions of a contract, and bytes of their definitions. */
  async sizeOf(
    machineId: string,
    contractId: string,
    on: Executor = this.#knex,
  ): Promise<{ readonly count: number; readonly bytes: number }> {
    const [found] = await rows<{ count: number; bytes: number }>(
      on,
      `select count(*) as count, coalesce(sum(octet_length(definition)), 0)::bigint as bytes
       from contract_version where machine_id = ? and contract_id = ?`,
      [machineId, contractId],
    );
    return found ?? { count: 0, bytes: 0 };
  }

  async #read(
    machineId: string,
    contractId: string,
    numbers: readonly number[] | undefined,
    on: Executor,
  ): Promise<StoredVersion[]> {
    const found = await rows<VersionRow>(
      on,
      `select no, definition, encode(definition_hash, 'hex') as definition_hash, parameters, svcond, actor, reason
       from contract_version where machine_id = ? and contract_id = ?${numbers === undefined ? '' : ' and no = any(?::bigint[])'}
       order by no desc`,
      [machineId, contractId, ...(numbers === undefined ? [] : [numbers.map(String)])],
    );
    return found.map((row) => ({ machineId, contractId, definitionText: row.definition, ...listedOf(row) }));
  }
}

const listedOf = (row: Omit<VersionRow, 'definition'>): ListedVersion => ({
  no: row.no,
  definitionHash: row.definition_hash,
  parameters: JSON.parse(row.parameters) as Scalars,
  svcond: row.svcond,
  actor: row.actor,
  reason: row.reason,
});
