// What a machine knows about its own soundness, from what is counted anyway; the newest rows are checked again for it.

import { type Clock, tickOf } from '../../core/clock.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { DeveloperRepository } from '../../storage/access/developers.ts';
import type { KeyRepository } from '../../storage/access/keys.ts';
import type { ContractRepository, StoredContract } from '../../storage/contracts/contracts.ts';
import type { AuditRepository } from '../../storage/machines/audit.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { TreeRepository } from '../../storage/machines/trees.ts';
import type { OracleRepository, StoredOracle } from '../../storage/oracles/oracles.ts';
import type { TreeService } from './trees.ts';

export interface Awareness {
  readonly rows: number;
  readonly head: { readonly seq: number; readonly svcond: number; readonly row_hash: string };
  /** The newest rows, whose hashes, links and places in the tree were checked just now. */
  readonly chain_ok: boolean;
  readonly verified_from_seq: number;
  readonly verified_to_seq: number;
  readonly erased: number;
  readonly checkpoint: { readonly size: number; readonly svcond: number } | null;
  readonly uncheckpointed: number;
  readonly contracts: Readonly<Record<string, number>>;
  /** Contracts whose stored definition has another hash than it was deployed with. */
  readonly def_mismatch: number;
  readonly fires: {
    readonly total: number;
    readonly guarded: number;
    readonly refused: number;
    readonly skipped: number;
    readonly missed: number;
  };
  readonly scheduler_lag_ticks: { readonly now: number; readonly p99_60: number };
  readonly events: { readonly ingested: number; readonly emitted: number };
  /** Of other machines in this chain, and of this one in others. */
  readonly anchors: { readonly held: number; readonly made: number };
  readonly oracles: {
    readonly contracts: number;
    readonly readings: number;
    readonly out_of_range: number;
    readonly stale: number;
    /** Whose last question was answered with nothing. */
    readonly failing: number;
  };
  readonly keys: { readonly live: number; readonly expiring: number };
}

export interface AwarenessOptions {
  readonly audit: AuditRepository;
  readonly trees: TreeService;
  readonly checkpoints: TreeRepository;
  readonly contracts: ContractRepository;
  readonly oracles: OracleRepository;
  readonly developers: DeveloperRepository;
  readonly keys: KeyRepository;
  readonly clock: Clock;
}

const CHECKED_ROWS = 100;
const EXPIRING_MS = 7 * 24 * 3_600_000;
const LISTED_KEYS = 1_000;
const LAG_TICKS = 60;

export class AwarenessService {
  readonly #options: AwarenessOptions;

  constructor(options: AwarenessOptions) {
    this.#options = options;
  }

  async status(machine: Machine): Promise<Awareness> {
    const { audit, trees, checkpoints, contracts: stored, clock } = this.#options;
    const now = tickOf(clock.now());
    const { seq, svcond, row_hash } = machine.head;
    const from = Math.max(0, seq - CHECKED_ROWS + 1);
    const checked = await trees.validate(machine, from, seq);
    const newest = await checkpoints.newestCheckpoint(machine.id);
    const contracts = await stored.ofMachine(machine.id);
    const counts = await audit.countOfTypes(machine.id, [
      'event',
      'emit',
      'refused',
      'fire_skipped',
      'anchor',
      'anchored',
    ]);
    const sum = (read: (one: StoredContract) => number) => contracts.reduce((total, one) => total + read(one), 0);
    return {
      rows: seq + 1,
      head: { seq, svcond, row_hash },
      chain_ok: checked.valid,
      verified_from_seq: from,
      verified_to_seq: checked.first_bad === undefined ? checked.to : checked.first_bad.seq - 1,
      erased: machine.erased,
      checkpoint: newest === undefined ? null : { size: newest.size, svcond: newest.svcond },
      uncheckpointed: seq + 1 - (newest?.size ?? 0),
      contracts: byStatus(contracts),
      def_mismatch: contracts.filter((one) => sha256Hex(one.definitionText) !== one.definitionHash).length,
      fires: {
        total: sum(({ state }) => state.fires),
        guarded: sum(({ state }) => state.guarded),
        refused: counts.get('refused') ?? 0,
        skipped: counts.get('fire_skipped') ?? 0,
        missed: sum(({ state }) => state.missed),
      },
      scheduler_lag_ticks: {
        now: machine.status === 'active' ? lagOf(contracts, now) : 0,
        p99_60: await stored.timerLag(machine.id, now - LAG_TICKS),
      },
      events: { ingested: counts.get('event') ?? 0, emitted: counts.get('emit') ?? 0 },
      oracles: await this.#oraclesOf(machine),
      anchors: { held: counts.get('anchor') ?? 0, made: counts.get('anchored') ?? 0 },
      keys: await this.#keysOf(machine),
    };
  }

  async #oraclesOf({ id }: Machine): Promise<Awareness['oracles']> {
    const oracles = await this.#options.oracles.ofMachine(id);
    const sum = (read: (one: StoredOracle) => number) => oracles.reduce((total, one) => total + read(one), 0);
    return {
      contracts: oracles.length,
      readings: sum(({ readings }) => readings),
      out_of_range: sum(({ outOfRange }) => outOfRange),
      stale: sum(({ stale }) => stale),
      failing: oracles.filter(({ lastError }) => lastError !== null).length,
    };
  }

  async #keysOf({ id }: Machine): Promise<Awareness['keys']> {
    const { developers, keys, clock } = this.#options;
    const developer = await developers.of(id);
    if (developer === undefined) return { live: 0, expiring: 0 };
    const nowMs = Number(clock.now() / 1_000_000n);
    const ends = (await keys.list(developer.accountId, LISTED_KEYS))
      .filter(({ revokedMs }) => revokedMs === undefined)
      .map(({ expiresMs }) => expiresMs ?? Number.POSITIVE_INFINITY)
      .filter((expiresMs) => expiresMs > nowMs);
    return { live: ends.length, expiring: ends.filter((expiresMs) => expiresMs - nowMs < EXPIRING_MS).length };
  }
}

function byStatus(contracts: readonly StoredContract[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of contracts) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** How long the timer that waits longest is overdue. */
function lagOf(contracts: readonly StoredContract[], now: number): number {
  const due = contracts.filter(({ status }) => status === 'active').map(({ nextFire }) => nextFire ?? now);
  return Math.max(0, ...due.map((tick) => now - tick));
}
