// Writes events, states and other rows into a machine's chain, and reads them.

import { type Row, SYSTEM_ACTOR } from '../../chain/row.ts';
import type { RowType } from '../../chain/row-type.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { type Clock, isoFromNs, startOfTick, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { AuditRepository } from '../../storage/machines/audit.ts';
import type { RowFilter } from '../../storage/machines/audit-row.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { Principal } from '../access/access.ts';
import type { ContractEngine, ExternalEvent } from '../engine/engine.ts';
import { assertSize, type MachineService } from './machines.ts';
import type { TreeService } from './trees.ts';

export interface MachineLogOptions {
  readonly machines: MachineService;
  readonly engine: ContractEngine;
  readonly trees: TreeService;
  readonly audit: AuditRepository;
  readonly clock: Clock;
}

function sizeFault(payload: object): DomainError | undefined {
  try {
    assertSize(payload);
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

/** An id of another sender is no repetition: nobody takes the place of an event that another is about to send. */
function idFault({ seq, actor }: Row, { zid = SYSTEM_ACTOR }: Principal): DomainError | undefined {
  if (actor === zid) return undefined;
  const message = `id is that of row ${seq}, an event of another sender; nothing was written. Send yours with an id of your own.`;
  return new DomainError('CONFLICT', message, { facts: { seq } });
}

const refusedBy = ({ code, message }: DomainError) => ({ accepted: false as const, error: { code, message } });

export class MachineLog {
  readonly #options: MachineLogOptions;

  constructor(options: MachineLogOptions) {
    this.#options = options;
  }

  /**
   * Writes an event and delivers it to the contracts of the machine. A repeated key returns the row of the first event.
   *
   * @throws DomainError MACHINE_ARCHIVED, BODY_TOO_LARGE, CONFLICT for a key of another sender
   */
  async event(machine: Machine, by: Principal, event: ExternalEvent) {
    assertSize(event.payload ?? {});
    const { seq, duplicate, fired, refused, ignored, rows } = await this.#options.engine.ingest(
      machine.id,
      by.zid ?? SYSTEM_ACTOR,
      { ...event, sender: { zid: by.zid, keyId: by.keyId } },
    );
    const first = duplicate ? await this.#row(machine, seq) : undefined;
    const written = first ?? rows.find((row) => row.seq === seq);
    if (written === undefined)
      throw new Error(`Row ${seq} of ${machine.head.slug} not found after its event was written.`);
    const fault = first && idFault(first, by);
    if (fault !== undefined) throw fault;
    const { svcond, row_hash } = written;
    return { seq, svcond, row_hash, fired, refused, ignored, ...(duplicate ? { duplicate: true as const } : {}) };
  }

  /**
   * Writes events and delivers each in turn, in one change of the machine.
   *
   * @returns what became of each, in their order
   * @throws DomainError MACHINE_ARCHIVED, BUDGET_EXCEEDED; then nothing of all is written
   */
  async events(machine: Machine, by: Principal, events: readonly ExternalEvent[]) {
    const sender = { zid: by.zid, keyId: by.keyId };
    const faults = events.map(({ payload = {} }) => sizeFault(payload));
    const sent = events.filter((_, i) => faults[i] === undefined).map((event) => ({ ...event, sender }));
    const { answer, rows } = await this.#options.engine.ingestAll(machine.id, by.zid ?? SYSTEM_ACTOR, sent);
    const rowOf = new Map(rows.map((row) => [row.seq, row]));
    const outcomes = answer.values();
    return Promise.all(
      faults.map(async (fault) => {
        const outcome = fault === undefined ? outcomes.next().value : { error: fault };
        if (outcome === undefined) throw new Error(`An event of ${machine.head.slug} has no outcome.`);
        if ('error' in outcome) return refusedBy(outcome.error);
        const { seq, isDuplicate, fired, refused, ignored } = outcome;
        const now = rowOf.get(seq);
        const first = now === undefined ? await this.#row(machine, seq) : undefined;
        const row = now ?? first;
        if (row === undefined) throw new Error(`Row ${seq} of ${machine.head.slug} not found after it was written.`);
        const reused = first && idFault(first, by);
        if (reused !== undefined) return refusedBy(reused);
        const { svcond, row_hash } = row;
        const duplicate = isDuplicate ? { duplicate: true as const } : {};
        return { accepted: true as const, seq, svcond, row_hash, ...duplicate, fired, refused, ignored };
      }),
    );
  }

  /** Writes one row without delivering it to contracts. @throws DomainError MACHINE_ARCHIVED, BODY_TOO_LARGE */
  async record(machine: Machine, by: Principal, type: RowType, payload: object, source = 'api') {
    const { machines } = this.#options;
    const { rows } = await machines.commit(machine, () => ({
      rows: [machines.row(by, type, source, payload)],
      answer: undefined,
    }));
    return logged(rows);
  }

  async #row(machine: Machine, seq: number): Promise<Row | undefined> {
    return (await this.#options.audit.range(machine.id, machine.head.slug, seq, seq))[0];
  }

  /** Records a snapshot of the caller's system: its hash, and the state itself if given. */
  async recordState(
    machine: Machine,
    by: Principal,
    snapshot: {
      readonly state?: unknown;
      readonly state_hash?: string | undefined;
      readonly label?: string | undefined;
    },
  ) {
    const { state, label } = snapshot;
    const computed = state === undefined ? undefined : sha256Hex(canonicalJson(state));
    if (computed !== undefined && snapshot.state_hash !== undefined && snapshot.state_hash !== computed) {
      const message = `state_hash must be ${computed}, the SHA-256 of the state's canonical JSON, not ${snapshot.state_hash}.`;
      throw new DomainError('VALIDATION_FAILED', message, {
        details: [{ path: 'state_hash', code: 'HASH_MISMATCH', message }],
      });
    }
    const hash = computed ?? snapshot.state_hash;
    if (hash === undefined) {
      const message = 'state or state_hash is missing.';
      throw new DomainError('VALIDATION_FAILED', message, { details: [{ path: 'state', code: 'MISSING', message }] });
    }
    return this.record(machine, by, 'state', {
      state_hash: hash,
      ...(state === undefined ? {} : { state }),
      ...(label === undefined ? {} : { label }),
    });
  }

  /** Newest first; fewer rows if their payloads are long. */
  async explore(
    machine: Machine,
    {
      limit,
      cursor,
      ...filter
    }: { limit: number; cursor?: string | undefined } & Pick<
      RowFilter,
      'type' | 'types' | 'name' | 'contract' | 'since'
    >,
  ) {
    const before = cursor === undefined ? undefined : parseCursor(cursor);
    const { rows, isCut } = await this.#options.audit.page(machine.id, machine.head.slug, {
      ...filter,
      before,
      order: 'newest first',
      limit,
      maxBytes: LIMITS.pageBytes,
    });
    const last = rows.at(-1);
    return { rows: rows.map(rowRecord), next_cursor: isCut && last ? String(last.seq) : null };
  }

  async stats(machine: Machine) {
    const counts = await this.#options.audit.countByType(machine.id);
    return {
      rows: machine.head.seq + 1,
      by_type: Object.fromEntries(counts.map(({ type, rows }) => [type, rows])),
      first_svcond: machine.genesisTick,
      last_svcond: machine.head.svcond,
    };
  }

  /** The newest snapshot, and the newest row. */
  async state(machine: Machine) {
    const { audit } = this.#options;
    const { slug, seq } = machine.head;
    const newest = { order: 'newest first', limit: 1 } as const;
    const [snapshot] = await audit.select(machine.id, slug, { type: 'state', ...newest });
    const head = await this.#row(machine, seq);
    if (head === undefined) throw new Error(`Head row of ${slug} not found.`);
    return { state: snapshot ? rowRecord(snapshot) : null, head: rowRecord(head) };
  }

  /**
   * Head and newest snapshot at the end of a tick.
   *
   * @throws DomainError NOT_FOUND before the first row, TICK_IN_FUTURE
   */
  async at(machine: Machine, svcond: number) {
    assertPast(svcond, tickOf(this.#options.clock.now()));
    const { audit } = this.#options;
    const { slug } = machine.head;
    const head = await audit.lastAt(machine.id, slug, svcond);
    if (head === undefined) {
      throw new DomainError('NOT_FOUND', `Tick ${svcond} is before the first tick of ${slug}, ${machine.genesisTick}.`);
    }
    const [snapshot] = await audit.select(machine.id, slug, {
      type: 'state',
      before: head.seq + 1,
      order: 'newest first',
      limit: 1,
    });
    return { svcond, head: rowRecord(head), state: snapshot ? rowRecord(snapshot) : null };
  }

  /** @throws DomainError VALIDATION_FAILED for an empty range */
  async validate(machine: Machine, range: { readonly from?: number | undefined; readonly to?: number | undefined }) {
    const last = machine.head.seq;
    const { default: defaultCount, max } = LIMITS.chain.validatedRows;
    const to = Math.min(range.to ?? (range.from === undefined ? last : range.from + defaultCount - 1), last);
    const from = range.from ?? Math.max(0, to - defaultCount + 1);
    if (from > to) {
      const message = `from must be at most to, within rows 0 to ${last}; from is ${from}, to is ${to}.`;
      throw new DomainError('VALIDATION_FAILED', message, {
        details: [{ path: 'from', code: 'OUT_OF_RANGE', message }],
      });
    }
    const longest = { from, to: Math.min(to, from + max - 1), maxBytes: LIMITS.validatedBytes };
    const end = await this.#options.audit.lastWithin(machine.id, longest);
    const { checkpoint, ...validation } = await this.#options.trees.validate(machine, from, end);
    const covered = checkpoint?.size ?? 0;
    return {
      ...validation,
      next_from: validation.valid && end < to ? end + 1 : null,
      head: machine.head,
      checkpoint,
      uncheckpointed_from: end >= covered ? Math.max(from, covered) : null,
    };
  }
}

/** @throws DomainError TICK_IN_FUTURE */
export function assertPast(svcond: number, now: number): void {
  if (svcond > now)
    throw new DomainError('TICK_IN_FUTURE', `Tick ${svcond} is in the future; the current tick is ${now}.`);
}

/** The row of a commit of one row, in the form of a response. */
export function logged([row]: readonly Pick<Row, 'seq' | 'svcond' | 'row_hash'>[]) {
  if (row === undefined) throw new Error('Committed row missing in the result.');
  return { seq: row.seq, svcond: row.svcond, row_hash: row.row_hash };
}

export type RowRecord = ReturnType<typeof rowRecord>;

/** A row in the form of a response. */
export function rowRecord(row: Row) {
  const { seq, svcond, type, source, actor, commit, prev, row_hash, salt, payload_text: text, sealed } = row;
  return {
    seq,
    svcond,
    at: isoFromNs(startOfTick(svcond)),
    type,
    source,
    actor,
    commit,
    prev,
    row_hash,
    salt: salt ?? null,
    payload: text === undefined ? null : (JSON.parse(text) as unknown),
    ...(sealed ? { sealed } : {}),
  };
}

/** @throws DomainError VALIDATION_FAILED */
function parseCursor(cursor: string): number {
  const seq = /^\d{1,15}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (Number.isSafeInteger(seq)) return seq;
  const message = 'cursor is invalid; use next_cursor of the previous page, or omit it.';
  throw new DomainError('VALIDATION_FAILED', message, {
    details: [{ path: 'cursor', code: 'CURSOR_INVALID', message }],
  });
}
