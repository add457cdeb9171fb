// Settings of automatic anchoring: in which mothers a machine is anchored, how often, and which witnesses cosign its
// checkpoints.

import { type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';

export interface Witness {
  readonly url: string;
  /** A C2SP verifier key of type 4. */
  readonly verifier_key: string;
}

export interface AnchorConfig {
  readonly machineId: string;
  /** Counts changes from 1. */
  readonly version: number;
  readonly mothers: readonly string[];
  readonly everyTicks: number;
  readonly witnesses: readonly Witness[];
  /** The ZID whose right to read private mothers automatic anchoring uses. */
  readonly setBy: string;
  /** Tick of the next automatic anchoring; undefined without mothers and witnesses. */
  readonly dueTick: number | undefined;
}

const COLUMNS = 'machine_id, version, mothers, every_ticks, witnesses, set_by, due_tick';

interface SettingsRow {
  readonly machine_id: string;
  readonly version: number;
  readonly mothers: string;
  readonly every_ticks: number;
  readonly witnesses: string;
  readonly set_by: string;
  readonly due_tick: number | null;
}

export const anchorConfigRows: Writer<AnchorConfig> = {
  async write(changed, on) {
    for (const { machineId, version, mothers, everyTicks, witnesses, setBy, dueTick } of changed) {
      await rows(
        on,
        `insert into anchor_config (machine_id, version, mothers, every_ticks, witnesses, set_by, due_tick)
         values (?, ?, ?, ?, ?, ?, ?)
         on conflict (machine_id) do update set version = excluded.version, mothers = excluded.mothers,
           every_ticks = excluded.every_ticks, witnesses = excluded.witnesses, set_by = excluded.set_by,
           due_tick = excluded.due_tick`,
        [machineId, version, JSON.stringify(mothers), everyTicks, JSON.stringify(witnesses), setBy, dueTick ?? null],
      );
    }
  },
};

export class AnchorSettingsRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  async get(machineId: string, on: Executor = this.#knex): Promise<AnchorConfig | undefined> {
    const [row] = await rows<SettingsRow>(on, `select ${COLUMNS} from anchor_config where machine_id = ?`, [machineId]);
    return row && fromRow(row);
  }

  /** Settings that are due, each given to one caller only: the same statement sets the next due tick. */
  async claimDue(now: number, limit: number, on: Executor = this.#knex): Promise<AnchorConfig[]> {
    const found = await rows<SettingsRow>(
      on,
      `update anchor_config set due_tick = ? + every_ticks where machine_id in
         (select machine_id from anchor_config where due_tick <= ? order by due_tick limit ? for update skip locked)
       returning ${COLUMNS}`,
      [now, now, limit],
    );
    return found.map(fromRow);
  }
}

function fromRow(row: SettingsRow): AnchorConfig {
  return {
    machineId: row.machine_id,
    version: row.version,
    mothers: JSON.parse(row.mothers) as string[],
    everyTicks: row.every_ticks,
    witnesses: JSON.parse(row.witnesses) as Witness[],
    setBy: row.set_by,
    dueTick: row.due_tick ?? undefined,
  };
}
