// Checks the activities of a machine: each is what its transition says, one row tells what became of it, and the evidence
// in this row confirms what it tells.

import { payloadOf } from '../../chain/bundle.ts';
import type { Row } from '../../chain/row.ts';
import { isFrom } from '../../chain/tally.ts';
import { type CallOutcome, resultFault, resultOf } from '../../contracts/calls/result.ts';
import type { StartedCall } from '../../contracts/contract-state.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { LIMITS } from '../../core/limits.ts';
import { isRecord } from '../../core/record.ts';
import type { ActivityInspection, InspectedActivity } from '../../storage/fsck/activities.ts';
import type { InspectedMachine } from '../../storage/fsck/machines.ts';
import { retentionStart } from '../node/maintenance.ts';
import { type ReportFault, reportUnequal } from './faults.ts';
import { latestTick } from './times.ts';

const BATCH_SIZE = 500;

interface Announced {
  readonly svcond: number;
  readonly call: StartedCall;
  /** The activity as the row states it, with the contract. */
  readonly said: readonly (readonly [column: keyof InspectedActivity, value: unknown])[];
}

export class ActivitiesCheck {
  readonly #machine: Pick<InspectedMachine, 'id'>;
  readonly #retentionStart: number;
  readonly #lastTick: number;
  readonly #inspection: ActivityInspection;
  readonly #report: ReportFault;
  readonly #announced = new Map<string, Announced>();
  /** Numbers of the rows that tell what became of each. */
  readonly #told = new Map<string, number>();
  /** Rows whose payload is erased or sealed may have started or told anything. */
  #isReadable = true;

  constructor(
    machine: Pick<InspectedMachine, 'id'>,
    nowMs: number,
    inspection: ActivityInspection,
    report: ReportFault,
  ) {
    this.#machine = machine;
    this.#retentionStart = retentionStart(nowMs);
    this.#lastTick = latestTick(nowMs);
    this.#inspection = inspection;
    this.#report = report;
  }

  visit(row: Row): void {
    if (row.payload_text === undefined) {
      this.#isReadable &&= row.type !== 'transition' && row.type !== 'refused' && row.type !== 'event';
      return;
    }
    const { seq, svcond, type } = row;
    if (type === 'transition') this.#addCalls(seq, svcond, payloadOf(row));
    if (isFrom('call', row)) this.#addResult(seq, payloadOf(row));
  }

  #addCalls(seq: number, svcond: number, { calls, contract, instance, transition }: Readonly<Record<string, unknown>>) {
    if (!Array.isArray(calls)) return;
    for (const [no, started] of calls.entries()) {
      if (!isRecord(started)) continue;
      const { hops, ...call } = started;
      const said = [
        ['contract_id', contract],
        ['instance', instance ?? null],
        ['transition', transition],
        ['call', canonicalJson(call)],
        ['hops', hops],
        ['created_svcond', String(svcond)],
      ] as const;
      this.#announced.set(keyOf(seq, no), { svcond, call: call as unknown as StartedCall, said });
    }
  }

  #addResult(seq: number, payload: Readonly<Record<string, unknown>>): void {
    const { call } = payload;
    if (!isRecord(call)) return;
    const key = keyOf(call.seq, call.no);
    const before = this.#told.get(key);
    const started = this.#announced.get(key);
    if (before === undefined) this.#told.set(key, seq);
    const fault =
      before !== undefined
        ? `was told before, in row ${before}`
        : started === undefined && this.#isReadable
          ? `is of an activity that row ${String(call.seq)} lacks`
          : payload.code === undefined
            ? resultFault(payload, started?.call)
            : undefined;
    if (fault !== undefined) this.#report('audit', { seq }, 'SAID', `The result in row ${seq} ${fault}.`, 'body');
  }

  async finish(): Promise<void> {
    let after: readonly [string, number] | undefined;
    for (;;) {
      const page = await this.#inspection.started(this.#machine.id, after, BATCH_SIZE);
      for (const activity of page) this.#check(activity);
      const last = page.at(-1);
      if (last === undefined || page.length < BATCH_SIZE) break;
      after = [last.seq, last.no];
    }
    // Settled ones of before are removed.
    for (const [key, { svcond }] of this.#announced) {
      if (svcond < this.#retentionStart) continue;
      const [seq = '', no = ''] = key.split(' ');
      this.#report('activity', { seq, no }, 'SAID', `Row ${seq} started it, but it is missing.`, 'seq');
    }
  }

  #check(activity: InspectedActivity): void {
    const { seq, no, settled_seq, attempts, outcome, next_tick } = activity;
    const entry = ['activity', { seq, no: String(no) }] as const;
    const fault = (column: keyof InspectedActivity, expected: string) =>
      this.#report(...entry, 'SAID', `${column} is ${activity[column]}; expected ${expected}.`, column);
    const key = keyOf(seq, no);
    const announced = this.#announced.get(key);
    this.#announced.delete(key);
    if (announced === undefined) {
      if (this.#isReadable) this.#report(...entry, 'SAID', `Row ${seq} did not start it.`, 'seq');
    } else {
      const stored = announced.said.map(([column, value]) => [column, activity[column], value] as const);
      reportUnequal(this.#report, entry, `row ${seq}`, stored);
    }
    if (attempts < 0) fault('attempts', 'at least 0');
    const told = this.#told.get(key);
    if (String(told ?? null) !== String(settled_seq) && (told !== undefined || this.#isReadable))
      fault('settled_seq', told === undefined ? 'null, since no row tells what became of it' : `${told}`);
    if (settled_seq !== null && outcome !== null) fault('outcome', 'null, since a row tells it');
    if (settled_seq === null && outcome !== null && announced !== undefined) {
      const text = keptFault(announced.call, outcome);
      if (text !== undefined) this.#report(...entry, 'SAID', `What is kept of it ${text}.`, 'outcome');
    }
    if (next_tick !== null && Number(next_tick) > this.#lastTick + LIMITS.contracts.calls.maxDelayTicks)
      fault('next_tick', 'a tick within a day');
  }
}

/** What the evidence does not confirm of an outcome that waits for its contract. */
function keptFault(call: StartedCall, text: string): string | undefined {
  try {
    const { name, payload, evidence } = resultOf(call, JSON.parse(text) as CallOutcome, 1);
    return resultFault({ name, payload, call: { ...evidence, tries: 1 } }, call);
  } catch {
    return 'is no outcome';
  }
}

const keyOf = (first: unknown, second: unknown) => `${String(first)} ${String(second)}`;
