// Checks the oracles of one machine against their readings, which are chain rows, and against their definitions.
//
// Counters start with the first version that has an oracle. Pointers start with the version since which the same
// subject is measured. A reading with an erased or sealed payload may belong to any contract, so each counter may
// exceed the count of readable rows by their number.

import { payloadOf } from '../../chain/bundle.ts';
import type { Row } from '../../chain/row.ts';
import { compileContract } from '../../contracts/compiled.ts';
import type { Definition, Scalars } from '../../contracts/definition.ts';
import { type CompiledOracle, subjectOf } from '../../contracts/oracle.ts';
import { groupBy } from '../../core/group-by.ts';
import { shardOf } from '../../storage/contracts/timers.ts';
import type { InspectedOracle, InspectedSource, OracleInspection } from '../../storage/fsck/oracles.ts';
import { type ReportFault, reportUnequal } from './faults.ts';
import { tryParseJson } from './rows.ts';
import { latestTick } from './times.ts';

/** A version according to the chain, with the readings while it was current. */
interface VersionSpan {
  readonly no: number;
  /** The row that created it, and its actor. */
  readonly seq: number;
  readonly actor: string;
  readings: number;
  out_of_range: number;
  stale: number;
  newest: number | undefined;
  newestOk: number | undefined;
  /** Newest row of another machine that was read. */
  followed: number | undefined;
}

/** A version and its oracle: null if it has none, undefined if its definition cannot be compiled. */
interface VersionOracle {
  readonly no: number;
  readonly oracle: CompiledOracle | null | undefined;
}

export class OraclesCheck {
  readonly #machineId: string;
  readonly #nowMs: number;
  readonly #inspection: OracleInspection;
  readonly #report: ReportFault;
  /** Spans of each contract, one per version, oldest first. */
  readonly #spans = new Map<string, VersionSpan[]>();
  #unreadableActs = 0;
  #unreadableReadings = 0;

  constructor(machineId: string, nowMs: number, inspection: OracleInspection, report: ReportFault) {
    this.#machineId = machineId;
    this.#nowMs = nowMs;
    this.#inspection = inspection;
    this.#report = report;
  }

  visit(row: Row): void {
    if (row.type === 'contract') this.#visitAct(row);
    if (row.type === 'reading') this.#visitReading(row);
  }

  #visitAct(row: Row): void {
    const { contract, version } = payloadOf(row);
    if (typeof contract !== 'string') this.#unreadableActs++;
    else if (typeof version === 'number') {
      const spans = this.#spans.get(contract) ?? [];
      this.#spans.set(contract, spans);
      const { seq, actor } = row;
      const counted = { readings: 0, out_of_range: 0, stale: 0 };
      spans.push({
        no: version,
        seq,
        actor,
        ...counted,
        newest: undefined,
        newestOk: undefined,
        followed: undefined,
      });
    }
  }

  #visitReading(row: Row): void {
    const { contract, status, followed } = payloadOf(row);
    if (typeof contract !== 'string') {
      this.#unreadableReadings++;
      return;
    }
    const span = this.#spans.get(contract)?.at(-1);
    if (span === undefined) return;
    span.readings++;
    span.newest = row.seq;
    if (status === 'ok') span.newestOk = row.seq;
    if (status === 'out_of_range' || status === 'stale') span[status]++;
    const { seq } = (followed ?? {}) as { readonly seq?: number };
    if (seq !== undefined) span.followed = seq;
  }

  async finish(tables: ReadonlySet<string>): Promise<void> {
    if (!tables.has('oracle')) return;
    const oracles = await this.#inspection.oracles(this.#machineId);
    const stored = new Map(oracles.map((oracle) => [oracle.contract_id, oracle]));
    const sources = groupBy(await this.#inspection.sources(this.#machineId), ({ contract_id }) => contract_id);
    for (const [contract, versions] of sources)
      await this.#check(contract, stored.get(contract), versions.map(versionOracleOf));
  }

  async #check(
    contract_id: string,
    stored: InspectedOracle | undefined,
    sources: readonly VersionOracle[],
  ): Promise<void> {
    const newest = sources.at(-1);
    const oracle = newest?.oracle;
    if (newest === undefined || oracle === undefined) return;
    const version = `version ${newest.no}`;
    if (oracle === null || stored === undefined) {
      const message = stored ? `${version} has no oracle.` : `${version} has an oracle, but it is missing.`;
      if (stored || oracle) this.#report('oracle', { contract_id }, 'VERSION', message, 'contract_id');
      return;
    }
    const { kind, every } = oracle;
    reportUnequal(this.#report, ['oracle', { contract_id }], version, [
      ['version_no', stored.version_no, newest.no],
      ['shard', stored.shard, shardOf(this.#machineId)],
      ['kind', stored.kind, kind],
      ['subject', stored.subject, subjectOf(oracle)],
      ['every_ticks', stored.every_ticks, every ?? null],
    ]);
    if ((stored.due_tick === null) !== (every === undefined)) {
      const expected = every === undefined ? 'null, since it is not polled' : 'a tick';
      const message = `due_tick is ${stored.due_tick}; it must be ${expected}.`;
      this.#report('oracle', { contract_id }, 'TIMER', message, 'due_tick');
    }
    const last = latestTick(this.#nowMs) + (every ?? 0);
    if (stored.due_tick !== null && (Number(stored.due_tick) < 0 || Number(stored.due_tick) > last)) {
      const message = `due_tick is ${stored.due_tick}; it must be between 0 and ${last}.`;
      this.#report('oracle', { contract_id }, 'TIMER', message, 'due_tick');
    }
    await this.#checkCursor(stored, oracle);
    this.#compare(stored, oracle, sources);
  }

  /** A cursor beyond the machine that is followed would pass over its rows. */
  async #checkCursor({ contract_id, cursor_seq }: InspectedOracle, { machine }: CompiledOracle): Promise<void> {
    if (cursor_seq === null || machine === undefined) return;
    const head = Number((await this.#inspection.headOf(machine)) ?? Number.POSITIVE_INFINITY);
    if (Number(cursor_seq) >= -1 && Number(cursor_seq) <= head) return;
    const message = `cursor_seq is ${cursor_seq}; the last row of ${machine} is ${head}.`;
    this.#report('oracle', { contract_id }, 'SAID', message, 'cursor_seq');
  }

  /** Compares counters and pointers with the readable rows of the chain. */
  #compare(stored: InspectedOracle, { kind }: CompiledOracle, sources: readonly VersionOracle[]): void {
    const { contract_id } = stored;
    const spans = this.#spans.get(contract_id);
    if (spans === undefined || this.#unreadableActs > 0 || sources.some(({ oracle }) => oracle === undefined)) return;
    const counted = trailingSpans(spans, sources, (oracle) => oracle !== null);
    const sameSubject = trailingSpans(
      spans,
      sources,
      (oracle, last) => oracle !== null && subjectOf(oracle) === subjectOf(last),
    );
    const [first] = sameSubject;
    // The actor that set the source; older databases have the actor of its newest version.
    const requester = sameSubject.find(({ actor }) => actor === stored.asked_by) ?? first;
    reportUnequal(this.#report, ['oracle', { contract_id }], 'the chain', [
      ['asked_by', stored.asked_by, requester?.actor],
      ['since_seq', stored.since_seq, first?.seq],
    ]);
    for (const column of ['readings', 'out_of_range', 'stale'] as const) {
      const count = counted.reduce((sum, span) => sum + span[column], 0);
      const excess = BigInt(stored[column]) - BigInt(count);
      if (excess >= 0n && excess <= this.#unreadableReadings) continue;
      reportUnequal(this.#report, ['oracle', { contract_id }], 'the chain', [[column, stored[column], count]]);
    }
    const last = (column: 'newest' | 'newestOk' | 'followed') =>
      sameSubject.findLast((span) => span[column] !== undefined)?.[column] ?? null;
    if (this.#unreadableReadings === 0)
      reportUnequal(this.#report, ['oracle', { contract_id }], 'the chain', [
        ['newest_seq', stored.newest_seq, last('newest')],
        ['newest_ok_seq', stored.newest_ok_seq, last('newestOk')],
      ]);
    const { cursor_seq } = stored;
    const isBehind = kind === 'machine' && Number(cursor_seq ?? -1) < Number(last('followed') ?? -1);
    if (isBehind || (kind !== 'machine' && cursor_seq !== null)) {
      const expected =
        kind === 'machine' ? `row ${last('followed')} was read` : 'expected null, since it reads no machine';
      this.#report('oracle', { contract_id }, 'SAID', `cursor_seq is ${cursor_seq}; ${expected}.`, 'cursor_seq');
    }
  }
}

function versionOracleOf({ no, definition, parameters }: InspectedSource): VersionOracle {
  const given = definition === null ? undefined : (tryParseJson(definition) as Definition | undefined);
  if (given === undefined) return { no, oracle: undefined };
  try {
    return { no, oracle: compileContract(given, tryParseJson(parameters) as Scalars).oracle ?? null };
  } catch {
    return { no, oracle: undefined };
  }
}

/** Returns the spans of the newest versions for which the predicate holds without interruption. */
function trailingSpans(
  spans: readonly VersionSpan[],
  sources: readonly VersionOracle[],
  predicate: (oracle: CompiledOracle | null, last: CompiledOracle) => boolean,
): VersionSpan[] {
  const last = sources.at(-1)?.oracle;
  if (!last) return [];
  const lastBreak = sources.findLast(({ oracle = null }) => !predicate(oracle, last))?.no ?? 0;
  return spans.filter(({ no }) => no > lastBreak);
}
