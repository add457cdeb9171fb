// Dispatches webhooks of fires, signed, until they are delivered or given up.
//
// At-least-once delivery: a delivery is claimed for one attempt, sent, and then marked. If the node dies in between,
// the delivery is due again after LEASE_TICKS, under the same webhook-id. Every node may run a dispatcher; a claimed
// delivery is not claimed by another meanwhile.

import { type Clock, TICK_SECONDS, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { ClaimedDelivery, Lane, OutboxRepository } from '../../storage/webhooks/outbox.ts';
import type { OutboundClient, OutboundResponse } from '../node/outbound.ts';
import { WakingPoll } from '../node/waking-poll.ts';
import { chooseDeliveries, MAX_DELAY_TICKS, retryDelayTicks } from './delivery-plan.ts';
import type { WebhookSecrets } from './secrets.ts';
import { signatureHeaders } from './signature.ts';

export interface WebhookDispatcherOptions {
  readonly outbox: OutboxRepository;
  readonly outbound: Pick<OutboundClient, 'fetchText'>;
  readonly secrets: WebhookSecrets;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Outcome of one attempt. */
type Outcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'failed'; readonly error: string; readonly isFinal: boolean; readonly waitTicks: number };

const POLL_INTERVAL_MS = 1_000;
/** Half a minute, several times the timeout of a request. */
const LEASE_TICKS = 40;
const MAX_CANDIDATES = 4 * LIMITS.webhooks.inFlight;

export class WebhookDispatcher {
  readonly #options: WebhookDispatcherOptions;
  readonly #inFlight = new Map<ClaimedDelivery, Promise<void>>();
  /** The lane of the last claim; the next claim continues after it. */
  #lastLane: Lane | undefined;
  readonly #polling: WakingPoll;

  constructor(options: WebhookDispatcherOptions) {
    this.#options = options;
    const work = async () => (await this.#claim()) > 0;
    this.#polling = new WakingPoll({ intervalMs: POLL_INTERVAL_MS, work, onError: options.onError });
  }

  start(): void {
    this.#polling.start();
  }

  /** Polls soon, since a delivery may be due. */
  wake(): void {
    this.#polling.wake();
  }

  /** Claims due deliveries up to the limits in flight, and starts to send them. Never rejects. */
  poll(): Promise<void> {
    return this.#polling.poll();
  }

  /** Resolves when nothing is due and nothing is in flight. */
  async settled(): Promise<void> {
    await this.poll();
    while (this.#inFlight.size > 0) {
      await Promise.all(this.#inFlight.values());
      await this.poll();
    }
  }

  /** Claims nothing more, and waits for the requests in flight. */
  async stop(): Promise<void> {
    await this.#polling.stop();
    await Promise.all(this.#inFlight.values());
  }

  /** @returns the number of deliveries claimed */
  async #claim(): Promise<number> {
    const { outbox, clock } = this.#options;
    const { inFlight: maxInFlight, perHost, perMachine } = LIMITS.webhooks;
    if (this.#inFlight.size >= maxInFlight) return 0;
    const ofHost = countBy([...this.#inFlight.keys()].map(({ host }) => host));
    const ofMachine = countBy([...this.#inFlight.keys()].map(({ machineId }) => machineId));
    const now = tickOf(clock.now());
    const claimed = await outbox.claimDue({
      now,
      until: now + LEASE_TICKS,
      after: this.#lastLane,
      exceptHosts: atLeast(perHost, ofHost),
      exceptMachines: atLeast(perMachine, ofMachine),
      perLane: perHost,
      limit: MAX_CANDIDATES,
      choose: (due) => {
        const chosen = chooseDeliveries(due, { count: this.#inFlight.size, ofHost, ofMachine });
        this.#lastLane = chosen.at(-1);
        return chosen;
      },
    });
    for (const delivery of claimed) {
      const running = this.#deliver(delivery)
        .catch(this.#options.onError)
        .finally(() => {
          this.#inFlight.delete(delivery);
          this.wake();
        });
      this.#inFlight.set(delivery, running);
    }
    return claimed.length;
  }

  async #deliver(delivery: ClaimedDelivery): Promise<void> {
    const { outbox, clock } = this.#options;
    const outcome = await this.#send(delivery).catch((error: unknown) => this.#internalFailure(error));
    const now = tickOf(clock.now());
    if (outcome.kind === 'delivered') return outbox.markDelivered(delivery.id, now);
    const { id, attempt, finalAttempt } = delivery;
    const round = attempt - (finalAttempt - LIMITS.webhooks.attempts);
    const isGivenUp = outcome.isFinal || attempt >= finalAttempt;
    const next = isGivenUp ? undefined : now + Math.max(retryDelayTicks(id, round), outcome.waitTicks);
    return outbox.markFailed(delivery, outcome.error, next);
  }

  /**
   * Counts an unexpected error as a failed attempt, or the delivery would be retried forever. Its owner sees no
   * details.
   */
  #internalFailure(error: unknown): Outcome {
    this.#options.onError(error);
    return failed('INTERNAL: the delivery could not be signed or sent.');
  }

  async #send({ id, url, body, machineId }: ClaimedDelivery): Promise<Outcome> {
    const { outbound, secrets, clock } = this.#options;
    const signing = await secrets.getSigning(machineId);
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

function outcomeOf({ status, headers }: OutboundResponse): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return failed('HTTP 410: the receiver accepts no more deliveries.', { isFinal: true });
  if (status >= 300 && status < 400) return failed(`HTTP ${status}: redirects are not followed.`);
  return failed(`HTTP ${status}`, { waitTicks: retryAfterTicks(headers['retry-after']) });
}

function failed(error: string, { isFinal = false, waitTicks = 0 } = {}): Outcome {
  return { kind: 'failed', error, isFinal, waitTicks };
}

/** Parses a Retry-After in seconds; at most a day. */
function retryAfterTicks(retryAfter: string | undefined): number {
  if (retryAfter === undefined || !/^\d{1,9}$/.test(retryAfter)) return 0;
  return Math.min(MAX_DELAY_TICKS, Math.ceil(Number(retryAfter) / TICK_SECONDS));
}

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function atLeast(limit: number, counts: ReadonlyMap<string, number>): string[] {
  return [...counts].filter(([, count]) => count >= limit).map(([name]) => name);
}
