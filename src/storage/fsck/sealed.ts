// Columns that are sealed under the master key, with what their content must agree with: see machines.ts.

import { type Executor, rows } from '../database/sql.ts';
import type { ArchiveInspection } from './archive.ts';

/** Position of a row in a table: the text of its ctid, which a snapshot keeps. */
interface Positioned {
  readonly at: string;
}

export interface SealedAnchorKey extends Positioned {
  readonly machine_id: string;
  readonly epoch: number;
  readonly sealed: Uint8Array;
}

export interface SealedSample extends Positioned {
  readonly machine_id: string;
  readonly seq: string;
  readonly svcond: string;
  readonly until_svcond: string;
  readonly sealed: Uint8Array;
  /** Of the row of the chain; null if it is missing. */
  readonly row_type: string | null;
  readonly row_svcond: string | null;
}

export interface SealedSegment extends Positioned {
  readonly machine_id: string;
  readonly from_seq: string;
  readonly to_seq: string;
  readonly until_svcond: string;
  readonly sealed: Uint8Array;
  /** Last row of the segment before it; null if there is none. */
  readonly previous: string | null;
  /** Last row of the machine; null if there is no such machine. */
  readonly head_seq: string | null;
}

export interface SealedAvatar extends Positioned {
  readonly machine_id: string;
  /** Hex. */
  readonly sha256: string;
  readonly sealed: Uint8Array;
}

export interface SealedAnswer extends Positioned {
  readonly principal: string;
  readonly key: string;
  readonly route: string;
  readonly body_sha256: Uint8Array;
  readonly state: string;
  readonly status: number | null;
  readonly headers: string | null;
  readonly body: Uint8Array | null;
  readonly outcomes: Uint8Array | null;
}

/** A secret of the node or of a machine, with what retired it. Milliseconds since 1970. */
export interface SealedEpoch extends Positioned {
  /** Purpose of a secret of the node, id of a machine. */
  readonly owner: string;
  readonly epoch: number;
  readonly sealed: Uint8Array;
  readonly created: string;
  readonly retired: string | null;
  /** The epoch before it, and the one that replaced it. */
  readonly previous: number | null;
  readonly next_created: string | null;
}

/** Rows of a query after a position, in the order of the table. */
const page = (select: string, from: string, table: string) =>
  `select ${table}.ctid::text as at, ${select} from ${from}
   where ${table}.ctid > coalesce(?::tid, '(0,0)'::tid) order by ${table}.ctid limit ?`;

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::numeric(30, 3)::text`;

const EPOCHS = (table: string, owner: string, sealed: string) =>
  page(
    `owner::text as owner, epoch, sealed, ${ms('created_at')} as created, ${ms('retired_at')} as retired, previous,
       ${ms('next_created')} as next_created`,
    `(select ctid, ${owner} as owner, epoch, ${sealed} as sealed, created_at, retired_at,
        lag(epoch) over epochs as previous, lead(created_at) over epochs as next_created
      from ${table} window epochs as (partition by ${owner} order by epoch)) as secret`,
    'secret',
  );

export class SealedInspection {
  readonly #on: Executor;

  readonly #archive: ArchiveInspection;

  constructor(on: Executor, archive: ArchiveInspection) {
    this.#on = on;
    this.#archive = archive;
  }

  anchorKeys = this.#pages<SealedAnchorKey>(page('machine_id, epoch, sealed', 'anchor_key', 'anchor_key'));

  readonly #storedSamples = this.#pages<SealedSample>(
    page(
      `kept_sample.machine_id, kept_sample.seq::text, kept_sample.svcond::text, until_svcond::text, kept_sample.sealed,
         audit.type as row_type, audit.svcond::text as row_svcond`,
      'kept_sample left join audit on audit.machine_id = kept_sample.machine_id and audit.seq = kept_sample.seq',
      'kept_sample',
    ),
  );

  /** With the type and tick of archived rows as well. */
  samples = async (after: string | undefined, limit: number): Promise<SealedSample[]> => {
    const found: SealedSample[] = [];
    for (const sample of await this.#storedSamples(after, limit)) {
      const row = sample.row_type === null ? await this.#archive.row(sample.machine_id, Number(sample.seq)) : undefined;
      found.push(row === undefined ? sample : { ...sample, row_type: row.type, row_svcond: String(row.svcond) });
    }
    return found;
  };

  segments = this.#pages<SealedSegment>(
    page(
      `machine_id, from_seq::text, to_seq::text, until_svcond::text, sealed, previous::text, head_seq::text`,
      `(select window_segment.ctid, window_segment.*, lag(to_seq) over (partition by machine_id order by to_seq) as previous
        from window_segment) as segment left join machine on machine.id = machine_id`,
      'segment',
    ),
  );

  avatars = this.#pages<SealedAvatar>(
    page(`machine_id, encode(sha256, 'hex') as sha256, sealed`, 'tally_avatar', 'tally_avatar'),
  );

  answers = this.#pages<SealedAnswer>(
    page('principal, key, route, body_sha256, state, status, headers, body, outcomes', 'idempotency', 'idempotency'),
  );

  nodeSecrets = this.#pages<SealedEpoch>(EPOCHS('secret_epoch', 'purpose', 'ciphertext'));

  webhookSecrets = this.#pages<SealedEpoch>(EPOCHS('webhook_secret', 'machine_id', 'sealed'));

  /** The fact `genesis` of the node; undefined if it is missing. */
  async genesis(): Promise<string | undefined> {
    const [row] = await rows<{ value: string }>(this.#on, `select value from node where key = 'genesis'`);
    return row?.value;
  }

  #pages<Row extends Positioned>(query: string): (after: string | undefined, limit: number) => Promise<Row[]> {
    return (after, limit) => rows<Row>(this.#on, query, [after ?? null, limit]);
  }
}
