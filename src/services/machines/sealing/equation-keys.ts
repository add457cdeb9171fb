// Derives a machine's key pair from an equation and its salt. The private key is never stored; each use derives it
// again.
//
//   secret  = scrypt(NFC(equation), salt, N = 2¹⁵, r = 8, p = 1)        RFC 7914; 32 MiB and about 0.1 s
//   private = HKDF-SHA256(secret, info = "svc-kek" ‖ slug)               RFC 5869; an X25519 private key

import { hkdfSync, scrypt } from 'node:crypto';
import { concat } from '../../../core/bits.ts';
import { DomainError } from '../../../core/errors.ts';
import { utf8 } from '../../../core/sha256.ts';
import { KEY_BYTES, x25519PublicKey } from './hpke.ts';

export interface KeyPair {
  readonly publicKey: Uint8Array;
  /** Overwrite it after use. */
  readonly privateKey: Uint8Array;
}

const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 } as const;
const PURPOSE = utf8('svc-kek');
/** Each derivation takes a thread and 32 MiB, which the kernels need too. */
const MAX_RUNNING = 2;
/** Each takes about a quarter of a second on a busy machine. */
const MAX_WAITING = 16;

export class EquationKeys {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #maxWaiting: number;

  constructor(maxWaiting: number = MAX_WAITING) {
    this.#maxWaiting = maxWaiting;
  }

  /** @throws DomainError QUEUE_FULL */
  async deriveKeyPair(equation: string, salt: Uint8Array, slug: string): Promise<KeyPair> {
    await this.#acquire();
    try {
      const secret = await stretch(equation.normalize('NFC'), salt);
      const privateKey = new Uint8Array(
        hkdfSync('sha256', secret, new Uint8Array(), concat(PURPOSE, utf8(slug)), KEY_BYTES),
      );
      secret.fill(0);
      return { publicKey: x25519PublicKey(privateKey), privateKey };
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  /** Waits for a slot, first in, first out. */
  #acquire(): Promise<void> {
    if (this.#running < MAX_RUNNING) {
      this.#running++;
      return Promise.resolve();
    }
    if (this.#waiting.length >= this.#maxWaiting) {
      const message = `Queue limit of ${this.#maxWaiting} key derivations reached; try again.`;
      return Promise.reject(new DomainError('QUEUE_FULL', message, { retryAfterSeconds: 5 }));
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

function stretch(equation: string, salt: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(equation, salt, KEY_BYTES, COST, (error, secret) => (error ? reject(error) : resolve(secret))),
  );
}
