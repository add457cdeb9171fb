// The node's secrets by epoch, sealed in the database under the master key, so that all nodes on it share them.
//
// AES-256-GCM with a random nonce; purpose and epoch are authenticated with it, so a row cannot stand in for another.
// Stored: nonce (12 bytes), ciphertext (32), tag (16). NIST SP 800-38D, doi:10.6028/NIST.SP.800-38D.

import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import { DomainError } from '../core/errors.ts';
import type { SealedSecret, SecretPurpose, SecretRepository } from '../storage/secrets.ts';
import type { Storage } from '../storage/storage.ts';

export interface Secret {
  /** Counts from 1. */
  readonly epoch: number;
  readonly secret: Uint8Array;
  readonly createdMs: number;
  /** From then on it verifies and no longer signs. */
  readonly retiredMs: number | undefined;
}

export interface SecretRingOptions {
  readonly secrets: SecretRepository;
  readonly transaction: Storage['transaction'];
  readonly masterKey: Uint8Array;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
}

const SECRET_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const CIPHER = 'aes-256-gcm';

export class SecretRing {
  readonly #options: SecretRingOptions;

  constructor(options: SecretRingOptions) {
    this.#options = options;
  }

  /**
   * All secrets of a purpose, newest first; the first one is made when there is none.
   *
   * @throws DomainError VALIDATION_FAILED if the master key is not the one they were sealed under
   */
  async open(purpose: SecretPurpose): Promise<readonly Secret[]> {
    let sealed = await this.#options.secrets.list(purpose);
    if (sealed.length === 0) {
      await this.#add(purpose, 1);
      sealed = await this.#options.secrets.list(purpose);
    }
    return sealed.map((one) => this.#unseal(one));
  }

  /** Adds an epoch and retires those before it; two nodes that rotate at once add one. @returns all, newest first */
  async rotate(purpose: SecretPurpose): Promise<readonly Secret[]> {
    const [newest] = await this.open(purpose);
    await this.#add(purpose, (newest?.epoch ?? 0) + 1);
    return this.open(purpose);
  }

  async #add(purpose: SecretPurpose, epoch: number): Promise<void> {
    const { secrets, transaction, clock, randomBytes } = this.#options;
    const createdMs = Number(clock.now() / 1_000_000n);
    const ciphertext = this.#seal(purpose, epoch, randomBytes(SECRET_BYTES));
    await transaction(async (on) => {
      if (await secrets.insert({ purpose, epoch, ciphertext, createdMs }, on)) {
        await secrets.retireBefore(purpose, epoch, createdMs, on);
      }
    });
  }

  #seal(purpose: SecretPurpose, epoch: number, secret: Uint8Array): Uint8Array {
    const nonce = this.#options.randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#options.masterKey, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(nameOf(purpose, epoch));
    return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  }

  #unseal({ purpose, epoch, ciphertext, createdMs, retiredMs }: SealedSecret): Secret {
    const nonce = ciphertext.subarray(0, NONCE_BYTES);
    const body = ciphertext.subarray(NONCE_BYTES, -TAG_BYTES);
    try {
      const decipher = createDecipheriv(CIPHER, this.#options.masterKey, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(nameOf(purpose, epoch));
      decipher.setAuthTag(ciphertext.subarray(-TAG_BYTES));
      const secret = new Uint8Array(Buffer.concat([decipher.update(body), decipher.final()]));
      return { epoch, secret, createdMs, retiredMs };
    } catch (cause) {
      const message = `The ${purpose} secret of epoch ${epoch} was sealed under another master key, or its row is damaged.`;
      const details = [{ path: 'SVC_MASTER_KEY', code: 'MASTER_KEY', message }];
      throw new DomainError('VALIDATION_FAILED', message, { cause, details });
    }
  }
}

function nameOf(purpose: SecretPurpose, epoch: number): Buffer {
  return Buffer.from(`svc-secret\0${purpose}\0${epoch}`);
}
