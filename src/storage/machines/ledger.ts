// Group commit: every change of a machine goes through the ledger, and concurrent changes share one transaction.
//
// Callers queue a decision, not data. A flush takes queued decisions, of each machine in turn, each on the machine as it
// then is, and writes their changes in a few statements with many rows. Machines are updated by compare-and-swap. If
// another node changed one meanwhile, the same decisions are taken again under row locks. There is no timer: a flush
// begins as soon as the one before has returned, so a single caller never waits and concurrent callers share a flush. A
// refused decision does not affect the others. One that breaks the transaction is found by flushing halves.

import { LRUCache } from 'lru-cache';
import { appendRow, type NewRow, type OpenRow, SALT_BYTES } from '../../chain/row.ts';
import { DomainError } from '../../core/errors.ts';
import type { Database } from '../database/database.ts';
import type { Executor } from '../database/sql.ts';
import { type Write, writeAll } from '../database/writer.ts';
import { currentCall, earlierOutcome, type LeasedCall, markEffects } from '../node/idempotency.ts';
import type { AddedRow, AuditRepository } from './audit.ts';
import { Lanes } from './lanes.ts';
import type { Machine, MachinePatch, MachineRepository } from './machines.ts';

export interface Change<Answer> {
  readonly rows: readonly NewRow[];
  readonly patch?: MachinePatch;
  /** Rows of other tables, in the same transaction. They may name `rows` by number, since these follow the head. */
  readonly writes?: readonly Write[];
  readonly answer: Answer;
  /** Called after the flush: the caller keeps its copy of the machine's state if committed, and discards it if not. */
  readonly settle?: (isCommitted: boolean, after: Machine) => void;
}

/**
 * A decision about a machine, taken when its turn comes and perhaps more than once: its only effect must be the change
 * that it returns. It reads through the given executor. A DomainError refuses this change alone.
 */
export type Decide<Answer> = (
  machine: Machine,
  on: Executor,
  /** Changes when the machine is read from the database again, which makes copies in memory stale. */
  epoch: number,
  /** True if no earlier decision of this flush is about the machine, so that the database has its whole state. */
  isFirst: boolean,
) => Change<Answer> | Promise<Change<Answer>>;

/**
 * Thrown by a decision that must read what an earlier one of the same flush has not written yet. The next flush takes
 * it again, before the decisions that were queued after it.
 */
export class RetryNextFlush extends Error {
  override readonly name = 'RetryNextFlush';
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
  /** @throws DomainError CLOCK_AHEAD, CLOCK_SKEWED if a row after this head would have a wrong time */
  readonly assertTime?: (headSvcond: number) => void;
  /** Seals salt and payload to the owner of a machine; undefined if the row is stored in plain text. */
  readonly seal?: (machine: Machine, row: OpenRow) => Promise<Uint8Array> | undefined;
  /** Called after each commit that added rows. */
  readonly onCommitted?: (machine: Machine, rows: readonly OpenRow[]) => void;
}

interface QueuedDecision {
  readonly machineId: string;
  readonly decide: Decide<unknown>;
  /** The call with an Idempotency-Key that this decision is part of. */
  readonly call: LeasedCall | undefined;
  readonly resolve: (committed: Committed<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome =
  | { readonly queued: QueuedDecision; readonly error: unknown }
  | { readonly queued: QueuedDecision; readonly isRetried: true }
  | {
      readonly queued: QueuedDecision;
      readonly change: Change<unknown>;
      readonly rows: readonly OpenRow[];
      readonly machine: Machine;
    };

const MAX_BATCH = 512;
const MAX_QUEUED = 20_000;
/** Of about a kilobyte each. */
const MAX_CACHED_MACHINES = 40_000;
const MAX_ATTEMPTS = 6;
const SALTS_PER_DRAW = 1_024;

/** Another node changed a machine after this one read it. */
class MachineChanged extends Error {
  override readonly name = 'MachineChanged';
}

export class Ledger {
  readonly #options: LedgerOptions;
  readonly #queue = new Lanes<QueuedDecision>();
  /** Machines as this node last wrote them. The compare-and-swap finds out if another node has changed them since. */
  readonly #cache = new LRUCache<string, Machine>({
    max: MAX_CACHED_MACHINES,
    dispose: (_, id, reason) => {
      if (reason === 'evict') this.#epochs.delete(id);
    },
  });
  readonly #epochs = new Map<string, number>();
  #reads = 0;
  #salts: Uint8Array = new Uint8Array();
  #saltsUsed = 0;
  #flushing: Promise<void> | undefined;
  /** Since the start. */
  #flushes = 0;
  #rows = 0;

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  /**
   * Takes a decision about a machine and writes its change. If an earlier attempt of the call in progress did so, it
   * returns what was committed then.
   *
   * @param admit  refuses a new change by throwing, before it costs a transaction
   * @throws DomainError NOT_FOUND, QUEUE_FULL, STORAGE_UNAVAILABLE, and what `decide` and `admit` throw
   */
  async commit<Answer>(machineId: string, decide: Decide<Answer>, admit?: () => void): Promise<Committed<Answer>> {
    const earlier = earlierOutcome<Committed<Answer>>(effectOn(machineId));
    if (earlier !== undefined) return earlier;
    admit?.();
    if (this.#queue.size >= MAX_QUEUED) {
      const message = `${MAX_QUEUED} changes are waiting to be written; try again.`;
      throw new DomainError('QUEUE_FULL', message, { retryAfterSeconds: 1 });
    }
    return new Promise((resolve, reject) => {
      const queued = {
        machineId,
        decide,
        call: currentCall(),
        resolve: resolve as QueuedDecision['resolve'],
        reject,
      };
      this.#queue.push(machineId, queued);
      this.#flushing ??= this.#drain();
    });
  }

  /** Changes that wait, and what was written since the start. */
  load(): { readonly waiting: number; readonly flushes: number; readonly rows: number } {
    return { waiting: this.#queue.size, flushes: this.#flushes, rows: this.#rows };
  }

  /** Removes a machine that changed other than through the ledger from the cache. */
  forget(machineId: string): void {
    this.#cache.delete(machineId);
  }

  /** Resolves when everything that was queued is written or refused. */
  async settled(): Promise<void> {
    while (this.#flushing) await this.#flushing;
  }

  async #drain(): Promise<void> {
    // Callers of the same turn of the event loop are written together.
    await Promise.resolve();
    while (this.#queue.size > 0) {
      await this.#flush(this.#queue.take(MAX_BATCH));
      // The embedded database answers within the same turn of the event loop, which would starve everything else.
      await nextTurn();
    }
    this.#flushing = undefined;
  }

  async #flush(batch: readonly QueuedDecision[]): Promise<void> {
    try {
      this.#finish(await this.#write(batch));
      this.#flushes++;
    } catch (error) {
      const [only] = batch;
      const isForAll = error instanceof DomainError && error.code === 'STORAGE_UNAVAILABLE';
      if (batch.length > 1 && !isForAll) {
        const half = batch.length >> 1;
        await this.#flush(batch.slice(0, half));
        await this.#flush(batch.slice(half));
      } else if (only && batch.length === 1) {
        only.reject(error);
      } else {
        for (const one of batch) one.reject(error);
      }
    }
  }

  #finish(outcomes: readonly Outcome[]): void {
    const retried = outcomes.flatMap((outcome) => ('isRetried' in outcome ? [outcome.queued] : []));
    for (const queued of retried.reverse()) this.#queue.putBack(queued.machineId, queued);
    for (const outcome of outcomes) {
      if ('isRetried' in outcome) continue;
      const { queued } = outcome;
      if ('error' in outcome) {
        queued.reject(outcome.error);
        continue;
      }
      const { change, rows: written, machine } = outcome;
      this.#cache.set(machine.id, machine);
      change.settle?.(true, machine);
      this.#rows += written.length;
      queued.resolve({ answer: change.answer, rows: written, machine });
      if (written.length > 0) this.#options.onCommitted?.(machine, written);
    }
  }

  /** Decides on cached machines at first, and under row locks if another node has changed one. */
  async #write(batch: readonly QueuedDecision[]): Promise<Outcome[]> {
    for (let attempt = 1; ; attempt++) {
      let outcomes: Outcome[] = [];
      try {
        return await this.#options.database.transaction(async (on) => {
          rollBack(outcomes);
          outcomes = [];
          await this.#decideAll(batch, attempt > 1, on, outcomes);
          await this.#confirmRefusals(outcomes, on);
          await this.#store(outcomes, on);
          return outcomes;
        });
      } catch (error) {
        rollBack(outcomes);
        for (const { machineId } of batch) this.#cache.delete(machineId);
        if (!(error instanceof MachineChanged) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  async #decideAll(
    batch: readonly QueuedDecision[],
    isLocked: boolean,
    on: Executor,
    outcomes: Outcome[],
  ): Promise<void> {
    const machines = await this.#read(batch, isLocked, on);
    const decided = new Set<string>();
    for (const queued of batch) {
      const machine = machines.get(queued.machineId);
      if (machine === undefined) {
        outcomes.push({ queued, error: new DomainError('NOT_FOUND', 'There is no such machine.') });
        continue;
      }
      let change: Change<unknown> | undefined;
      try {
        this.#options.assertTime?.(machine.head.svcond);
        change = await queued.decide(machine, on, this.#epochs.get(machine.id) ?? 0, !decided.has(machine.id));
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
        outcomes.push({ queued, change, rows: added, machine: after });
      } catch (error) {
        // Decided, but its rows are none: its copy of the machine's state is wrong, too.
        change?.settle?.(false, machine);
        if (error instanceof RetryNextFlush && decided.has(machine.id)) {
          outcomes.push({ queued, isRetried: true });
          continue;
        }
        // A refusal concerns this decision only; any other failure has broken the transaction for all.
        if (!(error instanceof DomainError) || error.code === 'STORAGE_UNAVAILABLE') throw error;
        outcomes.push({ queued, error });
      }
    }
  }

  /** Checks that a cached machine whose decisions were all refused is up to date: no compare-and-swap covers it. */
  async #confirmRefusals(outcomes: readonly Outcome[], on: Executor): Promise<void> {
    const refused = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.queued.machineId] : []));
    const changed = new Set(outcomes.flatMap((outcome) => ('change' in outcome ? [outcome.machine.id] : [])));
    const unconfirmed = new Set(refused.filter((id) => !changed.has(id) && this.#cache.has(id)));
    if (unconfirmed.size === 0) return;
    const changes = await this.#options.machines.changesOf([...unconfirmed], on);
    for (const id of unconfirmed) if (changes.get(id) !== this.#cache.get(id)?.changes) throw new MachineChanged();
  }

  async #read(batch: readonly QueuedDecision[], isLocked: boolean, on: Executor): Promise<Map<string, Machine>> {
    const ids = [...new Set(batch.map(({ machineId }) => machineId))];
    const cached = isLocked ? [] : ids.flatMap((id) => this.#cache.get(id) ?? []);
    const missing = cached.length === 0 ? ids : ids.filter((id) => !this.#cache.has(id));
    const read = missing.length === 0 ? [] : await this.#options.machines.byIds(missing, isLocked, on);
    for (const { id } of read) this.#epochs.set(id, ++this.#reads);
    return new Map([...cached, ...read].map((machine) => [machine.id, machine]));
  }

  async #store(outcomes: readonly Outcome[], on: Executor): Promise<void> {
    const written = outcomes.flatMap((outcome) => ('change' in outcome ? [outcome] : []));
    const before = new Map<string, Machine>();
    const after = new Map<string, Machine>();
    const since = new Map<string, number | undefined>();
    const hasStatus = new Set<string>();
    for (const { change, machine, rows: added } of written) {
      since.set(machine.id, since.get(machine.id) ?? added[0]?.svcond);
      if (change.patch?.status !== undefined) hasStatus.add(machine.id);
      if (!before.has(machine.id)) {
        before.set(machine.id, { ...machine, changes: machine.changes - (isEmpty(change) ? 0 : 1) });
      }
      after.set(machine.id, machine);
    }
    const changed = [...after.values()].map((machine) => ({
      before: before.get(machine.id) ?? machine,
      after: machine,
      since: since.get(machine.id),
      hasStatus: hasStatus.has(machine.id),
    }));
    if (changed.length === 0) return;
    const added = await this.#sealed(written);
    // The same order on every node, so that two flushes cannot deadlock.
    changed.sort((a, b) => (a.after.id < b.after.id ? -1 : 1));
    if ((await this.#options.machines.update(changed, on)) !== changed.length) throw new MachineChanged();
    await this.#options.audit.insert(added, on);
    await writeAll(
      written.flatMap(({ change }) => change.writes ?? []),
      on,
    );
    await markEffects(
      written.flatMap(({ queued: { call }, change, rows: added, machine }) => {
        const outcome: Committed<unknown> = { answer: change.answer, rows: added, machine };
        return call && !isEmpty(change) ? [{ call, effect: effectOn(machine.id), outcome }] : [];
      }),
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

  /** Salts are drawn a thousand at a time: one system call for each would cost more than the row's hash. */
  #salt(): Uint8Array {
    if (this.#saltsUsed === this.#salts.length) {
      this.#salts = this.#options.randomBytes(SALTS_PER_DRAW * SALT_BYTES);
      this.#saltsUsed = 0;
    }
    const salt = this.#salts.slice(this.#saltsUsed, this.#saltsUsed + SALT_BYTES);
    this.#saltsUsed += SALT_BYTES;
    return salt;
  }
}

/** Name of a change of a machine among the effects of a call. */
const effectOn = (machineId: string) => `change ${machineId}`;

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

function rollBack(outcomes: readonly Outcome[]): void {
  for (const outcome of outcomes) if ('change' in outcome) outcome.change.settle?.(false, outcome.machine);
}

function headOf(row: OpenRow | undefined): Machine['head'] | undefined {
  return row && { slug: row.slug, seq: row.seq, svcond: row.svcond, row_hash: row.row_hash };
}

const isEmpty = ({ rows: added, writes = [], patch }: Change<unknown>) =>
  added.length === 0 && writes.length === 0 && patch === undefined;
