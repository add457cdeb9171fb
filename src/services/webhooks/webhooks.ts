// Webhooks as the admins of a machine see them: what was sent, what waits, what was given up, and the secret that signs.

import type { CompiledAction, CompiledContract } from '../../contracts/compiled.ts';
import { isoFromMs, isoFromNs, startOfTick } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { into } from '../../storage/machines/ledger.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import {
  type DeliveryStatus,
  type OutboxRepository,
  redeliveries,
  type StoredDelivery,
} from '../../storage/webhooks/outbox.ts';
import type { Principal } from '../access/access.ts';
import type { MachineService } from '../machines/machines.ts';
import type { Outbound } from '../node/outbound.ts';
import type { Courier } from './dispatcher.ts';
import type { WebhookSecrets } from './secrets.ts';
import { formatSecret } from './signature.ts';

export interface DeliveryRecord {
  readonly id: string;
  readonly contract: string;
  readonly url: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly next_attempt_tick: number | null;
  readonly next_attempt_at: string | null;
  readonly last_error: string | null;
  readonly created_svcond: number;
  readonly delivered_svcond: number | null;
  readonly body: string;
}

export interface SecretRecord {
  readonly secret: string;
  readonly epoch: number;
  readonly created_at: string;
  /** Of the one before: until then it signs too. */
  readonly previous_signs_until: string | null;
}

export interface WebhookServiceOptions {
  readonly machines: MachineService;
  readonly outbox: OutboxRepository;
  readonly secrets: WebhookSecrets;
  readonly courier: Pick<Courier, 'wake'>;
}

export class WebhookService {
  readonly #options: WebhookServiceOptions;

  constructor(options: WebhookServiceOptions) {
    this.#options = options;
  }

  /** Newest first. @throws DomainError VALIDATION_FAILED for a cursor that no list has answered */
  async list(
    { id }: Machine,
    page: {
      readonly status?: DeliveryStatus | undefined;
      readonly limit: number;
      readonly cursor?: string | undefined;
    },
  ): Promise<{ readonly rows: DeliveryRecord[]; readonly next_cursor: string | null }> {
    const { rows, nextCursor } = await this.#options.outbox.list(id, page);
    return { rows: rows.map(recordOf), next_cursor: nextCursor ?? null };
  }

  /**
   * Sends again what was delivered or given up, under the same webhook-id.
   *
   * @throws DomainError NOT_FOUND, CONFLICT while it is pending, MACHINE_ARCHIVED
   */
  async redeliver(machine: Machine, by: Principal, id: string): Promise<DeliveryRecord> {
    const { machines, outbox, courier } = this.#options;
    const { answer } = await machines.commitAlone(machine, async (_, on) => {
      const known = await outbox.get(machine.id, id, on);
      if (known === undefined) throw new DomainError('NOT_FOUND', `There is no delivery ${id} on this machine.`);
      if (known.status === 'pending') {
        const message = `The delivery ${id} is pending: its next attempt is made at tick ${known.nextAttemptTick}.`;
        throw new DomainError('CONFLICT', message);
      }
      const row = machines.row(by, 'webhook', 'api', { act: 'redelivered', id, status: known.status });
      const pending: StoredDelivery = {
        ...known,
        status: 'pending',
        nextAttemptTick: row.svcond,
        lastError: undefined,
        deliveredSvcond: undefined,
      };
      const write = into(redeliveries, { machineId: machine.id, id, tick: row.svcond });
      return { rows: [row], writes: [write], answer: pending };
    });
    courier.wake();
    return recordOf(answer);
  }

  async secret({ id }: Machine): Promise<SecretRecord> {
    const [newest, previous] = await this.#options.secrets.of(id);
    return {
      secret: formatSecret(newest.secret),
      epoch: newest.epoch,
      created_at: isoFromMs(newest.createdMs),
      previous_signs_until: previous?.signsUntilMs === undefined ? null : isoFromMs(previous.signsUntilMs),
    };
  }

  /** @throws DomainError MACHINE_ARCHIVED */
  async rotateSecret(machine: Machine, by: Principal): Promise<SecretRecord> {
    await this.#options.secrets.rotate(this.#options.machines, machine, by);
    return this.secret(machine);
  }
}

function recordOf(delivery: StoredDelivery): DeliveryRecord {
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
 * Addresses that no delivery would call are refused with the contract.
 *
 * @param before  the version before: its addresses are not looked at again
 * @throws DomainError VALIDATION_FAILED
 */
export function assertWebhooks({ transitions }: CompiledContract, outbound: Outbound, before?: CompiledContract): void {
  const known = new Set(before?.transitions.flatMap(({ post }) => post.flatMap(addressesIn)));
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

function addressesIn(action: CompiledAction): string[] {
  return action.kind === 'webhook' ? [action.url] : [];
}
