// Anchors: heads of the trees of child machines, stored by their mothers under a pseudonym, and the child's own records
// of them.

import type { AnchorPayload } from '../../chain/anchor.ts';
import { type Binding, type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';
import { RowArchive } from '../machines/archive/archive.ts';

/** An anchor, with the row of the mother's chain that records it. */
export interface StoredAnchor extends AnchorPayload {
  /** Number of that row. */
  readonly seq: number;
  readonly row_hash: string;
}

/** All anchors of one pseudonym. */
export interface AnchoredSummary {
  readonly pseudonym: string;
  /** The same child's pseudonym before this one. */
  readonly continues: string | null;
  readonly count: number;
  readonly first_svcond: number;
  readonly newest: StoredAnchor;
}

/** Anchors that a mother stores. */
export const anchorRows: Writer<{ readonly motherId: string; readonly seq: number; readonly anchor: AnchorPayload }> = {
  async write(added, on) {
    for (const { motherId, seq, anchor } of added) {
      await rows(
        on,
        `insert into anchor (mother_id, pseudonym, size, seq, public_key, root, svcond, sig)
         values (?, ?, ?, ?, decode(?, 'hex'), decode(?, 'hex'), ?, decode(?, 'base64'))`,
        [motherId, anchor.pseudonym, anchor.size, seq, anchor.public_key, anchor.root, anchor.svcond, anchor.sig],
      );
    }
  },
};

export const continuityRows: Writer<{
  readonly motherId: string;
  readonly pseudonym: string;
  readonly continues: string;
  readonly seq: number;
}> = {
  async write(added, on) {
    for (const { motherId, pseudonym, continues, seq } of added) {
      await rows(on, 'insert into anchor_continuity (mother_id, pseudonym, continues, seq) values (?, ?, ?, ?)', [
        motherId,
        pseudonym,
        continues,
        seq,
      ]);
    }
  },
};

/** Anchors that a child records: for each, the number of its own `anchored` row. */
export const anchoredRows: Writer<{
  readonly machineId: string;
  readonly motherId: string;
  readonly pseudonym: string;
  readonly size: number;
  readonly seq: number;
}> = {
  async write(added, on) {
    for (const { machineId, motherId, pseudonym, size, seq } of added) {
      await rows(on, 'insert into anchored (machine_id, mother_id, pseudonym, size, seq) values (?, ?, ?, ?, ?)', [
        machineId,
        motherId,
        pseudonym,
        size,
        seq,
      ]);
    }
  },
};

/** An anchor, before the hash of an archived row is read. */
type FoundAnchor = Omit<StoredAnchor, 'row_hash'> & { readonly row_hash: string | null };

const ANCHOR = `anchor.pseudonym, anchor.size, anchor.seq, encode(anchor.public_key, 'hex') as public_key,
  encode(anchor.root, 'hex') as root, anchor.svcond, encode(anchor.sig, 'base64') as sig,
  encode(audit.hash, 'hex') as row_hash`;
/** The hash of an archived row is null. */
const ANCHOR_WITH_ROW = 'anchor left join audit on audit.machine_id = anchor.mother_id and audit.seq = anchor.seq';

export class AnchorRepository {
  readonly #knex: Executor;
  readonly #archive: RowArchive;

  constructor(knex: Executor, archive: RowArchive = new RowArchive()) {
    this.#knex = knex;
    this.#archive = archive;
  }

  async find(
    motherId: string,
    pseudonym: string,
    size: number,
    on: Executor = this.#knex,
  ): Promise<StoredAnchor | undefined> {
    const found = await rows<FoundAnchor>(
      on,
      `select ${ANCHOR} from ${ANCHOR_WITH_ROW}
       where anchor.mother_id = ? and anchor.pseudonym = ? and anchor.size = ?`,
      [motherId, pseudonym, size],
    );
    return (await this.#complete(motherId, found, on))[0];
  }

  /** Adds the hashes of archived rows. */
  async #complete<Found extends FoundAnchor>(motherId: string, found: readonly Found[], on: Executor) {
    const complete: (Found & StoredAnchor)[] = [];
    for (const anchor of found) {
      const hash = anchor.row_hash ?? (await this.#archive.rows(motherId, anchor.seq, anchor.seq, on))[0]?.hash;
      // PostgreSQL breaks base64 into lines of 76 characters.
      if (hash !== undefined) complete.push({ ...anchor, row_hash: hash, sig: anchor.sig.replaceAll('\n', '') });
    }
    return complete;
  }

  /** Anchors of a mother, newest first. */
  async list(
    motherId: string,
    {
      limit,
      before,
      pseudonym,
    }: { readonly limit: number; readonly before?: number | undefined; readonly pseudonym?: string | undefined },
    on: Executor = this.#knex,
  ): Promise<StoredAnchor[]> {
    const asked: [string, Binding | undefined][] = [
      ['anchor.seq < ?', before],
      ['anchor.pseudonym = ?', pseudonym],
    ];
    const given = asked.filter((one): one is [string, Binding] => one[1] !== undefined);
    const found = await rows<FoundAnchor>(
      on,
      `select ${ANCHOR} from ${ANCHOR_WITH_ROW}
       where ${['anchor.mother_id = ?', ...given.map(([text]) => text)].join(' and ')}
       order by anchor.seq desc limit ?`,
      [motherId, ...given.map(([, value]) => value), limit],
    );
    return this.#complete(motherId, found, on);
  }

  /** Anchors of a mother by pseudonym, those with the newest anchors first. */
  async summaries(
    motherId: string,
    { limit, before }: { readonly limit: number; readonly before?: number | undefined },
    on: Executor = this.#knex,
  ): Promise<AnchoredSummary[]> {
    type Found = FoundAnchor & { continues: string | null; count: number; first_svcond: number };
    const found = await rows<Found>(
      on,
      `select ${ANCHOR}, each.count, each.first_svcond, anchor_continuity.continues
       from (select pseudonym, count(*) as count, min(svcond) as first_svcond, max(seq) as newest
             from anchor where mother_id = ? group by pseudonym) as each
       join anchor on anchor.mother_id = ? and anchor.seq = each.newest
       left join audit on audit.machine_id = anchor.mother_id and audit.seq = anchor.seq
       left join anchor_continuity on anchor_continuity.mother_id = ? and anchor_continuity.pseudonym = each.pseudonym
       ${before === undefined ? '' : 'where each.newest < ?'} order by each.newest desc limit ?`,
      [motherId, motherId, motherId, ...(before === undefined ? [] : [before]), limit],
    );
    const complete = await this.#complete(motherId, found, on);
    return complete.map(({ continues, count, first_svcond, ...newest }) => ({
      pseudonym: newest.pseudonym,
      continues,
      count,
      first_svcond,
      newest,
    }));
  }

  /** Tick of the `nth` newest row that an anchor or a new pseudonym left in a mother; undefined if there are fewer. */
  async tickOfNewest(motherId: string, nth: number, on: Executor = this.#knex): Promise<number | undefined> {
    const newest = `(select seq, svcond from audit where machine_id = ? and type = ? order by seq desc limit ?)`;
    const [row] = await rows<{ svcond: number }>(
      on,
      `select svcond from (${newest} union all ${newest}) as written order by seq desc offset ? limit 1`,
      [motherId, 'anchor', nth, motherId, 'anchor_continuity', nth, nth - 1],
    );
    if (row !== undefined) return row.svcond;
    const stored = await rows<{ seq: number }>(
      on,
      `select seq from audit where machine_id = ? and type in ('anchor', 'anchor_continuity') order by seq limit ?`,
      [motherId, nth],
    );
    let left = nth - stored.length;
    const older = { types: ['anchor', 'anchor_continuity'], before: stored[0]?.seq, order: 'newest first' } as const;
    for await (const { svcond } of this.#archive.scan(motherId, older, on)) if (--left === 0) return svcond;
    return undefined;
  }

  /** Whether the child has declared which pseudonym this one continues. */
  async isContinued(motherId: string, pseudonym: string, on: Executor = this.#knex): Promise<boolean> {
    const found = await rows(on, 'select 1 from anchor_continuity where mother_id = ? and pseudonym = ?', [
      motherId,
      pseudonym,
    ]);
    return found.length === 1;
  }

  /** Number of the child's row that records this anchor. */
  async anchoredSeq(
    machineId: string,
    motherId: string,
    { pseudonym, size }: Pick<AnchorPayload, 'pseudonym' | 'size'>,
    on: Executor = this.#knex,
  ): Promise<number | undefined> {
    const [row] = await rows<{ seq: number }>(
      on,
      'select seq from anchored where machine_id = ? and mother_id = ? and pseudonym = ? and size = ?',
      [machineId, motherId, pseudonym, size],
    );
    return row?.seq;
  }

  /** Whether a chain has rows from number `size` on that are not `anchored` rows. */
  async hasUnanchoredRows(machineId: string, size: number, on: Executor = this.#knex): Promise<boolean> {
    const found = await rows(
      on,
      `select 1 from audit where machine_id = ? and seq >= ? and type <> 'anchored' limit 1`,
      [machineId, size],
    );
    if (found.length === 1) return true;
    const older = { from: size, order: 'oldest first' } as const;
    for await (const { type } of this.#archive.scan(machineId, older, on)) if (type !== 'anchored') return true;
    return false;
  }
}
