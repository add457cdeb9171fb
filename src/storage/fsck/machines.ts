// Stored machines, their rows and trees, read for inspection: nothing is trusted, since fsck looks for damage. 64-bit
// integers come as text, because a damaged one may not fit in a number, and no text is parsed here.

import { type Executor, rows } from '../database/sql.ts';
import { RowArchive } from '../machines/archive/archive.ts';
import { AUDIT_COLUMNS, type AuditColumns, type StoredRow } from '../machines/audit-row.ts';
import { ArchiveInspection, type InspectedRange } from './archive.ts';

export interface InspectedMachine {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly status: string;
  readonly is_public: boolean;
  readonly settings_version: string;
  readonly settings: string;
  readonly settings_seq: string | null;
  /** Hex. */
  readonly sealing_key: string | null;
  readonly genesis_tick: string;
  readonly genesis_hash: string;
  readonly head_seq: string;
  readonly head_hash: string;
  readonly head_svcond: string;
  readonly checkpoint_size: string;
  readonly pending_since: string | null;
  readonly erased: string;
}

export interface InspectedRow extends AuditColumns {
  readonly seq: number;
  readonly v: number;
  readonly svcond: string;
}

export interface InspectedSealingKey {
  /** Hex. */
  readonly public_key: string;
  readonly zid: string;
  /** Whether the identity has the same salt; null if it is missing. */
  readonly is_owners_salt: boolean | null;
}

export interface InspectedCheckpoint {
  readonly size: number;
  readonly root: Uint8Array;
  readonly note: string;
}

/** Rows of a chain as they are stored together. */
export interface RowBatch {
  readonly rows: readonly InspectedRow[];
  /** The archived range that the rows are, or would be; undefined for rows of the database. */
  readonly range?: InspectedRange | undefined;
}

/** Tables in which few machines have rows, and a query for those of a machine. */
const SPARSE_TABLES: readonly (readonly [name: string, rows: string])[] = [
  ...['anchor', 'anchor_continuity'].map((table) => [table, `select 1 from ${table} where mother_id = ?`] as const),
  ...[
    'anchored',
    'anchor_key',
    'anchor_config',
    'anchor_mother',
    'anchor_witness',
    'tally',
    'tally_segment',
    'tally_avatar',
    'oracle',
    'developer_account',
    'share',
  ].map((table) => [table, `select 1 from ${table} where machine_id = ?`] as const),
  ['oracle', `select 1 from contract_version where machine_id = ? and strpos(definition, '"oracle"') > 0`],
];
/** Larger numbers are not exact. */
const MAX_SEQ = Number.MAX_SAFE_INTEGER;

export class MachineInspection {
  readonly #on: Executor;
  readonly #archive: ArchiveInspection;

  constructor(on: Executor, archive: RowArchive = new RowArchive()) {
    this.#on = on;
    this.#archive = new ArchiveInspection(on, archive);
  }

  /** Ordered by id, after the given one. */
  machines(after: string | undefined, slug: string | undefined, limit: number): Promise<InspectedMachine[]> {
    const asked: [string, string | undefined][] = [
      ['id > ?', after],
      ['slug = ?', slug],
    ];
    const given = asked.filter((one): one is [string, string] => one[1] !== undefined);
    return rows(
      this.#on,
      `select id, slug, name, description, status, is_public, settings, settings_version::text,
         settings_seq::text, encode(sealing_key, 'hex') as sealing_key, genesis_tick::text,
         encode(genesis_hash, 'hex') as genesis_hash, head_seq::text, encode(head_hash, 'hex') as head_hash,
         head_svcond::text, checkpoint_size::text, pending_since::text, erased::text
       from machine where ${['true', ...given.map(([text]) => text)].join(' and ')} order by id limit ?`,
      [...given.map(([, value]) => value), limit],
    );
  }

  /** About how many rows all machines have: as their heads say. */
  async rowCount(): Promise<number> {
    const [sum] = await rows<{ count: string | null }>(
      this.#on,
      'select sum(head_seq + 1)::text as count from machine',
    );
    return Number(sum?.count ?? 0);
  }

  /** Rows from number `from` on: up to `limit` of the database, or those of one archived range. */
  async batch(machineId: string, from: number, limit: number): Promise<RowBatch> {
    const record = await this.#archive.record(machineId, from);
    const stored = record?.first === from ? [] : await this.#stored(machineId, from, record?.first, limit);
    if (record === undefined || stored.length > 0) return { rows: stored };
    const range = await this.#archive.range(record);
    return { rows: range.rows.map(inspected), range };
  }

  #stored(machineId: string, from: number, end: number | undefined, limit: number): Promise<InspectedRow[]> {
    return rows(
      this.#on,
      `select seq, v, svcond::text, ${AUDIT_COLUMNS} from audit
       where machine_id = ? and seq between ? and ? order by seq limit ?`,
      [machineId, from, end === undefined ? MAX_SEQ : end - 1, limit],
    );
  }

  /** The row with a number. */
  async row(machineId: string, seq: number): Promise<InspectedRow | undefined> {
    const [stored] = await this.#stored(machineId, seq, seq + 1, 1);
    const archived = stored === undefined ? await this.#archive.row(machineId, seq) : undefined;
    return stored ?? (archived && inspected(archived));
  }

  /** Ordered by key. */
  sealingKeys(machineId: string): Promise<InspectedSealingKey[]> {
    return rows(
      this.#on,
      `select encode(public_key, 'hex') as public_key, sealing_key.zid, identity.salt = sealing_key.salt as is_owners_salt
       from sealing_key left join identity on identity.zid = sealing_key.zid where machine_id = ? order by public_key`,
      [machineId],
    );
  }

  /** Rows whose number no row can have. */
  impossibleRows(machineId: string): Promise<{ readonly seq: string }[]> {
    return rows(this.#on, 'select seq::text from audit where machine_id = ? and seq not between 0 and ?', [
      machineId,
      MAX_SEQ,
    ]);
  }

  checkpoints(machineId: string, from: number, to: number): Promise<InspectedCheckpoint[]> {
    return rows(
      this.#on,
      'select size, root, note from checkpoint where machine_id = ? and size between ? and ? order by size',
      [machineId, from, to],
    );
  }

  /** Sizes of checkpoints that are impossible for a chain of `count` rows, and the largest stored size. */
  async checkpointSizes(machineId: string, count: number): Promise<{ impossible: string[]; largest: string }> {
    const found = await rows<{ size: string }>(
      this.#on,
      'select size::text from checkpoint where machine_id = ? and size not between 1 and ?',
      [machineId, count],
    );
    const [last] = await rows<{ size: string | null }>(
      this.#on,
      'select max(size)::text as size from checkpoint where machine_id = ?',
      [machineId],
    );
    return { impossible: found.map(({ size }) => size), largest: last?.size ?? '0' };
  }

  /** Tiles that do not belong to the tree. @param counts  number of its tiles by level */
  strayTiles(
    machineId: string,
    counts: readonly number[],
  ): Promise<{ readonly level: number; readonly idx: string }[]> {
    return rows(
      this.#on,
      `select level, idx::text from tile where machine_id = ? and not exists (
         select 1 from unnest(?::int[], ?::bigint[]) as known (level, count)
         where known.level = tile.level and tile.idx between 0 and known.count - 1
       )`,
      [machineId, counts.map((_, level) => String(level)), counts.map(String)],
    );
  }

  /** Ordered by row. */
  eventKeys(
    machineId: string,
    from: number,
    to: number,
  ): Promise<{ readonly key: string; readonly seq: number; readonly svcond: string }[]> {
    return rows(
      this.#on,
      'select key, seq, svcond::text from event_key where machine_id = ? and seq between ? and ? order by seq, key',
      [machineId, from, to],
    );
  }

  /** Event keys whose row is not among the `count` rows of the chain. */
  impossibleEventKeys(machineId: string, count: number): Promise<{ readonly key: string; readonly seq: string }[]> {
    return rows(this.#on, 'select key, seq::text from event_key where machine_id = ? and seq not between 0 and ?', [
      machineId,
      count - 1,
    ]);
  }

  /** Sparse tables in which this machine has rows; includes `oracle` if a version of a contract declares one. */
  async tablesOf(machineId: string): Promise<ReadonlySet<string>> {
    const found = await rows<{ name: string }>(
      this.#on,
      SPARSE_TABLES.map(([name, condition]) => `select '${name}' as name where exists (${condition})`).join(
        ' union all ',
      ),
      SPARSE_TABLES.map(() => machineId),
    );
    return new Set(found.map(({ name }) => name));
  }
}

function inspected({ svcond, ...row }: StoredRow): InspectedRow {
  return { ...row, svcond: String(svcond) };
}
