// Model of the ticket contract, written from the rules in docs/contracts.md and independent of the engine.

import { CHIME, DEADLINES, LIMIT, MAX_CHIMES, MAX_LINE, MAX_REMINDERS, MAX_ROLL, PERIOD, QUIET } from './definition.ts';

export type Status = 'active' | 'paused' | 'frozen' | 'completed' | 'failed';

/** The fields that callers can see. */
export interface VisibleState {
  readonly status: Status;
  readonly currentState: string;
  readonly fire_count: number;
  readonly missed: number;
  readonly next_fire: number | null;
  readonly current_version_no: number;
  readonly context: {
    readonly voter: string;
    readonly votes?: number;
    readonly ballots?: number;
    readonly reminders: number;
    readonly chimes: number;
    readonly purse?: number;
    readonly served?: string;
    readonly grace?: number;
  };
  readonly collections?: {
    readonly roll?: readonly (readonly [string, number])[];
    readonly register?: readonly (readonly [string, number])[];
    readonly line: readonly string[];
    readonly seen: readonly string[];
  };
}

/** Whether a call is allowed; a change is `past` if a deadline would have passed when it is set. */
export type Outcome = boolean | 'past';

export type Payload = {
  readonly weight?: number;
  readonly amount?: number;
  readonly grace?: number;
  readonly who?: string;
};

const MAX_FAILURES = 5;
const NEW_NAMES: Readonly<Record<string, string>> = { idle: 'resting', open: 'busy' };

export interface Parameters {
  readonly limit: number;
  readonly period: number;
}

const DATA_EVENTS: ReadonlySet<string> = new Set(['enlist', 'strike', 'serve']);
const DATA_TRANSITIONS = [
  ['enlisting', 'enlist'],
  ['striking', 'strike'],
  ['serving', 'serve'],
] as const;

export class Model {
  now: number;
  status: Status = 'active';
  state = 'idle';
  voter = '';
  votes = 0;
  reminders = 0;
  chimes = 0;
  purse = 0;
  served = '';
  /** Maps and sets of JavaScript keep the order in which entries came, too. */
  readonly roll = new Map<string, number>();
  readonly line: string[] = [];
  readonly seen = new Set<string>();
  fires = 0;
  missed = 0;
  version = 1;
  parameters: Parameters = { limit: LIMIT, period: PERIOD };
  /** Whether states, votes and roll have their other names. */
  isRenamed = false;
  /** Parameters and names of every version. */
  readonly versions: { readonly parameters: Parameters; readonly isRenamed: boolean }[] = [
    { parameters: this.parameters, isRenamed: false },
  ];
  #remindersSinceEntry = 0;
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
  /** Of the second edition: what its stopwatch has counted until it last started, and when that was. */
  #clockTotal = 0;
  #clockSince: number | undefined;
  #grace = 0;
  readonly isSecond: boolean;

  /** @param isSecond  whether the contract is that of the second edition */
  constructor(now: number, isSecond: boolean) {
    this.now = now;
    this.#entered = now;
    this.isSecond = isSecond;
  }

  #clockAt(tick: number): number {
    return this.#clockTotal + (this.#clockSince === undefined ? 0 : tick - this.#clockSince);
  }

  /** The tick of the time limit if it counts from `from`; undefined if it would not be later than `now`. */
  #limitFrom(from: number, now: number, { limit } = this.parameters, grace = this.#grace): number | undefined {
    if (!this.isSecond) return from + limit;
    const due = from + limit + grace + this.seen.size - this.#clockAt(from);
    return due > now && due > from ? due : undefined;
  }

  get visibleState(): VisibleState {
    const { voter, votes, reminders, chimes, purse, served, roll, line, seen } = this;
    return {
      status: this.status,
      currentState: this.isRenamed ? (NEW_NAMES[this.state] ?? this.state) : this.state,
      fire_count: this.fires,
      missed: this.missed,
      next_fire: this.#nextWake() ?? null,
      current_version_no: this.version,
      context: {
        ...{ voter, reminders, chimes },
        ...(this.isRenamed ? { ballots: votes } : { votes }),
        ...(this.isSecond ? { purse, served, grace: this.#grace } : {}),
      },
      ...(this.isSecond
        ? {
            collections: {
              ...(this.isRenamed ? { register: [...roll] } : { roll: [...roll] }),
              ...{ line: [...line], seen: [...seen] },
            },
          }
        : {}),
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
    const { period } = this.parameters;
    const missed = Math.floor((tick - due) / period);
    this.#fireTimer(tick, () => {
      this.#remindersSinceEntry++;
      this.#reminderDue = this.#remindersSinceEntry < MAX_REMINDERS ? due + (missed + 1) * period : undefined;
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
    this.#clockTotal = this.#clockAt(tick);
    this.#clockSince = state === 'open' ? tick : undefined;
    this.state = state;
    this.#entered = tick;
    this.#isEmptyChecked = false;
    this.#pendingSince = undefined;
    this.#skipsNextMatch = false;
    this.#remindersSinceEntry = 0;
    this.#reminderDue = state === 'open' ? tick + this.parameters.period : undefined;
    this.#chimeDue = state === 'open' ? tick + CHIME : undefined;
    this.#pendingChimes = [];
    this.#expiryDue = state === 'open' ? this.#limitFrom(tick, tick) : undefined;
    if (state === 'done' || state === 'expired') this.status = 'completed';
  }

  event(name: string, payload: Payload, actor: string): void {
    if (name === 'unknown' || (DATA_EVENTS.has(name) && !this.isSecond)) return;
    if (this.status === 'active') this.wake(this.now - 1);
    if (this.status !== 'active') {
      if (name === 'ping') this.#pings.push(this.now);
      return;
    }
    this.#expire(this.now);
    if (name === 'ping') this.#pings.push(this.now);
    this.#attempt(name, payload, actor, true);
  }

  /** Attempts the transition of an event or of a manual fire. @returns whether it fired */
  #attempt(name: string, payload: Payload, actor: string, isSkippable: boolean): boolean {
    const fire = this.#enabled(name, payload, actor);
    if (fire === undefined) return false;
    if (isSkippable && this.#skipsNextMatch) {
      this.#skipsNextMatch = false;
      return false;
    }
    return fire();
  }

  #enabled(
    name: string,
    { weight = 0, amount = 0, grace = 0, who = '' }: Payload,
    actor: string,
  ): (() => boolean) | undefined {
    const enter = (state: string) => () => {
      this.#enter(state, this.now);
      return true;
    };
    const stay = (effect: () => void) => () => {
      effect();
      this.#fired();
      return true;
    };
    const open = () => {
      if (this.#limitFrom(this.now, this.now, this.parameters, grace) === undefined) return false;
      if (this.isSecond) this.#grace = grace;
      return enter('open')();
    };
    if (this.state === 'idle') return name === 'open' ? open : undefined;
    if (this.state !== 'open') return undefined;
    switch (name) {
      case 'close':
        return this.votes >= 3 && (!this.isSecond || this.#clockAt(this.now) >= 4) ? enter('done') : undefined;
      case 'ping':
        return this.#pings.length < 1 && this.votes < 2 ? enter('idle') : undefined;
      case 'vote':
        if (weight <= 0 || actor === this.voter) return undefined;
        return stay(() => {
          this.votes += weight;
          this.voter = actor;
        });
      case 'pay':
        // The balance of alice is always zero, so only a payment of zero succeeds; the sender is to blame for others.
        return amount === 0 ? stay(() => {}) : () => false;
      case 'enlist': {
        const best = Math.max(0, ...this.roll.values());
        if (amount <= best) return undefined;
        // A full roll is the sender's fault.
        if (!this.roll.has(who) && this.roll.size === MAX_ROLL) return () => false;
        return stay(() => {
          this.line.push(who);
          if (this.line.length > MAX_LINE) this.line.shift();
          this.seen.add(who);
          this.roll.set(who, amount);
          // Half of an odd amount goes to the even neighbour.
          const half = Math.floor(amount / 2);
          this.purse += half + (amount % 2) * (half % 2) + best;
        });
      }
      case 'strike':
        return this.roll.has(who) ? stay(() => this.roll.delete(who)) : () => false;
      case 'serve':
        // So is an empty line: its senders left it so.
        if (this.line.length === 0) return () => false;
        return stay(() => {
          this.served = this.line.shift() ?? '';
        });
      case 'spoil':
        return () => this.#fail();
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
      ['spoiling', 'spoil'],
      ['reminding', 'reminding'],
      ['chiming', 'chiming'],
      ['expiring', 'expiring'],
      ...(this.isSecond ? DATA_TRANSITIONS : []),
    ];
  }

  /** @returns whether it fired */
  fireManually(transition: string, payload: Payload | undefined, actor: string): boolean {
    if (this.status !== 'active') return false;
    this.#expire(this.now);
    const cause = this.transitionsOut.find(([id]) => id === transition)?.[1] ?? '';
    if (cause === 'vote' && !Number.isSafeInteger(payload?.weight)) return false;
    if ((cause === 'pay' || cause === 'enlist') && !Number.isSafeInteger(payload?.amount)) return false;
    if ((cause === 'strike' || cause === 'enlist') && payload?.who === undefined) return false;
    if (cause === 'open' && this.isSecond && !Number.isSafeInteger(payload?.grace)) return false;
    return this.#attempt(cause, payload ?? {}, actor, false);
  }

  /** Fires the first enabled transition. */
  fireNext(actor: string, isAdmin: boolean): boolean {
    const allowed = this.transitionsOut.filter(([transition]) => isAdmin || !DEADLINES.has(transition));
    return allowed.some(([transition]) => this.fireManually(transition, undefined, actor));
  }

  /** @returns whether the call is allowed; likewise for the methods below */
  pause(): boolean {
    if (this.status === 'active') this.#heldAt = this.now;
    if (this.status !== 'active' && this.status !== 'paused') return false;
    this.status = 'paused';
    return true;
  }

  resume(mode: 'deadline' | 'remaining' | 'restart'): Outcome {
    if (this.status !== 'paused' && this.status !== 'failed') return false;
    const held = this.now - (this.#heldAt ?? this.now);
    // The stopwatch stands while the contract is held.
    const since = this.#clockSince;
    if (since !== undefined) this.#clockSince = since + held;
    if (this.#expiryDue !== undefined) {
      if (mode === 'remaining') this.#expiryDue += held;
      if (mode === 'restart') {
        const due = this.#limitFrom(this.now, this.now);
        if (due === undefined) {
          this.#clockSince = since;
          return 'past';
        }
        this.#expiryDue = due;
      }
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
    if (next === this.#reminderDue) this.#reminderDue += this.parameters.period;
    else if (next === this.#pendingChimes[0]) this.#pendingChimes.shift();
    else if (next === this.#chimeDue) this.#chimeDue += CHIME;
    else this.#expiryDue = undefined;
    return true;
  }

  freeze(): void {
    this.status = 'frozen';
  }

  /** A new version with these parameters; timers whose trigger does not change keep their place. */
  patch(parameters: Parameters, ifVersion = this.version): Outcome {
    if (this.status !== 'active' && this.status !== 'paused') return false;
    if (ifVersion !== this.version) return false;
    const before = this.parameters;
    // During a pause, changed timers are armed as of its beginning.
    const now = this.status === 'paused' ? (this.#heldAt ?? this.now) : this.now;
    const isLimitNew = parameters.limit !== before.limit && this.state === 'open';
    const limited = isLimitNew ? this.#limitFrom(this.#entered, now, parameters) : undefined;
    if (isLimitNew && limited === undefined) return 'past';
    this.version++;
    this.parameters = parameters;
    this.versions.push({ parameters, isRenamed: this.isRenamed });
    this.#failures = 0;
    if (this.state !== 'open') return true;
    const { period } = parameters;
    if (period !== before.period) {
      this.#remindersSinceEntry = 0;
      this.#reminderDue = this.#entered + (Math.floor(Math.max(0, now - this.#entered) / period) + 1) * period;
    }
    if (limited !== undefined) this.#expiryDue = Math.max(limited, now + 1);
    return true;
  }

  rollback(no: number): Outcome {
    const version = this.versions[no - 1];
    // A state of another name is missing there.
    if (version === undefined || version.isRenamed !== this.isRenamed) return false;
    return this.patch(version.parameters);
  }

  /** Other names for the same: everything else goes on. */
  migrate(): Outcome {
    const isAllowed = this.status === 'active' || this.status === 'paused';
    if (!isAllowed) return false;
    this.isRenamed = !this.isRenamed;
    return this.patch(this.parameters);
  }
}
