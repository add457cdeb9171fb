// Versions 1 to 15 of QR codes at level M: capacity, blocks and alignment patterns. ISO/IEC 18004:2015, tables 1, 9, E.1.

/** Check bytes of each block, from version 1 on. */
const CHECK_BYTES = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24];
/** Number of blocks, from version 1 on. */
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10];

/** From here on a count of bytes has 16 bits. */
const LONG_COUNT = 10;
const MODE_BITS = 4;

export interface Version {
  readonly number: number;
  /** Modules on a side. */
  readonly size: number;
  /** Bits of the field that counts the bytes. */
  readonly countBits: number;
  /** Data and check bytes. */
  readonly totalBytes: number;
  readonly dataBytes: number;
  readonly blocks: number;
  /** Check bytes of each block. */
  readonly checkBytes: number;
  /** Coordinates of the centres of the alignment patterns, in both directions. */
  readonly centres: readonly number[];
}

function versionOf(number: number): Version {
  const [blocks = 0, checkBytes = 0] = [BLOCKS[number - 1], CHECK_BYTES[number - 1]];
  const centres = centresOf(number);
  const totalBytes = Math.floor(dataModules(number, centres.length) / 8);
  return {
    number,
    size: 4 * number + 17,
    countBits: number < LONG_COUNT ? 8 : 16,
    totalBytes,
    dataBytes: totalBytes - blocks * checkBytes,
    blocks,
    checkBytes,
    centres,
  };
}

/** All modules but the finders with their frames, the timing, the alignment patterns, format and version. */
function dataModules(number: number, centres: number): number {
  const size = 4 * number + 17;
  const finders = 3 * 64;
  const timing = 2 * (size - 16);
  const format = 31;
  // Three would lie on finders; those beside them share five modules with the timing.
  const alignment = centres === 0 ? 0 : 25 * (centres * centres - 3) - 10 * (centres - 2);
  return size * size - finders - timing - format - alignment - (number < 7 ? 0 : 36);
}

/** The first lies at 6, the last 6 from the other edge, the others in equal even steps counted from the last. */
function centresOf(number: number): readonly number[] {
  if (number === 1) return [];
  const count = Math.floor(number / 7) + 2;
  const last = 4 * number + 10;
  const step = 2 * Math.ceil((last - 6) / (2 * (count - 1)));
  return [6, ...Array.from({ length: count - 1 }, (_, at) => last - step * (count - 2 - at))];
}

const VERSIONS: readonly Version[] = CHECK_BYTES.map((_, at) => versionOf(at + 1));

/** The smallest version that holds `bytes` bytes; undefined beyond 412. */
export function smallestVersion(bytes: number): Version | undefined {
  return VERSIONS.find(({ countBits, dataBytes }) => MODE_BITS + countBits + 8 * bytes <= 8 * dataBytes);
}
