// Tallies with their segments and pictures, read for inspection: see machines.ts.

import { type Executor, rows } from '../database/sql.ts';

export interface InspectedTally {
  readonly name: string;
  readonly symbol: string;
  readonly max_supply: string;
}

export interface InspectedSegment {
  readonly seq: string;
  readonly svcond: string;
  readonly unit: string;
  readonly every: string;
  readonly amount: string;
  readonly counts: string;
}

export interface InspectedAvatar {
  readonly media_type: string;
  /** Hex. */
  readonly sha256: string;
  readonly width: number;
  readonly height: number;
  readonly svcond: string;
  /** Size of the sealed picture in bytes. */
  readonly sealed_length: number;
}

export class TallyInspection {
  readonly #on: Executor;

  constructor(on: Executor) {
    this.#on = on;
  }

  async tally(machineId: string): Promise<InspectedTally | undefined> {
    const [found] = await rows<InspectedTally>(
      this.#on,
      'select name, symbol, max_supply::text from tally where machine_id = ?',
      [machineId],
    );
    return found;
  }

  segments(machineId: string): Promise<InspectedSegment[]> {
    return rows(
      this.#on,
      `select seq::text, svcond::text, unit, every::text, amount::text, counts from tally_segment
       where machine_id = ? order by tally_segment.seq`,
      [machineId],
    );
  }

  async avatar(machineId: string): Promise<InspectedAvatar | undefined> {
    const [found] = await rows<InspectedAvatar>(
      this.#on,
      `select media_type, encode(sha256, 'hex') as sha256, width, height, svcond::text,
         octet_length(sealed) as sealed_length from tally_avatar where machine_id = ?`,
      [machineId],
    );
    return found;
  }
}
