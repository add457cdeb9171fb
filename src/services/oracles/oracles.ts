// Oracles of contracts: accepts pushed readings, and lists all oracles of a machine with their current values.

import { LRUCache } from 'lru-cache';
import { SYSTEM_ACTOR } from '../../chain/row.ts';
import { type CompiledOracle, type Reading, readingOf } from '../../contracts/oracle.ts';
import { OracleReadings } from '../../contracts/oracle-readings.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { convertReading } from '../../core/temperature-scales.ts';
import type { ContractRepository, StoredContract } from '../../storage/contracts/contracts.ts';
import type { AuditRepository } from '../../storage/machines/audit.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { OracleRepository, StoredOracle } from '../../storage/oracles/oracles.ts';
import type { Principal } from '../access/access.ts';
import type { ContractEngine } from '../engine/engine.ts';
import type { LiveContract } from '../engine/live-contract.ts';
import type { ReadingOrigin, ReadingPayload } from '../engine/reading-payload.ts';
import { findReadings } from '../engine/readings.ts';
import { canReadOracle } from '../engine/session.ts';
import { readFromOperator } from './sources.ts';

export interface PushedReading {
  readonly value?: number | undefined;
  readonly unit?: string | undefined;
  readonly source?: string | undefined;
}

export interface OracleServiceOptions {
  readonly engine: ContractEngine;
  readonly contracts: ContractRepository;
  readonly oracles: OracleRepository;
  readonly audit: AuditRepository;
  readonly clock: Clock;
}

/** Number of a machine's newest readings from which the series of its oracles are taken. */
const MAX_SERIES_ROWS = 1_000;
const MAX_CACHED = 256;

export class OracleService {
  readonly #options: OracleServiceOptions;
  readonly #cache = new LRUCache<string, { readonly tick: number; readonly answer: Promise<readonly OracleRecord[]> }>({
    max: MAX_CACHED,
  });

  constructor(options: OracleServiceOptions) {
    this.#options = options;
  }

  /**
   * Records a pushed reading. For an oracle of kind operator, computes it now instead.
   *
   * @throws DomainError NOT_FOUND, CONFLICT if this oracle does not accept readings, UNIT_INVALID, UNIT_MISMATCH,
   *   VALIDATION_FAILED
   */
  async push(machine: Machine, by: Principal, id: string, pushed: PushedReading) {
    const { engine } = this.#options;
    const actor = by.zid ?? SYSTEM_ACTOR;
    const { answer, fired, rows } = await engine.change(machine.id, actor, (session, runtime) => {
      const live = engine.find(runtime, id);
      const { contract, state } = live.running;
      const oracle = oracleOf(live);
      if (!canReadOracle(live))
        throw new DomainError('CONFLICT', `The contract is ${live.stored.status}; its oracle accepts no readings.`);
      const input: ReadingInput =
        oracle.kind === 'operator'
          ? computedReading(pushed, () => readFromOperator(oracle, contract, state.context, session.environment))
          : convertedReading(oracle, pushed, actor);
      const reading = readingOf(oracle, { value: input.value, source: input.source, tick: session.tick });
      const seq = session.recordReading(live, reading, input.origin);
      return { seq, reading: recordOf(seq, oracle.unit, reading) };
    });
    const row = rows.find(({ seq }) => seq === answer.seq);
    if (row === undefined) throw new Error(`Row ${answer.seq} of a committed reading not found.`);
    this.#cache.delete(machine.id);
    const { seq, svcond, row_hash } = row;
    return { seq, svcond, row_hash, reading: answer.reading, fired };
  }

  /** Lists the oracles of a machine, computed once a tick. @param length  maximum length of each series */
  async list(machine: Machine, length: number) {
    const tick = tickOf(this.#options.clock.now());
    const cached = this.#cache.get(machine.id);
    const answer = cached?.tick === tick ? cached.answer : this.#list(machine, tick);
    if (cached?.answer !== answer) {
      this.#cache.set(machine.id, { tick, answer });
      // Failures are not cached.
      answer.catch(() => this.#cache.delete(machine.id));
    }
    return (await answer).map((oracle) => ({ ...oracle, series: oracle.series.slice(0, length) }));
  }

  async #list(machine: Machine, now: number): Promise<OracleRecord[]> {
    const { engine, contracts, oracles, audit } = this.#options;
    const { id, head } = machine;
    const stored = (await contracts.ofMachine(id)).filter(({ definition }) => definition.oracle !== undefined);
    if (stored.length === 0) return [];
    const states = new Map((await oracles.ofMachine(id)).map((oracle) => [oracle.contractId, oracle]));
    const lives = stored.map((contract) => engine.runtimes.createLive(contract));
    // Without a transaction, sealed readings are skipped.
    const recent = await findReadings({ audit }, machine, lives, [...states.values()]);
    const series = new Map<string, ReadingRecord[]>();
    const newest = { type: 'reading', order: 'newest first', limit: MAX_SERIES_ROWS } as const;
    for (const { seq, payload_text: text } of await audit.select(id, head.slug, newest)) {
      if (text === undefined) continue;
      const { contract, unit, svcond: tick, ...reading } = JSON.parse(text) as ReadingPayload;
      const records = series.get(contract) ?? [];
      records.push(recordOf(seq, unit, { ...reading, tick }));
      series.set(contract, records);
    }
    return lives.map((live) => {
      const { stored: contract } = live;
      const oracle = oracleOf(live);
      const readings = new OracleReadings(oracle);
      for (const reading of recent.get(contract.id) ?? []) readings.add(reading);
      const newestOk = recent.get(contract.id)?.at(-1);
      const records = series.get(contract.id) ?? (newestOk ? [recordOf(newestOk.seq, oracle.unit, newestOk)] : []);
      return record(contract, oracle, viewOf(readings, now), records, states.get(contract.id), now);
    });
  }
}

interface ReadingInput {
  readonly value: number;
  readonly source: string;
  readonly origin?: ReadingOrigin;
}

function oracleOf({ running: { contract } }: LiveContract): CompiledOracle {
  if (contract.oracle) return contract.oracle;
  throw new DomainError('CONFLICT', 'The contract has no oracle.');
}

/** Computes a reading, which must come without input. @throws DomainError VALIDATION_FAILED */
function computedReading<Answer>({ value, unit, source }: PushedReading, compute: () => Answer): Answer {
  const given = Object.entries({ value, unit, source }).find(([, field]) => field !== undefined);
  if (given === undefined) return compute();
  throw invalid(given[0], 'NOT_ALLOWED', 'must be omitted; the operator of this oracle computes the reading');
}

/**
 * Converts a reading to the unit of the oracle.
 *
 * @throws DomainError CONFLICT, VALIDATION_FAILED, UNIT_INVALID, UNIT_MISMATCH
 */
function convertedReading(oracle: CompiledOracle, { value, unit, source }: PushedReading, actor: string): ReadingInput {
  if (oracle.kind !== 'push') {
    throw new DomainError(
      'CONFLICT',
      `The oracle of this contract is of kind ${oracle.kind}; only kind push accepts readings.`,
    );
  }
  if (value === undefined) throw invalid('value', 'MISSING', 'is missing; it must be a number');
  const sender = { source: source ?? actor };
  if (unit === undefined || unit === oracle.unit) return { value, ...sender };
  if (oracle.unit === undefined) {
    throw invalid(
      'unit',
      'NOT_ALLOWED',
      `must be omitted, since the oracle declares no unit; it is ${JSON.stringify(unit)}`,
    );
  }
  const convertedValue = convertReading(value, unit, oracle.unit);
  if (!Number.isFinite(convertedValue))
    throw invalid('value', 'OUT_OF_RANGE', `is ${value} ${unit}, which is not finite in ${oracle.unit}`);
  return { value: convertedValue, ...sender, origin: { given: { value, unit } } };
}

function invalid(path: string, code: string, text: string): DomainError {
  const message = `${path} ${text}.`;
  return new DomainError('VALIDATION_FAILED', message, { details: [{ path, code, message }] });
}

function viewOf(
  readings: OracleReadings,
  now: number,
): { value: number | null; age: number | null; reason: string | null } {
  const view = readings.viewAt(now);
  if (view === undefined) return { value: null, age: null, reason: 'The oracle has no reading.' };
  try {
    return { value: view.value, age: view.age, reason: null };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { value: null, age: view.age, reason: error.message };
  }
}

/** An oracle, as the API returns it; `reason` says why `value` is null. */
export type OracleRecord = ReturnType<typeof record>;

function record(
  { id: contract, name, status }: StoredContract,
  { kind, fn, unit, maxAge }: CompiledOracle,
  view: ReturnType<typeof viewOf>,
  series: readonly ReadingRecord[],
  state: StoredOracle | undefined,
  now: number,
) {
  const [newest] = series;
  const isStale = newest !== undefined && maxAge !== undefined && now - newest.svcond > maxAge;
  return {
    contract,
    name,
    status,
    kind,
    fn,
    unit: unit ?? null,
    ...view,
    latest:
      newest === undefined
        ? null
        : isStale && newest.status === 'ok'
          ? { ...newest, status: 'stale' as const }
          : newest,
    series,
    readings: state?.readings ?? 0,
    out_of_range: state?.outOfRange ?? 0,
    stale: state?.stale ?? 0,
    polls: {
      count: state?.polls ?? 0,
      failed: state?.failed ?? 0,
      last_error: state?.lastError ?? null,
      next: state?.dueTick ?? null,
    },
  };
}

/** A reading, as the API returns it. */
type ReadingRecord = ReturnType<typeof recordOf>;

function recordOf(seq: number, unit: string | undefined, { value, status, source, tick }: Reading) {
  return { seq, svcond: tick, value, unit: unit ?? null, status, source };
}
