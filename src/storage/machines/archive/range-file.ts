// Files of archived rows: a range of one chain as compressed NDJSON, a header and then a line for each row.
//
// A line has the fields that the row was hashed with, its hash, and its payload as committed to; a sealed payload as
// base64. So whoever has a file can check it against a checkpoint without this program. A file is found by its hash,
// which its name begins with: it is never written again, and an erasure writes another one.

import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { ROW_VERSION } from '../../../chain/row.ts';
import { fromBase64, toBase64 } from '../../../core/bits.ts';
import { canonicalJson } from '../../../core/canonical-json.ts';
import { sha256Hex } from '../../../core/sha256.ts';
import type { StoredRow } from '../audit-row.ts';

const FORMAT = 'svc-archive/1';
/** Rows of a file, and of one whose payloads are long. Both are whole tiles. */
export const RANGE_ROWS = 4_096;
export const SHORT_RANGE_ROWS = 256;
/** Bytes of the payloads of a range of `RANGE_ROWS`; with more, its rows are in shorter ones. */
export const RANGE_BYTES = 8_000_000;
/** Bytes of a file without compression: 256 payloads of 64 KiB, each byte as two. */
const MAX_FILE_BYTES = 64_000_000;
const NEWLINE = 10;
/** Byte of a gzip header that names the operating system, and its value for an unknown one (RFC 1952, 2.3.1). */
const GZIP_SYSTEM = 9;
const UNKNOWN_SYSTEM = 255;

interface RangeHeader {
  readonly machine: string;
  readonly slug: string;
  readonly first: number;
  readonly last: number;
}

interface EncodedRange {
  readonly bytes: Uint8Array;
  /** Hex. */
  readonly sha256: string;
}

interface Line {
  readonly v: typeof ROW_VERSION;
  readonly seq: number;
  readonly svcond: number;
  readonly type: string;
  readonly source: string;
  readonly actor: string;
  readonly commit: string;
  readonly prev: string;
  readonly row_hash: string;
  readonly salt?: string | undefined;
  readonly payload_text?: string | undefined;
  readonly sealed?: string | undefined;
}

const compress = promisify(gzip);
const expand = promisify(gunzip);

export async function encodeRange(
  { machine, slug, first, last }: RangeHeader,
  rows: readonly StoredRow[],
): Promise<EncodedRange> {
  const header = canonicalJson({ format: FORMAT, machine, slug, first, last });
  const text = [header, ...rows.map((row) => canonicalJson(lineOf(row))), ''].join('\n');
  const bytes = await compress(text, { level: 9 });
  bytes[GZIP_SYSTEM] = UNKNOWN_SYSTEM;
  return { bytes, sha256: sha256Hex(bytes) };
}

function lineOf(row: StoredRow): Line {
  const { v, seq, svcond, type, source, actor, commitment: commit, prev_hash: prev, hash, salt, body, sealed } = row;
  return {
    ...{ v, seq, svcond, type, source, actor, commit, prev, row_hash: hash },
    salt: salt ?? undefined,
    payload_text: body ?? undefined,
    sealed: sealed === null ? undefined : toBase64(sealed),
  };
}

/** @throws Error if the file is not that of this range */
export async function decodeRange(bytes: Uint8Array, header: Omit<RangeHeader, 'slug'>): Promise<RangeRows> {
  return new RangeRows(await expand(bytes, { maxOutputLength: MAX_FILE_BYTES }), header);
}

/** A range in memory: its text, and where each line begins. A row is parsed when it is asked for. */
export class RangeRows {
  readonly machineId: string;
  readonly first: number;
  readonly last: number;
  /** In memory. */
  readonly byteLength: number;
  readonly #text: Buffer;
  /** Where each row begins, and where the last one ends. */
  readonly #starts: Uint32Array;

  /** @throws Error if the text is not that of this range */
  constructor(text: Buffer, { machine, first, last }: Omit<RangeHeader, 'slug'>) {
    this.machineId = machine;
    this.first = first;
    this.last = last;
    this.#text = text;
    this.#starts = lineStarts(this.#text, last - first + 1);
    const header = JSON.parse(text.toString('utf8', 0, this.#starts[0])) as RangeHeader & { readonly format: string };
    // The slug is for readers without the database; the hashes of the rows confirm it.
    const { format, machine: headed, first: from, last: to } = header;
    if (format !== FORMAT || headed !== machine || from !== first || to !== last)
      throw new Error('its header names another range');
    this.byteLength = this.#text.length + this.#starts.byteLength;
  }

  /** @param seq  from `first` to `last` */
  row(seq: number): StoredRow {
    const at = seq - this.first;
    const line = JSON.parse(this.#text.toString('utf8', this.#starts[at], this.#starts[at + 1])) as Line;
    const { v, svcond, type, source, actor, commit: commitment, prev: prev_hash, row_hash: hash } = line;
    const { salt = null, payload_text: body = null } = line;
    const sealed = line.sealed === undefined ? null : (fromBase64(line.sealed) ?? null);
    const content = { salt, body, sealed, is_sealed: sealed !== null };
    return { seq, v, svcond, type, source, actor, commitment, prev_hash, hash, ...content };
  }

  /** Rows `from` to `to`, as far as the range has them. */
  rows(from: number, to: number): StoredRow[] {
    const start = Math.max(from, this.first);
    const count = Math.max(0, Math.min(to, this.last) - start + 1);
    return Array.from({ length: count }, (_, i) => this.row(start + i));
  }

  /** The newest row of a tick or before it. */
  lastAt(svcond: number): StoredRow | undefined {
    let low = this.first;
    let high = this.last + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.row(middle).svcond <= svcond) low = middle + 1;
      else high = middle;
    }
    return low === this.first ? undefined : this.row(low - 1);
  }
}

/** @throws Error unless the text has a header and `count` lines */
function lineStarts(text: Buffer, count: number): Uint32Array {
  const starts = new Uint32Array(count + 1);
  let at = 0;
  for (let i = 0; i <= count; i++) {
    const end = text.indexOf(NEWLINE, at);
    if (end < 0) throw new Error('it has too few rows');
    at = end + 1;
    starts[i] = at;
  }
  if (at !== text.length) throw new Error('it has too many rows');
  return starts;
}
