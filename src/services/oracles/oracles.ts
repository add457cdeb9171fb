// Oracles of contracts: readings that are pushed, and what there is to know about all of them.

import { LRUCache } from 'lru-cache';
import { SYSTEM_ACTOR } from '../../chain/row.ts';
import { type CompiledOracle, type Reading, readingOf } from '../../contracts/oracle.ts';
import { Readings } from '../../contracts/readings.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { convert, parseUnit } from '../../core/units.ts';
import type { ContractRepository, ContractStatus, StoredContract } from '../../storage/contracts/contracts.ts';
import type { AuditRepository } from '../../storage/machines/audit.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { OracleRepository, StoredOracle } from '../../storage/oracles/oracles.ts';
import type { Principal } from '../access/access.ts';
import type { ContractEngine } from '../contracts/engine.ts';
import type { Live } from '../contracts/runtime.ts';
import { canGoOn, type FireReport } from '../contracts/session.ts';
import { findReadings, type ReadingNote, type ReadingPayload } from './rows.ts';
import { readOperator } from './sources.ts';

/** A reading as it is answered. */
export interface ReadingRecord {
  readonly seq: number;
  readonly svcond: number;
  readonly value: number;
  readonly unit: string | null;
  readonly status: Reading['status'];
  readonly source: string;
}

export interface OracleRecord {
  readonly contract: string;
  readonly name: string;
  readonly status: ContractStatus;
  readonly kind: CompiledOracle['kind'];
  readonly fn: CompiledOracle['fn'];
  readonly unit: string | null;
  /** What conditions see now; null with the reason why there is nothing. */
  readonly value: number | null;
  readonly reason: string | null;
  readonly age: number | null;
  readonly latest: ReadingRecord | null;
  /** Newest first. */
  readonly series: readonly ReadingRecord[];
  readonly readings: number;
  readonly out_of_range: number;
  readonly stale: number;
  readonly polls: {
    readonly count: number;
    readonly failed: number;
    readonly last_error: string | null;
    readonly next: number | null;
  };
}

export interface Pushed {
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

/** Newest readings of a machine among which the series of its oracles are looked for. */
const SERIES_AMONG = 1_000;
const KEPT_ANSWERS = 256;

export class OracleService {
  readonly #options: OracleServiceOptions;
  readonly #kept = new LRUCache<string, { readonly tick: number; readonly answer: Promise<readonly OracleRecord[]> }>({
    max: KEPT_ANSWERS,
  });

  constructor(options: OracleServiceOptions) {
    this.#options = options;
  }

  /**
   * A reading from outside; without a value, an operator is asked now.
   *
   * @throws DomainError NOT_FOUND, CONFLICT if this oracle is not told, UNIT_INVALID, UNIT_MISMATCH, VALIDATION_FAILED
   */
  async push(
    machine: Machine,
    by: Principal,
    id: string,
    pushed: Pushed,
  ): Promise<{ seq: number; svcond: number; row_hash: string; reading: ReadingRecord; fired: readonly FireReport[] }> {
    const { engine } = this.#options;
    const actor = by.zid ?? SYSTEM_ACTOR;
    const { answer, fired, rows } = await engine.change(machine.id, actor, (session, runtime) => {
      const live = engine.find(runtime, id);
      const { contract, state } = live.running;
      const oracle = oracleOf(live);
      if (!canGoOn(live))
        throw new DomainError('CONFLICT', `The contract is ${live.stored.status}: nothing is read for it.`);
      const told: Told =
        oracle.kind === 'operator'
          ? asked(pushed, () => readOperator(oracle, contract, state.context, session.world))
          : converted(oracle, pushed, actor);
      const reading = readingOf(oracle, { value: told.value, source: told.source, tick: session.tick });
      const seq = session.read(live, reading, told.note);
      return { seq, reading: recordOf(seq, oracle.unit, reading) };
    });
    const row = rows.find(({ seq }) => seq === answer.seq);
    if (row === undefined) throw new Error(`Reading ${answer.seq} was written and is not there.`);
    this.#kept.delete(machine.id);
    const { seq, svcond, row_hash } = row;
    return { seq, svcond, row_hash, reading: answer.reading, fired };
  }

  /** Those of all contracts of a machine, worked out once a tick. @param length  of each series */
  async list(machine: Machine, length: number): Promise<OracleRecord[]> {
    const tick = tickOf(this.#options.clock.now());
    const kept = this.#kept.get(machine.id);
    const answer = kept?.tick === tick ? kept.answer : this.#list(machine, tick);
    if (kept?.answer !== answer) {
      this.#kept.set(machine.id, { tick, answer });
      // A failure is not kept.
      answer.catch(() => this.#kept.delete(machine.id));
    }
    return (await answer).map((one) => ({ ...one, series: one.series.slice(0, length) }));
  }

  async #list(machine: Machine, now: number): Promise<OracleRecord[]> {
    const { engine, contracts, oracles, audit } = this.#options;
    const { id, head } = machine;
    const stored = (await contracts.ofMachine(id)).filter(({ definition }) => definition.oracle !== undefined);
    if (stored.length === 0) return [];
    const known = new Map((await oracles.ofMachine(id)).map((one) => [one.contractId, one]));
    const lives = stored.map((one) => engine.runtimes.liveOf(one));
    // What is sealed to the owner of the machine is not told here.
    const seen = await findReadings({ audit }, machine, lives, [...known.values()]);
    const series = new Map<string, ReadingRecord[]>();
    const newest = { type: 'reading', order: 'newest first', limit: SERIES_AMONG } as const;
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
      const readings = new Readings(oracle);
      for (const reading of seen.get(contract.id) ?? []) readings.add(reading);
      const newestOk = seen.get(contract.id)?.at(-1);
      const own = series.get(contract.id) ?? (newestOk ? [recordOf(newestOk.seq, oracle.unit, newestOk)] : []);
      return record(contract, oracle, viewOf(readings, now), own, known.get(contract.id), now);
    });
  }
}

interface Told {
  readonly value: number;
  readonly source: string;
  readonly note?: ReadingNote;
}

function oracleOf({ running: { contract } }: Live): CompiledOracle {
  if (contract.oracle) return contract.oracle;
  throw new DomainError('CONFLICT', 'The contract has no oracle.');
}

/** @throws DomainError VALIDATION_FAILED */
function asked<Answer>({ value, unit, source }: Pushed, ask: () => Answer): Answer {
  const given = Object.entries({ value, unit, source }).find(([, one]) => one !== undefined);
  if (given === undefined) return ask();
  throw invalid(given[0], 'NOT_ALLOWED', 'is given; the operator of this oracle says what it reads');
}

/** In the unit of the oracle. @throws DomainError CONFLICT, VALIDATION_FAILED, UNIT_INVALID, UNIT_MISMATCH */
function converted(oracle: CompiledOracle, { value, unit, source }: Pushed, actor: string): Told {
  if (oracle.kind !== 'push') {
    throw new DomainError('CONFLICT', `The oracle of this contract reads by itself (${oracle.kind}); it is not told.`);
  }
  if (value === undefined) throw invalid('value', 'MISSING', 'is missing; a number is expected');
  const from = { source: source ?? actor };
  if (unit === undefined || unit === oracle.unit) return { value, ...from };
  if (oracle.unit === undefined) {
    throw invalid('unit', 'NOT_ALLOWED', `is ${JSON.stringify(unit)}; the oracle declares none, so none is expected`);
  }
  const own = convert(value, parseUnit(unit), parseUnit(oracle.unit));
  if (!Number.isFinite(own)) throw invalid('value', 'OUT_OF_RANGE', `is ${value} ${unit}, too much in ${oracle.unit}`);
  return { value: own, ...from, note: { given: { value, unit } } };
}

function invalid(path: string, code: string, text: string): DomainError {
  const message = `${path} ${text}.`;
  return new DomainError('VALIDATION_FAILED', message, { details: [{ path, code, message }] });
}

function viewOf(readings: Readings, now: number): { value: number | null; age: number | null; reason: string | null } {
  const view = readings.at(now);
  if (view === undefined) return { value: null, age: null, reason: 'The oracle has no reading.' };
  try {
    return { value: view.value, age: view.age, reason: null };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { value: null, age: view.age, reason: error.message };
  }
}

function record(
  { id: contract, name, status }: StoredContract,
  { kind, fn, unit, maxAge }: CompiledOracle,
  view: ReturnType<typeof viewOf>,
  series: readonly ReadingRecord[],
  known: StoredOracle | undefined,
  now: number,
): OracleRecord {
  const [newest] = series;
  const isOld = newest !== undefined && maxAge !== undefined && now - newest.svcond > maxAge;
  return {
    contract,
    name,
    status,
    kind,
    fn,
    unit: unit ?? null,
    ...view,
    latest: newest === undefined ? null : isOld && newest.status === 'ok' ? { ...newest, status: 'stale' } : newest,
    series,
    readings: known?.readings ?? 0,
    out_of_range: known?.outOfRange ?? 0,
    stale: known?.stale ?? 0,
    polls: {
      count: known?.polls ?? 0,
      failed: known?.failed ?? 0,
      last_error: known?.lastError ?? null,
      next: known?.dueTick ?? null,
    },
  };
}

function recordOf(seq: number, unit: string | undefined, { value, status, source, tick }: Reading): ReadingRecord {
  return { seq, svcond: tick, value, unit: unit ?? null, status, source };
}
