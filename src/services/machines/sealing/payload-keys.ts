// Public keys that payloads of private machines are sealed to, derived from the owner's equation.

import { toHex } from '../../../core/bits.ts';
import { DomainError } from '../../../core/errors.ts';
import type { IdentityRepository } from '../../../storage/access/identities.ts';
import type { SealingKey } from '../../../storage/machines/sealing-keys.ts';
import { type NewIdentity, zidOf } from '../../access/identity.ts';
import type { EquationKeys } from './equation-keys.ts';

export interface PayloadKeyOptions {
  readonly identities: Pick<IdentityRepository, 'byZid'>;
  readonly equationKeys: EquationKeys;
}

export class PayloadKeys {
  readonly #options: PayloadKeyOptions;

  constructor(options: PayloadKeyOptions) {
    this.#options = options;
  }

  /** For an identity that is being created, whose equation is still known. */
  async deriveForNewIdentity({ equation, zid, salt }: NewIdentity, slug: string): Promise<SealingKey> {
    return this.#derive(equation, zid, Buffer.from(salt, 'hex'), slug);
  }

  /**
   * @param zid  identity of the caller, whose equation it must be
   * @throws DomainError FORBIDDEN
   */
  async deriveForOwner(equation: string, zid: string, slug: string): Promise<SealingKey> {
    const identity = zidOf(equation) === zid ? await this.#options.identities.byZid(zid) : undefined;
    if (identity?.salt === undefined)
      throw new DomainError('FORBIDDEN', 'The equation does not belong to the identity of this key.');
    return this.#derive(equation, zid, identity.salt, slug);
  }

  async #derive(equation: string, zid: string, salt: Uint8Array, slug: string): Promise<SealingKey> {
    const { publicKey, privateKey } = await this.#options.equationKeys.deriveKeyPair(equation, salt, slug);
    privateKey.fill(0);
    return { publicKey: toHex(publicKey), zid, salt };
  }
}
