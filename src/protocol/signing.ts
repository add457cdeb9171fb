// Ed25519 keys as JWKs (RFC 8037), named by their thumbprint (RFC 7638).

import { ed25519 } from '@noble/curves/ed25519.js';
import { fromBase64Url, toBase64Url } from '../core/bits.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { isRecord } from '../core/record.ts';
import { sha256 } from '../core/sha256.ts';
import type { Untrusted } from './untrusted.ts';

/** An Ed25519 public key (RFC 8037); kid is its RFC 7638 thumbprint. */
export interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

/** Signs with the private key. Node's own crypto is an order of magnitude faster than JavaScript. */
export interface Signer {
  readonly publicKey: PublicJwk;
  sign(bytes: Uint8Array): Uint8Array;
}

export function publicJwk(publicKey: Uint8Array): PublicJwk {
  const x = toBase64Url(publicKey);
  return { kty: 'OKP', crv: 'Ed25519', x, kid: thumbprint(x), alg: 'EdDSA', use: 'sig' };
}

/** The key in untrusted JSON; undefined unless it is an Ed25519 key whose kid is its thumbprint. */
export function readPublicJwk(value: unknown): PublicJwk | undefined {
  if (!isRecord(value) || !hasExactly(value, ['kty', 'crv', 'x', 'kid', 'alg', 'use'])) return undefined;
  const key = value as unknown as PublicJwk;
  const isOurs = key.kty === 'OKP' && key.crv === 'Ed25519' && key.alg === 'EdDSA' && key.use === 'sig';
  return isOurs && fromBase64Url(key.x)?.length === 32 && key.kid === thumbprint(key.x) ? key : undefined;
}

function hasExactly(value: Record<string, unknown>, names: readonly string[]): boolean {
  return Object.keys(value).length === names.length && names.every((name) => typeof value[name] === 'string');
}

function thumbprint(x: string): string {
  return toBase64Url(sha256(canonicalJson({ crv: 'Ed25519', kty: 'OKP', x })));
}

/** Whether the key signed the message; never throws. */
export function isSignedBy({ x }: PublicJwk, message: Uint8Array, signature: Uint8Array): boolean {
  const publicKey = fromBase64Url(x);
  try {
    return publicKey !== undefined && ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
}

/** Fingerprint of the key that an untrusted envelope names as its signer. */
export function keyidOf({ public_key }: Untrusted): string | undefined {
  const { kid } = isRecord(public_key) ? public_key : {};
  return typeof kid === 'string' ? kid : undefined;
}
