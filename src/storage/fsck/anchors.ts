// Anchors, their keys, settings and witnesses, read for inspection: see machines.ts.

import { type Executor, rows } from '../database/sql.ts';
import type { ArchiveInspection } from './archive.ts';

/** An anchor as a mother stores it. Bytes are hex; the signature is base64. */
export interface InspectedAnchor {
  readonly pseudonym: string;
  readonly size: string;
  readonly seq: string;
  readonly public_key: string;
  readonly root: string;
  readonly svcond: string;
  readonly sig: string;
}

export interface InspectedContinuity {
  readonly pseudonym: string;
  readonly continues: string;
  readonly seq: string;
}

/** An anchor as the child records it. */
export interface InspectedAnchored {
  readonly mother_id: string;
  readonly pseudonym: string;
  readonly size: string;
  readonly seq: string;
}

/** An anchor that a child recorded, as its mother stores it. */
export interface HeldAnchor extends InspectedAnchor {
  readonly mother_id: string;
}

/** A row of a table that should name a row of the chain with a certain type, and does not. */
export interface UnrecordedRow {
  readonly key: Readonly<Record<string, string>>;
  readonly seq: string;
  /** Type of the row that it names; null if that row is missing. */
  readonly type: string | null;
}

export interface InspectedMother {
  readonly mother_id: string;
  /** Whether `anchor_mother` has a row of this mother. */
  readonly has_state: boolean;
  readonly epoch: number | null;
  readonly size: string | null;
  /** Size of the largest tree that was anchored in this mother, and the next smaller one. */
  readonly newest: string | null;
  readonly before: string | null;
  /** Number of pseudonyms that were used. */
  readonly pseudonyms: number;
}

export interface InspectedAnchorKey {
  readonly epoch: number;
  readonly created_svcond: string;
}

export interface InspectedAnchorConfig {
  readonly version: number;
  readonly mothers: string;
  readonly every_ticks: string;
  readonly witnesses: string;
  readonly set_by: string;
  readonly due_tick: string | null;
}

export interface InspectedWitness {
  readonly url: string;
  readonly size: string;
  readonly cosignature: string | null;
  /** The checkpoint of this size; null if it is missing. */
  readonly note: string | null;
}

const ANCHOR = `anchor.pseudonym, anchor.size::text, anchor.seq::text, encode(anchor.public_key, 'hex') as public_key,
  encode(anchor.root, 'hex') as root, anchor.svcond::text, translate(encode(anchor.sig, 'base64'), E'\\n', '') as sig`;

/** Tables whose every row names a row of the chain, whose type is the name of the table. */
const RECORDED_TABLES = {
  anchor: { machine: 'mother_id', key: ['pseudonym', 'size'] },
  anchor_continuity: { machine: 'mother_id', key: ['pseudonym'] },
  anchored: { machine: 'machine_id', key: ['mother_id', 'pseudonym', 'size'] },
} as const;
export type RecordedTable = keyof typeof RECORDED_TABLES;

export class AnchorInspection {
  readonly #on: Executor;

  readonly #archive: ArchiveInspection;

  constructor(on: Executor, archive: ArchiveInspection) {
    this.#on = on;
    this.#archive = archive;
  }

  /** Anchors that these rows of a mother's chain record. */
  anchors(motherId: string, from: number, to: number): Promise<InspectedAnchor[]> {
    return rows(this.#on, `select ${ANCHOR} from anchor where mother_id = ? and seq between ? and ?`, [
      motherId,
      from,
      to,
    ]);
  }

  /** Continuities that these rows of a mother's chain record. */
  continuities(motherId: string, from: number, to: number): Promise<InspectedContinuity[]> {
    return rows(
      this.#on,
      `select pseudonym, continues, seq::text from anchor_continuity where mother_id = ? and seq between ? and ?`,
      [motherId, from, to],
    );
  }

  /** Anchors that these rows of a child's chain record. */
  anchored(machineId: string, from: number, to: number): Promise<InspectedAnchored[]> {
    return rows(
      this.#on,
      `select mother_id, pseudonym, size::text, seq::text from anchored where machine_id = ? and seq between ? and ?`,
      [machineId, from, to],
    );
  }

  /** Anchors of trees of these sizes that a child recorded and its mothers store. */
  held(machineId: string, from: number, to: number): Promise<HeldAnchor[]> {
    return rows(
      this.#on,
      `select anchored.mother_id, ${ANCHOR} from anchored
       join anchor on anchor.mother_id = anchored.mother_id and anchor.pseudonym = anchored.pseudonym
         and anchor.size = anchored.size
       where anchored.machine_id = ? and anchored.size between ? and ?`,
      [machineId, from, to],
    );
  }

  /** Rows of a table that name a missing row of the chain, or one of another type. */
  async unrecorded(table: RecordedTable, machineId: string): Promise<UnrecordedRow[]> {
    const { machine, key: names } = RECORDED_TABLES[table];
    const found = await rows<{ seq: string; type: string | null } & Record<string, string>>(
      this.#on,
      `select ${names.map((name) => `${table}.${name}::text`).join(', ')}, ${table}.seq::text, audit.type from ${table}
       left join audit on audit.machine_id = ${table}.${machine} and audit.seq = ${table}.seq
       where ${table}.${machine} = ? and audit.type is distinct from ?`,
      [machineId, table],
    );
    const unrecorded: UnrecordedRow[] = [];
    for (const { seq, type: stored, ...key } of found) {
      const type = stored ?? (await this.#archive.row(machineId, Number(seq)))?.type ?? null;
      if (type !== table) unrecorded.push({ key, seq, type });
    }
    return unrecorded;
  }

  /** Names of the mothers in which a machine was anchored. */
  mothers(machineId: string): Promise<{ readonly id: string; readonly slug: string; readonly genesis_hash: string }[]> {
    return rows(
      this.#on,
      `select id, slug, encode(genesis_hash, 'hex') as genesis_hash from machine
       where id in (select mother_id from anchored where machine_id = ?)`,
      [machineId],
    );
  }

  /** The stored state of each mother, beside the same facts as the recorded anchors give them. */
  motherStates(machineId: string): Promise<InspectedMother[]> {
    return rows(
      this.#on,
      `select coalesce(state.mother_id, recorded.mother_id) as mother_id, state.mother_id is not null as has_state,
         state.epoch, state.size::text, sizes[1]::text as newest, sizes[2]::text as before,
         coalesce(pseudonyms, 0)::int as pseudonyms
       from (select * from anchor_mother where machine_id = ?) as state
       full join (
         select mother_id, array_agg(distinct size order by size desc) as sizes, count(distinct pseudonym) as pseudonyms
         from anchored where machine_id = ? group by mother_id
       ) as recorded on recorded.mother_id = state.mother_id`,
      [machineId, machineId],
    );
  }

  keys(machineId: string): Promise<InspectedAnchorKey[]> {
    return rows(this.#on, 'select epoch, created_svcond::text from anchor_key where machine_id = ? order by epoch', [
      machineId,
    ]);
  }

  async config(machineId: string): Promise<InspectedAnchorConfig | undefined> {
    const [found] = await rows<InspectedAnchorConfig>(
      this.#on,
      `select version, mothers, every_ticks::text, witnesses, set_by, due_tick::text from anchor_config
       where machine_id = ?`,
      [machineId],
    );
    return found;
  }

  /** Those of these slugs that exist. */
  async slugsAmong(slugs: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await rows<{ slug: string }>(this.#on, 'select slug from machine where slug = any(?)', [slugs]);
    return new Set(found.map(({ slug }) => slug));
  }

  witnesses(machineId: string): Promise<InspectedWitness[]> {
    return rows(
      this.#on,
      `select url, anchor_witness.size::text, cosignature, note from anchor_witness
       left join checkpoint on checkpoint.machine_id = anchor_witness.machine_id
         and checkpoint.size = anchor_witness.size
       where anchor_witness.machine_id = ? order by url`,
      [machineId],
    );
  }
}
