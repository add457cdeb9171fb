// The secrets that sign a machine's webhooks: made when the first one is wanted, replaced by hand, known to its admins.
//
// A secret that was replaced signs beside the new one for a day, so that a receiver can change over without losing anything.

import type { Clock } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import { into } from '../../storage/machines/ledger.ts';
import type { Machine } from '../../storage/machines/machines.ts';
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
  /** Until then it signs; undefined while it is the newest. */
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
/** However often it is replaced, no more than so many sign. */
const MOST = 4;

export class WebhookSecrets {
  readonly #options: WebhookSecretsOptions;

  constructor(options: WebhookSecretsOptions) {
    this.#options = options;
  }

  /** Those that sign now, the newest first; never none. */
  async of(machineId: string): Promise<readonly [WebhookSecret, ...WebhookSecret[]]> {
    const { secrets, randomBytes } = this.#options;
    const nowMs = this.#nowMs();
    let found = await secrets.list(machineId, nowMs - OVERLAP_MS);
    if (found.length === 0) {
      const sealed = this.#seal(machineId, 1, randomBytes(SECRET_BYTES));
      await secrets.insertFirst({ machineId, sealed, createdMs: nowMs });
      found = await secrets.list(machineId, nowMs - OVERLAP_MS);
    }
    const [newest, ...before] = found.slice(0, MOST).map((one) => this.#open(one));
    if (newest === undefined) throw new Error('The secret of a machine was made and is not there.');
    return [newest, ...before];
  }

  /** Puts a new one in its place; the chain says when, not what. @throws DomainError MACHINE_ARCHIVED */
  async rotate(machines: MachineService, machine: Machine, by: Principal): Promise<void> {
    const { secrets, randomBytes } = this.#options;
    await this.of(machine.id);
    await machines.commitAlone(machine, async (_, on) => {
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
    return this.#options.box.seal(nameOf(machineId, epoch), secret);
  }

  #open({ machineId, epoch, sealed, createdMs, retiredMs }: SealedWebhookSecret): WebhookSecret {
    const secret = this.#options.box.open(nameOf(machineId, epoch), sealed);
    return { epoch, secret, createdMs, signsUntilMs: retiredMs === undefined ? undefined : retiredMs + OVERLAP_MS };
  }

  #nowMs(): number {
    return Number(this.#options.clock.now() / 1_000_000n);
  }
}

function nameOf(machineId: string, epoch: number): string {
  return `svc-webhook\0${machineId}\0${epoch}`;
}
