// Anchors: a machine lets another one, its mother, keep the root of its tree, so that it can show later how far its chain had come.
//
// The mother learns a pseudonym and a public key, both made for her alone from a key that the child keeps. So two mothers
// cannot tell that they have the same child, and nobody can tell who it is. What is the same everywhere is the root: whoever
// may read the child's own checkpoints recognises it.
//
//   pseudonym = HMAC-SHA256(anchor key, id_hash of the mother, as hex digits), its first 32 hex digits
//   seed      = HKDF-SHA256(anchor key, salt = id_hash of the mother, info = "svc-anchor-sign", 32 bytes), of an Ed25519 key

import { fromBase64, fromHex, toBase64, toHex } from '../core/bits.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { isSignedBy, type SignatureCheck } from '../core/ed25519.ts';
import { hkdfSha256, hmacSha256Hex, utf8 } from '../core/sha256.ts';
import type { NoteSigner } from './note.ts';

export const ANCHOR_KEY_BYTES = 32;
const PSEUDONYM_DIGITS = 32;
const ANCHOR_FORMAT = 'svc-anchor/1';
const CONTINUITY_FORMAT = 'svc-anchor-continuity/1';

/** @param mother  her id_hash, hex */
export function pseudonymOf(anchorKey: Uint8Array, mother: string): string {
  return hmacSha256Hex(anchorKey, mother).slice(0, PSEUDONYM_DIGITS);
}

/** The seed of the key that signs what this mother is told. */
export function anchorSeed(anchorKey: Uint8Array, mother: string): Uint8Array {
  return hkdfSha256(anchorKey, mother, 'svc-anchor-sign', 32);
}

/** What a child says to its mother: so many rows, this root, in this tick. */
export interface AnchorStatement {
  /** Her id_hash, hex. */
  readonly mother: string;
  readonly pseudonym: string;
  readonly size: number;
  /** Hex. */
  readonly root: string;
  readonly svcond: number;
}

/** As it stands in the mother's chain; the statement is whole with her id_hash. */
export interface AnchorPayload extends Omit<AnchorStatement, 'mother'> {
  /** 32 bytes, hex. */
  readonly public_key: string;
  /** Ed25519, base64. */
  readonly sig: string;
}

/** The bytes that are signed. */
function anchorText({ mother, pseudonym, size, root, svcond }: AnchorStatement): Uint8Array {
  return utf8(canonicalJson({ format: ANCHOR_FORMAT, mother, pseudonym, size, root, svcond }));
}

export function signAnchor(statement: AnchorStatement, { publicKey, sign }: NoteSigner): AnchorPayload {
  const { pseudonym, size, root, svcond } = statement;
  const sig = toBase64(sign(anchorText(statement)));
  return { pseudonym, public_key: toHex(publicKey), size, root, svcond, sig };
}

/** Whether the holder of the key said this to this mother. */
export function isAnchorSigned(
  mother: string,
  { public_key, sig, ...told }: AnchorPayload,
  check: SignatureCheck = isSignedBy,
): boolean {
  return isSigned(anchorText({ mother, ...told }), public_key, sig, check);
}

/** A pseudonym and the key that goes with it. */
export interface Pseudonym {
  readonly pseudonym: string;
  /** Hex. */
  readonly public_key: string;
}

/** Two pseudonyms are one child: signed by both keys, so that neither can be claimed or disowned. As it stands in the mother's chain. */
export interface ContinuityPayload {
  readonly from: Pseudonym;
  readonly to: Pseudonym;
  readonly svcond: number;
  /** Of the key of `from`, then of the key of `to`, base64. */
  readonly sigs: readonly [string, string];
}

function continuityText(mother: string, { from, to, svcond }: Omit<ContinuityPayload, 'sigs'>): Uint8Array {
  return utf8(canonicalJson({ format: CONTINUITY_FORMAT, mother, from: plain(from), to: plain(to), svcond }));
}

const plain = ({ pseudonym, public_key }: Pseudonym) => ({ pseudonym, public_key });

export function signContinuity(
  mother: string,
  [before, from]: readonly [pseudonym: string, NoteSigner],
  [after, to]: readonly [pseudonym: string, NoteSigner],
  svcond: number,
): ContinuityPayload {
  const told = {
    from: { pseudonym: before, public_key: toHex(from.publicKey) },
    to: { pseudonym: after, public_key: toHex(to.publicKey) },
    svcond,
  };
  const text = continuityText(mother, told);
  return { ...told, sigs: [toBase64(from.sign(text)), toBase64(to.sign(text))] };
}

export function isContinuitySigned(mother: string, { sigs, ...told }: ContinuityPayload): boolean {
  const text = continuityText(mother, told);
  return isSigned(text, told.from.public_key, sigs[0]) && isSigned(text, told.to.public_key, sigs[1]);
}

function isSigned(text: Uint8Array, publicKey: string, sig: string, check: SignatureCheck = isSignedBy): boolean {
  const key = fromHex(publicKey);
  const signature = fromBase64(sig);
  return key !== undefined && signature !== undefined && check(key, text, signature);
}
