// Node seals, and checkpoints that this node has cosigned as a witness, read for inspection: see machines.ts.

import { type Executor, rows } from '../database/sql.ts';
import type { ArchiveInspection } from './archive.ts';

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

/** A head that the newest seal covers, beside the machine of that slug and its row of that number. */
export interface InspectedHead {
  readonly machine_id: string;
  readonly slug: string;
  /** Hex. */
  readonly genesis_hash: string;
  readonly seq: string;
  /** Hex. */
  readonly head_hash: string;
  /** Of the machine and its row; null if they are missing. */
  readonly actual_id: string | null;
  readonly actual_genesis_hash: string | null;
  readonly actual_seq: string | null;
  readonly actual_hash: string | null;
}

export class NodeInspection {
  readonly #on: Executor;
  readonly #archive: ArchiveInspection;

  constructor(on: Executor, archive: ArchiveInspection) {
    this.#on = on;
    this.#archive = archive;
  }

  /** Checkpoints of other logs, ordered by origin. */
  witnessed(after: string | undefined, limit: number): Promise<InspectedWitnessed[]> {
    return rows(
      this.#on,
      `select origin, size::text, root, note from witnessed where origin > ?::text or ?::text is null
       order by origin limit ?`,
      [after ?? null, after ?? null, limit],
    );
  }

  /** A fact about the node. */
  async fact(key: string): Promise<string | undefined> {
    const [row] = await rows<{ value: string }>(this.#on, 'select value from node where key = ?', [key]);
    return row?.value;
  }

  /** Ordered by machine. */
  async sealedHeads(after: string | undefined, limit: number): Promise<InspectedHead[]> {
    const found = await rows<InspectedHead>(
      this.#on,
      `select sealed.machine_id, sealed.slug, encode(sealed.genesis_hash, 'hex') as genesis_hash, sealed.seq::text,
         encode(sealed.head_hash, 'hex') as head_hash, machine.id as actual_id,
         encode(machine.genesis_hash, 'hex') as actual_genesis_hash, machine.head_seq::text as actual_seq,
         encode(audit.hash, 'hex') as actual_hash
       from sealed_head as sealed left join machine on machine.slug = sealed.slug
       left join audit on audit.machine_id = machine.id and audit.seq = sealed.seq
       where sealed.machine_id > ?::uuid or ?::uuid is null order by sealed.machine_id limit ?`,
      [after ?? null, after ?? null, limit],
    );
    const complete: InspectedHead[] = [];
    for (const head of found) {
      const { actual_id: id, seq, actual_hash: stored } = head;
      const archived = id === null || stored !== null ? undefined : await this.#archive.row(id, Number(seq));
      complete.push(archived === undefined ? head : { ...head, actual_hash: archived.hash });
    }
    return complete;
  }

  /** Machines without a sealed head that have rows from before this tick, ordered by id. */
  machinesWithoutHead(svcond: number, limit: number): Promise<{ readonly id: string; readonly slug: string }[]> {
    return rows(
      this.#on,
      `select id, machine.slug from machine left join audit on audit.machine_id = id and seq = 0
       left join sealed_head as sealed on sealed.machine_id = id
       where sealed.machine_id is null and coalesce(svcond, (select first_svcond from audit_archive
         where audit_archive.machine_id = id and first_seq = 0)) < ? order by id limit ?`,
      [svcond, limit],
    );
  }

  /** Number of the row with a hash, hex; undefined without one. */
  async seqOf(machineId: string, hash: string): Promise<string | undefined> {
    const [row] = await rows<{ seq: string }>(
      this.#on,
      `select seq::text from audit where machine_id = ? and hash = decode(?, 'hex')`,
      [machineId, hash],
    );
    return row?.seq ?? this.#archivedSeqOf(machineId, hash);
  }

  async #archivedSeqOf(machineId: string, hash: string): Promise<string | undefined> {
    let record = await this.#archive.record(machineId, 0);
    while (record !== undefined) {
      const found = (await this.#archive.range(record)).rows.find((row) => row.hash === hash);
      if (found !== undefined) return String(found.seq);
      record = await this.#archive.record(machineId, record.last + 1);
    }
    return undefined;
  }

  /** Ordered by number. */
  seals(after: string | undefined, limit: number): Promise<InspectedSeal[]> {
    return rows(
      this.#on,
      `select no::text, svcond::text, machines::text, encode(root, 'hex') as root, envelope from node_seal
       where no > ?::bigint or ?::bigint is null order by node_seal.no limit ?`,
      [after ?? null, after ?? null, limit],
    );
  }
}
