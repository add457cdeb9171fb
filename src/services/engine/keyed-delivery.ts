// Delivery to contracts with a key: finds the instance that an event is for, creates it, or says why there is none.

import type { ContractState, Environment } from '../../contracts/contract-state.ts';
import type { RunningContract, Step } from '../../contracts/execution.ts';
import { type KeyRule, keyOfEvent, keyRuleOf } from '../../contracts/instances/keys.ts';
import {
  boundTwice,
  isSameTerms,
  missingForVersion,
  movedBindings,
  seatIn,
  sentAs,
  spawnBindings,
} from '../../contracts/instances/parties.ts';
import { isHeard, type Refusal, routeOf, spawnRefusal } from '../../contracts/instances/route.ts';
import { movedInstance, spawn } from '../../contracts/instances/spawn.ts';
import type { Sender } from '../../contracts/parties/bindings.ts';
import { senderFault } from '../../contracts/parties/permission.ts';
import type { SignedBy } from '../../contracts/parties/sent-by.ts';
import { addToWindows, isReserved } from '../../contracts/transition-function.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { DomainError } from '../../core/errors.ts';
import { instanceOf } from './instance-loader.ts';
import type { Instances } from './instances.ts';
import type { LiveContract, Runtime } from './live-contract.ts';
import { type EventSeat, useNonce } from './party-events.ts';
import type { UnfiredReport } from './unfired-report.ts';

/** An event to be delivered. */
interface Sent {
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly number: number;
  readonly source?: string;
  readonly sourceInstance?: string | undefined;
  readonly actor?: string | undefined;
  readonly isOutcome?: boolean | undefined;
  readonly sender?: Sender | undefined;
  readonly signed?: SignedBy | undefined;
}

/** What the delivery needs of the change that it belongs to. */
interface Change {
  readonly tick: number;
  readonly actor: string;
  readonly environment: Environment;
  readonly unfired: UnfiredReport;
  addRow(type: 'contract', source: string, payload: unknown): number;
  countSpawn(live: LiveContract): void;
  updateContract(live: LiveContract): void;
  isActive(live: LiveContract): boolean;
}

/** Who receives an event. */
interface Receiver {
  readonly live: LiveContract;
  /** Of an instance that the event has created. */
  readonly steps?: readonly Step[];
}

export class KeyedDelivery {
  readonly #change: Change;
  readonly #runtime: Runtime;
  readonly #parent: LiveContract;
  readonly #instances: Instances<LiveContract>;

  constructor(change: Change, runtime: Runtime, parent: LiveContract, instances: Instances<LiveContract>) {
    this.#change = change;
    this.#runtime = runtime;
    this.#parent = parent;
    this.#instances = instances;
  }

  /** Undefined if nobody does; the report says why. @throws InstanceMissing if it is not in memory */
  receiverOf(sent: Sent): Receiver | undefined {
    const { stored } = this.#parent;
    const { name, payload, number, source } = sent;
    const rule = keyRuleOf(stored.definition);
    if (rule === undefined) return undefined;
    if (!this.#change.isActive(this.#parent) || this.#isReserved(sent)) {
      // The same report as for any other contract.
      this.#change.unfired.addEvent(
        this.#parent,
        { name, payload, number, source },
        this.#change.isActive(this.#parent),
      );
      if (!this.#isReserved(sent)) this.#countWhileHeld(rule, sent);
      return undefined;
    }
    const emitter = source === stored.id ? (sent.sourceInstance ?? '') : undefined;
    const find = (key: string) => this.#instances.get(key);
    const route = routeOf(rule, { name, payload, emitter }, find, ({ running }) => running);
    if (route.kind === 'spawn') return this.#spawn(rule, sent, route.key, route.former);
    if (route.kind === 'none') {
      const { refusal, key } = route;
      return refusal && this.#refuse(sent, key, [refusal]);
    }
    this.moveToVersion(route.found, number);
    return { live: route.found };
  }

  /** Events that come while the contract or its machine is paused count in the windows of their instance. */
  #countWhileHeld(rule: KeyRule, { name, payload, number, source, sender, actor }: Sent): void {
    const { windows, transitions } = this.#parent.running.contract;
    const hasWindows = windows.size > 0 || transitions.some(({ trigger }) => trigger.kind === 'on_aggregate');
    const key = hasWindows && source !== this.#parent.stored.id ? keyOfEvent(rule, payload) : undefined;
    const found = typeof key === 'string' ? this.#instances.get(key) : undefined;
    if (found === undefined || found.stored.status !== 'active') return;
    const seat = this.#hasLeft(found, sender)
      ? undefined
      : seatIn(found.running.state.parties?.bindings, { senderIn: () => sender });
    const from = { actor: source ?? actor ?? this.#change.actor, isExternal: source === undefined, ...sentAs(seat) };
    const event = { tick: this.#change.tick, number, name, payload, ...from };
    addToWindows(found.running, event, this.#change.environment.evaluate);
    this.#change.updateContract(found);
  }

  /** For whom the sender of an event acts in the instance that it reaches or creates, and why it may not send it. */
  seat({ name, payload, sender }: Pick<Sent, 'name' | 'payload' | 'sender'>): ReturnType<typeof seatInInstance> {
    const found = seatInInstance(this.#parent, this.#instances, { name, payload, sender });
    if (found.seat === undefined || found.seat.isSpawned === true) return found;
    const rule = keyRuleOf(this.#parent.stored.definition);
    const key = rule && keyOfEvent(rule, payload);
    const live = typeof key === 'string' ? this.#instances.get(key) : undefined;
    return live !== undefined && this.#hasLeft(live, sender) ? { fault: found.fault } : found;
  }

  /** Whether the version that stands takes the seat of a sender in an instance that does not move while it is paused. */
  #hasLeft(live: LiveContract, sender: Sender | undefined): boolean {
    if (this.#change.isActive(this.#parent) || live.stored.status !== 'active') return false;
    const { tick, environment } = this.#change;
    const moved = movedTo(this.#parent, live, { tick, number: 0 }, environment);
    return moved !== undefined && seatIn(moved.state.parties?.bindings, { senderIn: () => sender }) === undefined;
  }

  #isReserved({ name, number, source, isOutcome }: Sent): boolean {
    const { contract, state } = this.#parent.running;
    return isReserved(contract, state, { name, number, isExternal: source === undefined && isOutcome !== true });
  }

  #refuse({ source }: Sent, key: string | undefined, refused: readonly Refusal[]): undefined {
    if (source === undefined) this.#change.unfired.addRefusals(this.#parent.stored.id, refused, key);
    return undefined;
  }

  #spawn(rule: KeyRule, sent: Sent, key: string, former: LiveContract | undefined): Receiver | undefined {
    const { name, payload, number, source, actor: sender } = sent;
    const { stored, running } = this.#parent;
    const { contract } = running;
    const refusal = spawnRefusal(rule, contract, sent, key, activeOf(this.#runtime));
    if (refusal !== undefined) return this.#refuse(sent, key, [refusal]);
    const { tick, environment } = this.#change;
    const from = { actor: source ?? sender ?? this.#change.actor, isExternal: source === undefined };
    const event = { kind: 'event', tick, number, name, payload, ...from } as const;
    this.#change.countSpawn(this.#parent);
    const { bindings } = running.state.parties ?? {};
    const parties = { bindings, senderIn: () => sent.sender };
    const begun = spawn(rule, contract, key, event, former?.running.state, environment, parties);
    if (begun.refused !== undefined) return this.#refuse(sent, key, begun.refused);
    const { seat } = begun;
    this.#change.addRow('contract', 'contract', {
      contract: stored.id,
      instance: key,
      act: 'spawned',
      at_version: stored.versionNo,
      event: number,
      engine: begun.running.state.engine?.edition,
      ...boundFields(begun.running.state),
      ...(seat === undefined ? {} : { party: seat.party }),
      ...(seat?.key === undefined ? {} : { key: seat.key }),
    });
    const fresh = { ...stored, state: begun.running.state, nextFire: undefined, createdSvcond: tick };
    const live = instanceOf(this.#parent, key, fresh, begun.running);
    // The number of the signature that begins it; one that began nothing may be sent again.
    if (sent.signed !== undefined && former === undefined) useNonce(live, sent.signed);
    this.#instances.add(key, live);
    count(this.#parent, 1, former === undefined ? 0 : -1);
    this.#change.updateContract(live);
    return { live, steps: begun.steps };
  }

  /**
   * Moves the instance that an event is for, before the row of the event says who sent it, if the version that stands
   * binds others. @throws InstanceMissing if it is not in memory
   */
  bindAnew(payload: Sent['payload']): void {
    const rule = keyRuleOf(this.#parent.stored.definition);
    const key = rule && this.#change.isActive(this.#parent) ? keyOfEvent(rule, payload) : undefined;
    const found = typeof key === 'string' ? this.#instances.get(key) : undefined;
    if (found === undefined || found.stored.status !== 'active') return;
    const { tick, environment } = this.#change;
    const moved = movedTo(this.#parent, found, { tick, number: 0 }, environment);
    if (moved !== undefined && !isBoundAlike(moved, found.running)) this.moveToVersion(found);
  }

  /** Moves an instance to the version that stands, if it can; otherwise it goes on under its own. */
  moveToVersion(live: LiveContract, event?: number): void {
    const { stored } = this.#parent;
    const { tick, environment } = this.#change;
    const moved = movedTo(this.#parent, live, { tick, number: event ?? 0 }, environment);
    if (moved === undefined) return;
    live.running = moved;
    this.#change.addRow('contract', 'contract', {
      contract: stored.id,
      instance: live.instance?.key,
      act: 'moved',
      at_version: stored.versionNo,
      ...(event === undefined ? {} : { event }),
      ...boundFields(live.running.state),
    });
    const { definition, definitionText, definitionHash, parameters, versionNo } = stored;
    live.stored = { ...live.stored, definition, definitionText, definitionHash, parameters, versionNo };
    this.#change.updateContract(live);
    countFinished(live, this.#parent);
  }
}

/** Whether an instance stays under its version, since its own parties have yet to accept the one that stands. */
export function isAwaited({ stored, running }: LiveContract, { stored: newer }: LiveContract): boolean {
  if (stored.versionNo === newer.versionNo || isSameTerms(stored, newer)) return false;
  return missingForVersion(stored.definition, running.state, newer.versionNo).length > 0;
}

/** Whether the same accounts and keys act for the parties of both. */
const isBoundAlike = (one: RunningContract, other: RunningContract): boolean =>
  canonicalJson(one.state.parties?.bindings ?? {}) === canonicalJson(other.state.parties?.bindings ?? {});

/** An instance under the version that stands; undefined if it has that one, or stays under its own. */
function movedTo(
  parent: LiveContract,
  live: LiveContract,
  at: { readonly tick: number; readonly number: number },
  environment: Environment,
): RunningContract | undefined {
  const { stored, running } = parent;
  if (live.stored.versionNo === stored.versionNo || isAwaited(live, parent)) return undefined;
  const fixed = running.state.parties?.bindings;
  if (boundTwice(stored.definition, fixed, live.running.state.parties?.bindings).length > 0) return undefined;
  try {
    const bindings = movedBindings(stored.definition, fixed, live.running.state);
    return movedInstance(running.contract, live.running, at, environment, bindings);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'VALIDATION_FAILED') return undefined;
    throw error;
  }
}

/** For whom the sender of an event acts in the instance that it reaches or creates, and why it may not send it. */
function seatInInstance(
  { stored, running }: LiveContract,
  instances: Instances<LiveContract>,
  { name, payload, sender }: Pick<Sent, 'name' | 'payload' | 'sender'>,
): { readonly seat?: EventSeat | undefined; readonly fault?: string | undefined } {
  const rule = keyRuleOf(stored.definition);
  const { senders } = running.contract;
  const key = rule && keyOfEvent(rule, payload);
  if (rule === undefined || senders === undefined || typeof key !== 'string') return {};
  const found = instances.get(key);
  const isSpawn = rule.spawn.has(name) && (found === undefined || (found.stored.status !== 'active' && rule.respawns));
  const senderIn = () => sender;
  if (isSpawn) {
    const { bindings: fixed } = running.state.parties ?? {};
    const bound = spawnBindings(stored.definition, { name, payload }, { bindings: fixed, senderIn });
    if ('refusal' in bound) return {};
    const seat = seatIn(bound.bindings, { senderIn });
    const fault = senderFault(running.contract, running.state, { name, ...sentAs(seat) });
    // Others than operators begin instances only if the definition says that their party does.
    const isNamed = seat !== undefined && senders.from.get(name)?.has(seat.party) === true;
    return { seat: isNamed ? { ...seat, isSpawned: true } : undefined, fault };
  }
  if (found === undefined) return {};
  const { contract, state } = found.running;
  const seat = seatIn(state.parties?.bindings, { senderIn });
  // What another version lets it do, and what has ended, is told as a refusal.
  const exists = rule.spawn.has(name) && !isHeard(found.running, name);
  const isAsked = found.stored.status === 'active' && found.stored.versionNo === stored.versionNo && !exists;
  return { seat, fault: isAsked ? senderFault(contract, state, { name, ...sentAs(seat) }) : undefined };
}

const boundFields = ({ parties }: ContractState) => (parties === undefined ? {} : { bindings: parties.bindings });

const activeOf = ({ contracts }: Runtime): number =>
  [...contracts.values()].reduce((sum, { running }) => sum + (running.state.instances?.active ?? 0), 0);

function count({ running }: LiveContract, active: number, finished: number): void {
  const { instances = { active: 0, finished: 0 } } = running.state;
  const counts = { active: instances.active + active, finished: instances.finished + finished };
  running.state = { ...running.state, instances: counts };
}

/** Counts an instance that has just ended. */
export function countFinished(live: LiveContract, parent: LiveContract): void {
  const { lifecycle } = live.running.state;
  if (live.stored.status !== 'active' || lifecycle === 'active') return;
  live.stored = { ...live.stored, status: lifecycle };
  count(parent, -1, 1);
}
