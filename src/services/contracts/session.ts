// What one change of a machine adds up to: rows of the chain, fires, tokens, webhooks, contracts as they are afterwards.

import { type NewRow, SYSTEM_ACTOR } from '../../chain/row.ts';
import type { RowType } from '../../chain/row-type.ts';
import { heardAs, type Reading, subjectOf } from '../../contracts/oracle.ts';
import { deliver, hear, type Step, take, wake } from '../../contracts/progress.ts';
import { nextWake, observe } from '../../contracts/react.ts';
import type { ComputeCall, Fired, World } from '../../contracts/reaction.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { readPulse, startOfTick } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import { contractRows, fireRows, type StoredContract, tokenRows } from '../../storage/contracts/contracts.ts';
import { into, type Write } from '../../storage/machines/ledger.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import { oracleRows } from '../../storage/oracles/oracles.ts';
import { outboxRows } from '../../storage/webhooks/outbox.ts';
import { type ReadingNote, readingPayload } from '../oracles/rows.ts';
import { auditRate, type Live, type Runtime } from './runtime.ts';

/** A fire as callers are told of it. */
export interface FireReport {
  readonly contract: string;
  readonly transition: string;
  readonly from: string;
  readonly to: string;
  readonly seq: number;
  readonly svcond: number;
  readonly emitted: readonly string[];
  readonly computed: Fired['computed'];
  readonly receipt: unknown;
}

export interface SessionOptions {
  readonly machine: Machine;
  readonly runtime: Runtime;
  readonly tick: number;
  readonly actor: string;
  readonly world: Omit<World, 'balance'>;
  readonly newId: () => string;
  /** A stamp over a fire whose transition asks for a proof. */
  readonly prove: (fired: Fired) => unknown;
  /** The receipt of a solver's run; undefined for what no solver computed. */
  readonly receiptOf?: (call: ComputeCall) => unknown;
}

interface Delivery {
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly number: number;
  readonly hop: number;
  /** The contract that emitted it. */
  readonly source?: string;
}

export class Session {
  readonly rows: NewRow[] = [];
  readonly writes: Write[] = [];
  readonly fired: FireReport[] = [];
  readonly #options: SessionOptions;
  readonly #world: World;
  readonly #changed = new Set<Live>();
  #hasWebhooks = false;

  constructor(options: SessionOptions) {
    const { runtime, world } = options;
    this.#options = options;
    this.#world = { ...world, balance: (token, holder) => runtime.balances.get(`${token}\0${holder}`) ?? 0 };
  }

  get tick(): number {
    return Math.max(this.#options.tick, this.#options.machine.head.svcond);
  }

  get hasWebhooks(): boolean {
    return this.#hasWebhooks;
  }

  get world(): World {
    return this.#world;
  }

  /** The number that the next row will have. */
  get nextSeq(): number {
    return this.#options.machine.head.seq + 1 + this.rows.length;
  }

  /** @returns the number of the row */
  row(type: RowType, source: string, payload: unknown): number {
    const seq = this.nextSeq;
    this.rows.push({ svcond: this.tick, type, source, actor: this.#options.actor, payload });
    return seq;
  }

  /** An event to every contract that listens, then what they emit to the others, at most so many times over. */
  deliver(delivery: Omit<Delivery, 'hop'>): void {
    const queue: Delivery[] = [{ ...delivery, hop: 0 }];
    for (const delivery of queue) {
      for (const live of this.#options.runtime.contracts.values()) {
        if (!live.listens.has(delivery.name)) continue;
        const emitted = this.#deliverTo(live, delivery);
        if (emitted.length === 0) continue;
        if (delivery.hop >= LIMITS.contracts.hops) {
          this.row('refused', 'contract', {
            contract: live.stored.id,
            code: 'CASCADE_LIMIT',
            events: emitted.map((one) => one.name),
          });
        } else {
          queue.push(...emitted.map((one) => ({ ...one, hop: delivery.hop + 1 })));
        }
      }
    }
  }

  #deliverTo(live: Live, { name, payload, number, source }: Delivery): Omit<Delivery, 'hop'>[] {
    const isOwn = source === live.stored.id;
    const event = { kind: 'event', tick: this.tick, number, name, payload, isOwn } as const;
    if (!this.#isAwake(live)) {
      if (isOwn) return [];
      observe(live.running.contract, live.running.windows, event, this.#world.evaluate);
      const reading = canGoOn(live) ? hear(live.running, event) : undefined;
      if (reading !== undefined) this.#writeReading(live, reading, { event: number });
      return [];
    }
    return this.record(live, deliver(live.running, event, this.#world));
  }

  /**
   * A reading of the oracle, after what was due before its tick; it may be heard as an event.
   *
   * @param more  what its row says beside it
   * @returns the number of its row
   */
  read(live: Live, reading: Reading, more: ReadingNote = {}, cursorSeq?: number): number {
    const { running } = live;
    const isAwake = this.#isAwake(live);
    const emitted = isAwake ? this.record(live, wake(running, this.tick - 1, this.nextSeq, this.#world)) : [];
    const number = this.#writeReading(live, reading, more, cursorSeq);
    running.readings?.add(reading);
    const { oracle } = running.contract;
    const heard = oracle && heardAs(oracle, reading);
    if (heard !== undefined) {
      const event = { kind: 'event', tick: this.tick, number, ...heard } as const;
      if (isAwake) emitted.push(...this.record(live, [take(running, event, this.#world)]));
      else observe(running.contract, running.windows, event, this.#world.evaluate);
    }
    for (const one of emitted) this.deliver(one);
    return number;
  }

  #writeReading(live: Live, reading: Reading, more: ReadingNote, cursorSeq?: number): number {
    const { id, machineId } = live.stored;
    const seq = this.row('reading', 'oracle', readingPayload(id, live.running.contract.oracle?.unit, reading, more));
    const { status } = reading;
    this.writes.push(into(oracleRows, { act: 'read', machineId, contractId: id, seq, status, cursorSeq }));
    if (cursorSeq !== undefined) live.followed = { versionNo: live.stored.versionNo, seq: cursorSeq };
    return seq;
  }

  /** Everything that is due. */
  wake(live: Live): void {
    if (!this.#isAwake(live)) return;
    const emitted = this.record(live, wake(live.running, this.tick, this.nextSeq, this.#world));
    this.#changed.add(live);
    for (const one of emitted) this.deliver(one);
  }

  #isAwake({ stored }: Live): boolean {
    return this.#options.machine.status === 'active' && stored.status === 'active';
  }

  /** Writes down what happened to one contract. @returns what it emitted */
  record(live: Live, steps: readonly Step[]): Omit<Delivery, 'hop'>[] {
    const emitted: Omit<Delivery, 'hop'>[] = [];
    for (const { stimulus, reaction, reading } of steps) {
      if (reading !== undefined) this.#writeReading(live, reading, { event: stimulus.number });
      for (const { transition, code, reason } of reaction.refused) {
        if (code === 'ACTION_FAILED') {
          this.row('refused', 'contract', { contract: live.stored.id, transition, code, reason, ...byHand(stimulus) });
        }
        if (code === 'SKIPPED') this.row('fire_skipped', 'contract', { contract: live.stored.id, transition });
      }
      const { fired } = reaction;
      if (fired === undefined) continue;
      const occurrence = stimulus.kind === 'timer' ? `t${stimulus.due}` : `s${this.nextSeq}`;
      const receipt = fired.hasProof ? this.#options.prove(fired) : undefined;
      const seq = this.row('transition', 'contract', {
        contract: live.stored.id,
        version: live.stored.versionNo,
        transition: fired.transition,
        from: fired.from,
        to: fired.to,
        entry: fired.entry,
        occurrence,
        operator: fired.operator,
        cause: stimulus.kind,
        ...byHand(stimulus),
        ...(fired.computed.length === 0 ? {} : { computed: fired.computed.map((one) => this.#withReceipt(one)) }),
        ...(fired.tokens.length === 0 ? {} : { tokens: fired.tokens }),
        ...(fired.logs.length === 0 ? {} : { logs: fired.logs }),
        ...(receipt === undefined ? {} : { receipt }),
      });
      this.#writeFire(live, fired, occurrence, seq, receipt);
      for (const { event, payload } of fired.emitted) {
        const number = this.row('emit', 'contract', {
          name: event,
          payload,
          contract: live.stored.id,
          transition: fired.transition,
        });
        emitted.push({ name: event, payload, number, source: live.stored.id });
      }
    }
    if (steps.length > 0) this.#changed.add(live);
    return emitted;
  }

  #withReceipt(computed: Fired['computed'][number]): object {
    const { solver, inputs } = computed;
    const receipt = solver === undefined ? undefined : this.#options.receiptOf?.({ solver, inputs });
    return receipt === undefined ? computed : { ...computed, receipt };
  }

  #writeFire(live: Live, fired: Fired, occurrence: string, seq: number, receipt: unknown): void {
    const { machine, runtime, newId } = this.#options;
    const { id, versionNo } = live.stored;
    const { transition, from, to, entry } = fired;
    this.writes.push(
      into(fireRows, {
        machineId: machine.id,
        contractId: id,
        versionNo,
        transition,
        entry,
        occurrence,
        seq,
        svcond: this.tick,
        from,
        to,
      }),
    );
    for (const { token, holder, amount } of fired.tokens) {
      const key = `${token}\0${holder}`;
      runtime.balances.set(key, (runtime.balances.get(key) ?? 0) + amount);
      this.writes.push(into(tokenRows, { machineId: machine.id, token, holder, amount }));
    }
    if (fired.webhooks.length > 0) this.#hasWebhooks = true;
    for (const { url, payload } of fired.webhooks) {
      const body = canonicalJson({
        machine: machine.head.slug,
        contract: id,
        transition,
        seq,
        svcond: this.tick,
        payload,
      });
      this.writes.push(
        into(outboxRows, { id: newId(), machineId: machine.id, contractId: id, url, body, svcond: this.tick }),
      );
    }
    const emitted = fired.emitted.map(({ event }) => event);
    this.fired.push({
      contract: id,
      transition,
      from,
      to,
      seq,
      svcond: this.tick,
      emitted,
      computed: fired.computed,
      receipt: receipt ?? null,
    });
  }

  /** The contract as it is now, with what the caller sets; written when the session ends. */
  change(live: Live, fields: Partial<StoredContract> = {}): void {
    live.stored = { ...live.stored, ...fields };
    this.#changed.add(live);
  }

  /** Where a contract keeps the audit clock on, the first change of a tick ends with a row that says what the pulse was. */
  #stamp(): void {
    const { runtime } = this.#options;
    const { tick } = this;
    const rate = auditRate(runtime.contracts.values());
    if (rate === undefined || this.rows.length === 0) return;
    if (runtime.stampedAt !== undefined && tick - runtime.stampedAt < rate) return;
    const { R_t } = readPulse(startOfTick(tick));
    this.rows.push({
      svcond: tick,
      type: 'stamp',
      source: 'clock',
      actor: SYSTEM_ACTOR,
      payload: { svcond: tick, R_t },
    });
    runtime.stampedAt = tick;
  }

  /** The writes of everything that changed. */
  finish(): Write[] {
    this.#stamp();
    for (const live of this.#changed) {
      const { contract, state, windows } = live.running;
      const { status } = live.stored;
      const after = status === 'active' && state.lifecycle !== 'active' ? state.lifecycle : status;
      const nextFire = after === 'active' ? nextWake(contract, state, windows) : undefined;
      // A contract that has just failed stands still from here on, as a paused one does.
      const heldAt = after === 'failed' && status === 'active' ? this.tick : live.stored.heldAt;
      const hadTimer = live.stored.nextFire !== undefined;
      const isWhole = live.writtenVersion !== live.stored.versionNo;
      live.stored = { ...live.stored, state, status: after, nextFire, heldAt };
      live.writtenVersion = live.stored.versionNo;
      this.writes.push(into(contractRows, { contract: live.stored, isWhole, hadTimer }));
      this.#register(live);
    }
    return this.writes;
  }

  /** Tells the database of the oracle of a new version, or that there is none any more. */
  #register(live: Live): void {
    const { machineId, id, versionNo } = live.stored;
    const { oracle } = live.running.contract;
    if (live.registered === versionNo || (oracle === undefined && versionNo === 1)) return;
    live.registered = versionNo;
    const place = { machineId, contractId: id };
    if (oracle === undefined) {
      this.writes.push(into(oracleRows, { ...place, act: 'removed' }));
      return;
    }
    const { kind, every } = oracle;
    const subject = subjectOf(oracle);
    const { actor, machine } = this.#options;
    // What was there before this change is of an older version.
    const registered = {
      versionNo,
      kind,
      subject,
      askedBy: actor,
      sinceSeq: machine.head.seq + 1,
      every,
      svcond: this.tick,
    };
    this.writes.unshift(into(oracleRows, { ...place, act: 'registered', ...registered }));
  }
}

/** Its oracle goes on being read: it may be resumed. */
export const canGoOn = ({ stored: { status } }: Live) =>
  status === 'active' || status === 'paused' || status === 'failed';

/** What was given to a transition by hand stands in its row, as that of an event stands in the event's. */
function byHand(stimulus: Step['stimulus']): { readonly payload?: Readonly<Record<string, unknown>> } {
  return stimulus.kind === 'manual' && stimulus.payload !== undefined ? { payload: stimulus.payload } : {};
}
