// Collects the effects of one change of a machine: chain rows, fires, tokens, webhooks and updated contracts.

import { type NewRow, SYSTEM_ACTOR } from '../../chain/row.ts';
import type { RowType } from '../../chain/row-type.ts';
import { STRANGER_SOURCE } from '../../chain/tally.ts';
import type { ComputeCall, Environment, FiredTransition } from '../../contracts/contract-state.ts';
import { CURRENT_ENGINE, editionOf } from '../../contracts/engine-edition.ts';
import { applyStimulus, deliver, recordReading, type Step, wake } from '../../contracts/execution.ts';
import { sentAs } from '../../contracts/instances/parties.ts';
import { adoptEngine } from '../../contracts/lifecycle.ts';
import { type Reading, readingAsEvent, subjectOf } from '../../contracts/oracle.ts';
import { type Sender, seatOf } from '../../contracts/parties/bindings.ts';
import { senderFault } from '../../contracts/parties/permission.ts';
import { accountSeats } from '../../contracts/parties/seats.ts';
import type { SignedBy } from '../../contracts/parties/sent-by.ts';
import { addToWindows, nextWake } from '../../contracts/transition-function.ts';
import { type KeptWindows, keptWindows } from '../../contracts/windows/kept-windows.ts';
import { isTriedOn } from '../../contracts/windows/named-windows.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { readPulse, startOfTick } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { sha256Hex } from '../../core/sha256.ts';
import { activityRows } from '../../storage/contracts/activities.ts';
import { contractRows, type StoredContract } from '../../storage/contracts/contracts.ts';
import { fireRows } from '../../storage/contracts/fires.ts';
import { instanceRows } from '../../storage/contracts/instances.ts';
import { seatRows } from '../../storage/contracts/seats.ts';
import { sentEventRows } from '../../storage/contracts/sent-events.ts';
import { tokenRows } from '../../storage/contracts/token-balances.ts';
import { into, type Write } from '../../storage/database/writer.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import { oracleRows } from '../../storage/oracles/oracles.ts';
import { type OutboxEntry, outboxRows } from '../../storage/webhooks/outbox.ts';
import type { TransitionPlace } from './environment.ts';
import { type GuardMeter, WORDS } from './guard-budget.ts';
import { countFinished, KeyedDelivery } from './keyed-delivery.ts';
import { auditClockPeriod, type LiveContract, nameOf, type Runtime } from './live-contract.ts';
import type { EventSeat, Seats } from './party-events.ts';
import { type ReadingOrigin, readingPayload } from './reading-payload.ts';
import { UnfiredReport } from './unfired-report.ts';
import { firedCharacters, stateCharacters } from './written-characters.ts';

/** A fired transition, in the field names of the API. */
export interface FireReport {
  readonly contract: string;
  /** Key of the instance, if one fired. */
  readonly instance?: string;
  readonly transition: string;
  readonly from: string;
  readonly to: string;
  readonly seq: number;
  readonly svcond: number;
  readonly emitted: readonly string[];
  readonly computed: FiredTransition['computed'];
  readonly receipt: unknown;
}

export interface SessionOptions {
  readonly machine: Machine;
  readonly runtime: Runtime;
  readonly tick: number;
  readonly actor: string;
  readonly environment: Omit<Environment, 'balance'>;
  readonly newId: () => string;
  /** Signs the receipt of a fired transition; called if the transition requires a proof. */
  readonly prove: (fired: FiredTransition, place: TransitionPlace) => unknown;
  /** Counts the work of the change; its `evaluate` is that of `environment`. */
  readonly meter: GuardMeter;
  /** Returns the receipt of a solver run; undefined if no solver computed the value. */
  readonly receiptOf?: (call: ComputeCall) => unknown;
}

/** A delivery in the payload of a row of type `transition`. */
export interface WebhookRecord {
  readonly id: string;
  readonly url_sha256: string;
  readonly body_sha256: string;
}

export interface Delivery {
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly number: number;
  readonly hop: number;
  /** The contract that emitted it, and the key of its instance. */
  readonly source?: string;
  readonly sourceInstance?: string | undefined;
  /** The only contract that it is for. */
  readonly to?: string | undefined;
  /** The caller, if it may act for a party. */
  readonly sender?: Sender | undefined;
  /** The verified signature of the sender. */
  readonly signed?: SignedBy | undefined;
  /** The sender as guards read it, if it is not the actor of the change. */
  readonly actor?: string | undefined;
  /** It tells what became of an event to another machine, or of an activity; callers cannot send it. */
  readonly isOutcome?: boolean | undefined;
  /** Number of machines in the chain of events that led to it. */
  readonly hops?: number | undefined;
  /** It follows from what somebody did who is not a member. */
  readonly isOfStranger?: boolean | undefined;
}

export class Session {
  readonly rows: NewRow[] = [];
  readonly writes: Write[] = [];
  readonly fired: FireReport[] = [];
  readonly unfired = new UnfiredReport();
  readonly #options: SessionOptions;
  readonly #environment: Environment;
  readonly #changed = new Set<LiveContract>();
  /** Contracts whose due instances have been woken. */
  readonly #woken = new Set<LiveContract>();
  #isOfStranger = false;
  #hasDelivered = false;
  #hasWebhooks = false;
  #hasSends = false;
  #hasCalls = false;
  /** Those of the event that is being delivered. */
  #machineHops = 0;

  constructor(options: SessionOptions) {
    const { runtime, environment } = options;
    this.#options = options;
    this.#environment = {
      ...environment,
      balance: (token, holder) => runtime.balances.get(`${token}\0${holder}`) ?? 0,
    };
  }

  get tick(): number {
    return Math.max(this.#options.tick, this.#options.machine.head.svcond);
  }

  get actor(): string {
    return this.#options.actor;
  }

  get hasWebhooks(): boolean {
    return this.#hasWebhooks;
  }

  get hasSends(): boolean {
    return this.#hasSends;
  }

  get hasCalls(): boolean {
    return this.#hasCalls;
  }

  get environment(): Environment {
    return this.#environment;
  }

  /** Whether no contract in memory has changed. */
  get isUntouched(): boolean {
    return !this.#hasDelivered && this.#changed.size === 0;
  }

  /** Whether `wake` may go on to another contract. */
  get hasRoom(): boolean {
    return this.#options.meter.hasRoom;
  }

  /**
   * Refuses an event before anything changes if its own guards are too many, whatever they would cause.
   *
   * @throws GuardBudgetExceeded
   */
  assertDeliverable(name: string): void {
    const { meter, runtime } = this.#options;
    let [words, looked] = [0, 0];
    for (const live of runtime.contracts.values()) {
      if (!live.subscribedEvents.has(name)) continue;
      looked += deliveryWords(live);
      const { contract, state } = live.running;
      for (const transition of contract.transitions) {
        const { from, condition } = transition;
        const isTried = isTriedOn(transition, name) && from.has(state.state);
        if (isTried && condition !== undefined) words += WORDS.evaluation + condition.program.code.length;
      }
    }
    meter.assertFits(words + looked, looked);
  }

  /**
   * The seats of a sender in the contracts that an event is for, by contract.
   *
   * @throws DomainError FORBIDDEN_PARTY if none of these contracts takes it from this sender
   */
  seatsOf({ name, payload, to, sender }: Pick<Delivery, 'name' | 'payload' | 'to' | 'sender'>): Seats {
    const seats = new Map<string, EventSeat>();
    const faults: string[] = [];
    let isTaken = false;
    for (const [id, live] of this.#options.runtime.contracts) {
      if ((to !== undefined && to !== id) || !live.subscribedEvents.has(name)) continue;
      const { instances } = live;
      const keyed = instances && new KeyedDelivery(this, this.#options.runtime, live, instances);
      if (live.running.contract.senders !== undefined) keyed?.bindAnew(payload);
      const { seat, fault } = keyed?.seat({ name, payload, sender }) ?? seatInContract(live, { name, sender });
      if (seat !== undefined) seats.set(id, seat);
      if (fault === undefined) isTaken = true;
      else faults.push(fault);
    }
    const [reason] = faults;
    if (reason === undefined || isTaken) return seats;
    throw new DomainError('FORBIDDEN_PARTY', reason, { facts: { event: name } });
  }

  /**
   * Hands contracts that an earlier edition of the engine has decided over to the present one, with a row each.
   *
   * @returns whether there were any
   */
  adoptEngine(): boolean {
    const { runtime } = this.#options;
    const earlier = [...runtime.contracts.values()].filter(
      ({ stored, running }) => stored.status !== 'completed' && editionOf(running.state) !== CURRENT_ENGINE,
    );
    for (const live of earlier) {
      const payload = { contract: live.stored.id, act: 'engine', engine: CURRENT_ENGINE };
      const from = this.nextSeq;
      this.rows.push({ svcond: this.tick, type: 'contract', source: 'engine', actor: SYSTEM_ACTOR, payload });
      live.running.state = adoptEngine(live.running.state, from);
      this.#changed.add(live);
    }
    return earlier.length > 0;
  }

  /** Number of the next row. */
  get nextSeq(): number {
    return this.#options.machine.head.seq + 1 + this.rows.length;
  }

  /** The rows of this change are those of somebody who is not a member of the machine, or follow from such. */
  markStranger(): void {
    this.#isOfStranger = true;
  }

  /** Does a part of the change whose rows are also those of a stranger if `isMarked`. */
  #marked<Answer>(isMarked: boolean, work: () => Answer): Answer {
    const before = this.#isOfStranger;
    this.#isOfStranger ||= isMarked;
    const answer = work();
    this.#isOfStranger = before;
    return answer;
  }

  /** Appends a row. @returns its number */
  addRow(type: RowType, source: string, payload: unknown): number {
    const seq = this.nextSeq;
    const from = this.#isOfStranger ? STRANGER_SOURCE : source;
    this.rows.push({ svcond: this.tick, type, source: from, actor: this.#options.actor, payload });
    return seq;
  }

  /** Delivers an event to every subscribed contract, then the events these emit, breadth first, up to the hop limit. */
  deliver(delivery: Omit<Delivery, 'hop'>): void {
    const queue: Delivery[] = [{ ...delivery, hop: delivery.isOutcome === true ? 1 : 0 }];
    this.#machineHops = delivery.hops ?? 0;
    const contracts = [...this.#options.runtime.contracts.values()];
    if (delivery.source === undefined && !contracts.some((live) => live.subscribedEvents.has(delivery.name))) {
      this.unfired.addUnheard(
        delivery.name,
        contracts.flatMap((live) => [...live.subscribedEvents]),
      );
    }
    for (const delivery of queue) {
      for (const live of contracts) {
        if (!live.subscribedEvents.has(delivery.name)) continue;
        if (delivery.to !== undefined && delivery.to !== live.stored.id) continue;
        queue.push(...this.#marked(delivery.isOfStranger === true, () => this.#caused(live, delivery)));
      }
    }
    this.#machineHops = 0;
  }

  /** Delivers an event to one contract. @returns what it causes, up to the hop limit */
  #caused(live: LiveContract, delivery: Delivery): Delivery[] {
    const emitted = this.#offer(live, delivery);
    if (emitted.length === 0) return [];
    if (delivery.hop < LIMITS.contracts.hops) return emitted.map((event) => ({ ...event, hop: delivery.hop + 1 }));
    const events = emitted.map(({ name }) => name);
    this.addRow('refused', 'contract', { ...nameOf(live), code: 'CASCADE_LIMIT', events });
    return [];
  }

  #offer(live: LiveContract, delivery: Delivery): Omit<Delivery, 'hop'>[] {
    if (live.instances !== undefined) {
      const found = new KeyedDelivery(this, this.#options.runtime, live, live.instances).receiverOf(delivery);
      if (found === undefined) return [];
      if (found.steps === undefined) return this.#receive(found.live, delivery);
      this.#noteMover(found.live);
      return this.recordSteps(found.live, found.steps);
    }
    return this.#receive(live, delivery);
  }

  /** Counts the work of creating an instance. */
  countSpawn(live: LiveContract): void {
    this.#options.meter.count(deliveryWords(live));
  }

  #receive(live: LiveContract, delivery: Delivery): Omit<Delivery, 'hop'>[] {
    if (delivery.isOutcome !== true) this.unfired.addEvent(live, delivery, this.isActive(live));
    this.#options.meter.count(deliveryWords(live));
    return this.#deliverTo(live, delivery);
  }

  #deliverTo(live: LiveContract, delivery: Delivery): Omit<Delivery, 'hop'>[] {
    const { name, payload, number, source, sender } = delivery;
    this.#hasDelivered = true;
    const isOwn = source === live.stored.id;
    const from = originOf(delivery, this.#options.actor);
    const { parties } = live.running.state;
    const seat = sender && parties && seatOf(parties.bindings, sender);
    const by = { ...from, party: seat?.party, voter: seat?.voter };
    const event = { kind: 'event', tick: this.tick, number, name, payload, isOwn, ...by } as const;
    if (!this.isActive(live)) {
      if (isOwn) return [];
      addToWindows(live.running, event, this.#environment.evaluate);
      const reading = canReadOracle(live) ? recordReading(live.running, event) : undefined;
      if (reading !== undefined) this.#writeReading(live, reading, { event: number });
      return [];
    }
    return this.recordSteps(live, deliver(live.running, event, this.#environment));
  }

  /**
   * Records a reading of the contract's oracle, after running what is due before this tick. The oracle may also raise
   * the reading as an event.
   *
   * @returns the number of its row
   */
  recordReading(live: LiveContract, read: Reading, origin: ReadingOrigin = {}, cursorSeq?: number): number {
    const { running } = live;
    const reading: Reading = { ...read, actor: this.#options.actor };
    const isActive = this.isActive(live);
    const emitted = isActive
      ? this.recordSteps(live, wake(running, this.tick - 1, this.nextSeq, this.#environment))
      : [];
    const number = this.#writeReading(live, reading, origin, cursorSeq);
    running.readings?.add(reading);
    const { oracle } = running.contract;
    const readingEvent = oracle && readingAsEvent(oracle, reading);
    if (readingEvent !== undefined) {
      const { actor } = reading;
      const event = { kind: 'event', tick: this.tick, number, actor, ...readingEvent } as const;
      if (isActive) emitted.push(...this.recordSteps(live, [applyStimulus(running, event, this.#environment)]));
      else addToWindows(running, event, this.#environment.evaluate);
    }
    for (const event of emitted) this.deliver(event);
    return number;
  }

  #writeReading(live: LiveContract, reading: Reading, origin: ReadingOrigin, cursorSeq?: number): number {
    const { id, machineId } = live.stored;
    const seq = this.addRow(
      'reading',
      'oracle',
      readingPayload(id, live.running.contract.oracle?.unit, reading, { ...origin, ...this.#emitterOf(reading) }),
    );
    const { status } = reading;
    this.writes.push(into(oracleRows, { act: 'read', machineId, contractId: id, seq, status, cursorSeq }));
    if (cursorSeq !== undefined) live.followedCursor = { versionNo: live.stored.versionNo, seq: cursorSeq };
    return seq;
  }

  /** The contract that sent a reading; any other sender is the actor of the row. */
  #emitterOf({ actor }: Reading): Pick<ReadingOrigin, 'emitter'> {
    return actor === undefined || actor === this.#options.actor ? {} : { emitter: actor };
  }

  /**
   * Runs everything that is due on a contract, or on its instances.
   *
   * @param isTurn  whether a contract or an instance is to be woken now; all by default
   */
  wake(live: LiveContract, isTurn: (live: LiveContract) => boolean = () => true): void {
    if (!this.isActive(live) || !(live.instances !== undefined || isTurn(live))) return;
    if (live.instances !== undefined) {
      const keyed = new KeyedDelivery(this, this.#options.runtime, live, live.instances);
      this.#changed.add(live);
      this.#woken.add(live);
      for (const instance of live.instances.due(this.tick)) {
        if (!this.hasRoom) return;
        if (!isTurn(instance)) continue;
        keyed.moveToVersion(instance);
        this.wake(instance);
      }
      return;
    }
    this.#hasDelivered = true;
    const emitted = this.recordSteps(live, wake(live.running, this.tick, this.nextSeq, this.#environment));
    this.#changed.add(live);
    for (const event of emitted) this.deliver(event);
  }

  isActive({ stored, instance }: LiveContract): boolean {
    if (instance !== undefined && instance.parent.stored.status !== 'active') return false;
    return this.#options.machine.status === 'active' && stored.status === 'active';
  }

  /** Notes whether a stranger has moved a contract: the timers of its state are then of that stranger, too. */
  #noteMover(live: LiveContract): void {
    const isOfStranger = this.#isOfStranger || undefined;
    if (live.stored.isOfStranger !== isOfStranger) live.stored = { ...live.stored, isOfStranger };
  }

  /** Adds the rows and writes of one contract's steps. @returns the events it emitted */
  recordSteps(live: LiveContract, steps: readonly Step[]): Omit<Delivery, 'hop'>[] {
    this.#options.meter.count(WORDS.step * steps.length);
    const emitted = steps.flatMap((step) => {
      const isDue = step.stimulus.kind === 'timer' || step.stimulus.kind === 'expiry';
      return this.#marked(isDue && live.stored.isOfStranger === true, () => this.#recordStep(live, step));
    });
    if (steps.length > 0) this.#changed.add(live);
    if (live.instance !== undefined) countFinished(live, live.instance.parent);
    return emitted;
  }

  #recordStep(live: LiveContract, { stimulus, result, reading }: Step): Omit<Delivery, 'hop'>[] {
    const emitted: Omit<Delivery, 'hop'>[] = [];
    if (reading !== undefined) this.#writeReading(live, reading, { event: stimulus.number });
    if (stimulus.kind === 'event') this.unfired.addRefusals(live.stored.id, result.refused, live.instance?.key);
    for (const { transition, code, reason, fault } of result.refused) {
      if (code === 'ACTION_FAILED') {
        this.addRow('refused', 'contract', {
          ...nameOf(live),
          transition,
          code,
          reason,
          ...(fault === undefined ? {} : { fault }),
          engine: editionOf(live.running.state),
          ...manualPayload(stimulus),
        });
      }
      if (code === 'SKIPPED') this.addRow('fire_skipped', 'contract', { ...nameOf(live), transition });
    }
    const { fired } = result;
    if (fired === undefined) return emitted;
    this.#noteMover(live);
    const occurrence = stimulus.kind === 'timer' ? `t${stimulus.due}` : `s${this.nextSeq}`;
    const receipt = fired.hasProof ? this.#options.prove(fired, this.#placeOf(live, stimulus)) : undefined;
    const deliveries = this.#deliveriesOf(live, fired);
    this.#options.meter.count(WORDS.character * firedCharacters(fired, deliveries));
    const hops = 1 + (stimulus.kind === 'event' ? this.#machineHops : 0);
    const seq = this.addRow('transition', 'contract', {
      ...nameOf(live),
      version: live.stored.versionNo,
      transition: fired.transition,
      from: fired.from,
      to: fired.to,
      entry: fired.entry,
      occurrence,
      operator: fired.operator,
      cause: stimulus.kind,
      engine: editionOf(live.running.state),
      ...manualPayload(stimulus),
      ...(fired.computed.length === 0
        ? {}
        : { computed: fired.computed.map((computed) => this.#withReceipt(computed)) }),
      ...(fired.tokens.length === 0 ? {} : { tokens: fired.tokens }),
      ...(fired.logs.length === 0 ? {} : { logs: fired.logs }),
      ...(fired.collectionsHash === undefined ? {} : { collections: fired.collectionsHash }),
      ...(deliveries.length === 0 ? {} : { webhooks: deliveries.map(webhookRecord) }),
      ...(fired.sends === undefined ? {} : { sends: fired.sends.map((sent) => ({ ...sent, hops })) }),
      ...(fired.calls === undefined ? {} : { calls: fired.calls.map((call) => ({ ...call, hops })) }),
      ...(receipt === undefined ? {} : { receipt }),
    });
    this.writes.push(...deliveries.map((delivery) => into(outboxRows, delivery)));
    this.#writeFire(live, fired, occurrence, seq, receipt);
    this.#writeSends(live, fired, seq, hops);
    this.#writeCalls(live, fired, seq, hops);
    for (const { event, payload } of fired.emitted) {
      const number = this.addRow('emit', 'contract', {
        name: event,
        payload,
        ...nameOf(live),
        transition: fired.transition,
      });
      const from = { source: live.stored.id, sourceInstance: live.instance?.key };
      emitted.push({ name: event, payload, number, ...from, isOfStranger: this.#isOfStranger });
    }
    return emitted;
  }

  /** The place of the transition whose row is next. */
  #placeOf(live: LiveContract, stimulus: Step['stimulus']): TransitionPlace {
    const { slug, seq, row_hash } = this.#options.machine.head;
    return {
      machine: slug,
      ...nameOf(live),
      ...causedBy(stimulus),
      definition_hash: live.stored.definitionHash,
      seq: this.nextSeq,
      svcond: this.tick,
      previous: { seq, row_hash },
    };
  }

  #withReceipt(computed: FiredTransition['computed'][number]): object {
    const { solver, inputs } = computed;
    const receipt = solver === undefined ? undefined : this.#options.receiptOf?.({ solver, inputs });
    return receipt === undefined ? computed : { ...computed, receipt };
  }

  #writeFire(live: LiveContract, fired: FiredTransition, occurrence: string, seq: number, receipt: unknown): void {
    const { machine, runtime } = this.#options;
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
        engine: editionOf(live.running.state),
        instance: live.instance?.key,
      }),
    );
    if (live.instance !== undefined) {
      const { running } = live.instance.parent;
      running.state = { ...running.state, fires: running.state.fires + 1 };
    }
    for (const { token, holder, amount } of fired.tokens) {
      const key = `${token}\0${holder}`;
      runtime.balances.set(key, (runtime.balances.get(key) ?? 0) + amount);
      this.writes.push(into(tokenRows, { machineId: machine.id, token, holder, amount }));
    }
    if (fired.webhooks.length > 0) this.#hasWebhooks = true;
    const emitted = fired.emitted.map(({ event }) => event);
    this.fired.push({
      ...nameOf(live),
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

  #writeSends(live: LiveContract, { transition, sends = [] }: FiredTransition, seq: number, hops: number): void {
    const { machineId, id: contractId } = live.stored;
    const of = { machineId, contractId, instance: live.instance?.key, transition, seq, hops, svcond: this.tick };
    for (const [no, { event, to, payload, on_refused: onRefused }] of sends.entries()) {
      this.#hasSends = true;
      const sent = { ...of, no, event, to, payload: canonicalJson(payload), onRefused };
      this.writes.push(into(sentEventRows, sent));
    }
  }

  #writeCalls(live: LiveContract, { transition, calls = [] }: FiredTransition, seq: number, hops: number): void {
    const { machineId, id: contractId } = live.stored;
    const of = { machineId, contractId, instance: live.instance?.key, transition, seq, hops, svcond: this.tick };
    if (calls.length > 0) this.#hasCalls = true;
    for (const [no, call] of calls.entries())
      this.writes.push(into(activityRows, { ...of, no, call: canonicalJson(call) }));
  }

  /** The deliveries of a transition whose row is the next. */
  #deliveriesOf(live: LiveContract, { transition, webhooks }: FiredTransition): OutboxEntry[] {
    const { machine, newId } = this.#options;
    const { id: contract } = live.stored;
    const [seq, svcond] = [this.nextSeq, this.tick];
    return webhooks.map(({ url, payload }) => {
      const body = canonicalJson({ machine: machine.head.slug, ...nameOf(live), transition, seq, svcond, payload });
      return { id: newId(), machineId: machine.id, contractId: contract, url, body, svcond };
    });
  }

  /** Updates a contract; it is written when the session finishes. */
  updateContract(live: LiveContract, fields: Partial<StoredContract> = {}): void {
    live.stored = { ...live.stored, ...fields };
    this.#changed.add(live);
  }

  /** Adds a stamp row with the current pulse, once per audit-clock period, if a contract has its audit clock on. */
  #addStampRow(): void {
    const { runtime } = this.#options;
    const { tick } = this;
    const period = auditClockPeriod(runtime.contracts.values());
    if (period === undefined || this.rows.length === 0) return;
    if (runtime.stampedAt !== undefined && tick - runtime.stampedAt < period) return;
    const { R_t } = readPulse(startOfTick(tick));
    this.rows.push({
      svcond: tick,
      type: 'stamp',
      // A stamp is written because of the other rows.
      source: this.rows.every(({ source }) => source === STRANGER_SOURCE) ? STRANGER_SOURCE : 'clock',
      actor: SYSTEM_ACTOR,
      payload: { svcond: tick, R_t },
    });
    runtime.stampedAt = tick;
  }

  /** Adds the stamp row and the writes of the changed contracts. @returns all writes */
  finish(): Write[] {
    this.#addStampRow();
    for (const live of this.#changed) if (live.instance !== undefined) this.#finishInstance(live, live.instance);
    for (const { instances } of this.#woken) instances?.settleBound();
    for (const live of this.#changed) {
      if (live.instance !== undefined) continue;
      const { contract, state, windows } = live.running;
      const { status } = live.stored;
      const nextStatus = status === 'active' && state.lifecycle !== 'active' ? state.lifecycle : status;
      const due = live.instances === undefined ? nextWake(contract, state, windows) : live.instances.bound;
      const nextFire = nextStatus === 'active' ? due : undefined;
      // Like pausing, failing records the tick at which the contract stopped.
      const heldAt = nextStatus === 'failed' && status === 'active' ? this.tick : live.stored.heldAt;
      // Events that are counted while it is paused may bring a check of a window forward.
      const isHeld = live.instances !== undefined && nextStatus === 'paused';
      const heldNextFire = isHeld ? live.instances?.bound : live.stored.heldNextFire;
      const hadTimer = live.stored.nextFire !== undefined;
      const isWhole = live.writtenVersion !== live.stored.versionNo;
      const held = { heldAt, heldNextFire };
      live.stored = { ...live.stored, state, status: nextStatus, nextFire, ...held, updatedSvcond: this.tick };
      live.writtenVersion = live.stored.versionNo;
      const hasNewCollections = this.#storesState(live) || isWhole;
      this.writes.push(into(contractRows, { contract: live.stored, isWhole, hasNewCollections, hadTimer }));
      this.#writeSeats(live);
      this.#writeOracle(live);
    }
    return this.writes;
  }

  #finishInstance(live: LiveContract, { key, parent }: NonNullable<LiveContract['instance']>): void {
    const { contract, state, windows } = live.running;
    const status = state.lifecycle;
    const nextFire = status === 'active' ? nextWake(contract, state, windows) : undefined;
    live.stored = { ...live.stored, state, status, nextFire, updatedSvcond: this.tick };
    const { machineId, id: contractId, versionNo, createdSvcond, updatedSvcond, isOfStranger } = live.stored;
    const of = { machineId, contractId, key, versionNo, createdSvcond, updatedSvcond, isOfStranger };
    const kept = keptWindows(windows);
    const hasNewCollections = this.#storesState(live, kept);
    this.writes.push(into(instanceRows, { ...of, status, state, windows: kept, nextFire, hasNewCollections }));
    this.#writeSeats(live);
    parent.instances?.changed(key, nextFire);
    this.#changed.add(parent);
  }

  /** Counts the state of a contract or an instance, which is stored whole. @returns whether its collections are new */
  #storesState(live: LiveContract, windows?: KeptWindows): boolean {
    const { collections } = live.stored.state;
    this.#options.meter.count(WORDS.stored * stateCharacters(live.stored.state, windows));
    const isNew = live.writtenCollections !== collections;
    live.writtenCollections = collections;
    return isNew;
  }

  /** Writes the seats of a contract or an instance in which others act than those stored, or which began or ended. */
  #writeSeats(live: LiveContract): void {
    const { stored, instance, writtenSeats } = live;
    const bindings = stored.state.parties?.bindings;
    const isWritten = writtenSeats?.bindings === bindings && writtenSeats?.status === stored.status;
    live.writtenSeats = { bindings, status: stored.status };
    if (isWritten || (bindings === undefined && writtenSeats?.bindings === undefined)) return;
    const { machineId, id: contractId, status, definition, state } = stored;
    const seats = accountSeats(definition, state, instance !== undefined);
    this.writes.push(into(seatRows, { machineId, contractId, instance: instance?.key, status, seats }));
  }

  /** Tells the instances that have changed of the commit. */
  committed(): void {
    for (const { instance } of this.#changed) instance?.parent.instances?.committed(instance.key);
  }

  /** Registers the oracle of a new contract version in the database, or removes it if that version has none. */
  #writeOracle(live: LiveContract): void {
    const { machineId, id, versionNo } = live.stored;
    const { oracle } = live.running.contract;
    if (live.oracleVersion === versionNo || (oracle === undefined && versionNo === 1)) return;
    live.oracleVersion = versionNo;
    const key = { machineId, contractId: id };
    if (oracle === undefined) {
      this.writes.push(into(oracleRows, { ...key, act: 'removed' }));
      return;
    }
    const { kind, every } = oracle;
    const subject = subjectOf(oracle);
    const { actor, machine } = this.#options;
    // `sinceSeq`: rows before this change belong to an older version.
    const registration = {
      versionNo,
      kind,
      subject,
      askedBy: actor,
      sinceSeq: machine.head.seq + 1,
      every,
      svcond: this.tick,
    };
    this.writes.unshift(into(oracleRows, { ...key, act: 'registered', ...registration }));
  }
}

/** For whom the sender of an event acts, and why it may not send it. */
function seatInContract(
  { running: { contract, state } }: LiveContract,
  { name, sender }: Pick<Delivery, 'name' | 'sender'>,
) {
  const seat = sender && state.parties && seatOf(state.parties.bindings, sender);
  return { seat, fault: senderFault(contract, state, { name, ...sentAs(seat) }) };
}

/** What the row of a transition says about a delivery, so that its address and its body can be checked. */
const webhookRecord = ({ id, url, body }: OutboxEntry): WebhookRecord => ({
  id,
  url_sha256: sha256Hex(url),
  body_sha256: sha256Hex(body),
});

/** The party that caused a transition, for its receipt. */
function causedBy(stimulus: Step['stimulus']): Pick<TransitionPlace, 'by'> {
  const { party, voter } = stimulus.kind === 'event' || stimulus.kind === 'manual' ? stimulus : {};
  return party === undefined || voter === undefined ? {} : { by: { party, voter } };
}

/** Who sent an event, and whether callers could have. */
const originOf = (
  { source, actor, isOutcome = false }: Pick<Delivery, 'source' | 'actor' | 'isOutcome'>,
  caller: string,
) => ({ actor: source ?? actor ?? caller, isExternal: source === undefined && !isOutcome });

/** Work of looking at a contract's transitions. */
const deliveryWords = ({ running }: LiveContract): number =>
  WORDS.delivery + WORDS.transition * running.contract.transitions.length;

/** Whether the oracle is still read: also for paused and failed contracts, since they may be resumed. */
export const canReadOracle = ({ stored: { status } }: LiveContract) =>
  status === 'active' || status === 'paused' || status === 'failed';

/** Returns the payload and the party of a manual fire, for the transition's row: a manual fire has no event row. */
function manualPayload(stimulus: Step['stimulus']): {
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly party?: string;
} {
  if (stimulus.kind !== 'manual') return {};
  const { payload, party } = stimulus;
  return { ...(payload === undefined ? {} : { payload }), ...(party === undefined ? {} : { party }) };
}
