// What this service refused, written into the chain of the machine that it was asked about.
//
// A refusal is counted and forgotten by whoever answers; rows are written later, one a tick for each code and route, within
// what a machine takes of them. Nobody waits for them, and what is too much is dropped. Rows name no caller. In a private
// machine only those who may read it are counted: for others it is not there, and they leave nothing in it.

import { SYSTEM_ACTOR } from '../../chain/row.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError, ERROR_FORMS } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { MemberRepository } from '../../storage/access/identities.ts';
import type { Machine, MachineRepository } from '../../storage/machines/machines.ts';
import type { Principal } from '../access/access.ts';
import type { MachineService } from './machines.ts';

export interface RefusalLogOptions {
  readonly machines: MachineService;
  readonly stored: MachineRepository;
  readonly members: MemberRepository;
  readonly clock: Clock;
  /** Rows that were not written; the refusals themselves were answered long ago. */
  readonly onFailed: (error: unknown) => void;
}

/** What was refused, on which route of which machine. */
export interface Refusal {
  readonly slug: string;
  /** As the catalog writes it, with its parameters unfilled. */
  readonly route: string;
  readonly error: unknown;
  readonly by: Principal | undefined;
}

interface Waiting {
  readonly slug: string;
  readonly route: string;
  readonly code: string;
  readonly status: number;
  readonly since: number;
  /** By who they are to machines. */
  readonly callers: Map<string, { readonly by: Principal | undefined; count: number }>;
}

const STRICT = 'UNKNOWN_FIELD';
const STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);
/** Kinds of refusals of one machine that wait, and callers that are told apart in one. */
const WAITING_OF_ONE = 32;
const CALLERS = 16;
const REST = '*';

export class RefusalLog {
  readonly #options: RefusalLogOptions;
  readonly #waiting = new Map<string, Waiting>();
  /** Ticks of the newest rows of each machine. */
  readonly #written = new Map<string, number[]>();
  /** Errors that were counted: one that passes several doors on its way out is one refusal. */
  readonly #counted = new WeakSet<Error>();
  #flushing: Promise<number> | undefined;

  constructor(options: RefusalLogOptions) {
    this.#options = options;
  }

  /** Counts a refusal, if it is one of those that are noted. Never throws, never waits. */
  note({ slug, route, error, by }: Refusal): void {
    const status = notedStatus(error);
    if (status === undefined || !(error instanceof DomainError) || this.#counted.has(error)) return;
    this.#counted.add(error);
    const { code } = error;
    const key = `${slug} ${code} ${route}`;
    let waiting = this.#waiting.get(key);
    if (waiting === undefined) {
      if (this.#waiting.size >= LIMITS.chain.refusals.waiting || this.#of(slug) >= WAITING_OF_ONE) return;
      waiting = { slug, route, code, status, since: this.#now(), callers: new Map() };
      this.#waiting.set(key, waiting);
    }
    const { callers } = waiting;
    const own = by?.readsMachine ?? by?.zid ?? '';
    // Beyond that many they are nobody in particular: counted where anyone may read.
    const name = callers.has(own) || callers.size < CALLERS ? own : REST;
    const counted = callers.get(name) ?? { by: name === REST ? undefined : by, count: 0 };
    counted.count++;
    callers.set(name, counted);
  }

  /** Writes what waits, as far as the machines take it. Those who call together wait for one. @returns how many rows */
  flush(): Promise<number> {
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  async #flush(): Promise<number> {
    if (this.#waiting.size === 0) return 0;
    const now = this.#now();
    this.#forgetBefore(now - LIMITS.chain.refusals.ticks);
    const machines = new Map<string, Machine | undefined>();
    let rows = 0;
    for (const [key, waiting] of [...this.#waiting]) {
      const { slug } = waiting;
      try {
        if (!machines.has(slug)) machines.set(slug, await this.#options.stored.bySlug(slug));
        const machine = machines.get(slug);
        // A tick is written when it is over. A machine that is full is waited for, but not for ever.
        if (waiting.since >= now) continue;
        if (machine !== undefined && !this.#hasRoom(machine) && now - waiting.since < LIMITS.chain.refusals.ticks)
          continue;
        this.#waiting.delete(key);
        if (machine !== undefined && this.#hasRoom(machine) && (await this.#write(machine, waiting))) {
          this.#written.set(machine.id, [...(this.#written.get(machine.id) ?? []), now]);
          rows++;
        }
      } catch (error) {
        this.#waiting.delete(key);
        this.#options.onFailed(error);
      }
    }
    return rows;
  }

  async #write(machine: Machine, { code, route, status, since, callers }: Waiting): Promise<boolean> {
    let count = 0;
    for (const one of callers.values()) if (await this.#maySee(machine, one.by)) count += one.count;
    if (count === 0 || machine.status === 'archived') return false;
    const severity = status === 422 ? 'info' : 'warning';
    const payload = { code, route, count, since, severity };
    await this.#options.machines.commit(machine, () => {
      const row = { svcond: this.#now(), type: 'rejection', source: 'server', actor: SYSTEM_ACTOR, payload };
      return { rows: [row], answer: undefined };
    });
    return true;
  }

  async #maySee({ id, isPublic }: Machine, by: Principal | undefined): Promise<boolean> {
    if (isPublic || by?.readsMachine === id) return true;
    return by?.zid !== undefined && (await this.#options.members.roleOf(id, by.zid)) !== undefined;
  }

  #hasRoom({ id }: Machine): boolean {
    return (this.#written.get(id)?.length ?? 0) < LIMITS.chain.refusals.rows;
  }

  #forgetBefore(tick: number): void {
    for (const [id, ticks] of this.#written) {
      const kept = ticks.filter((one) => one > tick);
      if (kept.length === 0) this.#written.delete(id);
      else this.#written.set(id, kept);
    }
  }

  #of(slug: string): number {
    let count = 0;
    for (const waiting of this.#waiting.values()) if (waiting.slug === slug) count++;
    return count;
  }

  #now(): number {
    return tickOf(this.#options.clock.now());
  }
}

/** Who may not, who asks too often, and whoever sends fields that there are not; other refusals are everyday life. */
function notedStatus(error: unknown): number | undefined {
  if (!(error instanceof DomainError)) return undefined;
  const { status } = ERROR_FORMS[error.code];
  const isStrict = status === 422 && error.details.some(({ code }) => code === STRICT);
  return STATUSES.has(status) || isStrict ? status : undefined;
}
