// Checks the events between machines: what one sent is what its transition says, each is settled by the row that says so,
// and what another received is what a row of the sender sent, once.

import { payloadOf } from '../../chain/bundle.ts';
import type { Row } from '../../chain/row.ts';
import { isFrom } from '../../chain/tally.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { isRecord } from '../../core/record.ts';
import type { InspectedMachine } from '../../storage/fsck/machines.ts';
import type { InspectedSending, InspectedSentEvent, SentEventInspection } from '../../storage/fsck/sent-events.ts';
import { retentionStart } from '../node/maintenance.ts';
import { type ReportFault, reportUnequal } from './faults.ts';
import { latestTick } from './times.ts';

const BATCH_SIZE = 500;

interface Announced {
  readonly svcond: number;
  /** The event as the row states it, with the contract. */
  readonly said: readonly (readonly [column: keyof InspectedSentEvent, value: unknown])[];
}

interface Received {
  readonly seq: number;
  readonly name: unknown;
  readonly payload: unknown;
  readonly from: Readonly<Record<string, unknown>>;
}

export class SentEventsCheck {
  readonly #machine: Pick<InspectedMachine, 'id' | 'slug'>;
  readonly #retentionStart: number;
  readonly #lastTick: number;
  readonly #inspection: SentEventInspection;
  readonly #report: ReportFault;
  readonly #announced = new Map<string, Announced>();
  /** Rows that tell of a refusal, by the event. */
  readonly #told = new Map<string, { readonly seq: number; readonly code: unknown }>();
  readonly #received: Received[] = [];
  /** Rows that may have told of a refusal, since their payload is erased or sealed. */
  readonly #untold = new Set<string>();
  /** Rows whose payload is erased or sealed may have sent anything. */
  #isReadable = true;

  constructor(
    machine: Pick<InspectedMachine, 'id' | 'slug'>,
    nowMs: number,
    inspection: SentEventInspection,
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
      this.#isReadable &&= row.type !== 'transition' && row.type !== 'refused';
      if (row.type === 'refused' && isFrom('machine', row)) this.#untold.add(String(row.seq));
      return;
    }
    const { seq, svcond, type } = row;
    if (type === 'transition') this.#addSends(seq, svcond, payloadOf(row));
    if (!isFrom('machine', row)) return;
    const { send, code, from, name, payload } = payloadOf(row);
    if (type === 'refused' && isRecord(send)) this.#told.set(keyOf(send.seq, send.no), { seq, code });
    if (type === 'event' && isRecord(from)) this.#received.push({ seq, name, payload, from });
  }

  #addSends(seq: number, svcond: number, { sends, contract, instance, transition }: Readonly<Record<string, unknown>>) {
    if (!Array.isArray(sends)) return;
    for (const [no, sent] of sends.entries()) {
      if (!isRecord(sent)) continue;
      const said = [
        ['contract_id', contract],
        ['instance', instance ?? null],
        ['transition', transition],
        ['event', sent.event],
        ['to_slug', sent.to],
        ['payload', canonicalJson(sent.payload)],
        ['on_refused', sent.on_refused ?? null],
        ['hops', sent.hops],
        ['created_svcond', String(svcond)],
      ] as const;
      this.#announced.set(keyOf(seq, no), { svcond, said });
    }
  }

  async finish(): Promise<void> {
    const { id, slug } = this.#machine;
    let after: readonly [string, number] | undefined;
    for (;;) {
      const page = await this.#inspection.sent(id, slug, after, BATCH_SIZE);
      for (const sent of page) this.#checkSent(sent);
      const last = page.at(-1);
      if (last === undefined || page.length < BATCH_SIZE) break;
      after = [last.seq, last.no];
    }
    // Settled ones of before are removed.
    for (const [key, { svcond }] of this.#announced) {
      if (svcond < this.#retentionStart) continue;
      const [seq, no] = key.split(' ');
      this.#report(
        'sent_event',
        { seq: seq ?? '', no: no ?? '' },
        'SAID',
        `Row ${seq} sent it, but it is missing.`,
        'seq',
      );
    }
    for (let i = 0; i < this.#received.length; i += BATCH_SIZE)
      await this.#checkReceived(this.#received.slice(i, i + BATCH_SIZE));
  }

  #checkSent(sent: InspectedSentEvent): void {
    const { seq, no, code, turn_id, turn_slug, to_slug, settled_seq, attempts, taken } = sent;
    const entry = ['sent_event', { seq, no: String(no) }] as const;
    const fault = (column: keyof InspectedSentEvent, expected: string) =>
      this.#report(...entry, 'SAID', `${column} is ${sent[column]}; expected ${expected}.`, column);
    const key = keyOf(seq, no);
    const announced = this.#announced.get(key);
    this.#announced.delete(key);
    if (announced === undefined) {
      if (this.#isReadable) this.#report(...entry, 'SAID', `Row ${seq} did not send it.`, 'seq');
    } else {
      const stored = announced.said.map(([column, value]) => [column, sent[column], value] as const);
      reportUnequal(this.#report, entry, `row ${seq}`, stored);
    }
    if (attempts < 0) fault('attempts', 'at least 0');
    const told = this.#told.get(key);
    if (code === null) {
      if (turn_slug !== to_slug || turn_id === this.#machine.id) fault('turn_id', `the machine ${to_slug}`);
      if (told !== undefined) fault('code', `${String(told.code)}, as in row ${told.seq}`);
      const [first] = taken;
      if (settled_seq !== null && String(first?.seq) !== settled_seq && !sent.is_erased)
        fault('settled_seq', first === undefined ? 'null, since no row of the machine has it' : `${first.seq}`);
      if (settled_seq === null && first !== undefined) fault('settled_seq', `${first.seq}, the row that has it`);
    } else {
      if (turn_id !== this.#machine.id) fault('turn_id', 'the sender, since the event was refused');
      if (taken.length > 0) fault('code', `null, since row ${taken[0]?.seq} of ${to_slug} has it`);
      const isErased = told === undefined && this.#untold.has(String(settled_seq));
      if (String(told?.seq ?? null) !== String(settled_seq) && !isErased)
        fault('settled_seq', String(told?.seq ?? 'null'));
      if (told !== undefined && told.code !== code) fault('code', `${String(told.code)}, as in row ${told.seq}`);
    }
    if (sent.next_tick !== null && Number(sent.next_tick) > this.#lastTick + MAX_DELAY)
      fault('next_tick', 'a tick within minutes');
  }

  async #checkReceived(received: readonly Received[]): Promise<void> {
    const sendings = await this.#inspection.sendings(
      received.map(({ from }) => String(from.machine)),
      received.map(({ from }) => (Number.isSafeInteger(from.seq) ? Number(from.seq) : -1)),
    );
    const byRow = new Map(sendings.map((one) => [keyOf(one.slug, one.seq), one]));
    const seen = new Set<string>();
    for (const one of received) {
      const { seq, from } = one;
      const reason = fromFault(one, this.#machine.id, byRow.get(keyOf(from.machine, from.seq)));
      const key = `${keyOf(from.machine, from.seq)} ${String(from.no)}`;
      const again = seen.has(key) ? 'was received before' : undefined;
      seen.add(key);
      const what = reason ?? again;
      if (what !== undefined) this.#report('audit', { seq }, 'SAID', `The event of row ${seq} ${what}.`, 'body');
    }
  }
}

const MAX_DELAY = 1_000;

const keyOf = (first: unknown, second: unknown) => `${String(first)} ${String(second)}`;

/** What of a received event its sender does not confirm. */
function fromFault(
  { seq, name, payload, from }: Received,
  machineId: string,
  sending: InspectedSending | undefined,
): string | undefined {
  const place = `row ${String(from.seq)} of ${String(from.machine)}`;
  if (sending === undefined) return `comes from ${place}, which is missing`;
  if (sending.hash !== from.row_hash) return `names another hash than that of ${place}`;
  const stored = sending.settled.find(({ no }) => no === from.no);
  if (stored !== undefined && (stored.turn_id !== machineId || stored.settled_seq !== seq))
    return `is settled by another row than this one, according to ${place}`;
  if (sending.body === null) return undefined;
  const { sends } = payloadOf({ payload_text: sending.body });
  const sent: unknown = Array.isArray(sends) ? sends[Number(from.no)] : undefined;
  if (!isRecord(sent)) return `was not sent by ${place}`;
  const isSame =
    sent.event === name && canonicalJson(sent.payload) === canonicalJson(payload) && sent.hops === from.hops;
  return isSame ? undefined : `differs from what ${place} sent`;
}
