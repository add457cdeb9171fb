// Guards of rows and timers against a clock that is wrong: a row that is stamped too late would hold back its machine
// for as long, and a timer that fires too early cannot be taken back.

import { type Clock, TICK_SECONDS, tickOf } from './clock.ts';
import { DomainError } from './errors.ts';
import { LIMITS } from './limits.ts';

/** @throws DomainError CLOCK_SKEWED while the time of this node is not trusted */
export function assertTrusted(clock: Clock): void {
  const fault = clock.fault?.();
  if (fault === undefined) return;
  const message = `The clock of this node is not trusted: ${fault}`;
  throw new DomainError('CLOCK_SKEWED', message, { retryAfterSeconds: LIMITS.clock.retrySeconds });
}

/**
 * @param headSvcond  tick of the newest row
 * @throws DomainError CLOCK_AHEAD if it is more than `aheadTicks` ahead of the clock, CLOCK_SKEWED as `assertTrusted`
 */
export function assertNotAhead(clock: Clock, headSvcond: number): void {
  assertTrusted(clock);
  const now = tickOf(clock.now());
  const ahead = headSvcond - now - LIMITS.clock.aheadTicks;
  if (ahead <= 0) return;
  const message = `The newest row of the machine is at tick ${headSvcond}, but the time is tick ${now}; wait for it.`;
  throw new DomainError('CLOCK_AHEAD', message, {
    facts: { head_svcond: headSvcond, svcond: now },
    retryAfterSeconds: Math.ceil(ahead * TICK_SECONDS),
  });
}
