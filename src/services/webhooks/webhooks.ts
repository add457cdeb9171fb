// Webhooks for admins of a machine: lists deliveries, sends one again, and shows or rotates the signing secret.

import type { CompiledAction, CompiledContract } from '../../contracts/compiled.ts';
import { isoFromMs, isoFromNs, startOfTick } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { into } from '../../storage/database/writer.ts';
import { assertNotArchived, type Machine } from '../../storage/machines/machines.ts';
import {
  type DeliveryStatus,
  type OutboxRepository,
  redeliveries,
  type StoredDelivery,
} from '../../storage/webhooks/outbox.ts';
import type { Principal } from '../access/access.ts';
import type { MachineService } from '../machines/machines.ts';
import type { OutboundClient } from '../node/outbound.ts';
import type { WebhookDispatcher } from './dispatcher.ts';
import type { WebhookSecrets } from './secrets.ts';
import { formatSecret } from './signature.ts';

export interface WebhookServiceOptions {
  readonly machines: MachineService;
  readonly outbox: OutboxRepository;
  readonly secrets: WebhookSecrets;
  readonly dispatcher: Pick<WebhookDispatcher, 'wake'>;
}

export class WebhookService {
  readonly #options: WebhookServiceOptions;

  constructor(options: WebhookServiceOptions) {
    this.#options = options;
  }

  /** Lists deliveries, newest first. @throws DomainError VALIDATION_FAILED for an invalid cursor */
  async list(
    { id }: Machine,
    page: {
      readonly status?: DeliveryStatus | undefined;
      readonly limit: number;
      readonly cursor?: string | undefined;
    },
  ) {
    const { rows, nextCursor } = await this.#options.outbox.list(id, page);
    return { rows: rows.map(recordOf), nextCursor };
  }

  /**
   * Sends a settled delivery again, under the same webhook-id.
   *
   * @throws DomainError NOT_FOUND, CONFLICT while it is pending, MACHINE_ARCHIVED
   */
  async redeliver(machine: Machine, by: Principal, id: string) {
    const { machines, outbox, dispatcher } = this.#options;
    const { answer } = await machines.commitExclusive(machine, async (_, on) => {
      const stored = await outbox.get(machine.id, id, on);
      if (stored === undefined) throw new DomainError('NOT_FOUND', `Delivery ${id} not found on this machine.`);
      if (stored.status === 'pending') {
        const message = `Delivery ${id} is pending; its next attempt is at tick ${stored.nextAttemptTick}.`;
        throw new DomainError('CONFLICT', message);
      }
      const row = machines.row(by, 'webhook', 'api', { act: 'redelivered', id, status: stored.status });
      const pending: StoredDelivery = {
        ...stored,
        status: 'pending',
        nextAttemptTick: row.svcond,
        lastError: undefined,
        deliveredSvcond: undefined,
      };
      const write = into(redeliveries, { machineId: machine.id, id, tick: row.svcond });
      return { rows: [row], writes: [write], answer: pending };
    });
    dispatcher.wake();
    return recordOf(answer);
  }

  /** @throws DomainError MACHINE_ARCHIVED if the machine has no secret, since one would be made */
  async secret(machine: Machine) {
    const { secrets } = this.#options;
    if (!(await secrets.exists(machine.id))) assertNotArchived(machine);
    const [newest, previous] = await secrets.getSigning(machine.id);
    return {
      secret: formatSecret(newest.secret),
      epoch: newest.epoch,
      created_at: isoFromMs(newest.createdMs),
      previous_signs_until: previous?.signsUntilMs === undefined ? null : isoFromMs(previous.signsUntilMs),
    };
  }

  /** @throws DomainError MACHINE_ARCHIVED */
  async rotateSecret(machine: Machine, by: Principal) {
    await this.#options.secrets.rotate(this.#options.machines, machine, by);
    return this.secret(machine);
  }
}

function recordOf(delivery: StoredDelivery) {
  const { nextAttemptTick } = delivery;
  return {
    id: delivery.id,
    contract: delivery.contractId,
    url: delivery.url,
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_tick: nextAttemptTick ?? null,
    next_attempt_at: nextAttemptTick === undefined ? null : isoFromNs(startOfTick(nextAttemptTick)),
    last_error: delivery.lastError ?? null,
    created_svcond: delivery.createdSvcond,
    delivered_svcond: delivery.deliveredSvcond ?? null,
    body: delivery.body,
  };
}

/**
 * Rejects a contract with a URL that no delivery may call.
 *
 * @param previous  previous version; its URLs are not checked again
 * @throws DomainError VALIDATION_FAILED
 */
export function assertWebhooksCallable(
  { transitions }: CompiledContract,
  outbound: OutboundClient,
  previous?: CompiledContract,
): void {
  const known = new Set(previous?.transitions.flatMap(({ post }) => post.flatMap(urlsOf)));
  for (const { id, post } of transitions) {
    for (const action of post) {
      if (action.kind !== 'webhook' || known.has(action.url)) continue;
      try {
        outbound.assertCallable(action.url);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        const path = `transitions.${id}.post.webhook.url`;
        const message = `${path} cannot be called: ${error.message}`;
        throw new DomainError('VALIDATION_FAILED', message, { details: [{ path, code: error.code, message }] });
      }
    }
  }
}

function urlsOf(action: CompiledAction): string[] {
  return action.kind === 'webhook' ? [action.url] : [];
}
