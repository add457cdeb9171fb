// Signing secrets of a machine's webhooks: created on first use, rotated by an admin, visible to admins.
//
// A rotated secret signs beside the new one for a day, so that receivers can switch without rejecting a delivery.

import type { Clock } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import { into } from '../../storage/database/writer.ts';
import { assertNotArchived, type Machine } from '../../storage/machines/machines.ts';
import {
  type SealedWebhookSecret,
  type WebhookSecretRepository,
  webhookSecretRows,
} from '../../storage/webhooks/secrets.ts';
import type { Principal } from '../access/access.ts';
import type { MachineService } from '../machines/machines.ts';
import type { SealedBox } from '../node/sealed-box.ts';

export interface WebhookSecret {
  /** Counts from 1. */
  readonly epoch: number;
  readonly secret: Uint8Array;
  readonly createdMs: number;
  /** Time until which it signs; undefined for the newest. */
  readonly signsUntilMs: number | undefined;
}

export interface WebhookSecretsOptions {
  readonly secrets: WebhookSecretRepository;
  readonly box: SealedBox;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
}

const SECRET_BYTES = 32;
const OVERLAP_MS = LIMITS.webhooks.secretOverlapHours * 3_600_000;
/** Maximum number of secrets that sign at the same time. */
const MAX_SIGNING = 4;

export class WebhookSecrets {
  readonly #options: WebhookSecretsOptions;

  constructor(options: WebhookSecretsOptions) {
    this.#options = options;
  }

  /** Whether the machine has a secret. */
  async exists(machineId: string): Promise<boolean> {
    return (await this.#options.secrets.list(machineId, this.#nowMs())).length > 0;
  }

  /** Returns the secrets that sign now, newest first. Creates the first one if needed. */
  async getSigning(machineId: string): Promise<readonly [WebhookSecret, ...WebhookSecret[]]> {
    const { secrets, randomBytes } = this.#options;
    const nowMs = this.#nowMs();
    let found = await secrets.list(machineId, nowMs - OVERLAP_MS);
    if (found.length === 0) {
      const sealed = this.#seal(machineId, 1, randomBytes(SECRET_BYTES));
      await secrets.insertFirst({ machineId, sealed, createdMs: nowMs });
      found = await secrets.list(machineId, nowMs - OVERLAP_MS);
    }
    const [newest, ...previous] = found.slice(0, MAX_SIGNING).map((stored) => this.#open(stored));
    if (newest === undefined) throw new Error('Webhook secret not found after it was created.');
    return [newest, ...previous];
  }

  /** Rotates the secret. The chain records the rotation, not the secret. @throws DomainError MACHINE_ARCHIVED */
  async rotate(machines: MachineService, machine: Machine, by: Principal): Promise<void> {
    const { secrets, randomBytes } = this.#options;
    assertNotArchived(machine);
    await this.getSigning(machine.id);
    await machines.commitExclusive(machine, async (_, on) => {
      const createdMs = this.#nowMs();
      const [newest] = await secrets.list(machine.id, createdMs, on);
      const epoch = (newest?.epoch ?? 0) + 1;
      const sealed = this.#seal(machine.id, epoch, randomBytes(SECRET_BYTES));
      return {
        rows: [machines.row(by, 'webhook', 'api', { act: 'secret_rotated', epoch })],
        writes: [into(webhookSecretRows, { machineId: machine.id, epoch, sealed, createdMs })],
        answer: undefined,
      };
    });
  }

  #seal(machineId: string, epoch: number, secret: Uint8Array): Uint8Array {
    return this.#options.box.seal(webhookSecretContext(machineId, epoch), secret);
  }

  #open({ machineId, epoch, sealed, createdMs, retiredMs }: SealedWebhookSecret): WebhookSecret {
    const secret = this.#options.box.open(webhookSecretContext(machineId, epoch), sealed);
    return { epoch, secret, createdMs, signsUntilMs: retiredMs === undefined ? undefined : retiredMs + OVERLAP_MS };
  }

  #nowMs(): number {
    return Number(this.#options.clock.now() / 1_000_000n);
  }
}

/** Name under which a secret is sealed. */
export function webhookSecretContext(machineId: string, epoch: number): string {
  return `svc-webhook\0${machineId}\0${epoch}`;
}
