// Keys that a reader trusts, pinned by fingerprint: the RFC 7638 thumbprint, which names one key. They come from the
// signer by another way than the receipt, as a key set (JWKS, RFC 7517) or as the fingerprint alone.

import { DomainError } from '../core/errors.ts';
import { quoteValue } from '../core/validation.ts';
import { type PublicJwk, readPublicJwk } from './signing.ts';
import type { Untrusted } from './untrusted.ts';

const MAX_PINS = 32;
/** SHA-256 in base64url. */
const FINGERPRINT = /^[A-Za-z0-9_-]{43}$/;

/** Whether an untrusted object claims to be a key set. */
export function isKeySet({ keys, format, solver }: Untrusted): boolean {
  return Array.isArray(keys) && format === undefined && solver === undefined;
}

/** The Ed25519 keys of a key set; keys of other kinds are left out. @throws DomainError BAD_REQUEST if none is left */
export function readKeySet({ keys }: Untrusted): readonly PublicJwk[] {
  const read = (Array.isArray(keys) ? keys : []).map(readPublicJwk).filter((key) => key !== undefined);
  if (read.length > 0) return read;
  throw new DomainError('BAD_REQUEST', 'This key set has no Ed25519 key whose kid is its thumbprint (RFC 7638).');
}

export class PinnedKeys {
  readonly #fingerprints = new Set<string>();

  get fingerprints(): readonly string[] {
    return [...this.#fingerprints];
  }

  /** @throws DomainError BAD_REQUEST for another text or above the limit */
  add(text: string): void {
    const fingerprint = text.trim();
    if (!FINGERPRINT.test(fingerprint))
      throw new DomainError(
        'BAD_REQUEST',
        `A fingerprint has 43 letters, digits, - or _; got ${quoteValue(fingerprint)}. Copy the kid of the signer's key.`,
      );
    if (this.#fingerprints.size >= MAX_PINS && !this.#fingerprints.has(fingerprint))
      throw new DomainError('BAD_REQUEST', `Limit of ${MAX_PINS} pinned keys reached; remove one.`);
    this.#fingerprints.add(fingerprint);
  }

  remove(fingerprint: string): void {
    this.#fingerprints.delete(fingerprint);
  }

  /**
   * The trusted ones among the keys of a receipt or bundle; undefined while nothing is pinned, since then nobody can be
   * said to be trusted or not.
   *
   * @param key  as `readPublicJwk` returns it, so that its kid is its thumbprint
   */
  trusted(key: PublicJwk | undefined): readonly PublicJwk[] | undefined {
    if (this.#fingerprints.size === 0) return undefined;
    return key !== undefined && this.#fingerprints.has(key.kid) ? [key] : [];
  }
}
