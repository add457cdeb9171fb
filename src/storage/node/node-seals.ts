// Node seals: signed statements about the heads of all machines, numbered without gaps; and the heads that the newest
// one covers.

import type { SealedHead } from '../../chain/node-seal.ts';
import type { Database } from '../database/database.ts';
import { type Executor, rows } from '../database/sql.ts';

export interface NodeSeal {
  readonly no: number;
  readonly svcond: number;
  readonly machines: number;
  readonly root: Uint8Array;
  /** The DSSE envelope, as it is published. */
  readonly envelope: string;
}

/** A machine and the number of its last row. */
export interface MachineHead extends SealedHead {
  readonly machineId: string;
  readonly seq: number;
}

/** A machine as it is, and as the newest seal covers it. Either may be missing. */
export interface HeadPair {
  readonly current: MachineHead | undefined;
  readonly sealed: MachineHead | undefined;
}

interface PairRow {
  readonly id: string | null;
  readonly slug: string;
  readonly genesis: string;
  readonly seq: number;
  readonly head: string;
  readonly sealed_id: string | null;
  readonly sealed_slug: string;
  readonly sealed_genesis: string;
  readonly sealed_seq: number;
  readonly sealed_head: string;
}

const COLUMNS = 'no, svcond, machines, root, envelope';
const HEADS_PER_STATEMENT = 1_000;

export class NodeSealRepository {
  readonly #database: Pick<Database, 'knex' | 'transaction' | 'snapshot'>;

  constructor(database: Pick<Database, 'knex' | 'transaction' | 'snapshot'>) {
    this.#database = database;
  }

  async newest(on: Executor = this.#database.knex): Promise<NodeSeal | undefined> {
    const [row] = await rows<NodeSeal>(on, `select ${COLUMNS} from node_seal order by no desc limit 1`);
    return row;
  }

  /** Those after a number, ordered by number. */
  after(no: number, limit: number, on: Executor = this.#database.knex): Promise<NodeSeal[]> {
    return rows(on, `select ${COLUMNS} from node_seal where no > ? order by no limit ?`, [no, limit]);
  }

  /** Those before a number, newest first. */
  before(no: number, limit: number, on: Executor = this.#database.knex): Promise<NodeSeal[]> {
    return rows(on, `select ${COLUMNS} from node_seal where no < ? order by no desc limit ?`, [no, limit]);
  }

  /** The newest seal and the heads of all machines, including private and archived ones, at one moment. */
  newestWithHeads(): Promise<{ readonly newest: NodeSeal | undefined; readonly heads: readonly HeadPair[] }> {
    return this.#database.snapshot(async (on) => {
      const found = await rows<PairRow>(
        on,
        `select id, machine.slug, encode(machine.genesis_hash, 'hex') as genesis, head_seq as seq,
           encode(machine.head_hash, 'hex') as head, machine_id as sealed_id, sealed.slug as sealed_slug,
           encode(sealed.genesis_hash, 'hex') as sealed_genesis, sealed.seq as sealed_seq,
           encode(sealed.head_hash, 'hex') as sealed_head
         from machine full join sealed_head as sealed on machine_id = id`,
      );
      return { newest: await this.newest(on), heads: found.map(pairOf) };
    });
  }

  /**
   * Stores a seal with the heads that differ from those of the seal before it.
   *
   * @returns false if a seal with this number exists, which is kept
   */
  add({ no, svcond, machines, root, envelope }: NodeSeal, changed: readonly MachineHead[]): Promise<boolean> {
    return this.#database.transaction(async (on) => {
      const added = await rows(
        on,
        `insert into node_seal (no, svcond, machines, root, envelope) values (?, ?, ?, ?, ?)
         on conflict do nothing returning 1`,
        [no, svcond, machines, root, envelope],
      );
      if (added.length === 0) return false;
      for (let at = 0; at < changed.length; at += HEADS_PER_STATEMENT)
        await putHeads(changed.slice(at, at + HEADS_PER_STATEMENT), on);
      return true;
    });
  }
}

async function putHeads(heads: readonly MachineHead[], on: Executor): Promise<void> {
  const column = (read: (head: MachineHead) => string) => heads.map(read);
  await rows(
    on,
    `insert into sealed_head (machine_id, slug, genesis_hash, seq, head_hash)
     select id, slug, decode(genesis, 'hex'), seq, decode(head, 'hex')
     from unnest(?::uuid[], ?::text[], ?::text[], ?::bigint[], ?::text[]) as new (id, slug, genesis, seq, head)
     on conflict (machine_id) do update set seq = excluded.seq, head_hash = excluded.head_hash`,
    [
      column(({ machineId }) => machineId),
      column(({ slug }) => slug),
      column(({ genesisHash }) => genesisHash),
      column(({ seq }) => String(seq)),
      column(({ headHash }) => headHash),
    ],
  );
}

function pairOf(row: PairRow): HeadPair {
  const { id, slug, genesis: genesisHash, seq, head: headHash } = row;
  const { sealed_id, sealed_slug, sealed_genesis, sealed_seq, sealed_head } = row;
  return {
    current: id === null ? undefined : { machineId: id, slug, genesisHash, seq, headHash },
    sealed:
      sealed_id === null
        ? undefined
        : {
            machineId: sealed_id,
            slug: sealed_slug,
            genesisHash: sealed_genesis,
            seq: sealed_seq,
            headHash: sealed_head,
          },
  };
}
