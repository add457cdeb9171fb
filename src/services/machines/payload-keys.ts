// Which key the payloads of a private machine are sealed to: that of an equation which its owner lends for a moment.

import { toHex } from '../../core/bits.ts';
import { DomainError } from '../../core/errors.ts';
import type { IdentityRepository } from '../../storage/access/identities.ts';
import type { SealingKey } from '../../storage/machines/sealing-keys.ts';
import type { EquationKeys } from './equation-keys.ts';
import { type NewIdentity, zidOf } from './identity.ts';

export interface PayloadKeyOptions {
  readonly identities: Pick<IdentityRepository, 'byZid'>;
  readonly equationKeys: EquationKeys;
}

export class PayloadKeys {
  readonly #options: PayloadKeyOptions;

  constructor(options: PayloadKeyOptions) {
    this.#options = options;
  }

  /** Of an identity that is being made: its equation is still at hand. */
  async ofNew({ equation, zid, salt }: NewIdentity, slug: string): Promise<SealingKey> {
    return this.#derive(equation, zid, Buffer.from(salt, 'hex'), slug);
  }

  /**
   * @param zid  of whoever lends it: it must be their own
   * @throws DomainError FORBIDDEN
   */
  async ofLent(equation: string, zid: string, slug: string): Promise<SealingKey> {
    const identity = zidOf(equation) === zid ? await this.#options.identities.byZid(zid) : undefined;
    if (identity?.salt === undefined)
      throw new DomainError('FORBIDDEN', 'The equation is not that of the identity of this key.');
    return this.#derive(equation, zid, identity.salt, slug);
  }

  async #derive(equation: string, zid: string, salt: Uint8Array, slug: string): Promise<SealingKey> {
    const { publicKey, privateKey } = await this.#options.equationKeys.pairOf(equation, salt, slug);
    privateKey.fill(0);
    return { publicKey: toHex(publicKey), zid, salt };
  }
}
