// Model of the ticket contract, written from the rules in docs/contracts.md and independent of the engine.

import { CHIME, LIMIT, MAX_CHIMES, PERIOD, QUIET } from './definition.ts';

export type Status = 'active' | 'paused' | 'frozen' | 'completed' | 'failed';

/** The fields that callers can see. */
export interface VisibleState {
  readonly status: Status;
  readonly currentState: string;
  readonly fire_count: number;
  readonly missed: number;
  readonly next_fire: number | null;
  readonly current_version_no: number;
  readonly context: { readonly votes: number; readonly reminders: number; readonly chimes: number };
}

export type Payload = Readonly<Record<string, number>>;

const MAX_FAILURES = 5;

export class Model {
  now: number;
  status: Status = 'active';
  state = 'idle';
  votes = 0;
  reminders = 0;
  chimes = 0;
  fires = 0;
  missed = 0;
  version = 1;
  limit = LIMIT;
  #entered: number;
  #reminderDue: number | undefined;
  #chimeDue: number | undefined;
  /** Missed chimes that still fire, one after the other. */
  #pendingChimes: number[] = [];
  #expiryDue: number | undefined;
  /** Ticks of the pings in the window as of its last check. */
  #pings: number[] = [];
  #isEmptyChecked = false;
  #pendingSince: number | undefined;
  #failures = 0;
  #heldAt: number | undefined;
  #skipsNextMatch = false;

  constructor(now: number) {
    this.now = now;
    this.#entered = now;
  }

  get visibleState(): VisibleState {
    const { votes, reminders, chimes } = this;
    return {
      status: this.status,
      currentState: this.state,
      fire_count: this.fires,
      missed: this.missed,
      next_fire: this.#nextWake() ?? null,
      current_version_no: this.version,
      context: { votes, reminders, chimes },
    };
  }

  get nextTimer(): number | undefined {
    const due = [this.#reminderDue, this.#nextChime, this.#expiryDue].filter((one) => one !== undefined);
    return due.length === 0 ? undefined : Math.min(...due);
  }

  get #nextChime(): number | undefined {
    return this.#pendingChimes[0] ?? this.#chimeDue;
  }

  #nextWake(): number | undefined {
    if (this.status !== 'active') return undefined;
    const times = [this.nextTimer, this.#checkDue()].filter((one) => one !== undefined);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** The tick at which the window of `idling` must be checked. */
  #checkDue(): number | undefined {
    if (this.state !== 'open') return undefined;
    const [oldest] = this.#pings;
    const times = [this.#pendingSince ?? Number.POSITIVE_INFINITY];
    if (oldest !== undefined) times.push(oldest + QUIET);
    else if (!this.#isEmptyChecked) times.push(this.#entered + QUIET);
    const due = Math.min(...times);
    return due === Number.POSITIVE_INFINITY ? undefined : due;
  }

  /** Pings that expire outside a check leave a pending check. */
  #expire(tick: number): void {
    const [oldest] = this.#pings;
    if (oldest === undefined || oldest + QUIET > tick) return;
    if (this.state === 'open') this.#pendingSince ??= oldest + QUIET;
    this.#pings = this.#pings.filter((ping) => ping + QUIET > tick);
  }

  /** Runs everything that is due by `tick`. */
  wake(tick = this.now): void {
    for (;;) {
      const due = this.#nextWake();
      if (due === undefined || due > tick) return;
      if (due === this.#reminderDue) this.#remind(tick);
      else if (due === this.#nextChime) this.#chime(tick);
      else if (due === this.#expiryDue) this.#fireTimer(tick, () => this.#enter('expired', tick));
      else this.#check(tick);
    }
  }

  #fireTimer(tick: number, fire: () => void): void {
    this.#expire(tick);
    fire();
  }

  /** One fire for all missed reminders. */
  #remind(tick: number): void {
    const due = this.#reminderDue as number;
    const missed = Math.floor((tick - due) / PERIOD);
    this.#fireTimer(tick, () => {
      this.#reminderDue = due + (missed + 1) * PERIOD;
      this.missed += missed;
      this.reminders++;
      this.#fired();
    });
  }

  /** The newest missed chimes fire one by one, ordered by due tick among the other timers. */
  #chime(tick: number): void {
    if (this.#pendingChimes.length === 0) {
      const missed: number[] = [];
      for (let due = this.#chimeDue as number; due <= tick; due += CHIME) missed.push(due);
      this.#pendingChimes = missed.slice(-MAX_CHIMES);
      this.#chimeDue = (missed.at(-1) as number) + CHIME;
      this.missed += missed.length - this.#pendingChimes.length;
      return;
    }
    this.#fireTimer(tick, () => {
      this.#pendingChimes.shift();
      this.chimes++;
      this.#fired();
    });
  }

  #check(tick: number): void {
    this.#expire(tick);
    this.#pendingSince = undefined;
    if (this.#pings.length === 0 && this.#entered + QUIET <= tick) this.#isEmptyChecked = true;
    if (this.#pings.length === 0 && this.votes < 2) this.#enter('idle', tick);
  }

  #fired(): void {
    this.fires++;
    this.#failures = 0;
  }

  #enter(state: string, tick: number): void {
    this.#fired();
    this.state = state;
    this.#entered = tick;
    this.#isEmptyChecked = false;
    this.#pendingSince = undefined;
    this.#skipsNextMatch = false;
    this.#reminderDue = state === 'open' ? tick + PERIOD : undefined;
    this.#chimeDue = state === 'open' ? tick + CHIME : undefined;
    this.#pendingChimes = [];
    this.#expiryDue = state === 'open' ? tick + this.limit : undefined;
    if (state === 'done' || state === 'expired') this.status = 'completed';
  }

  event(name: string, payload: Payload): void {
    if (name === 'unknown') return;
    if (this.status === 'active') this.wake(this.now - 1);
    if (this.status !== 'active') {
      if (name === 'ping') this.#pings.push(this.now);
      return;
    }
    this.#expire(this.now);
    if (name === 'ping') this.#pings.push(this.now);
    this.#attempt(name, payload, true);
  }

  /** Attempts the transition of an event or of a manual fire. @returns whether it fired */
  #attempt(name: string, payload: Payload, isSkippable: boolean): boolean {
    const fire = this.#enabled(name, payload);
    if (fire === undefined) return false;
    if (isSkippable && this.#skipsNextMatch) {
      this.#skipsNextMatch = false;
      return false;
    }
    return fire();
  }

  #enabled(name: string, { weight = 0, amount = 0 }: Payload): (() => boolean) | undefined {
    const enter = (state: string) => () => {
      this.#enter(state, this.now);
      return true;
    };
    const stay = (effect: () => void) => () => {
      effect();
      this.#fired();
      return true;
    };
    if (this.state === 'idle') return name === 'open' ? enter('open') : undefined;
    if (this.state !== 'open') return undefined;
    switch (name) {
      case 'close':
        return this.votes >= 3 ? enter('done') : undefined;
      case 'ping':
        return this.#pings.length < 1 && this.votes < 2 ? enter('idle') : undefined;
      case 'vote':
        return weight > 0 ? stay(() => (this.votes += weight)) : undefined;
      case 'pay':
        // The balance of alice is always zero, so only a payment of zero succeeds.
        return amount === 0 ? stay(() => {}) : () => this.#fail();
      case 'reminding':
        return stay(() => this.reminders++);
      case 'chiming':
        return stay(() => this.chimes++);
      case 'expiring':
        return enter('expired');
      default:
        return undefined;
    }
  }

  #fail(): false {
    this.#failures++;
    if (this.#failures >= MAX_FAILURES) {
      this.status = 'failed';
      this.#heldAt = this.now;
    }
    return false;
  }

  /** Transitions out of the state, in the order of the definition, each with its cause. */
  get transitionsOut(): readonly (readonly [transition: string, cause: string])[] {
    if (this.state === 'idle') return [['opening', 'open']];
    if (this.state !== 'open') return [];
    return [
      ['closing', 'close'],
      ['idling', 'ping'],
      ['voting', 'vote'],
      ['paying', 'pay'],
      ['reminding', 'reminding'],
      ['chiming', 'chiming'],
      ['expiring', 'expiring'],
    ];
  }

  /** @returns whether it fired */
  fireManually(transition: string, payload: Payload | undefined): boolean {
    if (this.status !== 'active') return false;
    this.#expire(this.now);
    const cause = this.transitionsOut.find(([id]) => id === transition)?.[1] ?? '';
    if (cause === 'vote' && !Number.isSafeInteger(payload?.weight)) return false;
    if (cause === 'pay' && !Number.isSafeInteger(payload?.amount)) return false;
    return this.#attempt(cause, payload ?? {}, false);
  }

  /** Fires the first enabled transition. */
  fireNext(): boolean {
    return this.transitionsOut.some(([transition]) => this.fireManually(transition, undefined));
  }

  /** @returns whether the call is allowed; likewise for the methods below */
  pause(): boolean {
    if (this.status === 'active') this.#heldAt = this.now;
    if (this.status !== 'active' && this.status !== 'paused') return false;
    this.status = 'paused';
    return true;
  }

  resume(mode: 'deadline' | 'remaining' | 'restart'): boolean {
    if (this.status !== 'paused' && this.status !== 'failed') return false;
    if (this.#expiryDue !== undefined) {
      if (mode === 'remaining') this.#expiryDue += this.now - (this.#heldAt ?? this.now);
      if (mode === 'restart') this.#expiryDue = this.now + this.limit;
    }
    this.status = 'active';
    this.#failures = 0;
    // Expiries during the pause leave a pending check.
    this.#pings = this.#pings.filter((ping) => ping + QUIET > this.now);
    if (this.state === 'open') this.#pendingSince ??= this.now;
    return true;
  }

  skipNext(expected: number | undefined): boolean {
    if (this.status !== 'active') return false;
    const next = this.nextTimer;
    if (next === undefined) {
      if (expected !== undefined || this.#skipsNextMatch) return false;
      this.#skipsNextMatch = true;
      return true;
    }
    if (expected !== undefined && expected !== next) return false;
    if (next === this.#reminderDue) this.#reminderDue += PERIOD;
    else if (next === this.#pendingChimes[0]) this.#pendingChimes.shift();
    else if (next === this.#chimeDue) this.#chimeDue += CHIME;
    else this.#expiryDue = undefined;
    return true;
  }

  freeze(): void {
    this.status = 'frozen';
  }

  patch(limit: number, ifVersion: number): boolean {
    if (this.status !== 'active' && this.status !== 'paused') return false;
    if (ifVersion !== this.version) return false;
    this.version++;
    this.limit = limit;
    this.#failures = 0;
    this.#isEmptyChecked = false;
    this.#pendingSince = undefined;
    this.#skipsNextMatch = false;
    if (this.state === 'open') {
      // During a pause, timers are armed as of its beginning.
      const now = this.status === 'paused' ? (this.#heldAt ?? this.now) : this.now;
      const next = (every: number) => this.#entered + (Math.floor((now - this.#entered) / every) + 1) * every;
      this.#reminderDue = next(PERIOD);
      this.#chimeDue = next(CHIME);
      this.#pendingChimes = [];
      this.#expiryDue = Math.max(this.#entered + limit, now);
    }
    return true;
  }
}
