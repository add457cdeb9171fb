// Audit rows: the rows of all chains, as they were hashed.

import { type OpenRow, ROW_VERSION, type Row } from '../../chain/row.ts';
import { boundedPage } from '../database/bounded-page.ts';
import { type Binding, type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';

/** Content and hashes of a row. Bytes are hex digits. */
export interface AuditColumns {
  readonly type: string;
  readonly source: string;
  readonly actor: string;
  readonly commitment: string;
  readonly prev_hash: string;
  readonly hash: string;
  readonly salt: string | null;
  readonly body: string | null;
  readonly is_sealed: boolean;
}

interface AuditRow extends AuditColumns {
  readonly slug: string;
  readonly seq: number;
  readonly v: typeof ROW_VERSION;
  readonly svcond: number;
}

/** SQL of `AuditColumns`. */
export const AUDIT_COLUMNS = `type, source, actor, encode(commitment, 'hex') as commitment,
  encode(prev_hash, 'hex') as prev_hash, encode(hash, 'hex') as hash, encode(salt, 'hex') as salt, body,
  sealed is not null as is_sealed`;
const COLUMNS = `seq, v, svcond, ${AUDIT_COLUMNS}`;

/**
 * SQL for the name in a payload. PostgreSQL rejects JSON that contains `\u0000` anywhere, as any payload may. So it is
 * removed, after the escaped backslashes, since one followed by `u0000` would look the same. No name and no id contains
 * either.
 */
const NAME = String.raw`(case when strpos(body, '\u0000') = 0 then body
  else replace(replace(body, '\\', ''), '\u0000', '') end)::json ->> 'name'`;
/** The same by an index (migration 0028), for rows of these types. */
const INDEXED_NAME = `payload_field(body, 'name') = ? and type in ('event', 'emit')`;
const INDEXED_CONTRACT = `payload_field(body, 'contract') = ? and type <> 'event'`;
const PAYLOAD_BYTES = 'coalesce(octet_length(body), 0)';

/** A row to be written. `sealed` replaces salt and payload, which are then not stored in plain text. */
export interface AddedRow {
  readonly machineId: string;
  readonly row: OpenRow;
  readonly sealed?: Uint8Array | undefined;
}

export interface RowFilter {
  readonly type?: string | undefined;
  readonly types?: readonly string[] | undefined;
  /** Only events, received or emitted, of this name; an erased payload has none. */
  readonly name?: string | undefined;
  /** Only rows whose payload names this contract; an erased or sealed payload names none. */
  readonly contract?: string | undefined;
  /** Only rows whose payload has one of these as its `name`, and those whose payload is sealed or erased. */
  readonly names?: readonly string[] | undefined;
  /** Rows with this number or a higher one. */
  readonly from?: number | undefined;
  /** Rows with a lower number. */
  readonly before?: number | undefined;
  /** Rows of this tick and later. */
  readonly since?: number | undefined;
  readonly order: 'oldest first' | 'newest first';
  readonly limit: number;
}

/** What windows and oracles read of a row. The payload is missing if it is sealed, erased, or not asked for. */
export interface PayloadRow {
  readonly seq: number;
  readonly svcond: number;
  readonly type: string;
  readonly actor: string;
  readonly payload_text: string | undefined;
  readonly sealed: boolean;
  /** False if its payload has another name than those asked for. */
  readonly isAsked: boolean;
}

export interface TypeCount {
  readonly type: string;
  readonly rows: number;
}

/** Rows whose salt and payload are erased. */
export const erasures: Writer<{ readonly machineId: string; readonly seq: number }> = {
  async write(all, on) {
    const audit = new AuditRepository(on);
    for (const { machineId, seq } of all) await audit.erase(machineId, seq, on);
  },
};

/** Number of rows of one type in one bin of a range of ticks. */
export interface BinCount {
  readonly bin: number;
  readonly type: string;
  readonly rows: number;
}

export interface SourceCount {
  readonly kind: string;
  readonly rows: number;
  readonly first: number;
  readonly last: number;
  readonly rejected: number;
}

export class AuditRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** Inserts rows of many machines in one statement. They are hashed already. */
  async insert(added: readonly AddedRow[], on: Executor): Promise<void> {
    if (added.length === 0) return;
    const column = (read: (row: OpenRow) => string | number) => added.map(({ row }) => String(read(row)));
    const open = (read: (row: OpenRow) => string) => added.map(({ row, sealed }) => (sealed ? null : read(row)));
    await rows(
      on,
      `insert into audit (machine_id, seq, v, svcond, type, source, actor, commitment, prev_hash, hash, salt, body,
         sealed)
       select id, seq, ${ROW_VERSION}, svcond, type, source, actor, decode(commitment, 'hex'), decode(prev, 'hex'),
         decode(hash, 'hex'), decode(salt, 'hex'), body, decode(sealed, 'hex')
       from unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
         ?::text[], ?::text[], ?::text[], ?::text[])
         as new (id, seq, svcond, type, source, actor, commitment, prev, hash, salt, body, sealed)`,
      [
        added.map(({ machineId }) => machineId),
        column(({ seq }) => seq),
        column(({ svcond }) => svcond),
        column(({ type }) => type),
        column(({ source }) => source),
        column(({ actor }) => actor),
        column(({ commit }) => commit),
        column(({ prev }) => prev),
        column(({ row_hash }) => row_hash),
        open(({ salt }) => salt),
        open(({ payload_text }) => payload_text),
        added.map(({ sealed }) => (sealed ? Buffer.from(sealed).toString('hex') : null)),
      ],
    );
  }

  /** Rows `from` to `to`, inclusive, in order. */
  async range(machineId: string, slug: string, from: number, to: number, on: Executor = this.#knex): Promise<Row[]> {
    const found = await rows<AuditRow>(
      on,
      `select ${COLUMNS} from audit where machine_id = ? and seq between ? and ? order by seq`,
      [machineId, from, to],
    );
    return found.map((row) => fromRow(row, slug));
  }

  /** The same, with their sealed payloads. */
  async sealedRange(
    machineId: string,
    slug: string,
    from: number,
    to: number,
    on: Executor = this.#knex,
  ): Promise<{ readonly row: Row; readonly sealed: Uint8Array | undefined }[]> {
    const found = await rows<AuditRow & { readonly sealed: Uint8Array | null }>(
      on,
      `select ${COLUMNS}, sealed from audit where machine_id = ? and seq between ? and ? order by seq`,
      [machineId, from, to],
    );
    return found.map((row) => ({ row: fromRow(row, slug), sealed: row.sealed ?? undefined }));
  }

  async select(machineId: string, slug: string, filter: RowFilter, on: Executor = this.#knex): Promise<Row[]> {
    const { query, bindings } = selection(machineId, filter);
    const order = orderOf(filter);
    const found = await rows<AuditRow>(on, `${query} order by ${order} limit ?`, [...bindings, filter.limit]);
    return found.map((row) => fromRow(row, slug));
  }

  /**
   * The newest rows of a type, newest first, without their hashes. Rows of other names count among the `limit`, so that
   * no statement reads more rows than that.
   */
  async newestPayloads(
    machineId: string,
    {
      type,
      names,
      before,
      after = -1,
      limit,
    }: Pick<RowFilter, 'names' | 'before' | 'limit'> & {
      readonly type: string;
      readonly after?: number | undefined;
    },
    on: Executor = this.#knex,
  ): Promise<PayloadRow[]> {
    const found = await rows<{
      readonly seq: number;
      readonly svcond: number;
      readonly actor: string;
      readonly body: string | null;
      readonly is_sealed: boolean;
      readonly is_asked: boolean;
    }>(
      on,
      `select seq, svcond, actor, is_sealed, is_asked, case when is_asked then body end as body from (
         select seq, svcond, actor, sealed is not null as is_sealed, body,
           ${names === undefined ? 'true' : `(body is null or ${NAME} = any(?::text[]))`} as is_asked
         from audit where machine_id = ? and type = ? and seq > ? ${before === undefined ? '' : 'and seq < ?'}
         order by seq desc limit ?
       ) newest order by seq desc`,
      [
        ...(names === undefined ? [] : [names]),
        machineId,
        type,
        after,
        ...(before === undefined ? [] : [before]),
        limit,
      ],
    );
    return found.map(({ seq, svcond, actor, body, is_sealed: sealed, is_asked: isAsked }) => {
      return { seq, svcond, type, actor, payload_text: body ?? undefined, sealed, isAsked };
    });
  }

  /** As `select`, up to `maxBytes` of payloads. */
  async page(
    machineId: string,
    slug: string,
    filter: RowFilter & { readonly maxBytes: number },
    on: Executor = this.#knex,
  ): Promise<{ readonly rows: readonly Row[]; readonly isCut: boolean }> {
    const { query, bindings } = selection(machineId, filter);
    const { maxBytes, limit: maxRows } = filter;
    const bounds = { order: orderOf(filter), bytes: PAYLOAD_BYTES, maxBytes, maxRows };
    const { rows: found, isCut } = await boundedPage<AuditRow>(on, query, bindings, bounds);
    return { rows: found.map((row) => fromRow(row, slug)), isCut };
  }

  /** The last of rows `from` to `to` before which there are less than `maxBytes` of payloads. */
  async lastWithin(
    machineId: string,
    { from, to, maxBytes }: { readonly from: number; readonly to: number; readonly maxBytes: number },
    on: Executor = this.#knex,
  ): Promise<number> {
    const [row] = await rows<{ readonly last: number | null; readonly is_all: boolean | null }>(
      on,
      `select max(seq) filter (where coalesce(bytes, 0) < ?) as last, bool_and(coalesce(bytes, 0) < ?) as is_all
       from (
         select seq, sum(${PAYLOAD_BYTES}) over (order by seq rows between unbounded preceding and 1 preceding) as bytes
         from audit where machine_id = ? and seq between ? and ?
       ) sized`,
      [maxBytes, maxBytes, machineId, from, to],
    );
    return row?.is_all === false && row.last !== null ? row.last : to;
  }

  /**
   * Number of the newest matching row in rows `from` to `to` that at least `count` matching rows follow.
   *
   * @returns undefined if no more than `count` rows match
   */
  async seqBehind(
    machineId: string,
    { types, name, from, to }: Pick<RowFilter, 'types' | 'name'> & { readonly from: number; readonly to: number },
    count: number,
    on: Executor = this.#knex,
  ): Promise<number | undefined> {
    const [row] = await rows<{ seq: number }>(
      on,
      `select seq from audit where machine_id = ? and seq between ? and ?
         ${types === undefined ? '' : 'and type = any(?::text[])'} ${name === undefined ? '' : `and ${INDEXED_NAME}`}
       order by seq desc offset ? limit 1`,
      [machineId, from, to, ...(types === undefined ? [] : [types]), ...(name === undefined ? [] : [name]), count],
    );
    return row?.seq;
  }

  /** The last row of a tick or before it. */
  async lastAt(machineId: string, slug: string, svcond: number, on: Executor = this.#knex): Promise<Row | undefined> {
    const [row] = await rows<AuditRow>(
      on,
      `select ${COLUMNS} from audit where machine_id = ? and svcond <= ? order by svcond desc, seq desc limit 1`,
      [machineId, svcond],
    );
    return row && fromRow(row, slug);
  }

  async countByType(machineId: string, on: Executor = this.#knex): Promise<TypeCount[]> {
    return rows(on, 'select type, count(*) as rows from audit where machine_id = ? group by type order by type', [
      machineId,
    ]);
  }

  /** Counts rows of `ticks` ticks from `start`. Those of tick start + i are in bin ⌊i · bins / ticks⌋. */
  async countInBins(
    machineId: string,
    { start, ticks, bins }: { readonly start: number; readonly ticks: number; readonly bins: number },
    on: Executor = this.#knex,
  ): Promise<BinCount[]> {
    return rows(
      on,
      `select (svcond - ?) * ? / ? as bin, type, count(*) as rows from audit
       where machine_id = ? and svcond >= ? and svcond < ? group by 1, 2 order by 1, 2`,
      [start, bins, ticks, machineId, start, start + ticks],
    );
  }

  /** Counts rows by source, and among them those of type `rejection`. */
  async countBySource(machineId: string, on: Executor = this.#knex): Promise<SourceCount[]> {
    return rows(
      on,
      `select source as kind, count(*) as rows, min(svcond) as first, max(svcond) as last,
         count(*) filter (where type = 'rejection') as rejected
       from audit where machine_id = ? group by source order by source`,
      [machineId],
    );
  }

  async countOfTypes(
    machineId: string,
    types: readonly string[],
    on: Executor = this.#knex,
  ): Promise<ReadonlyMap<string, number>> {
    const found = await rows<TypeCount>(
      on,
      'select type, count(*) as rows from audit where machine_id = ? and type = any(?::text[]) group by type',
      [machineId, types],
    );
    return new Map(found.map(({ type, rows: count }) => [type, count]));
  }

  /** First and last number of the rows of a tick. */
  async extentAt(
    machineId: string,
    svcond: number,
    on: Executor = this.#knex,
  ): Promise<{ readonly first: number; readonly last: number } | undefined> {
    const [row] = await rows<{ first: number | null; last: number | null }>(
      on,
      'select min(seq) as first, max(seq) as last from audit where machine_id = ? and svcond = ?',
      [machineId, svcond],
    );
    return row && row.first !== null && row.last !== null ? { first: row.first, last: row.last } : undefined;
  }

  /** Hashes of rows `from` to `to`, exclusive, in order. */
  async hashes(machineId: string, from: number, to: number, on: Executor = this.#knex): Promise<Uint8Array[]> {
    const found = await rows<{ hash: Uint8Array }>(
      on,
      'select hash from audit where machine_id = ? and seq >= ? and seq < ? order by seq',
      [machineId, from, to],
    );
    return found.map(({ hash }) => hash);
  }

  /** Erases salt and payload; everything that is hashed stays. @returns false if they were erased before */
  async erase(machineId: string, seq: number, on: Executor): Promise<boolean> {
    const done = await rows(
      on,
      `update audit set salt = null, body = null, sealed = null
       where machine_id = ? and seq = ? and (salt is not null or sealed is not null) returning 1`,
      [machineId, seq],
    );
    return done.length === 1;
  }
}

function selection(machineId: string, filter: RowFilter): { readonly query: string; readonly bindings: Binding[] } {
  const { type, types, name, names, contract, from, before, since } = filter;
  const conditions: [string, Binding | undefined][] = [
    ['type = ?', type],
    ['type = any(?::text[])', types],
    [INDEXED_NAME, name],
    [`(body is null or ${NAME} = any(?::text[]))`, names],
    [INDEXED_CONTRACT, contract],
    ['seq >= ?', from],
    ['seq < ?', before],
    ['svcond >= ?', since],
  ];
  const asked = conditions.filter((one): one is [string, Binding] => one[1] !== undefined);
  return {
    query: `select ${COLUMNS} from audit where ${['machine_id = ?', ...asked.map(([text]) => text)].join(' and ')}`,
    bindings: [machineId, ...asked.map(([, value]) => value)],
  };
}

const orderOf = ({ order }: RowFilter) => (order === 'newest first' ? 'seq desc' : 'seq');

function fromRow(row: Omit<AuditRow, 'slug'>, slug: string): Row {
  const { seq, v, svcond, type, source, actor, commitment, prev_hash, hash, salt, body, is_sealed } = row;
  const head = { v, slug, seq, svcond, type, source, actor, commit: commitment, prev: prev_hash, row_hash: hash };
  if (is_sealed) return { ...head, sealed: true };
  return salt === null || body === null ? head : { ...head, salt, payload_text: body };
}
