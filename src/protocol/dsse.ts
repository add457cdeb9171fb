// DSSE v1 envelopes (https://github.com/secure-systems-lab/dsse) with one Ed25519 signature.

import { toBase64 } from '../core/bits.ts';
import { utf8 } from '../core/sha256.ts';
import type { Signer } from './signing.ts';

export interface DsseSignature {
  /** RFC 7638 thumbprint of the key. */
  readonly keyid: string;
  /** The 64 bytes of the signature in base64. */
  readonly sig: string;
}

export interface DsseEnvelope<PayloadType extends string = string> {
  readonly payloadType: PayloadType;
  /** The payload in base64. */
  readonly payload: string;
  readonly signatures: readonly [DsseSignature];
}

/** Signs a payload together with its type, so that it is never read as a payload of another type. */
export function signDsse<PayloadType extends string>(
  payloadType: PayloadType,
  payload: Uint8Array,
  signer: Signer,
): DsseEnvelope<PayloadType> {
  const sig = toBase64(signer.sign(preAuthenticationEncoding(payloadType, payload)));
  return { payloadType, payload: toBase64(payload), signatures: [{ keyid: signer.publicKey.kid, sig }] };
}

/** DSSE's pre-authentication encoding: the exact bytes that are signed. */
export function preAuthenticationEncoding(payloadType: string, payload: Uint8Array): Uint8Array {
  const head = utf8(`DSSEv1 ${utf8(payloadType).length} ${payloadType} ${payload.length} `);
  const bytes = new Uint8Array(head.length + payload.length);
  bytes.set(head);
  bytes.set(payload, head.length);
  return bytes;
}
