// Delivers events that contracts send to other machines: each as one change of the receiver, or as one change of the
// sender that tells why the receiver did not take it. Either change settles the event (storage/contracts/sent-events.ts).
//
// Events of one sender for one machine keep their order, and machines take turns. Each node delivers for the machines
// that it owns. Consent is the receiver's: `events_from` in its settings, as it is when the event arrives.

import { SYSTEM_ACTOR } from '../../chain/row.ts';
import type { CompiledContract } from '../../contracts/compiled.ts';
import { keyFields } from '../../contracts/instances/keys.ts';
import { machineActor } from '../../contracts/parties/sent-by.ts';
import { toHex } from '../../core/bits.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import {
  type EventLane,
  type PendingEvent,
  type SendRefusal,
  type SentEventRepository,
  settledEvents,
} from '../../storage/contracts/sent-events.ts';
import { into } from '../../storage/database/writer.ts';
import type { AuditRepository } from '../../storage/machines/audit.ts';
import type { Machine, MachineRepository } from '../../storage/machines/machines.ts';
import type { MachineOwners } from '../node/owners/machine-owners.ts';
import { WakingPoll } from '../node/waking-poll.ts';
import type { ContractEngine } from './engine.ts';
import { InstanceNeeds } from './instance-loader.ts';

export interface EventCourierOptions {
  readonly engine: ContractEngine;
  readonly sentEvents: SentEventRepository;
  readonly machines: MachineRepository;
  readonly audit: AuditRepository;
  readonly owners: Pick<MachineOwners, 'during'>;
  /** Shards of the machines that this node delivers for. */
  readonly shards: () => readonly number[];
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

const POLL_INTERVAL_MS = 500;
const LANES_PER_POLL = 100;
/** Events of a lane before the next lane has its turn. */
const PER_TURN = 25;
const LANES_AT_ONCE = 8;
const MAX_DELAY_TICKS = 64;

/** Errors by which a machine refuses an event for good. All others pass. */
const REFUSALS: ReadonlySet<string> = new Set<SendRefusal>([
  'MACHINE_ARCHIVED',
  'FORBIDDEN_PARTY',
  'BUDGET_EXCEEDED',
  'CONFLICT',
]);

const REASONS: Readonly<Record<SendRefusal, string>> = {
  NOT_LISTED: 'There is no such machine, or its owner has not listed this one in events_from.',
  OWN_MACHINE: 'It is the machine itself, whose contracts hear what it emits.',
  MACHINE_ARCHIVED: 'The machine is archived.',
  HOP_LIMIT: `Machines have caused each other's events ${LIMITS.contracts.sends.hops} times in a row, which is the limit.`,
  EXPIRED: 'The machine could not take it within a day.',
  FORBIDDEN_PARTY: 'Only parties may send this event to the contracts of the machine.',
  BUDGET_EXCEEDED: 'What the event causes there exceeds the budget of a change.',
  CONFLICT: 'What the event causes there needs more solver runs than a change may have.',
};

export class EventCourier {
  readonly #options: EventCourierOptions;
  readonly #polling: WakingPoll;
  #lastLane: EventLane | undefined;
  /** Whether the present pass over the lanes has settled or refused anything. */
  #isPassBusy = false;

  constructor(options: EventCourierOptions) {
    this.#options = options;
    const { onError } = options;
    this.#polling = new WakingPoll({ intervalMs: POLL_INTERVAL_MS, work: () => this.#pollLanes(), onError });
  }

  start(): void {
    this.#polling.start();
  }

  /** Polls soon, since a change has sent events. */
  wake(): void {
    this.#polling.wake();
  }

  /** Delivers what is due. Never rejects. */
  poll(): Promise<void> {
    return this.#polling.poll();
  }

  stop(): Promise<void> {
    return this.#polling.stop();
  }

  /** A page of a pass over all lanes. @returns whether there is more to do at once */
  async #pollLanes(): Promise<boolean> {
    const { sentEvents, shards, clock } = this.#options;
    const ownShards = shards();
    // A clock that is not trusted delivers nothing.
    if (ownShards.length === 0 || clock.fault?.() !== undefined) return false;
    const lanes = await sentEvents.lanes(ownShards, this.#lastLane, LANES_PER_POLL);
    const hasFurther = lanes.length === LANES_PER_POLL;
    this.#lastLane = hasFurther ? lanes.at(-1) : undefined;
    const queue = lanes.values();
    const work = async () => {
      for (const lane of queue) this.#isPassBusy = (await this.#deliverLane(lane)) || this.#isPassBusy;
    };
    await Promise.all(Array.from({ length: LANES_AT_ONCE }, work));
    if (hasFurther) return true;
    // A pass in which all lanes wait for a later tick is not begun again at once.
    const isMore = this.#isPassBusy;
    this.#isPassBusy = false;
    return isMore;
  }

  /** @returns whether anything was settled or refused */
  async #deliverLane(lane: EventLane): Promise<boolean> {
    const { sentEvents, owners, onError } = this.#options;
    let isBusy = false;
    for (const sent of await sentEvents.pendingOf(lane, PER_TURN)) {
      if (this.#polling.isStopped || sent.nextTick > this.#tick) return isBusy;
      try {
        const { code } = sent;
        await owners.during(sent.turnId, () => (code === null ? this.#deliver(sent) : this.#tell(sent, code)));
        isBusy = true;
      } catch (error) {
        if (error instanceof DomainError && sent.code === null && REFUSALS.has(error.code)) {
          await sentEvents.refuse(sent, error.code as SendRefusal, this.#tick);
          isBusy = true;
          continue;
        }
        if (!(error instanceof DomainError)) onError(error);
        // Those behind it wait, since they keep their order.
        await sentEvents.defer(sent, this.#tick + Math.min(2 ** Math.min(sent.attempts, 10), MAX_DELAY_TICKS));
        return isBusy;
      }
    }
    return isBusy;
  }

  get #tick(): number {
    return tickOf(this.#options.clock.now());
  }

  /** Writes the event into the receiver's chain, and settles it. */
  async #deliver(sent: PendingEvent): Promise<void> {
    const { engine, machines, audit, sentEvents } = this.#options;
    const { turnId, machineId, seq, no, event: name, hops } = sent;
    const found = new Map((await machines.byIds([turnId, machineId], false)).map((one) => [one.id, one]));
    const [receiver, sender] = [found.get(turnId), found.get(machineId)];
    if (receiver === undefined || sender === undefined)
      throw new Error(`Machine ${turnId} or ${machineId} is missing.`);
    const { slug } = sender.head;
    // Before its contracts are looked at: what strangers send costs a machine nothing.
    const refusal = refusalOf(receiver, slug) ?? (this.#isExpired(sent) ? 'EXPIRED' : undefined);
    if (refusal !== undefined) return sentEvents.refuse(sent, refusal, this.#tick);
    const [hash] = await audit.hashes(machineId, seq, seq + 1);
    if (hash === undefined) throw new Error(`Row ${seq} of ${slug} is missing.`);
    const row_hash = toHex(hash);
    const payload = JSON.parse(sent.payload) as Readonly<Record<string, unknown>>;
    const work: Parameters<typeof engine.change<void>>[2] = async (session, _runtime, machine, on) => {
      if (!(await sentEvents.isPending(sent, on))) return;
      // Withdrawn since it was read; the next attempt refuses the event.
      if (refusalOf(machine, slug) === 'NOT_LISTED') throw new DomainError('NOT_FOUND', REASONS.NOT_LISTED);
      session.assertDeliverable(name);
      session.seatsOf({ name, payload, to: undefined, sender: undefined });
      const from = { machine: slug, seq, no, row_hash, hops };
      const number = session.addRow('event', 'machine', { name, payload, from });
      session.writes.push(into(settledEvents, { machineId, seq, no, settledSeq: number }));
      session.deliver({ name, payload, number, actor: machineActor(slug), hops });
    };
    await engine.change(turnId, SYSTEM_ACTOR, work, 'event', new InstanceNeeds([{ name, payload }]));
  }

  /** Writes into the sender's chain why the event was not taken, tells its contract, and settles it. */
  async #tell(sent: PendingEvent, code: SendRefusal): Promise<void> {
    try {
      await this.#tellContract(sent, code, true);
    } catch (error) {
      const isForGood = error instanceof DomainError && error.code !== 'MACHINE_ARCHIVED' && REFUSALS.has(error.code);
      if (!isForGood) throw error;
      // The contract cannot bear to hear it; the row stands without it.
      await this.#tellContract(sent, code, false);
    }
  }

  async #tellContract(sent: PendingEvent, code: SendRefusal, isHeard: boolean): Promise<void> {
    const { engine, sentEvents } = this.#options;
    const { machineId, seq, no, contractId, transition, event, to, hops } = sent;
    const instance = sent.instance ?? undefined;
    const ofContract = { contract: contractId, ...(instance === undefined ? {} : { instance }) };
    // Beyond the limit nothing is caused any more, or it would go on for ever.
    const isLast = hops > LIMITS.contracts.sends.hops;
    const name = isLast || !isHeard ? undefined : (sent.onRefused ?? undefined);
    const told = { code, event, machine: to };
    const needs = name === undefined ? [] : [{ name, to: contractId, payload: told }];
    const work: Parameters<typeof engine.change<void>>[2] = async (session, runtime, _machine, on) => {
      if (!(await sentEvents.isPending(sent, on))) return;
      if (sent.isOfStranger) session.markStranger();
      const refused = { ...ofContract, transition, code, reason: REASONS[code], send: { seq, no, event, to } };
      const settledSeq = session.addRow('refused', 'machine', refused);
      session.writes.push(into(settledEvents, { machineId, seq, no, settledSeq }));
      const live = runtime.contracts.get(contractId);
      if (name === undefined || live?.subscribedEvents.has(name) !== true) return;
      const payload = { ...told, ...keyFields(live.stored.definition, name, instance) };
      const number = session.addRow('event', 'machine', { name, payload, to: contractId, outcome: { seq, no } });
      session.deliver({ name, payload, number, to: contractId, isOutcome: true, hops });
    };
    await engine.change(machineId, SYSTEM_ACTOR, work, 'event', new InstanceNeeds(needs));
  }

  #isExpired({ svcond }: PendingEvent): boolean {
    return this.#tick - svcond > LIMITS.contracts.sends.expiryTicks;
  }
}

/** Rejects a contract that sends to its own machine. @throws DomainError VALIDATION_FAILED */
export function assertOthers({ transitions }: CompiledContract, slug: string): void {
  for (const { id, post } of transitions) {
    if (!post.some((action) => action.kind === 'send' && action.to === slug)) continue;
    const path = `transitions.${id}.post.send.to`;
    const message = `${path} is ${slug}, the contract's own machine; its contracts hear what it emits: use emit.`;
    throw new DomainError('VALIDATION_FAILED', message, { details: [{ path, code: 'NOT_ALLOWED', message }] });
  }
}

/** Why a machine takes no event of a sender, whatever the event. */
function refusalOf({ settings, status }: Machine, sender: string): SendRefusal | undefined {
  if (settings.events_from?.includes(sender) !== true) return 'NOT_LISTED';
  return status === 'archived' ? 'MACHINE_ARCHIVED' : undefined;
}
