// Counts what tenants use of their rates: on this node, and with all nodes of one database (ADR 18).
//
// A frequent rate is counted here and settled in the database by parts of its limit, so that most requests cost no
// statement. Each node has at most `maxUnsettled` of a limit that the others do not know. A rare rate is one statement.

import type { Clock } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import { type RateCharge, type RateRepository, type RateUse, ROUNDING } from '../../storage/access/rates.ts';
import { Batcher } from '../../storage/database/batcher.ts';
import { DatabaseSilence } from './database-silence.ts';

export interface Charge extends Omit<RateCharge, 'endsMs'> {
  /** Length of the window, which its first charge opens. */
  readonly windowMs: number;
}

export interface ChargedUse extends RateUse {
  readonly isExceeded: boolean;
  readonly nowMs: number;
}

export interface RateWindowsOptions {
  readonly clock: Clock;
  /** Without it every rate is counted on this node alone. */
  readonly rates?: Pick<RateRepository, 'add' | 'take' | 'giveBack'> | undefined;
  /** Other nodes may use the database, so that frequent rates are settled too. */
  readonly hasOtherNodes?: boolean;
  /** Called when the database does not answer; the limits of this node alone then bind. */
  readonly onSilent?: (error: unknown) => void;
  /** How long an answer of the database is waited for. */
  readonly waitMs?: number;
}

interface Window {
  endsMs: number;
  /** Use by all nodes, as the database last said, and by this one since. */
  known: number;
  unsettled: number;
  settling: Promise<void> | undefined;
}

const { settleAt, maxUnsettled, tenants: MAX_TENANTS } = LIMITS.sharedRate;

export class RateWindows {
  readonly #clock: Clock;
  readonly #rates: RateWindowsOptions['rates'];
  readonly #hasOtherNodes: boolean;
  readonly #silence: DatabaseSilence;
  /** By name, then by tenant in the order in which they were opened. */
  readonly #windows = new Map<string, Map<string, Window>>();
  readonly #settlements = new Batcher<RateCharge, RateUse>(
    async (charges) => (await this.#rates?.add(charges, this.#nowMs())) ?? [],
  );

  constructor({ clock, rates, hasOtherNodes = false, onSilent, waitMs }: RateWindowsOptions) {
    this.#clock = clock;
    this.#rates = rates;
    this.#hasOtherNodes = hasOtherNodes;
    this.#silence = new DatabaseSilence(clock, onSilent, waitMs);
  }

  /** Counts a frequent charge if the limit allows; few charges wait for the database. */
  count(charge: Charge): ChargedUse | Promise<ChargedUse> {
    const { share } = charge;
    const nowMs = this.#nowMs();
    const window = this.#windowOf(charge, nowMs);
    if (!fits(window, share)) return useOf(window, nowMs, true);
    // What is not settled may not grow: hear first what the other nodes have counted.
    const isFull = window.unsettled > 0 && window.unsettled + share > maxUnsettled;
    if (isFull && this.#isSettled()) return this.#settle(charge, window).then(() => this.count(charge));
    window.unsettled += share;
    this.#settleIfDue(charge, window);
    return useOf(window, nowMs, false);
  }

  /** Counts a charge that may pass the limit and never waits. */
  add(charge: Charge): void {
    const nowMs = this.#nowMs();
    const window = this.#windowOf(charge, nowMs);
    window.unsettled += charge.share;
    this.#settleIfDue(charge, window);
  }

  /** Use of a window, without counting. */
  peek(name: string, tenant: string): ChargedUse | undefined {
    const window = this.#windows.get(name)?.get(tenant);
    if (window === undefined) return undefined;
    const nowMs = this.#nowMs();
    return window.endsMs > nowMs ? useOf(window, nowMs, window.known + window.unsettled > 1) : undefined;
  }

  /** Counts a rare charge if the limit allows, with all nodes at once. */
  async take(charge: Charge): Promise<ChargedUse> {
    const nowMs = this.#nowMs();
    const window = this.#windowOf(charge, nowMs);
    if (this.#rates !== undefined && !this.#silence.isSilent) {
      const { name, tenant, share, windowMs } = charge;
      const answer = this.#rates.take({ name, tenant, share, endsMs: nowMs + windowMs }, nowMs);
      const heard = await this.#silence.heard(answer);
      if (heard !== undefined) {
        Object.assign(window, { known: heard.used, unsettled: 0, endsMs: heard.endsMs });
        return { ...heard, nowMs };
      }
    }
    if (!fits(window, charge.share)) return useOf(window, nowMs, true);
    window.unsettled += charge.share;
    return useOf(window, nowMs, false);
  }

  /** Gives back what `take` counted. */
  async giveBack(charge: Charge): Promise<void> {
    const nowMs = this.#nowMs();
    const window = this.#windows.get(charge.name)?.get(charge.tenant);
    if (window !== undefined && window.endsMs > nowMs) window.known -= charge.share;
    if (this.#rates !== undefined && !this.#silence.isSilent)
      await this.#silence.heard(this.#rates.giveBack(charge, nowMs));
  }

  #windowOf({ name, tenant, windowMs }: Charge, nowMs: number): Window {
    const windows = this.#windows.get(name) ?? new Map<string, Window>();
    if (windows.size === 0) this.#windows.set(name, windows);
    const found = windows.get(tenant);
    if (found !== undefined && found.endsMs > nowMs) return found;
    const opened = { endsMs: nowMs + windowMs, known: 0, unsettled: 0, settling: undefined };
    windows.delete(tenant);
    windows.set(tenant, opened);
    for (const [oldest, { endsMs }] of windows) {
      if (endsMs > nowMs && windows.size <= MAX_TENANTS) break;
      windows.delete(oldest);
    }
    return opened;
  }

  #settleIfDue(charge: Charge, window: Window): void {
    if (window.unsettled >= settleAt && this.#isSettled()) void this.#settle(charge, window);
  }

  #isSettled(): boolean {
    return this.#hasOtherNodes && this.#rates !== undefined && !this.#silence.isSilent;
  }

  /** Afterwards less is unsettled, or the database is silent. */
  #settle(charge: Charge, window: Window): Promise<void> {
    window.settling ??= this.#settleOnce(charge, window).finally(() => {
      window.settling = undefined;
    });
    return window.settling;
  }

  async #settleOnce({ name, tenant }: Charge, window: Window): Promise<void> {
    const sent = window.unsettled;
    const settled = this.#settlements.load({ name, tenant, share: sent, endsMs: window.endsMs }).then((use) => {
      window.unsettled = Math.max(0, window.unsettled - sent);
      window.known = use.used;
      window.endsMs = use.endsMs;
    });
    await this.#silence.heard(settled);
  }

  #nowMs(): number {
    return Number(this.#clock.now() / 1_000_000n);
  }
}

const fits = ({ known, unsettled }: Window, share: number) => known + unsettled + share <= 1 + share * ROUNDING;

const useOf = ({ known, unsettled, endsMs }: Window, nowMs: number, isExceeded: boolean): ChargedUse => ({
  used: known + unsettled,
  endsMs,
  isExceeded,
  nowMs,
});
