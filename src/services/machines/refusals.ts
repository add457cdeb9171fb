// Refusal log: writes the requests that the service refused into the chain of the machine they addressed.
//
// Requests only increment counters. A background flush writes one row per tick, code and route, within the row limit of
// the machine, and drops the excess. Rows name no caller. Only refusals of members and of parties of its contracts
// count: others must not write into a chain, least of all by being refused (ADR 19).

import { SYSTEM_ACTOR } from '../../chain/row.ts';
import { allVoters } from '../../contracts/parties/bindings.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError, ERROR_FORMS } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { ContractRepository } from '../../storage/contracts/contracts.ts';
import type { MemberRepository } from '../../storage/machines/access/members.ts';
import type { Machine, MachineRepository } from '../../storage/machines/machines.ts';
import type { Principal } from '../access/access.ts';
import { ForwardedRefusal } from '../node/owners/call-router.ts';
import type { MachineService } from './machines.ts';

export interface RefusalLogOptions {
  readonly machines: MachineService;
  readonly stored: MachineRepository;
  readonly members: MemberRepository;
  readonly contracts: Pick<ContractRepository, 'statesNaming'>;
  readonly clock: Clock;
  /** Receives failures to write rows. */
  readonly onError: (error: unknown) => void;
}

/** A refused request to a machine. */
export interface Refusal {
  readonly slug: string;
  /** Route pattern of the catalog, such as `GET /api/chain/{slug}/state`. */
  readonly route: string;
  readonly error: unknown;
  readonly by: Principal | undefined;
}

interface PendingRefusals {
  readonly slug: string;
  readonly route: string;
  readonly code: string;
  readonly status: number;
  readonly since: number;
  /** Refusals of each caller, by ZID. */
  readonly callers: Map<string, number>;
}

const UNKNOWN_FIELD = 'UNKNOWN_FIELD';
const LOGGED_STATUSES: ReadonlySet<number> = new Set([403, 429]);
/** Pending counters of one machine, and callers of each; the refusals of more are dropped. */
const MAX_PENDING_PER_MACHINE = 32;
const MAX_CALLERS = 16;

export class RefusalLog {
  readonly #options: RefusalLogOptions;
  readonly #pending = new Map<string, PendingRefusals>();
  /** Ticks of the recent rows of each machine. */
  readonly #written = new Map<string, number[]>();
  /** Errors already counted: several layers may report the same one. */
  readonly #counted = new WeakSet<Error>();
  #flushing: Promise<number> | undefined;

  constructor(options: RefusalLogOptions) {
    this.#options = options;
  }

  /** Counts a refusal if its status is logged and its caller may be a member. Never throws, never waits. */
  record({ slug, route, error, by }: Refusal): void {
    // The node that refused has counted it.
    if (error instanceof ForwardedRefusal) return;
    const status = loggedStatus(error);
    const zid = by?.zid;
    if (zid === undefined || status === undefined || !(error instanceof DomainError) || this.#counted.has(error))
      return;
    this.#counted.add(error);
    const { code } = error;
    const key = `${slug} ${code} ${route}`;
    let pending = this.#pending.get(key);
    if (pending === undefined) {
      if (this.#pending.size >= LIMITS.chain.refusals.waiting || this.#pendingCount(slug) >= MAX_PENDING_PER_MACHINE)
        return;
      pending = { slug, route, code, status, since: this.#now(), callers: new Map() };
      this.#pending.set(key, pending);
    }
    const { callers } = pending;
    const count = callers.get(zid);
    if (count !== undefined || callers.size < MAX_CALLERS) callers.set(zid, (count ?? 0) + 1);
  }

  /** Writes pending refusals within the row limits. Concurrent calls share one flush. @returns the number of rows */
  flush(): Promise<number> {
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  async #flush(): Promise<number> {
    if (this.#pending.size === 0) return 0;
    const now = this.#now();
    this.#removeWrittenBefore(now - LIMITS.chain.refusals.ticks);
    const machines = new Map<string, Machine | undefined>();
    let rows = 0;
    for (const [key, pending] of [...this.#pending]) {
      const { slug } = pending;
      try {
        if (!machines.has(slug)) machines.set(slug, await this.#options.stored.bySlug(slug));
        const machine = machines.get(slug);
        // Write a tick only after it ended. Wait for a machine at its row limit, but not indefinitely.
        if (pending.since >= now) continue;
        if (machine !== undefined && !this.#isBelowLimit(machine) && now - pending.since < LIMITS.chain.refusals.ticks)
          continue;
        this.#pending.delete(key);
        if (machine !== undefined && this.#isBelowLimit(machine) && (await this.#write(machine, pending))) {
          this.#written.set(machine.id, [...(this.#written.get(machine.id) ?? []), now]);
          rows++;
        }
      } catch (error) {
        this.#pending.delete(key);
        this.#options.onError(error);
      }
    }
    return rows;
  }

  async #write(machine: Machine, { code, route, status, since, callers }: PendingRefusals): Promise<boolean> {
    let count = 0;
    for (const [zid, refusals] of callers) if (await this.#isMemberOrParty(machine, zid)) count += refusals;
    if (count === 0 || machine.status === 'archived') return false;
    const severity = status === 422 ? 'info' : 'warning';
    const payload = { code, route, count, since, severity };
    await this.#options.machines.commit(machine, () => {
      const row = { svcond: this.#now(), type: 'rejection', source: 'server', actor: SYSTEM_ACTOR, payload };
      return { rows: [row], answer: undefined };
    });
    return true;
  }

  async #isMemberOrParty({ id }: Machine, zid: string): Promise<boolean> {
    const { members, contracts } = this.#options;
    if ((await members.roleOf(id, zid)) !== undefined) return true;
    const states = await contracts.statesNaming(id, zid);
    return states.some(({ parties }) => parties !== undefined && allVoters(parties.bindings).has(`zid:${zid}`));
  }

  #isBelowLimit({ id }: Machine): boolean {
    return (this.#written.get(id)?.length ?? 0) < LIMITS.chain.refusals.rows;
  }

  #removeWrittenBefore(tick: number): void {
    for (const [id, ticks] of this.#written) {
      const recent = ticks.filter((each) => each > tick);
      if (recent.length === 0) this.#written.delete(id);
      else this.#written.set(id, recent);
    }
  }

  #pendingCount(slug: string): number {
    let count = 0;
    for (const pending of this.#pending.values()) if (pending.slug === slug) count++;
    return count;
  }

  #now(): number {
    return tickOf(this.#options.clock.now());
  }
}

/** Logged: missing permission, exceeded rate limit, and unknown fields. Other refusals are routine. */
function loggedStatus(error: unknown): number | undefined {
  if (!(error instanceof DomainError)) return undefined;
  const { status } = ERROR_FORMS[error.code];
  const isStrict = status === 422 && error.details.some(({ code }) => code === UNKNOWN_FIELD);
  return LOGGED_STATUSES.has(status) || isStrict ? status : undefined;
}
