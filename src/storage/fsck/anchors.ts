// What is stored of anchors, witnesses and seals, read without trusting it: as inspection.ts reads chains and contracts.

import { type Executor, rows } from '../database/sql.ts';

/** As a mother holds it. Bytes are hex, the signature is base64. */
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

/** As a child notes it. */
export interface InspectedAnchored {
  readonly mother_id: string;
  readonly pseudonym: string;
  readonly size: string;
  readonly seq: string;
}

/** An anchor that a child noted, as its mother holds it. */
export interface HeldAnchor extends InspectedAnchor {
  readonly mother_id: string;
}

/** A row of a table that does not name a row of the type that it should. */
export interface Unsaid {
  readonly key: Readonly<Record<string, string>>;
  readonly seq: string;
  /** Of the row that it names; null if there is none. */
  readonly type: string | null;
}

export interface InspectedMother {
  readonly mother_id: string;
  /** Whether `anchor_mother` has a row of her. */
  readonly is_there: boolean;
  readonly epoch: number | null;
  readonly size: string | null;
  /** The largest tree that was anchored in her, and the next smaller one. */
  readonly newest: string | null;
  readonly before: string | null;
  /** Under how many names. */
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
  /** The checkpoint of this size; null if there is none. */
  readonly note: string | null;
}

export interface InspectedWitnessed {
  readonly origin: string;
  readonly size: string;
  readonly root: Uint8Array;
  readonly note: string;
}

export interface InspectedSeal {
  readonly no: string;
  readonly svcond: string;
  readonly machines: string;
  /** Hex. */
  readonly root: string;
  readonly envelope: string;
}

const ANCHOR = `anchor.pseudonym, anchor.size::text, anchor.seq::text, encode(anchor.public_key, 'hex') as public_key,
  encode(anchor.root, 'hex') as root, anchor.svcond::text, translate(encode(anchor.sig, 'base64'), E'\\n', '') as sig`;

/** Tables whose every row names a row of the chain, which is of the type that the table is called. */
const SAID_BY_ROWS = {
  anchor: { machine: 'mother_id', key: ['pseudonym', 'size'] },
  anchor_continuity: { machine: 'mother_id', key: ['pseudonym'] },
  anchored: { machine: 'machine_id', key: ['mother_id', 'pseudonym', 'size'] },
} as const;
export type SaidByRows = keyof typeof SAID_BY_ROWS;

export class AnchorInspection {
  readonly #on: Executor;

  constructor(on: Executor) {
    this.#on = on;
  }

  /** What a mother holds by these rows of her chain. */
  anchors(motherId: string, from: number, to: number): Promise<InspectedAnchor[]> {
    return rows(this.#on, `select ${ANCHOR} from anchor where mother_id = ? and seq between ? and ?`, [
      motherId,
      from,
      to,
    ]);
  }

  continuities(motherId: string, from: number, to: number): Promise<InspectedContinuity[]> {
    return rows(
      this.#on,
      `select pseudonym, continues, seq::text from anchor_continuity where mother_id = ? and seq between ? and ?`,
      [motherId, from, to],
    );
  }

  /** What a child noted by these rows of its chain. */
  anchored(machineId: string, from: number, to: number): Promise<InspectedAnchored[]> {
    return rows(
      this.#on,
      `select mother_id, pseudonym, size::text, seq::text from anchored where machine_id = ? and seq between ? and ?`,
      [machineId, from, to],
    );
  }

  /** Anchors of trees of these sizes that a child noted and its mothers hold. */
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

  /** Rows of a table that name no row of the chain, or one of another type. */
  async unsaid(table: SaidByRows, machineId: string): Promise<Unsaid[]> {
    const { machine, key: names } = SAID_BY_ROWS[table];
    const found = await rows<{ seq: string; type: string | null } & Record<string, string>>(
      this.#on,
      `select ${names.map((name) => `${table}.${name}::text`).join(', ')}, ${table}.seq::text, audit.type from ${table}
       left join audit on audit.machine_id = ${table}.${machine} and audit.seq = ${table}.seq
       where ${table}.${machine} = ? and audit.type is distinct from ?`,
      [machineId, table],
    );
    return found.map(({ seq, type, ...key }) => ({ key, seq, type }));
  }

  /** What a machine's mothers are called. */
  mothers(machineId: string): Promise<{ readonly id: string; readonly slug: string; readonly genesis_hash: string }[]> {
    return rows(
      this.#on,
      `select id, slug, encode(genesis_hash, 'hex') as genesis_hash from machine
       where id in (select mother_id from anchored where machine_id = ?)`,
      [machineId],
    );
  }

  /** How far each mother has come, by what is stored of her and by what was anchored in her. */
  motherStates(machineId: string): Promise<InspectedMother[]> {
    return rows(
      this.#on,
      `select coalesce(state.mother_id, noted.mother_id) as mother_id, state.mother_id is not null as is_there, state.epoch,
         state.size::text, sizes[1]::text as newest, sizes[2]::text as before, coalesce(pseudonyms, 0)::int as pseudonyms
       from (select * from anchor_mother where machine_id = ?) as state
       full join (
         select mother_id, array_agg(distinct size order by size desc) as sizes, count(distinct pseudonym) as pseudonyms
         from anchored where machine_id = ? group by mother_id
       ) as noted on noted.mother_id = state.mother_id`,
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

  /** Those of these slugs that machines have. */
  async slugsAmong(slugs: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await rows<{ slug: string }>(this.#on, 'select slug from machine where slug = any(?)', [slugs]);
    return new Set(found.map(({ slug }) => slug));
  }

  witnesses(machineId: string): Promise<InspectedWitness[]> {
    return rows(
      this.#on,
      `select url, anchor_witness.size::text, cosignature, note from anchor_witness
       left join checkpoint on checkpoint.machine_id = anchor_witness.machine_id and checkpoint.size = anchor_witness.size
       where anchor_witness.machine_id = ? order by url`,
      [machineId],
    );
  }

  /** Other logs that this node is the witness of, in the order of their origins. */
  witnessed(after: string | undefined, limit: number): Promise<InspectedWitnessed[]> {
    return rows(
      this.#on,
      `select origin, size::text, root, note from witnessed where origin > ?::text or ?::text is null
       order by origin limit ?`,
      [after ?? null, after ?? null, limit],
    );
  }

  /** Seals over all machines, in the order of their numbers. */
  seals(after: string | undefined, limit: number): Promise<InspectedSeal[]> {
    return rows(
      this.#on,
      `select no::text, svcond::text, machines::text, encode(root, 'hex') as root, envelope from node_seal
       where no > ?::bigint or ?::bigint is null order by node_seal.no limit ?`,
      [after ?? null, after ?? null, limit],
    );
  }
}
