// What the rules of docs/contracts.md say about the ticket, written down without looking at how they are carried out.

import { CHIME, CHIMES, LIMIT, PERIOD, QUIET } from './definition.ts';

export type Status = 'active' | 'paused' | 'frozen' | 'completed' | 'failed';

/** What callers can see. */
export interface Seen {
  readonly status: Status;
  readonly currentState: string;
  readonly fire_count: number;
  readonly missed: number;
  readonly next_fire: number | null;
  readonly current_version_no: number;
  readonly context: { readonly votes: number; readonly reminders: number; readonly chimes: number };
}

export type Payload = Readonly<Record<string, number>>;

const FAILURES = 5;

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
  /** Chimes that were missed and will be made up for, in their turn. */
  #chimesOwed: number[] = [];
  #expiryDue: number | undefined;
  /** Ticks of the pings that the window holds, as it was last looked into. */
  #pings: number[] = [];
  #wasSeenEmpty = false;
  #owedSince: number | undefined;
  #failures = 0;
  #standsSince: number | undefined;
  #isSwallowing = false;

  constructor(now: number) {
    this.now = now;
    this.#entered = now;
  }

  get seen(): Seen {
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
    return this.#chimesOwed[0] ?? this.#chimeDue;
  }

  #nextWake(): number | undefined {
    if (this.status !== 'active') return undefined;
    const times = [this.nextTimer, this.#lookDue()].filter((one) => one !== undefined);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** When the window of `hush` is to be looked into. */
  #lookDue(): number | undefined {
    if (this.state !== 'open') return undefined;
    const [oldest] = this.#pings;
    const times = [this.#owedSince ?? Number.POSITIVE_INFINITY];
    if (oldest !== undefined) times.push(oldest + QUIET);
    else if (!this.#wasSeenEmpty) times.push(this.#entered + QUIET);
    const due = Math.min(...times);
    return due === Number.POSITIVE_INFINITY ? undefined : due;
  }

  /** Pings that nobody looked at as they left leave a debt. */
  #expire(tick: number): void {
    const [oldest] = this.#pings;
    if (oldest === undefined || oldest + QUIET > tick) return;
    if (this.state === 'open') this.#owedSince ??= oldest + QUIET;
    this.#pings = this.#pings.filter((ping) => ping + QUIET > tick);
  }

  /** Everything that is due by `tick`. */
  wake(tick = this.now): void {
    for (;;) {
      const due = this.#nextWake();
      if (due === undefined || due > tick) return;
      if (due === this.#reminderDue) this.#remind(tick);
      else if (due === this.#nextChime) this.#chime(tick);
      else if (due === this.#expiryDue) this.#time(tick, () => this.#enter('expired', tick));
      else this.#look(tick);
    }
  }

  #time(tick: number, fire: () => void): void {
    this.#expire(tick);
    fire();
  }

  /** One fire for all that were missed. */
  #remind(tick: number): void {
    const due = this.#reminderDue as number;
    const others = Math.floor((tick - due) / PERIOD);
    this.#time(tick, () => {
      this.#reminderDue = due + (others + 1) * PERIOD;
      this.missed += others;
      this.reminders++;
      this.#fired();
    });
  }

  /** The newest of those that were missed are made up for one by one, in their turn among the others. */
  #chime(tick: number): void {
    if (this.#chimesOwed.length === 0) {
      const missed: number[] = [];
      for (let due = this.#chimeDue as number; due <= tick; due += CHIME) missed.push(due);
      this.#chimesOwed = missed.slice(-CHIMES);
      this.#chimeDue = (missed.at(-1) as number) + CHIME;
      this.missed += missed.length - this.#chimesOwed.length;
      return;
    }
    this.#time(tick, () => {
      this.#chimesOwed.shift();
      this.chimes++;
      this.#fired();
    });
  }

  #look(tick: number): void {
    this.#expire(tick);
    this.#owedSince = undefined;
    if (this.#pings.length === 0 && this.#entered + QUIET <= tick) this.#wasSeenEmpty = true;
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
    this.#wasSeenEmpty = false;
    this.#owedSince = undefined;
    this.#isSwallowing = false;
    this.#reminderDue = state === 'open' ? tick + PERIOD : undefined;
    this.#chimeDue = state === 'open' ? tick + CHIME : undefined;
    this.#chimesOwed = [];
    this.#expiryDue = state === 'open' ? tick + this.limit : undefined;
    if (state === 'done' || state === 'expired') this.status = 'completed';
  }

  event(name: string, payload: Payload): void {
    if (name === 'unheard') return;
    if (this.status === 'active') this.wake(this.now - 1);
    if (this.status !== 'active') {
      if (name === 'ping') this.#pings.push(this.now);
      return;
    }
    this.#expire(this.now);
    if (name === 'ping') this.#pings.push(this.now);
    this.#attempt(name, payload, true);
  }

  /** Tries the transition that an event, or a hand, sets off. @returns whether it fired */
  #attempt(name: string, payload: Payload, isSwallowable: boolean): boolean {
    const fire = this.#enabled(name, payload);
    if (fire === undefined) return false;
    if (isSwallowable && this.#isSwallowing) {
      this.#isSwallowing = false;
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
        // Nobody ever gives alice anything: she can pay nothing, and no less.
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
    if (this.#failures >= FAILURES) {
      this.status = 'failed';
      this.#standsSince = this.now;
    }
    return false;
  }

  /** Transitions that leave the state, in the order of the document, by what sets them off. */
  get leaving(): readonly (readonly [transition: string, cause: string])[] {
    if (this.state === 'idle') return [['opening', 'open']];
    if (this.state !== 'open') return [];
    return [
      ['closing', 'close'],
      ['hush', 'ping'],
      ['voting', 'vote'],
      ['paying', 'pay'],
      ['reminding', 'reminding'],
      ['chiming', 'chiming'],
      ['expiring', 'expiring'],
    ];
  }

  /** @returns whether it fired; what is due is not waited for */
  byHand(transition: string, payload: Payload | undefined): boolean {
    if (this.status !== 'active') return false;
    this.#expire(this.now);
    const cause = this.leaving.find(([id]) => id === transition)?.[1] ?? '';
    if (cause === 'vote' && !Number.isSafeInteger(payload?.weight)) return false;
    if (cause === 'pay' && !Number.isSafeInteger(payload?.amount)) return false;
    return this.#attempt(cause, payload ?? {}, false);
  }

  fireNow(): boolean {
    return this.leaving.some(([transition]) => this.byHand(transition, undefined));
  }

  /** @returns whether it may be done; the others alike */
  pause(): boolean {
    if (this.status === 'active') this.#standsSince = this.now;
    if (this.status !== 'active' && this.status !== 'paused') return false;
    this.status = 'paused';
    return true;
  }

  resume(mode: 'deadline' | 'remaining' | 'restart'): boolean {
    if (this.status !== 'paused' && this.status !== 'failed') return false;
    if (this.#expiryDue !== undefined) {
      if (mode === 'remaining') this.#expiryDue += this.now - (this.#standsSince ?? this.now);
      if (mode === 'restart') this.#expiryDue = this.now + this.limit;
    }
    this.status = 'active';
    this.#failures = 0;
    // Nobody looked while it stood still.
    this.#pings = this.#pings.filter((ping) => ping + QUIET > this.now);
    if (this.state === 'open') this.#owedSince ??= this.now;
    return true;
  }

  skipNext(expected: number | undefined): boolean {
    if (this.status !== 'active') return false;
    const next = this.nextTimer;
    if (next === undefined) {
      if (expected !== undefined || this.#isSwallowing) return false;
      this.#isSwallowing = true;
      return true;
    }
    if (expected !== undefined && expected !== next) return false;
    if (next === this.#reminderDue) this.#reminderDue += PERIOD;
    else if (next === this.#chimesOwed[0]) this.#chimesOwed.shift();
    else if (next === this.#chimeDue) this.#chimeDue += CHIME;
    else this.#expiryDue = undefined;
    return true;
  }

  freeze(): void {
    this.status = 'frozen';
  }

  patch(limit: number, seen: number): boolean {
    if (this.status !== 'active' && this.status !== 'paused') return false;
    if (seen !== this.version) return false;
    this.version++;
    this.limit = limit;
    this.#failures = 0;
    this.#wasSeenEmpty = false;
    this.#owedSince = undefined;
    this.#isSwallowing = false;
    if (this.state === 'open') {
      // While it stands still, as it would have been when it began to.
      const at = this.status === 'paused' ? (this.#standsSince ?? this.now) : this.now;
      const next = (every: number) => this.#entered + (Math.floor((at - this.#entered) / every) + 1) * every;
      this.#reminderDue = next(PERIOD);
      this.#chimeDue = next(CHIME);
      this.#chimesOwed = [];
      this.#expiryDue = Math.max(this.#entered + limit, at);
    }
    return true;
  }
}
