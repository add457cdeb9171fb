// The courier: sends the webhooks that fires asked for, signed, until they are received or given up.
//
// At least once: a delivery is taken for one attempt, sent, and then marked. A node that dies in between leaves it due again
// after LEASE_TICKS, under the same webhook-id. Every node may have a courier; what one has taken no other takes meanwhile.

import { type Clock, TICK_SECONDS, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Lane, OutboxRepository, TakenDelivery } from '../../storage/webhooks/outbox.ts';
import type { Outbound, OutboundAnswer } from '../node/outbound.ts';
import { chooseDeliveries, delayAfter, MOST_DELAY_TICKS } from './delivery-plan.ts';
import type { WebhookSecrets } from './secrets.ts';
import { signatureHeaders } from './signature.ts';

export interface CourierOptions {
  readonly outbox: OutboxRepository;
  readonly outbound: Pick<Outbound, 'fetchText'>;
  readonly secrets: WebhookSecrets;
  readonly clock: Clock;
  readonly onFailed: (error: unknown) => void;
}

/** How one attempt ended. */
type Outcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'failed'; readonly error: string; readonly isFinal: boolean; readonly waitTicks: number };

const LOOK_EVERY_MS = 1_000;
/** Half a minute: several times what a request may take. */
const LEASE_TICKS = 40;
const OFFERED = 4 * LIMITS.webhooks.underWay;

export class Courier {
  readonly #options: CourierOptions;
  readonly #underWay = new Map<TakenDelivery, Promise<void>>();
  #after: Lane | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isWanted = false;
  #isStopped = false;

  constructor(options: CourierOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => this.wake(), LOOK_EVERY_MS).unref();
  }

  /** Something may be due. */
  wake(): void {
    void this.look();
  }

  /** Takes what is due as far as it may be under way, and begins to send it. Never rejects. */
  look(): Promise<void> {
    this.#isWanted = true;
    this.#looking ??= this.#look();
    return this.#looking;
  }

  /** Nothing that is due is left, and nothing under way. */
  async settled(): Promise<void> {
    await this.look();
    while (this.#underWay.size > 0) {
      await Promise.all(this.#underWay.values());
      await this.look();
    }
  }

  /** Takes nothing more, and waits for what is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#looking;
    await Promise.all(this.#underWay.values());
  }

  async #look(): Promise<void> {
    try {
      while (this.#isWanted && !this.#isStopped) {
        this.#isWanted = false;
        while ((await this.#take()) > 0 && !this.#isStopped);
      }
    } catch (error) {
      this.#options.onFailed(error);
    } finally {
      this.#looking = undefined;
    }
  }

  /** @returns how many it took */
  async #take(): Promise<number> {
    const { outbox, clock } = this.#options;
    const { underWay, perHost, perMachine } = LIMITS.webhooks;
    if (this.#underWay.size >= underWay) return 0;
    const ofHost = countBy([...this.#underWay.keys()].map(({ host }) => host));
    const ofMachine = countBy([...this.#underWay.keys()].map(({ machineId }) => machineId));
    const now = tickOf(clock.now());
    const taken = await outbox.take({
      now,
      until: now + LEASE_TICKS,
      after: this.#after,
      exceptHosts: atLeast(perHost, ofHost),
      exceptMachines: atLeast(perMachine, ofMachine),
      perLane: perHost,
      most: OFFERED,
      choose: (due) => {
        const chosen = chooseDeliveries(due, { count: this.#underWay.size, ofHost, ofMachine });
        // The next look goes on behind the last lane that had its turn.
        this.#after = chosen.at(-1);
        return chosen;
      },
    });
    for (const delivery of taken) {
      const done = this.#deliver(delivery)
        .catch(this.#options.onFailed)
        .finally(() => {
          this.#underWay.delete(delivery);
          this.wake();
        });
      this.#underWay.set(delivery, done);
    }
    return taken.length;
  }

  async #deliver(delivery: TakenDelivery): Promise<void> {
    const { outbox, clock } = this.#options;
    const outcome = await this.#send(delivery).catch((error: unknown) => this.#broken(error));
    const now = tickOf(clock.now());
    if (outcome.kind === 'delivered') return outbox.markDelivered(delivery.id, now);
    const { id, attempt, finalAttempt } = delivery;
    const round = attempt - (finalAttempt - LIMITS.webhooks.attempts);
    const isOver = outcome.isFinal || attempt >= finalAttempt;
    const next = isOver ? undefined : now + Math.max(delayAfter(id, round), outcome.waitTicks);
    return outbox.markFailed(delivery, outcome.error, next);
  }

  /** What nobody foresaw ends an attempt as well, or the delivery would come due for ever. Its owner is not told what it was. */
  #broken(error: unknown): Outcome {
    this.#options.onFailed(error);
    return failed('INTERNAL: the delivery could not be signed or sent.');
  }

  async #send({ id, url, body, machineId }: TakenDelivery): Promise<Outcome> {
    const { outbound, secrets, clock } = this.#options;
    const signing = await secrets.of(machineId);
    const seconds = Number(clock.now() / 1_000_000_000n);
    const signatures = signatureHeaders(
      { id, seconds, body },
      signing.map(({ secret }) => secret),
    );
    const headers = { 'content-type': 'application/json', ...signatures };
    try {
      return outcomeOf(await outbound.fetchText({ url, method: 'POST', headers, body }));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return failed(`${error.code}: ${error.message}`, { isFinal: error.code === 'ADDRESS_BLOCKED' });
    }
  }
}

function outcomeOf({ status, headers }: OutboundAnswer): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return failed('HTTP 410: the receiver wants no more of it.', { isFinal: true });
  if (status >= 300 && status < 400) return failed(`HTTP ${status}: redirects are not followed.`);
  return failed(`HTTP ${status}`, { waitTicks: ticksToWait(headers['retry-after']) });
}

function failed(error: string, { isFinal = false, waitTicks = 0 } = {}): Outcome {
  return { kind: 'failed', error, isFinal, waitTicks };
}

/** Of a Retry-After in seconds, a day at most. */
function ticksToWait(retryAfter: string | undefined): number {
  if (retryAfter === undefined || !/^\d{1,9}$/.test(retryAfter)) return 0;
  return Math.min(MOST_DELAY_TICKS, Math.ceil(Number(retryAfter) / TICK_SECONDS));
}

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function atLeast(limit: number, counts: ReadonlyMap<string, number>): string[] {
  return [...counts].filter(([, count]) => count >= limit).map(([name]) => name);
}
