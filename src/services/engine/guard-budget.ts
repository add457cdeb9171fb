// Limits the work of contracts, so that the guards of one machine never hold up the others.
//
// Work is counted in words of byte code, about 12 ns each: those of every expression, and a fixed number for every
// evaluation, attempt and delivery. Expressions of contracts have no loops, so their length is their work. One change has
// a limit; beyond it nothing of it is kept. Each machine has an allowance per tick, and all machines of a node share
// another. Who has spent more waits for the next tick. Work is counted, not timed, so the same change always costs the
// same.

import type { Evaluate } from '../../contracts/typed-expressions.ts';
import { TICK_NS } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';

export interface GuardLimits {
  /** Words of one change. */
  readonly perChange: number;
  /** Words per tick of one machine, alone on its node; of all machines together; and of each, however many there are. */
  readonly machinePerTick: number;
  readonly nodePerTick: number;
  readonly leastPerTick: number;
}

/**
 * Words that an evaluation costs besides those of its expression; a delivery, and a transition that it looks at; a
 * character of what a transition writes into rows and deliveries, which are hashed, sealed and stored; one of the state
 * that a change leaves, which is stored.
 */
export const WORDS = {
  evaluation: 500,
  delivery: 200,
  transition: 10,
  step: 500,
  rebuild: 2_000,
  character: 2,
  stored: 3,
} as const;

/**
 * A change that needs more than it may. Not a DomainError, which a guard would take for a refusal of its transition.
 */
export class GuardBudgetExceeded extends Error {
  override readonly name = 'GuardBudgetExceeded';
  /** Thrown before anything changed in memory. */
  readonly isUntouched: boolean;

  constructor(isUntouched: boolean) {
    super('The contracts of this change evaluate too many guards.');
    this.isUntouched = isUntouched;
  }
}

/** Counts the work of one attempt of a change. */
export class GuardMeter {
  readonly #limit: number;
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get used(): number {
    return this.#used;
  }

  /** Whether a wake may go on to another contract. The rest stays due. */
  get hasRoom(): boolean {
    return this.#used < this.#limit / 4;
  }

  /** @throws GuardBudgetExceeded */
  count(words: number): void {
    this.#used += words;
    if (this.#used > this.#limit) throw new GuardBudgetExceeded(false);
  }

  /**
   * Refuses work that would not fit, before any of it is done.
   *
   * @param looked  words of finding that out, which count if it is refused
   * @throws GuardBudgetExceeded
   */
  assertFits(words: number, looked = 0): void {
    if (this.#used + words <= this.#limit) return;
    this.#used += looked;
    throw new GuardBudgetExceeded(true);
  }

  /** The same evaluation, counted. */
  metered(evaluate: Evaluate): Evaluate {
    const counted = (program: Parameters<Evaluate>[0], values: Parameters<Evaluate>[1]) => {
      this.count(WORDS.evaluation + program.code.length);
      return evaluate(program, values);
    };
    return Object.assign(counted, { count: (words: number) => this.count(words) });
  }
}

interface Account {
  readonly slug: string;
  /** Words left in its tick; negative after a change that cost more. */
  left: number;
  tick: number;
}

/** What the machines of this node may still spend. */
export class GuardBudgets {
  readonly #limits: GuardLimits;
  readonly #accounts = new Map<string, Account>();
  #tick = 0;
  /** Machines that spent in this tick, and how many did in the one before. */
  #spenders = new Set<string>();
  #spendersBefore = 0;

  constructor(limits: GuardLimits = LIMITS.contracts.guards) {
    this.#limits = limits;
  }

  /** Words that a machine gets per tick now: the more machines spend, the fewer. */
  get allowance(): number {
    const { machinePerTick, nodePerTick, leastPerTick } = this.#limits;
    const share = Math.floor(nodePerTick / Math.max(1, this.#spenders.size, this.#spendersBefore));
    return Math.min(machinePerTick, Math.max(leastPerTick, share));
  }

  /** Ticks after which a machine may spend again; 0 if it may now. */
  waitOf(machineId: string, tick: number): number {
    this.#advance(tick);
    const account = this.#accounts.get(machineId);
    if (account === undefined) return 0;
    this.#refill(account);
    return account.left > 0 ? 0 : Math.floor(-account.left / this.allowance) + 1;
  }

  /** @throws DomainError RATE_LIMITED if the machine has spent its allowance */
  assertLeft(machineId: string, tick: number): void {
    const ticks = this.waitOf(machineId, tick);
    if (ticks === 0) return;
    const { slug } = this.#accounts.get(machineId) ?? { slug: machineId };
    const retryAfterSeconds = Math.ceil((ticks * Number(TICK_NS)) / 1e9);
    const message = `Limit of ${this.allowance} steps per tick of the guards of machine ${slug} reached; try again in ${retryAfterSeconds} s, or deploy fewer guards for the same event.`;
    throw new DomainError('RATE_LIMITED', message, { retryAfterSeconds });
  }

  spend(machineId: string, slug: string, tick: number, words: number): void {
    if (words === 0) return;
    this.#advance(tick);
    this.#spenders.add(machineId);
    const account = this.#accounts.get(machineId) ?? { slug, left: this.allowance, tick: this.#tick };
    this.#accounts.set(machineId, account);
    this.#refill(account);
    account.left -= words;
  }

  #refill(account: Account): void {
    const { allowance } = this;
    account.left = Math.min(allowance, account.left + allowance * (this.#tick - account.tick));
    account.tick = this.#tick;
  }

  /** At a new tick, forgets the machines that owe nothing. A clock that steps back gives no new tick. */
  #advance(tick: number): void {
    if (tick <= this.#tick) return;
    this.#spendersBefore = tick === this.#tick + 1 ? this.#spenders.size : 0;
    this.#spenders = new Set();
    this.#tick = tick;
    for (const [id, account] of this.#accounts) {
      this.#refill(account);
      if (account.left > 0) this.#accounts.delete(id);
    }
  }
}
