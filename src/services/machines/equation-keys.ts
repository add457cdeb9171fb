// The key pair that an equation and its salt lead to, one for each machine. Nobody keeps the private half: it is worked out
// again whenever the equation is lent.
//
//   secret  = scrypt(NFC(equation), salt, N = 2¹⁵, r = 8, p = 1)        RFC 7914; 32 MiB and about 0.1 s
//   private = HKDF-SHA256(secret, info = "svc-kek" ‖ slug)               RFC 5869; an X25519 private key

import { hkdfSync, scrypt } from 'node:crypto';
import { concat } from '../../core/bits.ts';
import { DomainError } from '../../core/errors.ts';
import { utf8 } from '../../core/sha256.ts';
import { KEY_BYTES, x25519PublicKey } from './hpke.ts';

export interface KeyPair {
  readonly publicKey: Uint8Array;
  /** To be overwritten when it has done its work. */
  readonly privateKey: Uint8Array;
}

const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 } as const;
const PURPOSE = utf8('svc-kek');
/** Each takes a thread and its memory; the kernels want some too. */
const MOST_AT_ONCE = 2;
/** A quarter of a second each, on a busy machine. */
const MOST_WAITING = 16;

export class EquationKeys {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #mostWaiting: number;

  constructor(mostWaiting: number = MOST_WAITING) {
    this.#mostWaiting = mostWaiting;
  }

  /** @throws DomainError QUEUE_FULL */
  async pairOf(equation: string, salt: Uint8Array, slug: string): Promise<KeyPair> {
    await this.#turn();
    try {
      const secret = await stretched(equation.normalize('NFC'), salt);
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

  /** Whoever leaves hands the place on to the one who waits longest. */
  #turn(): Promise<void> {
    if (this.#running < MOST_AT_ONCE) {
      this.#running++;
      return Promise.resolve();
    }
    if (this.#waiting.length >= this.#mostWaiting) {
      const message = `${this.#mostWaiting} equations are waiting to be worked on; try again.`;
      return Promise.reject(new DomainError('QUEUE_FULL', message, { retryAfterSeconds: 5 }));
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

function stretched(equation: string, salt: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(equation, salt, KEY_BYTES, COST, (error, secret) => (error ? reject(error) : resolve(secret))),
  );
}
