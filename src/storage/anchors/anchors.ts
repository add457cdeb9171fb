// Anchors that mothers hold, by pseudonym, and what children keep of them: keys, rows, how far each mother has come.

import type { AnchorPayload } from '../../chain/anchor.ts';
import { type Binding, type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../machines/ledger.ts';

/** An anchor as it is stored beside the row of the mother's chain. */
export interface StoredAnchor extends AnchorPayload {
  /** Of the row, in the mother's chain. */
  readonly seq: number;
  readonly row_hash: string;
}

/** All anchors of one pseudonym. */
export interface AnchoredSummary {
  readonly pseudonym: string;
  /** The pseudonym that the same child had before. */
  readonly continues: string | null;
  readonly count: number;
  readonly first_svcond: number;
  readonly newest: StoredAnchor;
}

export interface AnchorKey {
  /** Counts from 1. */
  readonly epoch: number;
  readonly sealed: Uint8Array;
  readonly createdSvcond: number;
}

/** What a child knows about one mother. */
export interface MotherState {
  readonly motherId: string;
  /** Of the pseudonym that she knows; undefined before the first anchor. */
  readonly epoch: number | undefined;
  /** Of the newest anchor. */
  readonly size: number;
  readonly triedSvcond: number | undefined;
  /** Why the last try by itself failed; undefined if it did not. */
  readonly code: string | undefined;
  readonly failures: number;
}

/** Rows of a mother. */
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

/** Rows of a child: which of its rows says that it was anchored. */
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

export const anchorKeyRows: Writer<AnchorKey & { readonly machineId: string }> = {
  async write(added, on) {
    for (const { machineId, epoch, sealed, createdSvcond } of added) {
      await rows(on, 'insert into anchor_key (machine_id, epoch, sealed, created_svcond) values (?, ?, ?, ?)', [
        machineId,
        epoch,
        sealed,
        createdSvcond,
      ]);
    }
  },
};

const ANCHOR = `anchor.pseudonym, anchor.size, anchor.seq, encode(anchor.public_key, 'hex') as public_key,
  encode(anchor.root, 'hex') as root, anchor.svcond, encode(anchor.sig, 'base64') as sig, encode(audit.hash, 'hex') as row_hash`;
const HELD = 'anchor join audit on audit.machine_id = anchor.mother_id and audit.seq = anchor.seq';

export class AnchorRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  async find(
    motherId: string,
    pseudonym: string,
    size: number,
    on: Executor = this.#knex,
  ): Promise<StoredAnchor | undefined> {
    const [row] = await rows<StoredAnchor>(
      on,
      `select ${ANCHOR} from ${HELD} where anchor.mother_id = ? and anchor.pseudonym = ? and anchor.size = ?`,
      [motherId, pseudonym, size],
    );
    return row && fromRow(row);
  }

  /** Newest first. */
  async held(
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
    const found = await rows<StoredAnchor>(
      on,
      `select ${ANCHOR} from ${HELD}
       where ${['anchor.mother_id = ?', ...given.map(([text]) => text)].join(' and ')} order by anchor.seq desc limit ?`,
      [motherId, ...given.map(([, value]) => value), limit],
    );
    return found.map(fromRow);
  }

  /** By pseudonym, those with the newest anchors first. */
  async summaries(
    motherId: string,
    { limit, before }: { readonly limit: number; readonly before?: number | undefined },
    on: Executor = this.#knex,
  ): Promise<AnchoredSummary[]> {
    const found = await rows<StoredAnchor & { continues: string | null; count: number; first_svcond: number }>(
      on,
      `select ${ANCHOR}, each.count, each.first_svcond, anchor_continuity.continues
       from (select pseudonym, count(*) as count, min(svcond) as first_svcond, max(seq) as newest
             from anchor where mother_id = ? group by pseudonym) as each
       join anchor on anchor.mother_id = ? and anchor.seq = each.newest
       join audit on audit.machine_id = anchor.mother_id and audit.seq = anchor.seq
       left join anchor_continuity on anchor_continuity.mother_id = ? and anchor_continuity.pseudonym = each.pseudonym
       ${before === undefined ? '' : 'where each.newest < ?'} order by each.newest desc limit ?`,
      [motherId, motherId, motherId, ...(before === undefined ? [] : [before]), limit],
    );
    return found.map(({ continues, count, first_svcond, ...newest }) => ({
      pseudonym: newest.pseudonym,
      continues,
      count,
      first_svcond,
      newest: fromRow(newest),
    }));
  }

  /** Whether a pseudonym was tied to the one before. */
  async isContinued(motherId: string, pseudonym: string, on: Executor = this.#knex): Promise<boolean> {
    const found = await rows(on, 'select 1 from anchor_continuity where mother_id = ? and pseudonym = ?', [
      motherId,
      pseudonym,
    ]);
    return found.length === 1;
  }

  /** The number of the child's row that names this anchor. */
  async noted(
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

  /** Newest first. */
  async keys(machineId: string, on: Executor = this.#knex): Promise<AnchorKey[]> {
    return rows<AnchorKey>(
      on,
      `select epoch, sealed, created_svcond as "createdSvcond" from anchor_key where machine_id = ? order by epoch desc`,
      [machineId],
    );
  }

  async mothers(machineId: string, limit: number, on: Executor = this.#knex): Promise<MotherState[]> {
    const found = await rows<MotherRow>(
      on,
      `select mother_id, epoch, size, tried_svcond, code, failures from anchor_mother where machine_id = ?
       order by mother_id desc limit ?`,
      [machineId, limit],
    );
    return found.map(motherOf);
  }

  async mother(machineId: string, motherId: string, on: Executor = this.#knex): Promise<MotherState | undefined> {
    const [row] = await rows<MotherRow>(
      on,
      `select mother_id, epoch, size, tried_svcond, code, failures from anchor_mother
       where machine_id = ? and mother_id = ?`,
      [machineId, motherId],
    );
    return row && motherOf(row);
  }

  /** She knows the pseudonym of this epoch, and a tree of this size; neither goes back. */
  async advance(
    machineId: string,
    motherId: string,
    { epoch, size }: { readonly epoch: number; readonly size: number },
    on: Executor = this.#knex,
  ): Promise<void> {
    await rows(
      on,
      `insert into anchor_mother (machine_id, mother_id, epoch, size, failures) values (?, ?, ?, ?, 0)
       on conflict (machine_id, mother_id) do update set epoch = greatest(anchor_mother.epoch, excluded.epoch),
         size = greatest(anchor_mother.size, excluded.size)`,
      [machineId, motherId, epoch, size],
    );
  }

  /** How a try by itself came out. */
  async tried(
    machineId: string,
    motherId: string,
    svcond: number,
    code: string | undefined,
    on: Executor = this.#knex,
  ): Promise<void> {
    await rows(
      on,
      `insert into anchor_mother (machine_id, mother_id, size, tried_svcond, code, failures) values (?, ?, 0, ?, ?, ?)
       on conflict (machine_id, mother_id) do update set tried_svcond = excluded.tried_svcond, code = excluded.code,
         failures = anchor_mother.failures + excluded.failures`,
      [machineId, motherId, svcond, code ?? null, code === undefined ? 0 : 1],
    );
  }

  /** Whether a chain has rows from `size` on other than those that say that it was anchored. */
  async hasNews(machineId: string, size: number, on: Executor = this.#knex): Promise<boolean> {
    const found = await rows(
      on,
      `select 1 from audit where machine_id = ? and seq >= ? and type <> 'anchored' limit 1`,
      [machineId, size],
    );
    return found.length === 1;
  }
}

/** PostgreSQL breaks base64 into lines of 76 characters. */
function fromRow(row: StoredAnchor): StoredAnchor {
  return { ...row, sig: row.sig.replaceAll('\n', '') };
}

interface MotherRow {
  readonly mother_id: string;
  readonly epoch: number | null;
  readonly size: number;
  readonly tried_svcond: number | null;
  readonly code: string | null;
  readonly failures: number;
}

function motherOf({ mother_id, epoch, size, tried_svcond, code, failures }: MotherRow): MotherState {
  return {
    motherId: mother_id,
    epoch: epoch ?? undefined,
    size,
    triedSvcond: tried_svcond ?? undefined,
    code: code ?? undefined,
    failures,
  };
}
