// The record of a clean run, which the next one relies on: of each machine, its last row and a digest of what is stored
// beside its rows. It is kept outside of the database, with a MAC under the master key.

import { isSameBytes } from '../../chain/merkle.ts';
import { fromHex, toHex } from '../../core/bits.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { isRecord } from '../../core/record.ts';
import type { RowMac } from '../../storage/access/account-macs.ts';
import { tryParseJson } from './rows.ts';

/** A machine as a clean run found it. */
export interface MachineMark {
  /** Number and hash of its last row. */
  readonly seq: string;
  readonly hash: string;
  readonly digest: string;
}

export type MachineMarks = ReadonlyMap<string, MachineMark>;

/** Purpose of the MAC. */
export const CLEAN_RUN = 'fsck-clean-run';
const FORMAT = 1;
const HASH = /^[0-9a-f]{64}$/;

export function cleanRunText(marks: MachineMarks, mac: RowMac | undefined): string {
  const machines = [...marks].map(([id, { seq, hash, digest }]) => [id, seq, hash, digest]);
  const record = { format: FORMAT, machines };
  return `${JSON.stringify({ ...record, mac: mac ? toHex(mac(canonicalJson(record))) : null })}\n`;
}

/** @returns the marks, or what is wrong with the text */
export function parseCleanRun(text: string, mac: RowMac | undefined): MachineMarks | string {
  const value = tryParseJson(text);
  if (!isRecord(value) || value.format !== FORMAT || !Array.isArray(value.machines))
    return `is not the record of a clean run of format ${FORMAT}.`;
  const { format, machines, mac: given } = value;
  const expected = mac?.(canonicalJson({ format, machines }));
  const bytes = typeof given === 'string' ? fromHex(given) : undefined;
  if (expected !== undefined && (bytes === undefined || !isSameBytes(bytes, expected)))
    return bytes === undefined
      ? 'was written without the master key; make a new one.'
      : 'has not the MAC of this master key: it was changed, or is of another node.';
  const marks = new Map<string, MachineMark>();
  for (const one of machines) {
    const [id, seq, hash, digest] = Array.isArray(one) ? (one as readonly unknown[]) : [];
    const isMark = /^\d{1,16}$/.test(String(seq)) && HASH.test(String(hash)) && HASH.test(String(digest));
    if (typeof id !== 'string' || !isMark) return `has a machine that cannot be read: ${JSON.stringify(one)}.`;
    marks.set(id, { seq: String(seq), hash: String(hash), digest: String(digest) });
  }
  return marks;
}
