// Cosignatures of witnesses: at this time the witness had seen no larger tree of this log, and no tree that contradicts
// it. https://c2sp.org/tlog-cosignature, with Ed25519, and the request of https://c2sp.org/tlog-witness.
//
//   cosignature/v1                 signed: this line,
//   time 1679315147                the seconds since the Unix epoch,
//   node.example/m/demo            and the unchanged text of the checkpoint
//   …

import { concat, fromBase64 } from '../core/bits.ts';
import { verifySignature } from '../core/ed25519.ts';
import { utf8 } from '../core/sha256.ts';
import type { Hash } from './merkle.ts';
import { type NoteSigner, type ParsedNote, parseCheckpoint, signatureLine, signaturesBy } from './note.ts';

const TIME_BYTES = 8;
const SIGNATURE_BYTES = 64;
const MAX_HASHES = 63;
const HASH_BYTES = 32;

function cosignedText({ text }: ParsedNote, seconds: number): Uint8Array {
  return utf8(`cosignature/v1\ntime ${seconds}\n${text}`);
}

/** The response line of the witness with this name. */
export function cosignatureLine(
  note: ParsedNote,
  name: string,
  { publicKey, sign }: NoteSigner,
  seconds: number,
): string {
  const time = new Uint8Array(TIME_BYTES);
  new DataView(time.buffer).setBigUint64(0, BigInt(seconds));
  return signatureLine(name, publicKey, concat(time, sign(cosignedText(note, seconds))), 'cosignature');
}

/** When the witness last cosigned the note, in seconds since the Unix epoch; undefined if it did not. */
export function cosignatureTime(note: ParsedNote, name: string, publicKey: Uint8Array): number | undefined {
  let latest: number | undefined;
  for (const signature of signaturesBy(note, name, publicKey, 'cosignature')) {
    if (signature.length !== TIME_BYTES + SIGNATURE_BYTES) continue;
    const view = new DataView(signature.buffer, signature.byteOffset, TIME_BYTES);
    const seconds = Number(view.getBigUint64(0));
    if (!Number.isSafeInteger(seconds) || seconds <= (latest ?? -1)) continue;
    if (verifySignature(publicKey, cosignedText(note, seconds), signature.subarray(TIME_BYTES))) latest = seconds;
  }
  return latest;
}

/** The request of a log to a witness. */
export interface CheckpointSubmission {
  /** Size of the checkpoint that the witness cosigned last. */
  readonly oldSize: number;
  /** Consistency proof from the old size to the new checkpoint (RFC 6962, §2.1.2). */
  readonly proof: readonly Hash[];
  /** The checkpoint as received; `parsed` is the same one parsed. */
  readonly note: string;
  readonly parsed: ParsedNote;
}

/** Undefined if the text is not a submission. */
export function parseSubmission(text: string): CheckpointSubmission | undefined {
  const headEnd = text.indexOf('\n\n');
  const [sizeLine = '', ...lines] = headEnd < 0 ? [] : text.slice(0, headEnd).split('\n');
  const [, digits] = /^old (0|[1-9][0-9]{0,15})$/.exec(sizeLine) ?? [];
  const oldSize = Number(digits);
  const proof = lines.map(fromBase64).filter((hash) => hash !== undefined && hash.length === HASH_BYTES) as Hash[];
  if (!Number.isSafeInteger(oldSize) || proof.length !== lines.length || proof.length > MAX_HASHES) return undefined;
  const note = text.slice(headEnd + 2);
  const parsed = parseCheckpoint(note);
  return parsed && { oldSize, proof, note, parsed };
}
