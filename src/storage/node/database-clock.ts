// Clock of a node on PostgreSQL: the host's clock, corrected by its offset from the clock of the database, so that all
// nodes of one database share one time. The offset is measured again every two seconds.
//
// A measurement bounds the offset: the database read its clock between the two readings of the host's clock. An offset
// within the bounds is kept, so that the time does not jitter. If the host's clock jumps, the last measurement looks too
// old or lies in the future. The time is then not trusted until the next one: no row is written and no timer fires.
//
// A host whose clock runs at another rate would be ahead again before each measurement. So one that does not agree with
// the measurement before it is repeated shortly after, and the time is trusted only if these two agree.

import { type Clock, TICK_NS } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import { type Executor, rows, unavailable } from '../database/sql.ts';

const NS_PER_MS = 1_000_000n;
const SYNC_MS = LIMITS.clock.syncMs;
const MAX_AGE_NS = BigInt(LIMITS.clock.staleMs) * NS_PER_MS;
const MAX_BEHIND_NS = BigInt(LIMITS.clock.aheadTicks) * TICK_NS;
/** A measurement with wider bounds is discarded. */
const MAX_WIDTH_NS = TICK_NS;
const MAX_ATTEMPTS = 10;
/** Between two measurements that must agree. */
const CONFIRM_MS = 100;
const MIN_APART_NS = (BigInt(CONFIRM_MS) * NS_PER_MS) / 2n;
/** Part of the host's time between two measurements by which their offsets may differ, in parts of a hundred. */
const MAX_DRIFT_PERCENT = 20n;

export interface DatabaseClockOptions {
  /** Should not follow changes of the wall clock: they would only have to be corrected. */
  readonly host: Clock;
  /** Reads the database's clock, in nanoseconds since the Unix epoch. */
  readonly read: () => Promise<bigint>;
  /** Called with a sentence when the time becomes untrusted, trusted again, or moves by more than a tick. */
  readonly onChange: (message: string) => void;
  readonly onFailed: (error: unknown) => void;
  /** `setTimeout` by default. */
  readonly wait?: (ms: number) => Promise<void>;
}

interface Measurement {
  /** Bounds of the offset. */
  readonly low: bigint;
  readonly high: bigint;
  /** Host time. */
  readonly at: bigint;
  /** Time of the database. */
  readonly time: bigint;
}

const distance = (a: bigint, b: bigint): bigint => (a > b ? a - b : b - a);

/** Whether two measurements are too near to show a rate. */
const isNear = (one: Measurement, other: Measurement) => distance(one.time, other.time) < MIN_APART_NS;

/** Whether a host whose clock runs as the database's could have made both. */
function isAgreed(one: Measurement, other: Measurement): boolean {
  const elapsed = distance(one.at, other.at);
  const apart = other.low > one.high ? other.low - one.high : one.low - other.high;
  return apart * 100n <= elapsed * MAX_DRIFT_PERCENT;
}

export class DatabaseClock implements Clock {
  readonly #options: DatabaseClockOptions;
  #offset = 0n;
  #measured: Measurement | undefined;
  /** Whether the last two measurements agree. */
  #isSteady = false;
  #last = 0n;
  #reported: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #syncing: Promise<void> | undefined;

  constructor(options: DatabaseClockOptions) {
    this.#options = options;
  }

  get source(): string {
    return this.fault() === undefined ? 'postgresql' : 'postgresql, not trusted';
  }

  /** Milliseconds that the host's clock is ahead of the database's. */
  get hostAheadMs(): number {
    return Number(-this.#offset / NS_PER_MS);
  }

  /** Never decreases while the time is trusted. */
  now(): bigint {
    const host = this.#options.host.now();
    const now = host + this.#offset;
    if (now <= this.#last) return this.#last;
    if (this.#isSteady && this.#isFresh(host)) this.#last = now;
    return now;
  }

  fault(): string | undefined {
    const host = this.#options.host.now();
    if (!this.#isFresh(host))
      return `it has not been compared with that of the database within ${LIMITS.clock.staleMs} ms, or has jumped.`;
    if (!this.#isSteady) return "the clock of this host does not run at the rate of the database's.";
    const behind = this.#last - (host + this.#offset);
    if (behind <= MAX_BEHIND_NS) return undefined;
    return `the database's clock is ${behind / NS_PER_MS} ms behind the time that this node has already used.`;
  }

  /** Takes the first measurements, and repeats them until `stop`. @throws DomainError STORAGE_UNAVAILABLE */
  async start(): Promise<void> {
    await this.#measureOnce();
    for (let attempt = 2; attempt <= MAX_ATTEMPTS && !this.#isSteady; attempt++) await this.#measureLater();
    if (this.#measured === undefined) throw unavailable('The database answers too slowly to read its clock.');
    this.#report();
    this.#timer = setInterval(() => void this.sync(), SYNC_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#syncing;
  }

  /** Measures the offset again. Concurrent calls share one measurement. Never rejects. */
  sync(): Promise<void> {
    this.#syncing ??= this.#measure()
      .catch(this.#options.onFailed)
      .finally(() => {
        this.#syncing = undefined;
        this.#report();
      });
    return this.#syncing;
  }

  async #measure(): Promise<void> {
    await this.#measureOnce();
    if (!this.#isSteady) await this.#measureLater();
  }

  async #measureLater(): Promise<void> {
    const { wait = (ms) => new Promise<void>((resolve) => setTimeout(resolve, ms)) } = this.#options;
    await wait(CONFIRM_MS);
    await this.#measureOnce();
  }

  async #measureOnce(): Promise<void> {
    const { host, read, onChange } = this.#options;
    const before = host.now();
    const time = await read();
    const after = host.now();
    if (after < before || after - before > MAX_WIDTH_NS) return;
    const [low, high] = [time - after, time - before];
    const measured = { low, high, at: after, time };
    const previous = this.#measured;
    this.#isSteady =
      previous !== undefined && isAgreed(previous, measured) && (this.#isSteady || !isNear(previous, measured));
    const old = this.#offset;
    const middle = (low + high) / 2n;
    if (previous === undefined || old < low - TICK_NS || old > high + TICK_NS) this.#offset = middle;
    else if (old < low) this.#offset = low;
    else if (old > high) this.#offset = high;
    this.#measured = measured;
    const moved = this.#offset - old;
    if (moved > TICK_NS || moved < -TICK_NS)
      onChange(`The clock of this host is ${this.hostAheadMs} ms ahead of the database's, which counts.`);
  }

  #isFresh(host: bigint): boolean {
    if (this.#measured === undefined) return false;
    const age = host - this.#measured.at;
    return age >= -TICK_NS && age <= MAX_AGE_NS;
  }

  #report(): void {
    const fault = this.fault();
    // The same fault may name another duration each time.
    if ((fault === undefined) === (this.#reported === undefined)) return;
    this.#reported = fault;
    this.#options.onChange(fault === undefined ? 'The time is trusted again.' : `The time is not trusted: ${fault}`);
  }
}

/** The database's clock now, in nanoseconds since the Unix epoch, to the microsecond. */
export async function databaseTime(on: Executor): Promise<bigint> {
  const [row] = await rows<{ us: number }>(
    on,
    'select (extract(epoch from clock_timestamp()) * 1000000)::bigint as us',
  );
  if (row === undefined) throw new Error('The database has no clock.');
  return BigInt(row.us) * 1_000n;
}
