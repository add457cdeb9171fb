// What is written into a machine's chain from outside, and what is read from it.

import { type Row, SYSTEM_ACTOR } from '../../chain/row.ts';
import type { RowType } from '../../chain/row-type.ts';
import type { Validation } from '../../chain/validate.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { type Clock, isoFromNs, startOfTick, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { AuditRepository, RowFilter } from '../../storage/machines/audit.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { StoredCheckpoint } from '../../storage/machines/trees.ts';
import type { Principal } from '../access/access.ts';
import type { ContractEngine } from '../contracts/engine.ts';
import type { FireReport } from '../contracts/session.ts';
import { assertSize, type MachineService } from './machines.ts';
import type { TreeService } from './trees.ts';

/** A row as it is answered. Payload and salt are null where they were erased or are not for this reader. */
export interface RowRecord {
  readonly seq: number;
  readonly svcond: number;
  /** When its tick began. */
  readonly at: string;
  readonly type: string;
  readonly source: string;
  readonly actor: string;
  readonly commit: string;
  readonly prev: string;
  readonly row_hash: string;
  readonly salt: string | null;
  readonly payload: unknown;
  /** They are there, for the owner to open. */
  readonly sealed?: true;
}

export interface Logged {
  readonly seq: number;
  readonly svcond: number;
  readonly row_hash: string;
  readonly duplicate?: true;
}

export interface MachineLogOptions {
  readonly machines: MachineService;
  readonly engine: ContractEngine;
  readonly trees: TreeService;
  readonly audit: AuditRepository;
  readonly clock: Clock;
}

export class MachineLog {
  readonly #options: MachineLogOptions;

  constructor(options: MachineLogOptions) {
    this.#options = options;
  }

  /**
   * An event: written, then heard by the contracts of the machine. A key that was used before is answered with its row.
   *
   * @throws DomainError MACHINE_ARCHIVED, BODY_TOO_LARGE
   */
  async event(
    machine: Machine,
    by: Principal,
    event: {
      readonly name: string;
      readonly payload?: Readonly<Record<string, unknown>> | undefined;
      readonly key?: string | undefined;
    },
  ): Promise<Logged & { readonly fired: readonly FireReport[] }> {
    assertSize(event.payload ?? {});
    const { seq, duplicate, fired, rows } = await this.#options.engine.ingest(
      machine.id,
      by.zid ?? SYSTEM_ACTOR,
      event,
    );
    const written = duplicate ? await this.#row(machine, seq) : rows[0];
    if (written === undefined) throw new Error(`Event ${seq} of ${machine.head.slug} was written and is not there.`);
    const { svcond, row_hash } = written;
    return { seq, svcond, row_hash, fired, ...(duplicate ? { duplicate: true as const } : {}) };
  }

  /** One row that no contract hears. @throws DomainError MACHINE_ARCHIVED, BODY_TOO_LARGE */
  async record(machine: Machine, by: Principal, type: RowType, payload: object, source = 'api'): Promise<Logged> {
    const { machines } = this.#options;
    const { rows } = await machines.commit(machine, () => ({
      rows: [machines.row(by, type, source, payload)],
      answer: undefined,
    }));
    const [row] = rows;
    if (row === undefined) throw new Error('A row was committed and is not there.');
    return { seq: row.seq, svcond: row.svcond, row_hash: row.row_hash };
  }

  async #row(machine: Machine, seq: number): Promise<Row | undefined> {
    return (await this.#options.audit.range(machine.id, machine.head.slug, seq, seq))[0];
  }

  /** A snapshot of what the caller's system looks like: its hash goes into the row, and the state itself if it is given. */
  async recordState(
    machine: Machine,
    by: Principal,
    given: { readonly state?: unknown; readonly state_hash?: string | undefined; readonly label?: string | undefined },
  ): Promise<Logged> {
    const { state, label } = given;
    const computed = state === undefined ? undefined : sha256Hex(canonicalJson(state));
    if (computed !== undefined && given.state_hash !== undefined && given.state_hash !== computed) {
      const message = `state_hash is ${given.state_hash}; the SHA-256 of the state's canonical JSON is ${computed}.`;
      throw new DomainError('VALIDATION_FAILED', message, {
        details: [{ path: 'state_hash', code: 'HASH_MISMATCH', message }],
      });
    }
    const hash = computed ?? given.state_hash;
    if (hash === undefined) {
      const message = 'Neither state nor state_hash is given.';
      throw new DomainError('VALIDATION_FAILED', message, { details: [{ path: 'state', code: 'MISSING', message }] });
    }
    return this.record(machine, by, 'state', {
      state_hash: hash,
      ...(state === undefined ? {} : { state }),
      ...(label === undefined ? {} : { label }),
    });
  }

  /** Newest first. */
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
  ): Promise<{ rows: RowRecord[]; next_cursor: string | null }> {
    const before = cursor === undefined ? undefined : placeOf(cursor);
    const found = await this.#options.audit.select(machine.id, machine.head.slug, {
      ...filter,
      before,
      order: 'newest first',
      limit: limit + 1,
    });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return { rows: page.map(rowRecord), next_cursor: found.length > limit && last ? String(last.seq) : null };
  }

  async stats(machine: Machine): Promise<{
    rows: number;
    by_type: Record<string, number>;
    first_svcond: number;
    last_svcond: number;
  }> {
    const counts = await this.#options.audit.countByType(machine.id);
    return {
      rows: machine.head.seq + 1,
      by_type: Object.fromEntries(counts.map(({ type, rows }) => [type, rows])),
      first_svcond: machine.genesisTick,
      last_svcond: machine.head.svcond,
    };
  }

  /** The newest snapshot, and the newest row. */
  async state(machine: Machine): Promise<{ state: RowRecord | null; head: RowRecord }> {
    const { audit } = this.#options;
    const { slug, seq } = machine.head;
    const newest = { order: 'newest first', limit: 1 } as const;
    const [snapshot] = await audit.select(machine.id, slug, { type: 'state', ...newest });
    const head = await this.#row(machine, seq);
    if (head === undefined) throw new Error(`The head of ${slug} is not there.`);
    return { state: snapshot ? rowRecord(snapshot) : null, head: rowRecord(head) };
  }

  /** The chain as it stood at the end of a tick. @throws DomainError NOT_FOUND before the first row, TICK_IN_FUTURE */
  async at(machine: Machine, svcond: number): Promise<{ svcond: number; head: RowRecord; state: RowRecord | null }> {
    assertPast(svcond, tickOf(this.#options.clock.now()));
    const { audit } = this.#options;
    const { slug } = machine.head;
    const head = await audit.lastAt(machine.id, slug, svcond);
    if (head === undefined) {
      throw new DomainError(
        'NOT_FOUND',
        `${slug} began at tick ${machine.genesisTick}; there is nothing at ${svcond}.`,
      );
    }
    const [snapshot] = await audit.select(machine.id, slug, {
      type: 'state',
      before: head.seq + 1,
      order: 'newest first',
      limit: 1,
    });
    return { svcond, head: rowRecord(head), state: snapshot ? rowRecord(snapshot) : null };
  }

  /** @throws DomainError VALIDATION_FAILED for a window that is none or too long */
  async validate(
    machine: Machine,
    asked: { readonly from?: number | undefined; readonly to?: number | undefined },
  ): Promise<
    Validation & {
      next_from: number | null;
      head: Machine['head'];
      checkpoint: StoredCheckpoint | undefined;
      uncheckpointed_from: number | null;
    }
  > {
    const last = machine.head.seq;
    const { default: usual, max } = LIMITS.chain.validated;
    const to = Math.min(asked.to ?? (asked.from === undefined ? last : asked.from + usual - 1), last);
    const from = asked.from ?? Math.max(0, to - usual + 1);
    if (from > to) {
      const message = `from is ${from}, to is ${to}; rows 0 to ${last} are there.`;
      throw new DomainError('VALIDATION_FAILED', message, {
        details: [{ path: 'from', code: 'OUT_OF_RANGE', message }],
      });
    }
    const end = Math.min(to, from + max - 1);
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
  if (svcond > now) throw new DomainError('TICK_IN_FUTURE', `Tick ${svcond} has not begun; it is ${now} now.`);
}

export function rowRecord(row: Row): RowRecord {
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
function placeOf(cursor: string): number {
  const seq = /^\d{1,15}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (Number.isSafeInteger(seq)) return seq;
  const message = 'The cursor is not one that a list has answered; begin again without it.';
  throw new DomainError('VALIDATION_FAILED', message, {
    details: [{ path: 'cursor', code: 'CURSOR_INVALID', message }],
  });
}
