// Audit rows: the rows of all chains, as they were hashed.

import { type OpenRow, ROW_VERSION, type Row } from '../../chain/row.ts';
import { fromHex } from '../../core/bits.ts';
import { DomainError } from '../../core/errors.ts';
import { type BoundedPage, boundedPage } from '../database/bounded-page.ts';
import { type Binding, type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';
import { RowArchive } from './archive/archive.ts';
import { type ReplacedFile, useReplacedFile } from './archive/erase.ts';
import { archivedRows, archivedTotals, recordsAt, recordUntil, summaryIn } from './archive/records.ts';
import { isNamed, type Totals, typesOf } from './archive/summary.ts';
import { AUDIT_COLUMNS, type AuditRow, fromRow, type RowFilter, type StoredRow } from './audit-row.ts';

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
/** Machines whose numbers of archived rows are remembered. */
const MAX_BORDERS = 10_000;
const PAYLOAD_BYTES = 'coalesce(octet_length(body), 0)';

/** A row to be written. `sealed` replaces salt and payload, which are then not stored in plain text. */
export interface AddedRow {
  readonly machineId: string;
  readonly row: OpenRow;
  readonly sealed?: Uint8Array | undefined;
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

/** Rows whose salt and payload are erased, with the file that replaces that of an archived row. */
export const erasures: Writer<{
  readonly machineId: string;
  readonly seq: number;
  readonly file?: ReplacedFile | undefined;
}> = {
  async write(all, on) {
    for (const { machineId, seq, file } of all)
      if (file === undefined) await eraseStored(machineId, seq, on);
      else await useReplacedFile(file, on);
  },
};

/** Erases salt and payload; everything that is hashed stays. @throws DomainError CONFLICT if the row was archived */
async function eraseStored(machineId: string, seq: number, on: Executor): Promise<void> {
  const done = await rows(
    on,
    `update audit set salt = null, body = null, sealed = null where machine_id = ? and seq = ? returning 1`,
    [machineId, seq],
  );
  if (done.length === 0)
    throw new DomainError('CONFLICT', `Row ${seq} was moved to the archive meanwhile; erase it again.`);
}

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
  readonly #archive: RowArchive;
  /** Numbers of archived rows as last seen, by machine. They only grow, so an old one is too low at most. */
  readonly #borders = new Map<string, number>();

  /** @param archive  holds older rows; without it, they are refused by name */
  constructor(knex: Executor, archive: RowArchive = new RowArchive()) {
    this.#knex = knex;
    this.#archive = archive;
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
    const archived = await this.#archivedBefore(machineId, from, to, found[0]?.seq, on);
    return [...archived, ...found].map((row) => fromRow(row, slug));
  }

  /** Archived ones of rows `from` to `to`, before the first one that the database has. */
  async #archivedBefore(machineId: string, from: number, to: number, stored: number | undefined, on: Executor) {
    const last = Math.min(to, (stored ?? to + 1) - 1);
    return from > last ? [] : this.#archive.rows(machineId, from, last, on);
  }

  /**
   * Reads on both sides of the border between archived rows and those of the database, and again if it has moved
   * meanwhile: a statement sees rows that another one no longer finds.
   *
   * @param read  is given the number of archived rows
   */
  async #acrossBorder<Found>(
    machineId: string,
    on: Executor,
    read: (border: number) => Promise<Found>,
  ): Promise<Found> {
    for (let border = this.#borders.get(machineId) ?? 0; ; ) {
      const found = await read(border);
      const moved = await archivedRows(machineId, on);
      if (moved === border) return found;
      border = moved;
      if (this.#borders.size >= MAX_BORDERS) this.#borders.clear();
      this.#borders.set(machineId, border);
    }
  }

  /** The same, with their sealed payloads. */
  async sealedRange(
    machineId: string,
    slug: string,
    from: number,
    to: number,
    on: Executor = this.#knex,
  ): Promise<{ readonly row: Row; readonly sealed: Uint8Array | undefined }[]> {
    const found = await storedRange(machineId, from, to, on);
    const archived = await this.#archivedBefore(machineId, from, to, found[0]?.seq, on);
    return [...archived, ...found].map((row) => ({ row: fromRow(row, slug), sealed: row.sealed ?? undefined }));
  }

  async select(machineId: string, slug: string, filter: RowFilter, on: Executor = this.#knex): Promise<Row[]> {
    const unbounded = { ...filter, maxBytes: Number.MAX_SAFE_INTEGER };
    const { rows: found } =
      filter.order === 'newest first'
        ? await this.#newest(machineId, unbounded, (rest) => selectStored(machineId, rest, on), on)
        : await this.#oldest(machineId, unbounded, (rest) => selectStored(machineId, rest, on), on);
    return found.map((row) => fromRow(row, slug));
  }

  /** The newest rows of a filter: those of the database, then archived ones. */
  async #newest(
    machineId: string,
    filter: BoundedFilter,
    read: ReadStored,
    on: Executor,
  ): Promise<BoundedPage<AuditRow>> {
    const stored = await read(filter);
    const { rows: found } = stored;
    const isComplete = found.length >= filter.limit || found.at(-1)?.seq === (filter.from ?? 0);
    if (stored.isCut || isComplete) return stored;
    const seen = new Set(found.map(({ seq }) => seq));
    const archived = await takePage(this.#archive.scan(machineId, filter, on), filter, found, seen);
    return { rows: [...found, ...archived.rows], isCut: archived.isCut };
  }

  /** The oldest rows of a filter: archived ones, then those of the database. */
  #oldest(machineId: string, filter: BoundedFilter, read: ReadStored, on: Executor): Promise<BoundedPage<AuditRow>> {
    const { from = 0, before = Number.MAX_SAFE_INTEGER } = filter;
    return this.#acrossBorder(machineId, on, async (border) => {
      if (border <= from) return read(filter);
      const older = { ...filter, before: Math.min(before, border) };
      const archived = await takePage(this.#archive.scan(machineId, older, on), filter);
      if (archived.isCut || before <= border) return archived;
      const limit = filter.limit - archived.rows.length;
      const maxBytes = filter.maxBytes - payloadBytes(archived.rows);
      const rest = { ...filter, from: border, limit, maxBytes };
      if (limit > 0 && maxBytes > 0) {
        const stored = await read(rest);
        return { rows: [...archived.rows, ...stored.rows], isCut: stored.isCut };
      }
      const next = await read({ ...rest, limit: 1, maxBytes: 1 });
      return { rows: archived.rows, isCut: next.rows.length > 0 };
    });
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
    const payloads = found.map(({ seq, svcond, actor, body, is_sealed: sealed, is_asked: isAsked }) => {
      return { seq, svcond, type, actor, payload_text: body ?? undefined, sealed, isAsked };
    });
    const isComplete = found.length === limit || found.at(-1)?.seq === after + 1;
    if (isComplete) return payloads;
    const older = { type, from: after + 1, before: found.at(-1)?.seq ?? before, order: 'newest first' } as const;
    for await (const row of this.#archive.scan(machineId, older, on)) {
      payloads.push(payloadRow(row, names));
      if (payloads.length === limit) break;
    }
    return payloads;
  }

  /** As `select`, up to `maxBytes` of payloads. */
  async page(
    machineId: string,
    slug: string,
    filter: BoundedFilter,
    on: Executor = this.#knex,
  ): Promise<{ readonly rows: readonly Row[]; readonly isCut: boolean }> {
    const read = (rest: BoundedFilter) => pageOfStored(machineId, rest, on);
    const { rows: found, isCut } =
      filter.order === 'newest first'
        ? await this.#newest(machineId, filter, read, on)
        : await this.#oldest(machineId, filter, read, on);
    return { rows: found.map((row) => fromRow(row, slug)), isCut };
  }

  /** The last of rows `from` to `to` before which there are less than `maxBytes` of payloads. */
  async lastWithin(
    machineId: string,
    { from, to, maxBytes }: { readonly from: number; readonly to: number; readonly maxBytes: number },
    on: Executor = this.#knex,
  ): Promise<number> {
    const border = await archivedRows(machineId, on);
    let bytes = 0;
    const older = { from, before: Math.min(to + 1, border), order: 'oldest first' } as const;
    for await (const row of border > from ? this.#archive.scan(machineId, older, on) : []) {
      if (bytes >= maxBytes) return row.seq - 1;
      bytes += payloadBytes([row]);
    }
    if (bytes >= maxBytes || to < border) return Math.min(to, Math.max(border - 1, from));
    const rest = { from: Math.max(from, border), to, maxBytes: maxBytes - bytes };
    return lastStoredWithin(machineId, rest, on);
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
    if (row !== undefined) return row.seq;
    // The archive has the older ones, all of which are behind those of the database.
    const stored = await rows<{ seq: number }>(
      on,
      `select seq from audit where machine_id = ? and seq between ? and ?
         ${types === undefined ? '' : 'and type = any(?::text[])'} ${name === undefined ? '' : `and ${INDEXED_NAME}`}
       order by seq desc limit ?`,
      [machineId, from, to, ...(types === undefined ? [] : [types]), ...(name === undefined ? [] : [name]), count],
    );
    let left = count - stored.length;
    const older = { types, name, from, before: stored.at(-1)?.seq ?? to + 1, order: 'newest first' } as const;
    for await (const { seq } of this.#archive.scan(machineId, older, on)) if (left-- === 0) return seq;
    return undefined;
  }

  /** The last row of a tick or before it. */
  async lastAt(machineId: string, slug: string, svcond: number, on: Executor = this.#knex): Promise<Row | undefined> {
    const [row] = await rows<AuditRow>(
      on,
      `select ${COLUMNS} from audit where machine_id = ? and svcond <= ? order by svcond desc, seq desc limit 1`,
      [machineId, svcond],
    );
    if (row !== undefined) return fromRow(row, slug);
    const record = await recordUntil(machineId, svcond, on);
    const archived = record && (await this.#archive.open(record)).lastAt(svcond);
    return archived && fromRow(archived, slug);
  }

  async countByType(machineId: string, on: Executor = this.#knex): Promise<TypeCount[]> {
    return this.#acrossBorder(machineId, on, async (border) => {
      const stored = await rows<TypeCount>(
        on,
        'select type, count(*) as rows from audit where machine_id = ? and seq >= ? group by type',
        [machineId, border],
      );
      const { types } = await this.#totals(machineId, border, on);
      return sumsOf([...stored, ...typeCounts(types)]);
    });
  }

  async #totals(machineId: string, border: number, on: Executor): Promise<Totals> {
    const totals = border === 0 ? undefined : await archivedTotals(machineId, on);
    return totals ?? { types: {}, sources: {} };
  }

  /** Counts rows of `ticks` ticks from `start`. Those of tick start + i are in bin ⌊i · bins / ticks⌋. */
  async countInBins(
    machineId: string,
    { start, ticks, bins }: { readonly start: number; readonly ticks: number; readonly bins: number },
    on: Executor = this.#knex,
  ): Promise<BinCount[]> {
    return this.#acrossBorder(machineId, on, async (border) => {
      const stored = await rows<BinCount>(
        on,
        `select (svcond - ?) * ? / ? as bin, type, count(*) as rows from audit
         where machine_id = ? and svcond >= ? and svcond < ? and seq >= ? group by 1, 2 order by 1, 2`,
        [start, bins, ticks, machineId, start, start + ticks, border],
      );
      if (border === 0) return stored;
      const binOf = (svcond: number) => Math.floor(((svcond - start) * bins) / ticks);
      return sumsByBin([...(await this.#archivedInBins(machineId, start, start + ticks, binOf, on)), ...stored]);
    });
  }

  /** A file whose rows are all in one bin is not opened: its record has their counts. */
  async #archivedInBins(
    machineId: string,
    start: number,
    end: number,
    binOf: (svcond: number) => number,
    on: Executor,
  ): Promise<BinCount[]> {
    const counts: BinCount[] = [];
    for (const record of await recordsAt(machineId, start, end - 1, on)) {
      const { firstSvcond, lastSvcond } = record;
      const bin = binOf(firstSvcond);
      if (firstSvcond >= start && lastSvcond < end && binOf(lastSvcond) === bin)
        counts.push(...typeCounts(typesOf(summaryIn(record))).map((count) => ({ bin, ...count })));
      else
        for (const { svcond, type } of (await this.#archive.open(record)).rows(record.first, record.last))
          if (svcond >= start && svcond < end) counts.push({ bin: binOf(svcond), type, rows: 1 });
    }
    return counts;
  }

  /** Counts rows by source, and among them those of type `rejection`. */
  async countBySource(machineId: string, on: Executor = this.#knex): Promise<SourceCount[]> {
    return this.#acrossBorder(machineId, on, async (border) => {
      const stored = await rows<SourceCount>(
        on,
        `select source as kind, count(*) as rows, min(svcond) as first, max(svcond) as last,
           count(*) filter (where type = 'rejection') as rejected
         from audit where machine_id = ? and seq >= ? group by source order by source`,
        [machineId, border],
      );
      const { sources } = await this.#totals(machineId, border, on);
      return border === 0 ? stored : sumsBySource(sources, stored);
    });
  }

  async countOfTypes(
    machineId: string,
    types: readonly string[],
    on: Executor = this.#knex,
  ): Promise<ReadonlyMap<string, number>> {
    return this.#acrossBorder(machineId, on, async (border) => {
      const stored = await rows<TypeCount>(
        on,
        `select type, count(*) as rows from audit where machine_id = ? and type = any(?::text[]) and seq >= ?
         group by type`,
        [machineId, types, border],
      );
      const totals = await this.#totals(machineId, border, on);
      const archived = typeCounts(totals.types).filter(({ type }) => types.includes(type));
      return new Map(sumsOf([...stored, ...archived]).map(({ type, rows: count }) => [type, count]));
    });
  }

  /** First and last number of the rows of a tick. */
  async extentAt(
    machineId: string,
    svcond: number,
    on: Executor = this.#knex,
  ): Promise<{ readonly first: number; readonly last: number } | undefined> {
    return this.#acrossBorder(machineId, on, async (border) => {
      const [row] = await rows<{ first: number | null; last: number | null }>(
        on,
        'select min(seq) as first, max(seq) as last from audit where machine_id = ? and svcond = ? and seq >= ?',
        [machineId, svcond, border],
      );
      const seqs = [row?.first, row?.last, ...(border === 0 ? [] : await this.#archivedExtent(machineId, svcond, on))];
      const known = seqs.filter((seq) => typeof seq === 'number');
      return known.length === 0 ? undefined : { first: Math.min(...known), last: Math.max(...known) };
    });
  }

  /** First and last number of the archived rows of a tick, in the first and last files that have some. */
  async #archivedExtent(machineId: string, svcond: number, on: Executor): Promise<number[]> {
    const records = await recordsAt(machineId, svcond, svcond, on);
    const seqs: number[] = [];
    for (const record of new Set([...records.slice(0, 1), ...records.slice(-1)])) {
      const found = (await this.#archive.open(record)).rows(record.first, record.last);
      for (const row of found) if (row.svcond === svcond) seqs.push(row.seq);
    }
    return seqs.length === 0 ? [] : [Math.min(...seqs), Math.max(...seqs)];
  }

  /** Hashes of rows `from` to `to`, exclusive, in order. */
  async hashes(machineId: string, from: number, to: number, on: Executor = this.#knex): Promise<Uint8Array[]> {
    const found = await rows<{ seq: number; hash: Uint8Array }>(
      on,
      'select seq, hash from audit where machine_id = ? and seq >= ? and seq < ? order by seq',
      [machineId, from, to],
    );
    const archived = await this.#archivedBefore(machineId, from, to - 1, found[0]?.seq, on);
    return [...archived.map(({ hash }) => fromHex(hash) ?? new Uint8Array()), ...found.map(({ hash }) => hash)];
  }

  /** The same for ranges of several machines, of rows that are not archived. */
  async newestHashes(
    ranges: readonly { readonly machineId: string; readonly from: number; readonly to: number }[],
    on: Executor = this.#knex,
  ): Promise<ReadonlyMap<string, Uint8Array[]>> {
    const found = await rows<{ id: string; hash: Uint8Array }>(
      on,
      `select asked.id, row.hash from unnest(?::uuid[], ?::bigint[], ?::bigint[]) as asked (id, first, bound)
         join audit as row on row.machine_id = asked.id and row.seq >= asked.first and row.seq < asked.bound
       order by asked.id, row.seq`,
      [
        ranges.map(({ machineId }) => machineId),
        ranges.map(({ from }) => String(from)),
        ranges.map(({ to }) => String(to)),
      ],
    );
    const hashes = new Map<string, Uint8Array[]>();
    for (const { id, hash } of found) {
      const known = hashes.get(id);
      if (known) known.push(hash);
      else hashes.set(id, [hash]);
    }
    return hashes;
  }
}

type BoundedFilter = RowFilter & { readonly maxBytes: number };

/** Reads rows of the database only. */
type ReadStored = (filter: BoundedFilter) => Promise<BoundedPage<AuditRow>>;

async function selectStored(machineId: string, filter: RowFilter, on: Executor): Promise<BoundedPage<AuditRow>> {
  const { query, bindings } = selection(machineId, filter);
  const found = await rows<AuditRow>(on, `${query} order by ${orderOf(filter)} limit ?`, [...bindings, filter.limit]);
  return { rows: found, isCut: false };
}

function pageOfStored(machineId: string, filter: BoundedFilter, on: Executor): Promise<BoundedPage<AuditRow>> {
  const { query, bindings } = selection(machineId, filter);
  const { maxBytes, limit: maxRows } = filter;
  return boundedPage(on, query, bindings, { order: orderOf(filter), bytes: PAYLOAD_BYTES, maxBytes, maxRows });
}

/** Rows `from` to `to` of the database, with their sealed payloads. */
export function storedRange(machineId: string, from: number, to: number, on: Executor): Promise<StoredRow[]> {
  return rows(on, `select ${COLUMNS}, sealed from audit where machine_id = ? and seq between ? and ? order by seq`, [
    machineId,
    from,
    to,
  ]);
}

async function lastStoredWithin(
  machineId: string,
  { from, to, maxBytes }: { readonly from: number; readonly to: number; readonly maxBytes: number },
  on: Executor,
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

/** The rest of a page that has rows already, with the same bounds. @param seen  rows that are not taken again */
async function takePage(
  found: AsyncIterable<AuditRow>,
  { limit, maxBytes }: Pick<BoundedFilter, 'limit' | 'maxBytes'>,
  before: readonly AuditRow[] = [],
  seen: ReadonlySet<number> = new Set(),
): Promise<BoundedPage<AuditRow>> {
  const page: AuditRow[] = [];
  let bytes = payloadBytes(before);
  for await (const row of found) {
    if (seen.has(row.seq)) continue;
    if (before.length + page.length === limit || bytes >= maxBytes) return { rows: page, isCut: true };
    page.push(row);
    bytes += payloadBytes([row]);
  }
  return { rows: page, isCut: false };
}

function payloadBytes(all: readonly AuditRow[]): number {
  return all.reduce((sum, { body }) => sum + (body === null ? 0 : Buffer.byteLength(body)), 0);
}

function payloadRow(row: AuditRow, names: readonly string[] | undefined): PayloadRow {
  const { seq, svcond, type, actor, body, is_sealed: sealed } = row;
  const isAsked = names === undefined || isNamed(row, names);
  return { seq, svcond, type, actor, payload_text: isAsked ? (body ?? undefined) : undefined, sealed, isAsked };
}

const typeCounts = (types: Totals['types']): TypeCount[] =>
  Object.entries(types).map(([type, count]) => ({ type, rows: count }));

/** Counts of equal types, in the order of the types. */
function sumsOf(counts: readonly TypeCount[]): TypeCount[] {
  const sums = new Map<string, number>();
  for (const { type, rows: count } of counts) sums.set(type, (sums.get(type) ?? 0) + count);
  return [...sums].map(([type, count]) => ({ type, rows: count })).sort((a, b) => (a.type < b.type ? -1 : 1));
}

function sumsByBin(counts: readonly BinCount[]): BinCount[] {
  const bins = new Map<number, TypeCount[]>();
  for (const { bin, ...count } of counts) {
    const known = bins.get(bin);
    if (known === undefined) bins.set(bin, [count]);
    else known.push(count);
  }
  const sorted = [...bins].sort(([a], [b]) => a - b);
  return sorted.flatMap(([bin, all]) => sumsOf(all).map((count) => ({ bin, ...count })));
}

function sumsBySource(archived: Totals['sources'], stored: readonly SourceCount[]): SourceCount[] {
  const sums = new Map<string, SourceCount>();
  for (const [kind, [count, first, last, rejected]] of Object.entries(archived))
    sums.set(kind, { kind, rows: count, first, last, rejected });
  for (const { kind, rows: count, first, last, rejected } of stored) {
    const { rows: before = 0, first: since = first, rejected: refused = 0 } = sums.get(kind) ?? {};
    sums.set(kind, { kind, rows: before + count, first: since, last, rejected: refused + rejected });
  }
  return [...sums.values()].sort((a, b) => (a.kind < b.kind ? -1 : 1));
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
