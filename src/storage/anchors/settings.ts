// What a machine does by itself: where it is anchored and how often, and how far its witnesses have come.

import { type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../machines/ledger.ts';

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
  /** The ZID under whose right to read private mothers the machine anchors by itself. */
  readonly setBy: string;
  /** When it is next anchored; never without mothers. */
  readonly dueTick: number | undefined;
}

/** How far a witness of a machine has come. */
export interface WitnessState {
  readonly url: string;
  /** Of the newest checkpoint that it cosigned. */
  readonly size: number;
  /** Its line under that checkpoint. */
  readonly cosignature: string | undefined;
  readonly triedSvcond: number;
  /** Why the last try failed; undefined if it did not. */
  readonly code: string | undefined;
  readonly failures: number;
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

  async config(machineId: string, on: Executor = this.#knex): Promise<AnchorConfig | undefined> {
    const [row] = await rows<ConfigRow>(on, `select ${CONFIG} from anchor_config where machine_id = ?`, [machineId]);
    return row && configOf(row);
  }

  /** Those whose time has come, each given to one caller only: the next time is set with the same statement. */
  async claimDue(now: number, limit: number, on: Executor = this.#knex): Promise<AnchorConfig[]> {
    const found = await rows<ConfigRow>(
      on,
      `update anchor_config set due_tick = ? + every_ticks where machine_id in
         (select machine_id from anchor_config where due_tick <= ? order by due_tick limit ? for update skip locked)
       returning ${CONFIG}`,
      [now, now, limit],
    );
    return found.map(configOf);
  }

  async witnesses(machineId: string, on: Executor = this.#knex): Promise<WitnessState[]> {
    const found = await rows<WitnessRow>(
      on,
      'select url, size, cosignature, tried_svcond, code, failures from anchor_witness where machine_id = ? order by url',
      [machineId],
    );
    return found.map(({ tried_svcond, code, cosignature, ...state }) => ({
      ...state,
      cosignature: cosignature ?? undefined,
      triedSvcond: tried_svcond,
      code: code ?? undefined,
    }));
  }

  /** A witness cosigned a tree of this size, or says that it had done so before. */
  async cosigned(
    machineId: string,
    url: string,
    { size, line, svcond }: { readonly size: number; readonly line: string; readonly svcond: number },
    on: Executor = this.#knex,
  ): Promise<void> {
    await rows(
      on,
      `insert into anchor_witness (machine_id, url, size, cosignature, tried_svcond, failures) values (?, ?, ?, ?, ?, 0)
       on conflict (machine_id, url) do update set size = excluded.size, cosignature = excluded.cosignature,
         tried_svcond = excluded.tried_svcond, code = null where anchor_witness.size <= excluded.size`,
      [machineId, url, size, line, svcond],
    );
  }

  async refusedBy(
    machineId: string,
    url: string,
    { svcond, code }: { readonly svcond: number; readonly code: string },
    on: Executor = this.#knex,
  ): Promise<void> {
    await rows(
      on,
      `insert into anchor_witness (machine_id, url, size, tried_svcond, code, failures) values (?, ?, 0, ?, ?, 1)
       on conflict (machine_id, url) do update set tried_svcond = excluded.tried_svcond, code = excluded.code,
         failures = anchor_witness.failures + 1`,
      [machineId, url, svcond, code],
    );
  }
}

const CONFIG = 'machine_id, version, mothers, every_ticks, witnesses, set_by, due_tick';

interface ConfigRow {
  readonly machine_id: string;
  readonly version: number;
  readonly mothers: string;
  readonly every_ticks: number;
  readonly witnesses: string;
  readonly set_by: string;
  readonly due_tick: number | null;
}

function configOf(row: ConfigRow): AnchorConfig {
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

interface WitnessRow {
  readonly url: string;
  readonly size: number;
  readonly cosignature: string | null;
  readonly tried_svcond: number;
  readonly code: string | null;
  readonly failures: number;
}
