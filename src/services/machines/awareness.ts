// Health report of a machine from its stored counters, with a fresh validation of the newest rows.

import { type Clock, tickOf } from '../../core/clock.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { KeyRepository } from '../../storage/access/keys.ts';
import type { ContractRepository, StoredContract } from '../../storage/contracts/contracts.ts';
import type { FireRepository } from '../../storage/contracts/fires.ts';
import type { DeveloperRepository } from '../../storage/machines/access/developers.ts';
import type { AuditRepository } from '../../storage/machines/audit.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { TreeRepository } from '../../storage/machines/trees.ts';
import type { OracleRepository, StoredOracle } from '../../storage/oracles/oracles.ts';
import type { TreeService } from './trees.ts';

export interface AwarenessOptions {
  readonly audit: AuditRepository;
  readonly trees: TreeService;
  readonly checkpoints: TreeRepository;
  readonly contracts: ContractRepository;
  readonly fires: FireRepository;
  readonly oracles: OracleRepository;
  readonly developers: DeveloperRepository;
  readonly keys: KeyRepository;
  readonly clock: Clock;
}

const VALIDATED_ROWS = 100;
const EXPIRING_MS = 7 * 24 * 3_600_000;
const MAX_KEYS = 1_000;
const LAG_TICKS = 60;

export class AwarenessService {
  readonly #options: AwarenessOptions;

  constructor(options: AwarenessOptions) {
    this.#options = options;
  }

  async status(machine: Machine) {
    const { audit, trees, checkpoints, contracts: stored, fires, clock } = this.#options;
    const now = tickOf(clock.now());
    const { seq, svcond, row_hash } = machine.head;
    const from = Math.max(0, seq - VALIDATED_ROWS + 1);
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
    const sum = (read: (contract: StoredContract) => number) =>
      contracts.reduce((total, contract) => total + read(contract), 0);
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
      def_mismatch: contracts.filter(
        ({ definitionText, definitionHash }) => sha256Hex(definitionText) !== definitionHash,
      ).length,
      fires: {
        total: sum(({ state }) => state.fires),
        guarded: sum(({ state }) => state.blockedCount),
        refused: counts.get('refused') ?? 0,
        skipped: counts.get('fire_skipped') ?? 0,
        missed: sum(({ state }) => state.missed),
      },
      scheduler_lag_ticks: {
        now: machine.status === 'active' ? lagOf(contracts, now) : 0,
        p99_60: await fires.timerLag(machine.id, now - LAG_TICKS),
      },
      events: { ingested: counts.get('event') ?? 0, emitted: counts.get('emit') ?? 0 },
      oracles: await this.#oraclesOf(machine),
      anchors: { held: counts.get('anchor') ?? 0, made: counts.get('anchored') ?? 0 },
      keys: await this.#keysOf(machine),
    };
  }

  async #oraclesOf({ id }: Machine) {
    const oracles = await this.#options.oracles.ofMachine(id);
    const sum = (read: (oracle: StoredOracle) => number) => oracles.reduce((total, oracle) => total + read(oracle), 0);
    return {
      contracts: oracles.length,
      readings: sum(({ readings }) => readings),
      out_of_range: sum(({ outOfRange }) => outOfRange),
      stale: sum(({ stale }) => stale),
      failing: oracles.filter(({ lastError }) => lastError !== null).length,
    };
  }

  async #keysOf({ id }: Machine) {
    const { developers, keys, clock } = this.#options;
    const developer = await developers.of(id);
    if (developer === undefined) return { live: 0, expiring: 0 };
    const nowMs = Number(clock.now() / 1_000_000n);
    const expiries = (await keys.list(developer.accountId, MAX_KEYS))
      .filter(({ revokedMs }) => revokedMs === undefined)
      .map(({ expiresMs }) => expiresMs ?? Number.POSITIVE_INFINITY)
      .filter((expiresMs) => expiresMs > nowMs);
    return { live: expiries.length, expiring: expiries.filter((expiresMs) => expiresMs - nowMs < EXPIRING_MS).length };
  }
}

function byStatus(contracts: readonly StoredContract[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of contracts) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Ticks by which the most overdue timer is late. */
function lagOf(contracts: readonly StoredContract[], now: number): number {
  const due = contracts.filter(({ status }) => status === 'active').map(({ nextFire }) => nextFire ?? now);
  return Math.max(0, ...due.map((tick) => now - tick));
}
