// Node seals, and checkpoints that this node has cosigned as a witness, read for inspection: see machines.ts.

import { type Executor, rows } from '../database/sql.ts';

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

export class NodeInspection {
  readonly #on: Executor;

  constructor(on: Executor) {
    this.#on = on;
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
