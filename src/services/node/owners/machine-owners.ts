// Ownership of machines by nodes: each shard of machines has one owning node at a time, which keeps their contracts in
// memory and fires their timers. Leases in PostgreSQL say which; rendezvous hashing over the live nodes says who may
// take a lease that has ended. A node gives a shard away when its work on it has ended. Decision 0044.
//
// Ownership saves work and prevents no fork: the head of the chain does, in every commit.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../core/clock.ts';
import { SHARDS, shardOf } from '../../../storage/contracts/timers.ts';
import type { LiveNode, LiveNodeRepository } from '../../../storage/node/live-nodes.ts';
import type { ShardLease, ShardLeaseRepository } from '../../../storage/node/shard-leases.ts';
import { assignShards } from './rendezvous.ts';
import { MESSAGE_FORMAT } from './signed-messages.ts';
import { WorkInProgress } from './work-in-progress.ts';

export interface OwnersOptions {
  readonly leases: ShardLeaseRepository;
  readonly nodes: LiveNodeRepository;
  readonly clock: Clock;
  /** Of this run of the node. */
  readonly id: string;
  /** Whether no other node can use the database. */
  readonly isAlone: boolean;
  /** Name of the session of a node in PostgreSQL; without it, only the lease tells that a node has ended. */
  readonly sessionOf?: ((nodeId: string) => string) | undefined;
  /** How long the leases of a dead node last; LEASE_MS by default. */
  readonly leaseMs?: number | undefined;
  /** Format of messages between nodes that this node understands. */
  readonly format?: number;
  readonly onError: (error: unknown) => void;
}

/** Where calls to a machine belong. */
export type Place =
  | { readonly kind: 'here' }
  /** At another node, whose lease lasts for `leaseMs`. */
  | { readonly kind: 'node'; readonly node: LiveNode & { readonly url: string }; readonly leaseMs: number }
  /** Nobody has taken the lease yet. */
  | { readonly kind: 'nobody' };

const LEASE_MS = 4_000;
const RENEWALS_PER_LEASE = 3;
/** How long a hand-over waits for calls in progress; the ledger keeps later ones from doing harm. */
const DRAIN_MS = 2_000;
const GRACE_MS = 300;
const HERE: Place = { kind: 'here' };

export class MachineOwners {
  readonly #options: OwnersOptions;
  readonly #leaseMs: number;
  readonly #work = new WorkInProgress();
  #url: string | null = null;
  #isLeaving = false;
  #hasLeft = false;
  #held: ReadonlySet<number> = new Set();
  /** Held shards that are being handed over. */
  readonly #draining = new Set<number>();
  #leases: readonly ShardLease[] = [];
  #nodes: ReadonlyMap<string, LiveNode> = new Map();
  /** Whether this node should own more than it does. */
  #isMissingSome = true;
  #renewedMs = Number.NEGATIVE_INFINITY;
  #expiresMs = Number.NEGATIVE_INFINITY;
  #renewing: Promise<void> | undefined;
  /** Changes of leases, one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  readonly #listeners = new Set<() => void>();
  #release: (shards: ReadonlySet<number>) => void = () => {};

  constructor(options: OwnersOptions) {
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? LEASE_MS;
  }

  get id(): string {
    return this.#options.id;
  }

  /** The shards whose machines this node owns now. */
  get shards(): readonly number[] {
    if (this.#hasLeft || this.#nowMs() >= this.#expiresMs) return [];
    return [...this.#held].filter((shard) => !this.#draining.has(shard));
  }

  /** Whether every machine is owned here, so that no call needs to be placed. */
  get ownsAll(): boolean {
    const { isAlone, clock } = this.#options;
    if (isAlone || clock.fault?.() !== undefined) return true;
    return this.#held.size === SHARDS && this.#draining.size === 0 && this.#nowMs() < this.#expiresMs;
  }

  /** Other nodes that are alive, as this one last read. */
  get others(): readonly LiveNode[] {
    return [...this.#nodes.values()].filter(({ id }) => id !== this.id);
  }

  /**
   * Which long runs this node takes: any, after those that work alone have had a moment, or, while it stops, only what it
   * was asked itself.
   */
  get placeOfRuns(): 'any' | 'workers' | 'leaving' {
    if (this.#isLeaving) return 'leaving';
    const hasWorkers = this.others.some(({ url, isLeaving }) => url === null && !isLeaving);
    return this.#url !== null && hasWorkers ? 'workers' : 'any';
  }

  /** How often the shards of this node have changed hands in total; it never falls. */
  get fences(): number {
    return this.#leases.reduce((sum, { fence }) => sum + fence, 0);
  }

  isAlive(nodeId: string): boolean {
    return this.#nodes.has(nodeId);
  }

  /** @param listener  called after each reading of the live nodes */
  onRead(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** @param release  forgets what is in memory of the machines of shards that another node gets */
  onHandOver(release: (shards: ReadonlySet<number>) => void): void {
    this.#release = release;
  }

  placeOf(machineId: string): Place {
    const { isAlone, clock } = this.#options;
    // A clock that is not trusted writes nothing, and says so.
    if (isAlone || clock.fault?.() !== undefined) return HERE;
    const nowMs = this.#nowMs();
    const shard = shardOf(machineId);
    if (!this.#hasLeft && nowMs < this.#expiresMs && this.#held.has(shard)) {
      return this.#draining.has(shard) ? { kind: 'nobody' } : HERE;
    }
    // A node that stops and is the last one ends its own work.
    if (this.#isLeaving && this.others.length === 0) return HERE;
    const lease = this.#leases[shard];
    if (lease === undefined || lease.expiresMs <= nowMs || lease.owner === this.id) return { kind: 'nobody' };
    const node = this.#nodes.get(lease.owner);
    // Nodes that take no calls: workers, and versions before this one. The ledger keeps both from harm.
    if (node === undefined || node.url === null) return HERE;
    return { kind: 'node', node: { ...node, url: node.url }, leaseMs: lease.expiresMs - nowMs };
  }

  /** Runs work on a machine of this node, or of any for undefined; a hand-over waits for it. */
  during<Answer>(machineId: string | undefined, work: () => Promise<Answer>): Promise<Answer> {
    return this.#work.during(machineId === undefined ? undefined : shardOf(machineId), work);
  }

  /** States the address for calls from other nodes, and takes the first leases. */
  async announce(url: string): Promise<void> {
    this.#url = url;
    await this.renew();
  }

  /** Renews if it is time. */
  async renewIfDue(): Promise<void> {
    const passedMs = this.#nowMs() - this.#renewedMs;
    if (this.#isMissingSome || passedMs < 0 || passedMs >= this.#leaseMs / RENEWALS_PER_LEASE) await this.renew();
  }

  /** Renews the leases, takes those that have ended and are due to this node, and begins to give away what is not. */
  renew(): Promise<void> {
    this.#renewing ??= this.#inTurn(() => this.#renew()).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  /** Gives all machines away and takes no more. */
  async leave(): Promise<void> {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    const { leases, nodes, onError } = this.#options;
    await this.renew().catch(onError);
    const hasSuccessor = this.#hasSuccessor;
    if (hasSuccessor) await this.#drain(this.#held);
    await this.#inTurn(async () => {
      this.#hasLeft = true;
      await leases.release(this.id, this.#nowMs());
      this.#held = new Set();
      this.#draining.clear();
    }).catch(onError);
    // Until the other nodes have read that, they send calls here, and are told.
    if (hasSuccessor) await sleep(Math.min(this.#leaseMs / RENEWALS_PER_LEASE, DRAIN_MS) + GRACE_MS);
    // Not before: they wait no longer for answers of a node that is gone.
    await this.#inTurn(() => nodes.remove(this.id, this.#nowMs())).catch(onError);
  }

  /** Takes the machines of a node over before its lease ends if it has certainly ended. @returns whether it has */
  async succeedIfEnded(nodeId: string): Promise<boolean> {
    const { nodes, sessionOf } = this.#options;
    if (sessionOf === undefined || !(await nodes.hasEnded(sessionOf(nodeId), sessionOf(this.id)))) return false;
    await this.succeed(nodeId);
    return true;
  }

  /** Ends the leases of an earlier run of the node at this address, which certainly has ended. */
  async succeed(deadId: string): Promise<void> {
    const { leases, nodes } = this.#options;
    await leases.release(deadId, this.#nowMs());
    await nodes.remove(deadId, this.#nowMs());
    await this.renew();
  }

  get #hasSuccessor(): boolean {
    return this.#candidates().some((id) => id !== this.id);
  }

  async #renew(): Promise<void> {
    const { leases, nodes, isAlone, format = MESSAGE_FORMAT } = this.#options;
    if (this.#hasLeft) {
      await this.#read(await nodes.alive(this.#nowMs()), await leases.all());
      return;
    }
    const nowMs = this.#nowMs();
    const untilMs = nowMs + this.#leaseMs;
    const self: LiveNode = { id: this.id, url: this.#url, format, isLeaving: this.#isLeaving };
    const alive = isAlone ? [self] : await nodes.beat(self, nowMs, untilMs);
    let all = await leases.renew(this.id, SHARDS, nowMs, untilMs);
    await this.#read(alive, all);
    const wanted = assignShards(SHARDS, this.#candidates());
    const isMine = ({ shard }: ShardLease) => wanted[shard] === this.id;
    const ended = all.filter((lease) => isMine(lease) && lease.expiresMs <= nowMs).map(({ shard }) => shard);
    if (ended.length > 0 && (await leases.take(this.id, ended, nowMs, untilMs)).length > 0) {
      all = await leases.all();
      await this.#read(alive, all);
    }
    const held = all.filter(({ owner, expiresMs }) => owner === this.id && expiresMs > nowMs);
    this.#held = new Set(held.map(({ shard }) => shard));
    this.#isMissingSome = all.some((lease) => isMine(lease) && !this.#held.has(lease.shard));
    this.#renewedMs = nowMs;
    this.#expiresMs = untilMs;
    const surplus = held.filter((lease) => !isMine(lease) && !this.#draining.has(lease.shard));
    if (surplus.length > 0 && !this.#isLeaving && this.#hasSuccessor) {
      void this.#handOver(new Set(surplus.map(({ shard }) => shard))).catch(this.#options.onError);
    }
  }

  async #read(alive: readonly LiveNode[], leases: readonly ShardLease[]): Promise<void> {
    this.#nodes = new Map(alive.map((node) => [node.id, node]));
    this.#leases = leases;
    for (const listener of this.#listeners) listener();
  }

  /** Nodes that may own machines: those that take calls, or all if there are none of these. */
  #candidates(): readonly string[] {
    const staying = [...this.#nodes.values()].filter(({ isLeaving }) => !isLeaving);
    const callable = staying.filter(({ url }) => url !== null);
    return (callable.length > 0 ? callable : staying).map(({ id }) => id);
  }

  async #handOver(shards: ReadonlySet<number>): Promise<void> {
    await this.#drain(shards);
    await this.#inTurn(async () => {
      await this.#options.leases.release(this.id, this.#nowMs(), [...shards]);
      this.#held = new Set([...this.#held].filter((shard) => !shards.has(shard)));
      for (const shard of shards) this.#draining.delete(shard);
    });
  }

  async #drain(shards: ReadonlySet<number>): Promise<void> {
    for (const shard of shards) this.#draining.add(shard);
    await this.#work.ended(shards, DRAIN_MS);
    this.#release(shards);
  }

  #inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const done = this.#last.then(work, work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  #nowMs(): number {
    return Number(this.#options.clock.now() / 1_000_000n);
  }
}
