// Anchors: a child machine records its tree root in the chain of another machine, its mother, and can later prove
// how long its chain was at that time.
//
// The mother sees a pseudonym and a public key, both derived for this mother alone from a secret key of the child. Two
// mothers therefore cannot tell that they share a child, nor identify it. The root is not hidden: every reader of the
// child's checkpoints recognises it.
//
//   pseudonym = HMAC-SHA256(anchor key, id_hash of the mother, as hex digits), its first 32 hex digits
//   seed      = HKDF-SHA256(anchor key, salt = id_hash of the mother, info = "svc-anchor-sign", 32 bytes), for Ed25519

import { fromBase64, fromHex, toBase64, toHex } from '../core/bits.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { type SignatureVerifier, verifySignature } from '../core/ed25519.ts';
import { hkdfSha256, hmacSha256Hex, utf8 } from '../core/sha256.ts';
import type { NoteSigner } from './note.ts';

export const ANCHOR_KEY_BYTES = 32;
const PSEUDONYM_DIGITS = 32;
const ANCHOR_FORMAT = 'svc-anchor/1';
const CONTINUITY_FORMAT = 'svc-anchor-continuity/1';

/** @param mother  id_hash of the mother, hex */
export function pseudonymOf(anchorKey: Uint8Array, mother: string): string {
  return hmacSha256Hex(anchorKey, mother).slice(0, PSEUDONYM_DIGITS);
}

/** The seed of the key that signs statements to this mother. */
export function anchorSeed(anchorKey: Uint8Array, mother: string): Uint8Array {
  return hkdfSha256(anchorKey, mother, 'svc-anchor-sign', 32);
}

/** A child's statement to its mother: the size and root of its tree at a tick. */
export interface AnchorStatement {
  /** id_hash of the mother, hex. */
  readonly mother: string;
  readonly pseudonym: string;
  readonly size: number;
  /** Hex. */
  readonly root: string;
  readonly svcond: number;
}

/** The payload of a row in the mother's chain. The signed statement also has the mother's id_hash. */
export interface AnchorPayload extends Omit<AnchorStatement, 'mother'> {
  /** 32 bytes, hex. */
  readonly public_key: string;
  /** Ed25519, base64. */
  readonly sig: string;
}

/** The signed bytes. */
function anchorText({ mother, pseudonym, size, root, svcond }: AnchorStatement): Uint8Array {
  return utf8(canonicalJson({ format: ANCHOR_FORMAT, mother, pseudonym, size, root, svcond }));
}

export function signAnchor(statement: AnchorStatement, { publicKey, sign }: NoteSigner): AnchorPayload {
  const { pseudonym, size, root, svcond } = statement;
  const sig = toBase64(sign(anchorText(statement)));
  return { pseudonym, public_key: toHex(publicKey), size, root, svcond, sig };
}

/** Whether the holder of the key signed this statement for this mother. */
export function isAnchorSigned(
  mother: string,
  { public_key, sig, ...statement }: AnchorPayload,
  verify: SignatureVerifier = verifySignature,
): boolean {
  return isSigned(anchorText({ mother, ...statement }), public_key, sig, verify);
}

/** A pseudonym and its public key. */
export interface Pseudonym {
  readonly pseudonym: string;
  /** Hex. */
  readonly public_key: string;
}

/**
 * The payload of a row in the mother's chain that links two pseudonyms of one child. Both keys sign it, so that neither
 * pseudonym can be claimed or disowned.
 */
export interface ContinuityPayload {
  readonly from: Pseudonym;
  readonly to: Pseudonym;
  readonly svcond: number;
  /** By the key of `from`, then by the key of `to`, base64. */
  readonly sigs: readonly [string, string];
}

function continuityText(mother: string, { from, to, svcond }: Omit<ContinuityPayload, 'sigs'>): Uint8Array {
  return utf8(
    canonicalJson({ format: CONTINUITY_FORMAT, mother, from: pseudonymFields(from), to: pseudonymFields(to), svcond }),
  );
}

const pseudonymFields = ({ pseudonym, public_key }: Pseudonym) => ({ pseudonym, public_key });

export function signContinuity(
  mother: string,
  [previous, from]: readonly [pseudonym: string, NoteSigner],
  [next, to]: readonly [pseudonym: string, NoteSigner],
  svcond: number,
): ContinuityPayload {
  const statement = {
    from: { pseudonym: previous, public_key: toHex(from.publicKey) },
    to: { pseudonym: next, public_key: toHex(to.publicKey) },
    svcond,
  };
  const text = continuityText(mother, statement);
  return { ...statement, sigs: [toBase64(from.sign(text)), toBase64(to.sign(text))] };
}

export function isContinuitySigned(mother: string, { sigs, ...statement }: ContinuityPayload): boolean {
  const text = continuityText(mother, statement);
  return isSigned(text, statement.from.public_key, sigs[0]) && isSigned(text, statement.to.public_key, sigs[1]);
}

function isSigned(
  text: Uint8Array,
  publicKey: string,
  sig: string,
  verify: SignatureVerifier = verifySignature,
): boolean {
  const key = fromHex(publicKey);
  const signature = fromBase64(sig);
  return key !== undefined && signature !== undefined && verify(key, text, signature);
}
