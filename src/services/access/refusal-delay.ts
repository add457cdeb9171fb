// Delays refusals of callers that go on asking. A refusal costs the event loop a third of a millisecond, so a caller who
// repeats it at once, on several connections, takes what others need. The first refusals of a second are sent at once.
// Calls over HTTP, MCP and WebSocket count together.

import { type Clock, monotonicClock } from '../../core/clock.ts';
import { DomainError, type ErrorCode } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';

interface RefusalLimits {
  /** Refusals of a tenant in a second that are sent at once. */
  readonly perSecond: number;
  /** Refusals of a tenant that wait at a time. */
  readonly held: number;
  readonly delayMs: number;
}

interface Refused {
  sinceMs: number;
  count: number;
  /** Refusals that wait. */
  held: number;
}

const REFUSALS: ReadonlySet<ErrorCode> = new Set(['RATE_LIMITED', 'QUEUE_FULL']);
const SECOND_MS = 1_000;

export class RefusalDelay {
  readonly #limits: RefusalLimits;
  readonly #now: () => number;
  /** In the order of their seconds. */
  readonly #tenants = new Map<string, Refused>();

  constructor(limits: RefusalLimits = LIMITS.refusal, clock: Pick<Clock, 'now'> = monotonicClock()) {
    this.#limits = limits;
    this.#now = () => Number(clock.now() / 1_000_000n);
  }

  /** Waits before an error is sent, if it refuses one of many calls of a tenant. */
  async wait(error: unknown, tenantOf: () => string): Promise<void> {
    if (!(error instanceof DomainError && REFUSALS.has(error.code))) return;
    const { perSecond, held, delayMs } = this.#limits;
    const refused = this.#refusedOf(tenantOf());
    // One that cannot be held is sent: connections in wait cost memory.
    if (++refused.count <= perSecond || refused.held >= held) return;
    refused.held++;
    await new Promise<void>((resolve) => setTimeout(resolve, delayMs));
    refused.held--;
  }

  #refusedOf(tenant: string): Refused {
    const now = this.#now();
    const found = this.#tenants.get(tenant);
    if (found !== undefined && now - found.sinceMs < SECOND_MS) return found;
    const held = found?.held ?? 0;
    // The object stays: refusals that wait count until they are sent, in whichever second that is.
    const refused = Object.assign(found ?? {}, { sinceMs: now, count: 0, held });
    this.#tenants.delete(tenant);
    this.#tenants.set(tenant, refused);
    for (const [oldest, one] of this.#tenants) {
      if (now - one.sinceMs < SECOND_MS || one.held > 0) break;
      this.#tenants.delete(oldest);
    }
    return refused;
  }
}
