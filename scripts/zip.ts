// Zip archives whose bytes depend on their entries alone: stored, in the given order, with one time for all.
// APPNOTE 6.3.10: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT

import { crc32 } from 'node:zlib';

export interface ZipEntry {
  /** Path in the archive, in ASCII. */
  readonly name: string;
  readonly bytes: Buffer;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
/** 2.0: stored files in folders. Made on Unix, whose permissions are in the upper half of the attributes. */
const VERSION = 20;
const MADE_BY = (3 << 8) | VERSION;
/** A regular file, rw-r--r--. */
const ATTRIBUTES = 0o100644 * 0x10000;
/** 1980-01-01 00:00, the first time of the format. */
const DATE = (1 << 5) | 1;
const TIME = 0;
/** Without the 64-bit extension. */
const MAX_ENTRIES = 0xffff;
const MAX_BYTES = 0xffff_ffff;

/** @throws RangeError beyond the limits of the plain format */
export function zip(entries: readonly ZipEntry[]): Buffer {
  if (entries.length > MAX_ENTRIES) throw new RangeError(`A zip of ${entries.length} files; at most ${MAX_ENTRIES}.`);
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const common = commonFields(name, bytes);
    const local = Buffer.concat([word(LOCAL), common, Buffer.from(name), bytes]);
    directory.push(centralRecord(name, common, offset));
    files.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  if (offset + central.length > MAX_BYTES) throw new RangeError(`A zip of ${offset} bytes; at most ${MAX_BYTES}.`);
  return Buffer.concat([...files, central, endRecord(entries.length, central.length, offset)]);
}

/** The fields that both headers have: version, flags, method (stored), time, CRC, sizes, lengths of name and extra. */
function commonFields(name: string, bytes: Buffer): Buffer {
  return Buffer.concat([
    ...[VERSION, 0, 0, TIME, DATE].map(half),
    ...[crc32(bytes), bytes.length, bytes.length].map(word),
    ...[name.length, 0].map(half),
  ]);
}

function centralRecord(name: string, common: Buffer, offset: number): Buffer {
  return Buffer.concat([
    word(CENTRAL),
    half(MADE_BY),
    common,
    // Comment, disk, internal attributes.
    ...[0, 0, 0].map(half),
    word(ATTRIBUTES),
    word(offset),
    Buffer.from(name),
  ]);
}

function endRecord(count: number, bytes: number, offset: number): Buffer {
  return Buffer.concat([word(END), ...[0, 0, count, count].map(half), word(bytes), word(offset), half(0)]);
}

function half(value: number): Buffer {
  const buffer = Buffer.alloc(2);
  buffer.writeUInt16LE(value);
  return buffer;
}

function word(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(value);
  return buffer;
}
