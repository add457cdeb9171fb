// Events to other machines, and the rows that settled them, read for inspection: see machines.ts.

import { type Executor, rows } from '../database/sql.ts';
import type { StoredRow } from '../machines/audit-row.ts';
import type { ArchiveInspection } from './archive.ts';

export interface InspectedSentEvent {
  readonly seq: string;
  readonly no: number;
  readonly contract_id: string;
  readonly instance: string | null;
  readonly transition: string;
  readonly event: string;
  readonly to_slug: string;
  readonly payload: string;
  readonly on_refused: string | null;
  readonly hops: number;
  readonly created_svcond: string;
  readonly turn_id: string;
  /** Slug of the machine with the turn; null if it is missing. */
  readonly turn_slug: string | null;
  readonly next_tick: string | null;
  readonly attempts: number;
  readonly code: string | null;
  readonly settled_seq: string | null;
  /** Rows of other machines that say that they took it. */
  readonly taken: readonly { readonly machine_id: string; readonly seq: number }[];
  /** The row of the receiver that settled it may have taken it: its payload is erased or sealed. */
  readonly is_erased: boolean;
}

/** The row that sent an event, and the stored event if it has not been removed. */
export interface InspectedSending {
  readonly slug: string;
  readonly seq: string;
  readonly hash: string | null;
  /** Null if erased or sealed. */
  readonly body: string | null;
  readonly settled: readonly { readonly no: number; readonly turn_id: string; readonly settled_seq: number | null }[];
}

/**
 * SQL: where an event says that it comes from. As in `payload_field` of the database, without the escapes of NUL, which
 * PostgreSQL rejects anywhere in JSON.
 */
const FROM = String.raw`((case when strpos(taking.body, '\u0000') = 0 then taking.body
  else replace(replace(taking.body, '\\', ''), '\u0000', '') end)::json -> 'from')`;

export class SentEventInspection {
  readonly #on: Executor;
  readonly #archive: ArchiveInspection;

  constructor(on: Executor, archive: ArchiveInspection) {
    this.#on = on;
    this.#archive = archive;
  }

  /** In the order of their rows, after the given one. */
  async sent(machineId: string, slug: string, after: readonly [string, number] | undefined, limit: number) {
    const [seq, no] = after ?? ['-1', 0];
    const found = await rows<InspectedSentEvent>(
      this.#on,
      `select sent.seq::text, no, contract_id, instance, transition, event, to_slug, payload, on_refused, hops,
         created_svcond::text, turn_id, turn.slug as turn_slug, next_tick::text, attempts, code, settled_seq::text,
         coalesce((select json_agg(json_build_object('machine_id', taking.machine_id, 'seq', taking.seq))
           from audit as taking join machine as receiver on receiver.id = taking.machine_id
           where receiver.slug = to_slug and taking.type = 'event' and taking.source = 'machine'
             and taking.svcond >= created_svcond and ${FROM} ->> 'machine' = ?
             and ${FROM} ->> 'seq' = sent.seq::text and ${FROM} ->> 'no' = no::text), '[]') as taken,
         exists(select 1 from audit as settling join machine as receiver on receiver.id = settling.machine_id
           where receiver.slug = to_slug and settling.seq = settled_seq and settling.type = 'event'
             and settling.source = 'machine' and settling.body is null) as is_erased
       from sent_event as sent left join machine as turn on turn.id = turn_id
       where sent.machine_id = ? and (sent.seq, no) > (?::bigint, ?) order by sent.seq, no limit ?`,
      [slug, machineId, seq, no, limit],
    );
    const complete: InspectedSentEvent[] = [];
    for (const sent of found)
      complete.push(sent.taken.length > 0 || sent.is_erased ? sent : await this.#withArchive(slug, sent));
    return complete;
  }

  /** Archived rows that say that they took an event; the one that is named first, since it is found at once. */
  async #withArchive(slug: string, sent: InspectedSentEvent): Promise<InspectedSentEvent> {
    const id = await this.#idOf(sent.to_slug);
    if (id === undefined) return sent;
    const isEvent = ({ type, source }: StoredRow) => type === 'event' && source === 'machine';
    const isTaking = (row: StoredRow) => isEvent(row) && isFrom(row.body, slug, sent);
    const { settled_seq: settled, event: name } = sent;
    const named = settled === null ? undefined : await this.#archive.row(id, Number(settled));
    const since = Number(sent.created_svcond);
    if (named !== undefined && isEvent(named) && named.body === null) return { ...sent, is_erased: true };
    const taking = named && isTaking(named) ? named : await this.#archive.find(id, { name, since }, isTaking);
    return taking === undefined ? sent : { ...sent, taken: [{ machine_id: id, seq: taking.seq }] };
  }

  async #idOf(slug: string): Promise<string | undefined> {
    const [machine] = await rows<{ id: string }>(this.#on, 'select id from machine where slug = ?', [slug]);
    return machine?.id;
  }

  /** The rows of these machines with these numbers. */
  async sendings(slugs: readonly string[], seqs: readonly number[]): Promise<InspectedSending[]> {
    const found = await rows<InspectedSending & { readonly id: string }>(
      this.#on,
      `select machine.id, slug, of_seq::text as seq, encode(hash, 'hex') as hash, body,
         coalesce((select json_agg(json_build_object('no', no, 'turn_id', turn_id, 'settled_seq', settled_seq))
           from sent_event where machine_id = machine.id and seq = of_seq), '[]') as settled
       from unnest(?::text[], ?::bigint[]) as asked (of_slug, of_seq)
       join machine on slug = of_slug left join audit on audit.machine_id = machine.id and audit.seq = of_seq`,
      [slugs, seqs.map(String)],
    );
    const complete: InspectedSending[] = [];
    for (const { id, ...sending } of found) {
      const row = sending.hash === null ? await this.#archive.row(id, Number(sending.seq)) : sending;
      if (row !== undefined) complete.push({ ...sending, hash: row.hash, body: row.body });
    }
    return complete;
  }
}

/** Whether a payload names a sending. */
function isFrom(body: string | null, slug: string, { seq, no }: Pick<InspectedSentEvent, 'seq' | 'no'>): boolean {
  const { from } = (body === null ? {} : JSON.parse(body)) as { readonly from?: Readonly<Record<string, unknown>> };
  return from?.machine === slug && String(from.seq) === seq && String(from.no) === String(no);
}
