// The public seal: a DSSE envelope with an Ed25519 signature over an in-toto Statement about the result.
// DSSE v1 and its pre-authentication encoding: https://github.com/secure-systems-lab/dsse; in-toto Statement v1.

import { ed25519 } from '@noble/curves/ed25519.js';
import { fromBase64, fromBase64Url, toBase64, toBase64Url, toBitsHex } from '../core/bits.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { sha256, sha256Hex, utf8 } from '../core/sha256.ts';

export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
const PREDICATE_TYPE = 'https://svc.invalid/compute/v3';

export interface Seal {
  readonly payloadType: typeof PAYLOAD_TYPE;
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

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

/** One statement about an envelope and whether it holds. */
export interface Claim {
  readonly claim: string;
  readonly ok: boolean;
  readonly reason?: string;
}

/** Fields of an envelope that the seal's statement repeats. */
export interface SealedFields {
  readonly solver: string;
  readonly kernel_sha256: string;
  readonly inputs: unknown;
  readonly consts: unknown;
  readonly seed: number;
  readonly operatorChain: readonly string[];
  readonly value: number;
  readonly trajectory_sha256: string;
  readonly verification: { readonly reference: number };
  readonly invariants: unknown;
  readonly stamps: readonly string[];
}

export function publicJwk(publicKey: Uint8Array): PublicJwk {
  const x = toBase64Url(publicKey);
  return { kty: 'OKP', crv: 'Ed25519', x, kid: thumbprint(x), alg: 'EdDSA', use: 'sig' };
}

function thumbprint(x: string): string {
  return toBase64Url(sha256(canonicalJson({ crv: 'Ed25519', kty: 'OKP', x })));
}

/** DSSE's pre-authentication encoding: the exact bytes that are signed. */
export function preAuthenticationEncoding(payloadType: string, payload: Uint8Array): Uint8Array {
  const head = utf8(`DSSEv1 ${utf8(payloadType).length} ${payloadType} ${payload.length} `);
  const bytes = new Uint8Array(head.length + payload.length);
  bytes.set(head);
  bytes.set(payload, head.length);
  return bytes;
}

/** Canonical text of the statement about an envelope, which must not include a seal. */
function statementText(envelope: SealedFields): string {
  return canonicalJson({
    _type: STATEMENT_TYPE,
    subject: [{ name: 'envelope', digest: { sha256: sha256Hex(canonicalJson(envelope)) } }],
    predicateType: PREDICATE_TYPE,
    predicate: {
      solver: envelope.solver,
      kernel_sha256: envelope.kernel_sha256,
      inputs: envelope.inputs,
      consts: envelope.consts,
      seed: envelope.seed,
      operatorChain: envelope.operatorChain,
      value_bits: toBitsHex(envelope.value),
      trajectory_sha256: envelope.trajectory_sha256,
      reference: envelope.verification.reference,
      invariants: envelope.invariants,
      stamps: envelope.stamps,
    },
  });
}

export function sealEnvelope(envelope: SealedFields, signer: Signer): Seal {
  const payload = utf8(statementText(envelope));
  const signature = signer.sign(preAuthenticationEncoding(PAYLOAD_TYPE, payload));
  return {
    payloadType: PAYLOAD_TYPE,
    payload: toBase64(payload),
    signatures: [{ keyid: signer.publicKey.kid, sig: toBase64(signature) }],
  };
}

type Unsealed = SealedFields & { readonly public_key: unknown };

/**
 * Checks the seal of an untrusted envelope; nothing is fetched.
 *
 * @param body  the envelope without `seal`
 * @param trusted  keys obtained from elsewhere; without them, no claim is made about the owner of the key
 */
export function checkSeal(
  body: Unsealed,
  seal: unknown,
  trusted?: readonly { readonly kid?: string; readonly x?: string }[],
): Claim[] {
  const fail = (claim: string, reason: string): Claim => ({ claim, ok: false, reason });
  const parsed = asSeal(seal);
  if (!parsed) return [fail('seal', 'There is no DSSE envelope with one signature.')];
  const key = asKey(body.public_key);
  if (!key) return [fail('key', 'public_key is not an Ed25519 key whose kid is its thumbprint.')];

  const claims: Claim[] = [];
  const check = (claim: string, isTrue: boolean, reason: string) =>
    claims.push(isTrue ? { claim, ok: true } : { claim, ok: false, reason });
  const [signature] = parsed.signatures;
  const payload = fromBase64(parsed.payload);
  const sig = fromBase64(signature?.sig ?? '');
  check('keyid', signature?.keyid === key.kid, 'The signature names another key than public_key.');
  const isSigned =
    payload !== undefined &&
    sig !== undefined &&
    sig.length === 64 &&
    isValid(sig, preAuthenticationEncoding(parsed.payloadType, payload), key.x);
  check('signature', isSigned, 'The Ed25519 signature does not belong to this payload and key.');
  check(
    'statement',
    payload !== undefined && isStatementOf(body, payload),
    'The signed statement is about another envelope: a field was changed.',
  );
  if (trusted) {
    check(
      'key pinned',
      trusted.some((one) => one.kid === key.kid && one.x === key.x),
      `Key ${key.kid} is not among the trusted ones.`,
    );
  }
  return claims;
}

function isStatementOf(body: Unsealed, payload: Uint8Array): boolean {
  try {
    return new TextDecoder().decode(payload) === statementText(body);
  } catch {
    return false;
  }
}

function isValid(signature: Uint8Array, message: Uint8Array, x: string): boolean {
  const publicKey = fromBase64Url(x);
  try {
    return publicKey !== undefined && ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasExactly(value: Record<string, unknown>, names: readonly string[]): boolean {
  return Object.keys(value).length === names.length && names.every((name) => typeof value[name] === 'string');
}

/** Accepts exactly the fields of a seal: an additional one would not be signed. */
function asSeal(value: unknown): Seal | undefined {
  if (!isRecord(value) || Object.keys(value).length !== 3) return undefined;
  const { payloadType, payload, signatures } = value;
  if (
    payloadType !== PAYLOAD_TYPE ||
    typeof payload !== 'string' ||
    !Array.isArray(signatures) ||
    signatures.length !== 1
  )
    return undefined;
  const [signature] = signatures;
  return isRecord(signature) && hasExactly(signature, ['keyid', 'sig']) ? (value as unknown as Seal) : undefined;
}

function asKey(value: unknown): PublicJwk | undefined {
  if (!isRecord(value) || !hasExactly(value, ['kty', 'crv', 'x', 'kid', 'alg', 'use'])) return undefined;
  const key = value as unknown as PublicJwk;
  const isOurs = key.kty === 'OKP' && key.crv === 'Ed25519' && key.alg === 'EdDSA' && key.use === 'sig';
  return isOurs && fromBase64Url(key.x)?.length === 32 && key.kid === thumbprint(key.x) ? key : undefined;
}
