// Checks the webhooks of one machine against its chain. The row of a transition names each delivery, with the hashes of
// its address and its body. Rows of earlier versions do not: their deliveries must be about a transition.

import { payloadOf } from '../../chain/bundle.ts';
import type { Row } from '../../chain/row.ts';
import { LIMITS } from '../../core/limits.ts';
import { isRecord } from '../../core/record.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { InspectedMachine } from '../../storage/fsck/machines.ts';
import type { InspectedDelivery, InspectedTransition, OutboxInspection } from '../../storage/fsck/outbox.ts';
import type { WebhookRecord } from '../engine/session.ts';
import { retentionStart } from '../node/maintenance.ts';
import { MAX_DELAY_TICKS } from '../webhooks/delivery-plan.ts';
import { type ReportFault, reportUnequal } from './faults.ts';
import { latestTick } from './times.ts';
import { paginate } from './unreadable-rows.ts';

const BATCH_SIZE = 500;
/** Attempts of a delivery that was never sent again. */
const ATTEMPTS = LIMITS.webhooks.attempts;

export class OutboxCheck {
  readonly #machine: Pick<InspectedMachine, 'id' | 'slug'>;
  /** Settled deliveries of before this tick have been removed. */
  readonly #retentionStart: number;
  readonly #nowMs: number;
  readonly #inspection: OutboxInspection;
  readonly #report: ReportFault;
  /** Rows in whose deliveries nothing was looked for yet, by the id of the delivery. */
  readonly #announced = new Map<string, number>();
  /** Deliveries that were sent again, by the rows of the chain. */
  readonly #sentAgain = new Set<string>();
  #unreadable = 0;

  constructor(
    machine: Pick<InspectedMachine, 'id' | 'slug'>,
    nowMs: number,
    inspection: OutboxInspection,
    report: ReportFault,
  ) {
    this.#machine = machine;
    this.#retentionStart = retentionStart(nowMs);
    this.#nowMs = nowMs;
    this.#inspection = inspection;
    this.#report = report;
  }

  visit(row: Row): void {
    if (row.type !== 'transition' && row.type !== 'webhook') return;
    if (row.payload_text === undefined) this.#unreadable++;
    const payload = payloadOf(row);
    if (payload.act === 'redelivered' && typeof payload.id === 'string') this.#sentAgain.add(payload.id);
    // Older deliveries may have been removed, so they are not missed.
    if (row.svcond < this.#retentionStart) return;
    for (const { id } of webhooksOf(payload)) this.#announced.set(id, row.seq);
  }

  async finish(): Promise<void> {
    const { id: machineId } = this.#machine;
    const read = (after: string | undefined, limit: number) => this.#inspection.deliveries(machineId, after, limit);
    let page: InspectedDelivery[] = [];
    for await (const delivery of paginate(read, ({ id }) => id)) {
      page.push(delivery);
      if (page.length < BATCH_SIZE) continue;
      await this.#checkAll(page);
      page = [];
    }
    await this.#checkAll(page);
    for (const [id, seq] of this.#announced)
      this.#report('outbox', { id }, 'SAID', `Row ${seq} requested this delivery, but it is missing.`, 'id');
  }

  async #checkAll(deliveries: readonly InspectedDelivery[]): Promise<void> {
    const seqs = deliveries.flatMap(({ body }) => {
      const { seq } = payloadOf({ payload_text: body });
      return Number.isSafeInteger(seq) ? [Number(seq)] : [];
    });
    const rows = new Map((await this.#inspection.transitions(this.#machine.id, seqs)).map((row) => [row.seq, row]));
    for (const delivery of deliveries) {
      this.#announced.delete(delivery.id);
      const { seq } = payloadOf({ payload_text: delivery.body });
      this.#checkContent(delivery, seq, rows.get(Number(seq)));
      this.#checkProgress(delivery);
    }
  }

  #checkContent(delivery: InspectedDelivery, seq: unknown, row: InspectedTransition | undefined): void {
    const { id, contract_id, url, host, body, created_svcond } = delivery;
    const entry = ['outbox', { id }] as const;
    const { slug } = this.#machine;
    if (host !== (URL.parse(url)?.host ?? ''))
      this.#report(...entry, 'SAID', `host is ${host}; the address is ${url}.`, 'host');
    if (row?.type !== 'transition') {
      this.#report(...entry, 'SAID', `Row ${String(seq)} is not a transition.`, 'body');
      return;
    }
    const { machine, contract, svcond } = payloadOf({ payload_text: body });
    if (machine !== slug || contract !== contract_id || String(svcond) !== created_svcond)
      this.#report(...entry, 'SAID', 'The body is about another machine, contract or tick.', 'body');
    if (row.body === null) return;
    const { webhooks } = payloadOf({ payload_text: row.body });
    if (webhooks === undefined) return;
    const record = webhooksOf({ webhooks }).find((one) => one.id === id);
    if (record === undefined) {
      this.#report(...entry, 'SAID', `Row ${row.seq} did not request this delivery.`, 'id');
      return;
    }
    reportUnequal(this.#report, entry, `row ${row.seq}`, [['created_svcond', created_svcond, row.svcond]]);
    if (sha256Hex(url) !== record.url_sha256)
      this.#report(...entry, 'SAID', `url is ${url}, which has not the hash in row ${row.seq}.`, 'url');
    if (sha256Hex(body) !== record.body_sha256)
      this.#report(...entry, 'SAID', `The body has not the hash in row ${row.seq}.`, 'body');
  }

  /** Attempts write no row, but their columns must agree with each other. */
  #checkProgress(delivery: InspectedDelivery): void {
    const { id, attempts, final_attempt, next_attempt_tick, delivered_svcond, last_error, created_svcond } = delivery;
    const fault = (column: string, expected: string) =>
      this.#report(
        'outbox',
        { id },
        'SAID',
        `${column} is ${delivery[column as never]}; expected ${expected}.`,
        column,
      );
    const isPending = next_attempt_tick !== null;
    const isDelivered = delivered_svcond !== null;
    const created = BigInt(created_svcond);
    if (attempts < 0 || (attempts === 0 && !isPending)) fault('attempts', 'at least one attempt');
    if (!this.#sentAgain.has(id) && this.#unreadable === 0 && final_attempt !== ATTEMPTS)
      fault('final_attempt', `${ATTEMPTS}, since no row sent it again`);
    if (this.#sentAgain.has(id) && final_attempt <= ATTEMPTS)
      fault('final_attempt', `more than ${ATTEMPTS}, since a row sent it again`);
    // Each of an attempt and its retry may be as late as the longest delay, and jitter adds a quarter.
    if (isPending && Number(next_attempt_tick) > latestTick(this.#nowMs) + 2 * MAX_DELAY_TICKS)
      fault('next_attempt_tick', 'a tick within two days');
    if (isPending && (isDelivered || BigInt(next_attempt_tick) < created))
      fault('next_attempt_tick', isDelivered ? 'null, since it was delivered' : 'a tick after its row');
    if (isDelivered && (BigInt(delivered_svcond) < created || Number(delivered_svcond) > latestTick(this.#nowMs)))
      fault('delivered_svcond', 'a tick after its row, and not after now');
    const hasError = last_error !== null;
    if (isDelivered ? hasError : !isPending && !hasError)
      fault('last_error', isDelivered ? 'null, since it was delivered' : 'the reason why it was given up');
  }
}

function webhooksOf({ webhooks }: Readonly<Record<string, unknown>>): WebhookRecord[] {
  if (!Array.isArray(webhooks)) return [];
  return webhooks.filter((one): one is WebhookRecord => isRecord(one) && typeof one.id === 'string');
}
