// What a witness adds to a checkpoint: that at this time it had seen no larger tree of this log, and none that contradicts it.
// https://c2sp.org/tlog-cosignature, with Ed25519, and the request of https://c2sp.org/tlog-witness.
//
//   cosignature/v1                 what is signed: this line,
//   time 1679315147                the second since the Unix epoch,
//   node.example/m/demo            and the text of the checkpoint as it is
//   …

import { concat, fromBase64 } from '../core/bits.ts';
import { isSignedBy } from '../core/ed25519.ts';
import { utf8 } from '../core/sha256.ts';
import type { Hash } from './merkle.ts';
import { type NoteSigner, type ParsedNote, parseCheckpoint, signatureLine, signaturesUnder } from './note.ts';

const TIME_BYTES = 8;
const SIGNATURE_BYTES = 64;
const MOST_HASHES = 63;
const HASH_BYTES = 32;

function cosignedText({ text }: ParsedNote, seconds: number): Uint8Array {
  return utf8(`cosignature/v1\ntime ${seconds}\n${text}`);
}

/** The line that a witness of this name answers with. */
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

/** When the witness cosigned the note, in seconds since the Unix epoch; undefined if it did not. The latest of several. */
export function cosignedAt(note: ParsedNote, name: string, publicKey: Uint8Array): number | undefined {
  let latest: number | undefined;
  for (const signature of signaturesUnder(note, name, publicKey, 'cosignature')) {
    if (signature.length !== TIME_BYTES + SIGNATURE_BYTES) continue;
    const view = new DataView(signature.buffer, signature.byteOffset, TIME_BYTES);
    const seconds = Number(view.getBigUint64(0));
    if (!Number.isSafeInteger(seconds) || seconds <= (latest ?? -1)) continue;
    if (isSignedBy(publicKey, cosignedText(note, seconds), signature.subarray(TIME_BYTES))) latest = seconds;
  }
  return latest;
}

/** What a log asks of a witness. */
export interface CheckpointSubmission {
  /** Of the checkpoint that the witness cosigned last. */
  readonly oldSize: number;
  /** From there to the new checkpoint (RFC 6962, §2.1.2). */
  readonly proof: readonly Hash[];
  /** The checkpoint as it came, and read. */
  readonly note: string;
  readonly parsed: ParsedNote;
}

/** Undefined for what is no such request. */
export function parseSubmission(text: string): CheckpointSubmission | undefined {
  const end = text.indexOf('\n\n');
  const [first = '', ...lines] = end < 0 ? [] : text.slice(0, end).split('\n');
  const [, digits] = /^old (0|[1-9][0-9]{0,15})$/.exec(first) ?? [];
  const oldSize = Number(digits);
  const proof = lines.map(fromBase64).filter((hash) => hash !== undefined && hash.length === HASH_BYTES) as Hash[];
  if (!Number.isSafeInteger(oldSize) || proof.length !== lines.length || proof.length > MOST_HASHES) return undefined;
  const note = text.slice(end + 2);
  const parsed = parseCheckpoint(note);
  return parsed && { oldSize, proof, note, parsed };
}
