// Group commit: every change of a machine goes through here, and all that wait share one transaction.
//
// Callers queue a decision, not data. At the flush each decision is taken on the machine as it then is, one after the other,
// and what they decided is written in a few statements with many rows: the machines move by compare-and-swap, and if another
// node was faster, the same decisions are taken again under row locks. There is no timer: a flush begins as soon as the one
// before has returned, so a lone caller waits for nobody and a crowd is served together. A decision that is refused costs
// the others nothing; one that breaks the transaction is found by flushing each alone.

import { LRUCache } from 'lru-cache';
import { appendRow, type NewRow, type OpenRow, SALT_BYTES } from '../../chain/row.ts';
import { DomainError } from '../../core/errors.ts';
import type { Database } from '../database/database.ts';
import { type Executor, rows } from '../database/sql.ts';
import { type Lease, leaseHere, noteEffects } from '../node/idempotency.ts';
import type { AddedRow, AuditRepository } from './audit.ts';
import type { Machine, MachinePatch, MachineRepository } from './machines.ts';

/** Writes many rows of one table in one statement. */
export interface Writer<Row> {
  write(rows: readonly Row[], on: Executor): Promise<void>;
}

/** One row for one writer; made by `into`. */
export interface Write {
  readonly writer: Writer<never>;
  readonly row: unknown;
}

export function into<Row>(writer: Writer<Row>, row: Row): Write {
  return { writer: writer as Writer<never>, row };
}

export interface Change<Answer> {
  readonly rows: readonly NewRow[];
  readonly patch?: MachinePatch;
  /** Rows of other tables, in the same transaction. They may name the rows of the chain, whose numbers follow from the head. */
  readonly writes?: readonly Write[];
  readonly answer: Answer;
  /** The caller's own copy of the machine's state: kept when the change was committed, to be dropped when it was not. */
  readonly settle?: (isCommitted: boolean) => void;
}

/**
 * Taken on the machine as it is when its turn comes, perhaps more than once: it must have no effects but its change.
 * It reads through the executor that it is given. A DomainError refuses this change alone.
 */
export type Decide<Answer> = (
  machine: Machine,
  on: Executor,
  /** Changes when the machine is read from the database again: what was kept of it in memory may then be old. */
  epoch: number,
  /** Nothing about this machine waits to be written: what the database says of it is all there is. */
  isFirst: boolean,
) => Change<Answer> | Promise<Change<Answer>>;

/**
 * Thrown by a decision that must read what an earlier one of the same flush has not written yet. It is taken at the next
 * flush, before those that came after it.
 */
export class Later extends Error {
  override readonly name = 'Later';
}

export interface Committed<Answer> {
  readonly answer: Answer;
  readonly rows: readonly OpenRow[];
  readonly machine: Machine;
}

export interface LedgerOptions {
  readonly database: Database;
  readonly machines: MachineRepository;
  readonly audit: AuditRepository;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Salt and payload sealed to the owner of a machine; undefined where a row is stored open. */
  readonly seal?: (machine: Machine, row: OpenRow) => Promise<Uint8Array> | undefined;
  /** After each commit, for those who follow the chain. */
  readonly onCommitted?: (machine: Machine, rows: readonly OpenRow[]) => void;
}

interface Waiting {
  readonly machineId: string;
  readonly decide: Decide<unknown>;
  /** Of the caller's Idempotency-Key. */
  readonly lease: Lease | undefined;
  readonly resolve: (committed: Committed<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

/** What one decision came to. */
type Outcome =
  | { readonly waiting: Waiting; readonly error: unknown }
  | { readonly waiting: Waiting; readonly later: true }
  | {
      readonly waiting: Waiting;
      readonly change: Change<unknown>;
      readonly rows: readonly OpenRow[];
      readonly machine: Machine;
    };

const MOST_AT_ONCE = 512;
const MOST_WAITING = 20_000;
const KEPT_MACHINES = 10_000;
const ATTEMPTS = 6;
const SALTS = 1_024;

/** Another node changed a machine between our reading and our writing. */
class HeadMoved extends Error {
  override readonly name = 'HeadMoved';
}

export class Ledger {
  readonly #options: LedgerOptions;
  readonly #waiting: Waiting[] = [];
  /** Machines as this node last wrote them; another node may have gone on, which the compare-and-swap finds out. */
  readonly #known = new LRUCache<string, Machine>({
    max: KEPT_MACHINES,
    dispose: (_, id, reason) => {
      if (reason === 'evict') this.#epochs.delete(id);
    },
  });
  readonly #epochs = new Map<string, number>();
  #reads = 0;
  #salts: Uint8Array = new Uint8Array();
  #saltsUsed = 0;
  #flushing: Promise<void> | undefined;

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  /**
   * Take a decision about a machine and write it.
   *
   * @throws DomainError NOT_FOUND, QUEUE_FULL, STORAGE_UNAVAILABLE, and what `decide` throws
   */
  commit<Answer>(machineId: string, decide: Decide<Answer>): Promise<Committed<Answer>> {
    if (this.#waiting.length >= MOST_WAITING) {
      const message = `${MOST_WAITING} changes are waiting to be written; try again.`;
      return Promise.reject(new DomainError('QUEUE_FULL', message, { retryAfterSeconds: 1 }));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ machineId, decide, lease: leaseHere(), resolve: resolve as Waiting['resolve'], reject });
      this.#flushing ??= this.#drain();
    });
  }

  /** A machine that changed other than through here is read anew. */
  forget(machineId: string): void {
    this.#known.delete(machineId);
  }

  /** Everything that was queued before is written or refused. */
  async settled(): Promise<void> {
    while (this.#flushing) await this.#flushing;
  }

  async #drain(): Promise<void> {
    // One turn of the event loop, so that callers who arrive together are written together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      await this.#flush(this.#waiting.splice(0, MOST_AT_ONCE));
      // The embedded database answers without leaving the turn of the event loop; others want a turn too.
      await nextTurn();
    }
    this.#flushing = undefined;
  }

  async #flush(batch: readonly Waiting[]): Promise<void> {
    try {
      this.#conclude(await this.#write(batch));
    } catch (error) {
      const [only] = batch;
      const isForAll = error instanceof DomainError && error.code === 'STORAGE_UNAVAILABLE';
      if (batch.length > 1 && !isForAll) {
        for (const one of batch) await this.#flush([one]);
      } else if (only && batch.length === 1) {
        only.reject(error);
      } else {
        for (const one of batch) one.reject(error);
      }
    }
  }

  #conclude(outcomes: readonly Outcome[]): void {
    this.#waiting.unshift(...outcomes.flatMap((outcome) => ('later' in outcome ? [outcome.waiting] : [])));
    for (const outcome of outcomes) {
      if ('later' in outcome) continue;
      const { waiting } = outcome;
      if ('error' in outcome) {
        waiting.reject(outcome.error);
        continue;
      }
      const { change, rows: written, machine } = outcome;
      this.#known.set(machine.id, machine);
      change.settle?.(true);
      waiting.resolve({ answer: change.answer, rows: written, machine });
      if (written.length > 0) this.#options.onCommitted?.(machine, written);
    }
  }

  /** First on trust in what is known, then under locks. */
  async #write(batch: readonly Waiting[]): Promise<Outcome[]> {
    for (let attempt = 1; ; attempt++) {
      let taken: Outcome[] = [];
      try {
        return await this.#options.database.transaction(async (on) => {
          drop(taken);
          taken = [];
          await this.#decideAll(batch, attempt > 1, on, taken);
          await this.#confirmRefusals(taken, on);
          await this.#store(taken, on);
          return taken;
        });
      } catch (error) {
        drop(taken);
        for (const { machineId } of batch) this.#known.delete(machineId);
        if (!(error instanceof HeadMoved) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async #decideAll(batch: readonly Waiting[], isLocked: boolean, on: Executor, taken: Outcome[]): Promise<void> {
    const machines = await this.#read(batch, isLocked, on);
    const decided = new Set<string>();
    for (const waiting of batch) {
      const machine = machines.get(waiting.machineId);
      if (machine === undefined) {
        taken.push({ waiting, error: new DomainError('NOT_FOUND', 'There is no such machine.') });
        continue;
      }
      try {
        const change = await waiting.decide(machine, on, this.#epochs.get(machine.id) ?? 0, !decided.has(machine.id));
        decided.add(machine.id);
        const added: OpenRow[] = [];
        for (const row of change.rows) {
          added.push(appendRow(added.at(-1) ?? machine.head, row, this.#salt()));
        }
        const head = headOf(added.at(-1)) ?? machine.head;
        const after: Machine = {
          ...machine,
          ...change.patch,
          head,
          changes: machine.changes + (isEmpty(change) ? 0 : 1),
        };
        machines.set(machine.id, after);
        taken.push({ waiting, change, rows: added, machine: after });
      } catch (error) {
        if (error instanceof Later && decided.has(machine.id)) {
          taken.push({ waiting, later: true });
          continue;
        }
        // Only what the decision itself refuses; a failed statement has broken the transaction for all.
        if (!(error instanceof DomainError) || error.code === 'STORAGE_UNAVAILABLE') throw error;
        taken.push({ waiting, error });
      }
    }
  }

  /** What was refused on trust alone must have been refused for what the database says: no compare-and-swap will tell. */
  async #confirmRefusals(taken: readonly Outcome[], on: Executor): Promise<void> {
    const refused = taken.flatMap((outcome) => ('error' in outcome ? [outcome.waiting.machineId] : []));
    const moved = new Set(taken.flatMap((outcome) => ('change' in outcome ? [outcome.machine.id] : [])));
    const trusted = new Set(refused.filter((id) => !moved.has(id) && this.#known.has(id)));
    if (trusted.size === 0) return;
    const changes = await this.#options.machines.changesOf([...trusted], on);
    for (const id of trusted) if (changes.get(id) !== this.#known.get(id)?.changes) throw new HeadMoved();
  }

  async #read(batch: readonly Waiting[], isLocked: boolean, on: Executor): Promise<Map<string, Machine>> {
    const ids = [...new Set(batch.map(({ machineId }) => machineId))];
    const known = isLocked ? [] : ids.flatMap((id) => this.#known.get(id) ?? []);
    const missing = known.length === 0 ? ids : ids.filter((id) => !this.#known.has(id));
    const read = missing.length === 0 ? [] : await this.#options.machines.byIds(missing, isLocked, on);
    for (const { id } of read) this.#epochs.set(id, ++this.#reads);
    return new Map([...known, ...read].map((machine) => [machine.id, machine]));
  }

  async #store(taken: readonly Outcome[], on: Executor): Promise<void> {
    const written = taken.flatMap((outcome) => ('change' in outcome ? [outcome] : []));
    const before = new Map<string, Machine>();
    const after = new Map<string, Machine>();
    for (const { change, machine } of written) {
      if (!before.has(machine.id)) {
        before.set(machine.id, { ...machine, changes: machine.changes - (isEmpty(change) ? 0 : 1) });
      }
      after.set(machine.id, machine);
    }
    const moved = [...after.values()].map((machine) => ({ before: before.get(machine.id) ?? machine, after: machine }));
    if (moved.length === 0) return;
    const added = await this.#sealed(written);
    // In one order on every node, so that two flushes cannot wait for each other.
    moved.sort((a, b) => (a.after.id < b.after.id ? -1 : 1));
    if ((await this.#options.machines.move(moved, on)) !== moved.length) throw new HeadMoved();
    await this.#options.audit.insert(added, on);
    for (const [writer, all] of byWriter(written.flatMap(({ change }) => change.writes ?? []))) {
      await writer.write(all as never[], on);
    }
    await noteEffects(
      written.flatMap(({ waiting: { lease }, change }) => (lease && !isEmpty(change) ? [lease] : [])),
      on,
    );
  }

  async #sealed(
    written: readonly { readonly machine: Machine; readonly rows: readonly OpenRow[] }[],
  ): Promise<AddedRow[]> {
    const { seal } = this.#options;
    const added = written.flatMap(({ machine, rows: all }) =>
      all.map((row) => ({ machineId: machine.id, row, sealing: seal?.(machine, row) })),
    );
    if (added.every(({ sealing }) => sealing === undefined)) return added;
    return Promise.all(added.map(async ({ sealing, ...one }) => ({ ...one, sealed: await sealing })));
  }

  /** Drawn by the thousand: asking the system for each would cost more than the row's hash. */
  #salt(): Uint8Array {
    if (this.#saltsUsed === this.#salts.length) {
      this.#salts = this.#options.randomBytes(SALTS * SALT_BYTES);
      this.#saltsUsed = 0;
    }
    const salt = this.#salts.slice(this.#saltsUsed, this.#saltsUsed + SALT_BYTES);
    this.#saltsUsed += SALT_BYTES;
    return salt;
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

function drop(outcomes: readonly Outcome[]): void {
  for (const outcome of outcomes) if ('change' in outcome) outcome.change.settle?.(false);
}

function headOf(row: OpenRow | undefined): Machine['head'] | undefined {
  return row && { slug: row.slug, seq: row.seq, svcond: row.svcond, row_hash: row.row_hash };
}

const isEmpty = ({ rows: added, writes = [], patch }: Change<unknown>) =>
  added.length === 0 && writes.length === 0 && patch === undefined;

/** In the order in which writers first appear. */
function byWriter(writes: readonly Write[]): Map<Writer<never>, unknown[]> {
  const groups = new Map<Writer<never>, unknown[]>();
  for (const { writer, row } of writes) {
    const group = groups.get(writer);
    if (group) group.push(row);
    else groups.set(writer, [row]);
  }
  return groups;
}

interface EventKey {
  readonly machineId: string;
  readonly key: string;
  readonly seq: number;
}

/** Keys that callers gave their events: the second of two with one key is answered from the first. */
export const eventKeys: Writer<EventKey> & {
  find(machineId: string, key: string, on: Executor): Promise<number | undefined>;
} = {
  async write(added, on) {
    await rows(
      on,
      `insert into event_key (machine_id, key, seq) select * from unnest(?::uuid[], ?::text[], ?::bigint[])`,
      [added.map(({ machineId }) => machineId), added.map(({ key }) => key), added.map(({ seq }) => String(seq))],
    );
  },
  async find(machineId, key, on) {
    const [row] = await rows<{ seq: number }>(on, 'select seq from event_key where machine_id = ? and key = ?', [
      machineId,
      key,
    ]);
    return row?.seq;
  },
};
