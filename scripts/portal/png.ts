// PNG of few colours: one byte a pixel and a palette, the smallest form of a map whose colours come from a table.
// W3C, Portable Network Graphics (third edition), §5 and §11: https://www.w3.org/TR/png-3/.

import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MAX_COLOURS = 256;
/** Eight bits a pixel, colours from the palette; deflate, no interlace. */
const [BIT_DEPTH, INDEXED] = [8, 3];

interface Image {
  /** Four bytes each, red first. */
  readonly pixels: Uint32Array<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

/** @throws RangeError for more than 256 colours */
export function pngOf({ pixels, width, height }: Image): Buffer {
  const colours = [...new Set(pixels)];
  if (colours.length > MAX_COLOURS)
    throw new RangeError(`A palette of ${colours.length} colours; at most ${MAX_COLOURS}.`);
  const indices = new Map(colours.map((colour, index) => [colour, index]));
  const table = Buffer.from(Uint32Array.from(colours).buffer);
  const bytes = (channels: readonly number[]) =>
    Buffer.from(colours.flatMap((_, index) => channels.map((channel) => table[4 * index + channel] ?? 0)));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([BIT_DEPTH, INDEXED], 8);
  // Each row begins with the number of its filter: none.
  const rows = Buffer.alloc((width + 1) * height);
  pixels.forEach((colour, at) => {
    rows[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = indices.get(colour) ?? 0;
  });
  return Buffer.concat([
    SIGNATURE,
    chunkOf('IHDR', header),
    chunkOf('PLTE', bytes([0, 1, 2])),
    chunkOf('tRNS', bytes([3])),
    chunkOf('IDAT', deflateSync(rows, { level: 9 })),
    chunkOf('IEND', Buffer.alloc(0)),
  ]);
}

function chunkOf(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
