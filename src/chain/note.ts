// Checkpoints as signed notes: https://c2sp.org/tlog-checkpoint in https://c2sp.org/signed-note, with Ed25519.
//
//   node.example/m/demo            origin, also the name of the key
//   3                              size of the tree
//   bNu9aAPy…                      its root, base64
//
//   — node.example/m/demo mO/MA2…  key id and signature, base64

import { concat, fromBase64, toBase64, toHex } from '../core/bits.ts';
import { type SignatureVerifier, verifySignature } from '../core/ed25519.ts';
import { sha256, utf8 } from '../core/sha256.ts';
import type { Hash } from './merkle.ts';

/** The part of a signer that a note needs. */
export interface NoteSigner {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
}

export interface Checkpoint {
  /** `{host}/m/{slug}` */
  readonly origin: string;
  readonly size: number;
  readonly root: Hash;
}

/** The algorithm byte in key ids and verifier keys: plain Ed25519, or timestamped cosignatures (cosignature.ts). */
const ALGORITHMS = { ed25519: 1, cosignature: 4 } as const;
export type Algorithm = keyof typeof ALGORITHMS;

const KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
const SIGNATURE_BYTES = 64;
const MAX_NOTE_CHARACTERS = 16_384;
const MAX_SIGNATURES = 100;
/** Key names without white space and plus signs, as signed-note requires. */
const NAME = /^[^\s+]{1,255}$/u;

function keyId(name: string, publicKey: Uint8Array, algorithm: Algorithm): Uint8Array {
  const byte = Uint8Array.of(ALGORITHMS[algorithm]);
  return sha256(concat(utf8(`${name}\n`), byte, publicKey)).subarray(0, KEY_ID_BYTES);
}

/** A public key as `name+id+key`, the format of signed-note verifiers. */
export function verifierKey(name: string, publicKey: Uint8Array, algorithm: Algorithm = 'ed25519'): string {
  const key = concat(Uint8Array.of(ALGORITHMS[algorithm]), publicKey);
  return `${name}+${toHex(keyId(name, publicKey, algorithm))}+${toBase64(key)}`;
}

export interface VerifierKey {
  readonly name: string;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly algorithm: Algorithm;
}

/** Undefined for an unsupported algorithm, an id that does not match the key, or any other text. */
export function parseVerifierKey(text: string): VerifierKey | undefined {
  const [, name = '', , encoded = ''] = /^([^\s+]{1,255})\+([0-9a-f]{8})\+([A-Za-z0-9+/=]{44})$/u.exec(text) ?? [];
  const [byte, ...key] = fromBase64(encoded) ?? [];
  const algorithm = (Object.keys(ALGORITHMS) as Algorithm[]).find((name) => ALGORITHMS[name] === byte);
  if (algorithm === undefined || key.length !== KEY_BYTES) return undefined;
  const publicKey = Uint8Array.from(key);
  return verifierKey(name, publicKey, algorithm) === text ? { name, publicKey, algorithm } : undefined;
}

/** The signed text. */
function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

export function signCheckpoint(checkpoint: Checkpoint, { publicKey, sign }: NoteSigner): string {
  const text = checkpointText(checkpoint);
  return `${text}\n${signatureLine(checkpoint.origin, publicKey, sign(utf8(text)))}`;
}

export function signatureLine(
  name: string,
  publicKey: Uint8Array,
  signature: Uint8Array,
  algorithm: Algorithm = 'ed25519',
): string {
  return `— ${name} ${toBase64(concat(keyId(name, publicKey, algorithm), signature))}\n`;
}

interface NoteSignature {
  readonly name: string;
  readonly keyId: Uint8Array;
  readonly signature: Uint8Array;
}

export interface ParsedNote {
  readonly checkpoint: Checkpoint;
  /** The signed text. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** Undefined if the note is not a checkpoint. Extension lines are accepted, covered by the signature and ignored. */
export function parseCheckpoint(note: string): ParsedNote | undefined {
  const end = note.length > MAX_NOTE_CHARACTERS ? -1 : note.indexOf('\n\n');
  if (end < 0) return undefined;
  const text = note.slice(0, end + 1);
  const [origin = '', sizeText = '', rootText = ''] = text.split('\n');
  const size = Number(sizeText);
  const root = fromBase64(rootText);
  const isWellFormed = NAME.test(origin) && /^(0|[1-9][0-9]{0,15})$/.test(sizeText) && Number.isSafeInteger(size);
  if (!isWellFormed || root?.length !== 32) return undefined;
  const signatures = parseSignatures(note.slice(end + 2));
  return signatures && { checkpoint: { origin, size, root }, text, signatures };
}

function parseSignatures(block: string): NoteSignature[] | undefined {
  if (!block.endsWith('\n')) return undefined;
  const lines = block.slice(0, -1).split('\n');
  if (lines.length > MAX_SIGNATURES) return undefined;
  const signatures: NoteSignature[] = [];
  for (const line of lines) {
    const [, name = '', encoded = ''] = /^— (\S+) (\S+)$/u.exec(line) ?? [];
    const bytes = fromBase64(encoded);
    if (!NAME.test(name) || bytes === undefined || bytes.length <= KEY_ID_BYTES) return undefined;
    signatures.push({ name, keyId: bytes.subarray(0, KEY_ID_BYTES), signature: bytes.subarray(KEY_ID_BYTES) });
  }
  return signatures;
}

/** Whether the note carries a valid signature of this key under this name. Signatures of other keys are ignored. */
export function isCheckpointSignedBy(
  note: ParsedNote,
  name: string,
  publicKey: Uint8Array,
  verify: SignatureVerifier = verifySignature,
): boolean {
  return signaturesBy(note, name, publicKey, 'ed25519').some(
    (signature) => signature.length === SIGNATURE_BYTES && verify(publicKey, utf8(note.text), signature),
  );
}

/** The unverified signatures whose lines carry the name and id of this key. */
export function signaturesBy(
  { signatures }: ParsedNote,
  name: string,
  publicKey: Uint8Array,
  algorithm: Algorithm,
): Uint8Array[] {
  const id = toHex(keyId(name, publicKey, algorithm));
  return signatures.filter((line) => line.name === name && toHex(line.keyId) === id).map(({ signature }) => signature);
}
