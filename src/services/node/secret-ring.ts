// Secrets of the node by epoch, encrypted under the master key in the database that all nodes share.

import type { Clock } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import type { SealedSecret, SecretPurpose, SecretRepository } from '../../storage/node/secrets.ts';
import type { Storage } from '../../storage/storage.ts';
import type { SealedBox } from './sealed-box.ts';

export interface Secret {
  /** Counts from 1. */
  readonly epoch: number;
  readonly secret: Uint8Array;
  readonly createdMs: number;
  /** After this it verifies and no longer signs. */
  readonly retiredMs: number | undefined;
}

export interface SecretRingOptions {
  readonly secrets: SecretRepository;
  readonly transaction: Storage['transaction'];
  readonly box: SealedBox;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
}

const SECRET_BYTES = 32;

export class SecretRing {
  readonly #options: SecretRingOptions;

  constructor(options: SecretRingOptions) {
    this.#options = options;
  }

  /**
   * All secrets of a purpose, newest first; creates the first one if none exists.
   *
   * @throws DomainError VALIDATION_FAILED if they were sealed under another master key
   */
  async open(purpose: SecretPurpose): Promise<readonly Secret[]> {
    let sealed = await this.#options.secrets.list(purpose);
    if (sealed.length === 0) {
      await this.#add(purpose, 1);
      sealed = await this.#options.secrets.list(purpose);
    }
    return sealed.map((secret) => unseal(this.#options.box, secret));
  }

  /** Adds an epoch and retires the earlier ones; concurrent rotations add one. @returns all, newest first */
  async rotate(purpose: SecretPurpose): Promise<readonly Secret[]> {
    const [newest] = await this.open(purpose);
    await this.#add(purpose, (newest?.epoch ?? 0) + 1);
    return this.open(purpose);
  }

  async #add(purpose: SecretPurpose, epoch: number): Promise<void> {
    const { secrets, transaction, box, clock, randomBytes } = this.#options;
    const createdMs = Number(clock.now() / 1_000_000n);
    const ciphertext = box.seal(secretContext(purpose, epoch), randomBytes(SECRET_BYTES));
    await transaction(async (on) => {
      if (await secrets.insert({ purpose, epoch, ciphertext, createdMs }, on)) {
        await secrets.retireBefore(purpose, epoch, createdMs, on);
      }
    });
  }
}

/** @throws DomainError VALIDATION_FAILED if it was sealed under another master key */
export function unseal(box: SealedBox, { purpose, epoch, ciphertext, createdMs, retiredMs }: SealedSecret): Secret {
  try {
    return { epoch, secret: box.open(secretContext(purpose, epoch), ciphertext), createdMs, retiredMs };
  } catch (cause) {
    const message = `The ${purpose} secret of epoch ${epoch} was sealed under another master key, or its row is damaged.`;
    const details = [{ path: 'SVC_MASTER_KEY', code: 'MASTER_KEY', message }];
    throw new DomainError('VALIDATION_FAILED', message, { cause, details });
  }
}

/** Name under which a secret is sealed. */
export function secretContext(purpose: SecretPurpose, epoch: number): string {
  return `svc-secret\0${purpose}\0${epoch}`;
}
