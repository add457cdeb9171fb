// A QR code of a short text: bytes, level M (15 % of it may be damaged), versions 1 to 15. ISO/IEC 18004:2015.

import { applyMask, MASKS, penaltyOf } from './mask.ts';
import { drawFormat, type Modules, patternsOf } from './modules.ts';
import { checkBytes } from './reed-solomon.ts';
import { smallestVersion, type Version } from './versions.ts';

/** What has one byte in every encoding: readers guess that of other letters, and differ. A URL has no others. */
const ASCII = /^[ -~]*$/;

/** @returns undefined for a text of more than 412 characters, which is beyond version 15, and for letters beyond ASCII */
export function qrCode(text: string): Modules | undefined {
  if (!ASCII.test(text)) return undefined;
  const bytes = new TextEncoder().encode(text);
  const version = smallestVersion(bytes.length);
  if (version === undefined) return undefined;
  const unmasked = patternsOf(version);
  placeData(unmasked, interleaved(version, dataOf(version, bytes)));
  const codes = MASKS.map((_, mask) => {
    const code = unmasked.copy();
    applyMask(code, mask);
    drawFormat(code, mask);
    return code;
  });
  const penalties = codes.map(penaltyOf);
  return codes[penalties.indexOf(Math.min(...penalties))];
}

const BYTE_MODE = 0b0100;
const PADDING = [0xec, 0x11];

/** Mode, count, bytes, a terminator of up to four bits, and padding. */
function dataOf({ countBits, dataBytes }: Version, bytes: Uint8Array): Uint8Array {
  const data = new Uint8Array(dataBytes);
  let length = 0;
  const append = (value: number, bits: number) => {
    for (let bit = bits - 1; bit >= 0; bit--, length++)
      if ((value >> bit) & 1) data[length >> 3] = (data[length >> 3] ?? 0) | (0x80 >> (length & 7));
  };
  append(BYTE_MODE, 4);
  append(bytes.length, countBits);
  for (const byte of bytes) append(byte, 8);
  length = Math.min(length + 4, 8 * dataBytes);
  for (let at = Math.ceil(length / 8), turn = 0; at < dataBytes; at++, turn++) data[at] = PADDING[turn % 2] ?? 0;
  return data;
}

/** The data in blocks, the shorter ones first, each with its check bytes; then a byte of each block in turn. */
function interleaved({ blocks, dataBytes, checkBytes: checks }: Version, data: Uint8Array): Uint8Array {
  const short = Math.floor(dataBytes / blocks);
  const shortBlocks = blocks - (dataBytes % blocks);
  let from = 0;
  const parts = Array.from({ length: blocks }, (_, block) => {
    const part = data.subarray(from, from + short + (block < shortBlocks ? 0 : 1));
    from += part.length;
    return part;
  });
  const takeTurns = (lists: readonly Uint8Array[], longest: number) =>
    Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
  const ofChecks = parts.map((part) => checkBytes(part, checks));
  return Uint8Array.from([...takeTurns(parts, short + 1), ...takeTurns(ofChecks, checks)]);
}

/** Up and down in pairs of columns from the right, past the vertical timing; modules that are left over stay light. */
function placeData(modules: Modules, bytes: Uint8Array): void {
  const { size } = modules;
  let bit = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const isUpwards = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step++)
      for (const x of [right, right - 1]) {
        const y = isUpwards ? size - 1 - step : step;
        if (modules.isFixed(x, y)) continue;
        modules.set(x, y, (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1);
        bit++;
      }
  }
}
