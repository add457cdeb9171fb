// Pulse clock in integer nanoseconds: ticks of 0.777000777 s since the Unix epoch, and the modulation R(t).
//
// f·T = 1 − 10⁻¹², so the phase of the tick and the phase of the pulse drift apart slowly (about 0.0145 rad in 2026).
// Both follow their definition; neither is corrected.

import { sin } from './elementary.ts';
import { LIMITS } from './limits.ts';

export const TICK_NS = 777_000_777n;
export const TICK_SECONDS = 0.777000777 as const;
export const PULSE_HZ = 1.287 as const;
export const ALPHA = 0.001 as const;

const PULSE_MILLIHERTZ = 1287n;
/** One cycle of the pulse in units of 10⁻¹²: millihertz × nanoseconds. */
const CYCLE = 10n ** 12n;
const TWO_PI = 6.283185307179586;

/** The only source of time in the service. */
export interface Clock {
  /** Nanoseconds since the Unix epoch; never decreases. */
  now(): bigint;
  /** Source of the time, for the pulse record. */
  readonly source: string;
  /** Milliseconds that the host's clock is ahead of `source`, if that is another clock. */
  readonly hostAheadMs?: number;
  /** Why rows and timers must not use the time now, as a sentence; undefined or missing if they may. */
  fault?(): string | undefined;
}

export interface PulseReading {
  readonly svcond: number;
  /** Phase within the tick, 0..1. */
  readonly phase: number;
  /** Phase of the pulse, 0..1. */
  readonly frac: number;
  readonly R_t: number;
}

export function tickOf(ns: bigint): number {
  return Number(ns / TICK_NS);
}

/** The first nanosecond of a tick. */
export function startOfTick(tick: number): bigint {
  return BigInt(tick) * TICK_NS;
}

/** f·t modulo one cycle, exact in integers. */
export function pulseFraction(ns: bigint): number {
  return Number((PULSE_MILLIHERTZ * ns) % CYCLE) / 1e12;
}

/** R(t) = 1 + α sin(2π f t + φ0). */
export function modulation(frac: number, alpha: number = ALPHA, phi0 = 0): number {
  return 1 + alpha * sin(TWO_PI * frac + phi0);
}

export function readPulse(ns: bigint): PulseReading {
  const frac = pulseFraction(ns);
  return { svcond: tickOf(ns), phase: Number(ns % TICK_NS) / Number(TICK_NS), frac, R_t: modulation(frac) };
}

const NS_PER_SECOND = 1_000_000_000n;
const NS_DIGITS = 9;

/** Largest Unix time in seconds that is accepted: the end of the year 9999. */
export const MAX_SECONDS = 253_402_300_799;

/** Unix seconds as the decimal number that is written for them, to the nanosecond. @param seconds  0 … `MAX_SECONDS` */
export function nsFromSeconds(seconds: number): bigint {
  const [whole = '0', part = ''] = decimalsOf(seconds);
  const rounded = part.length > NS_DIGITS && part.charAt(NS_DIGITS) >= '5' ? 1n : 0n;
  return BigInt(whole) * NS_PER_SECOND + BigInt(part.slice(0, NS_DIGITS).padEnd(NS_DIGITS, '0')) + rounded;
}

/** Half a nanosecond where the decimal number has more digits than that; 0 otherwise. */
export function roundingOfSeconds(seconds: number): number {
  const [, part = ''] = decimalsOf(seconds);
  return part.length > NS_DIGITS ? 5e-10 : 0;
}

/** Digits before and after the decimal point; below 10⁻⁶, to the nanosecond and one digit. */
function decimalsOf(seconds: number): readonly string[] {
  const text = String(seconds);
  return (text.includes('e') ? seconds.toFixed(NS_DIGITS + 1) : text).split('.');
}

/** Unix seconds as a double, which has about 2·10⁻⁷ s in this century. */
export function secondsFromNs(ns: bigint): number {
  return Number(ns / NS_PER_SECOND) + Number(ns % NS_PER_SECOND) / Number(NS_PER_SECOND);
}

/** Fractional number of ticks, accurate enough for differences of seconds. */
export function ticksBetween(from: bigint, to: bigint): number {
  return Number(to - from) / Number(TICK_NS);
}

/** ISO 8601 in UTC, to the millisecond. */
export function isoFromNs(ns: bigint): string {
  return isoFromMs(Number(ns / 1_000_000n));
}

export function isoFromMs(ms: number): string {
  return new Date(ms).toISOString();
}

/** Minimum difference of wall clock and monotonic clock that counts as a step (sleep, a set clock), not jitter. */
const STEP_MS = 50;

const MAX_BEHIND_NS = BigInt(LIMITS.clock.aheadTicks) * TICK_NS;

export interface SystemClockOptions {
  readonly wallMs?: () => number;
  /** Milliseconds of the monotonic clock since `performance.timeOrigin`. */
  readonly elapsedMs?: () => number;
  /** Called with a sentence when the time becomes untrusted or trusted again, by `fault`. */
  readonly onChange?: (message: string) => void;
}

/**
 * The system clock: wall time, continued by the monotonic clock with its finer resolution. It follows steps of the wall
 * clock (the monotonic clock stops while a machine sleeps), but never goes backwards: after a step backwards it stands
 * still until the wall clock is there again, and is not trusted meanwhile.
 */
export function systemClock(options: SystemClockOptions = {}): Required<Omit<Clock, 'hostAheadMs'>> {
  const { wallMs = Date.now, elapsedMs = () => performance.now(), onChange } = options;
  let originMs = performance.timeOrigin;
  let last = 0n;
  let isReported = false;
  const read = () => {
    const elapsed = elapsedMs();
    const step = wallMs() - (originMs + elapsed);
    if (Math.abs(step) > STEP_MS) originMs += step;
    return BigInt(Math.round((originMs + elapsed) * 1e6));
  };
  return {
    get source() {
      return last - read() > MAX_BEHIND_NS ? 'system, not trusted' : 'system';
    },
    now() {
      const now = read();
      if (now > last) last = now;
      return last;
    },
    fault() {
      const behind = last - read();
      const isFault = behind > MAX_BEHIND_NS;
      const message = `the clock of this host is ${behind / 1_000_000n} ms behind the time that this node has used.`;
      if (isFault !== isReported) {
        isReported = isFault;
        onChange?.(isFault ? `The time is not trusted: ${message}` : 'The time is trusted again.');
      }
      return isFault ? message : undefined;
    },
  };
}

/** The monotonic clock, for a source that is corrected elsewhere. It does not follow steps of the wall clock. */
export function monotonicClock(): Clock {
  return {
    source: 'monotonic',
    now: () => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e6)),
  };
}

/** A clock that moves only by `advance`, for replays and tests. */
export class SteppedClock implements Clock {
  readonly source = 'stepped';
  #ns: bigint;

  constructor(ns: bigint) {
    this.#ns = ns;
  }

  now(): bigint {
    return this.#ns;
  }

  advance(ns: bigint): void {
    if (ns < 0n) throw new RangeError('ns must not be negative; a clock never goes backwards.');
    this.#ns += ns;
  }
}
