// Animated GIF of frames of pixels: one palette for all of them, and Lempel–Ziv–Welch codes.
//
// Format and compression: CompuServe, Graphics Interchange Format Version 89a (1990), appendix F. The repeat is the
// application extension of Netscape 2.0.

export interface Movie {
  readonly width: number;
  readonly height: number;
  /** Of each frame, in hundredths of a second. */
  readonly delay: number;
  /** RGBA, row by row from the top; nothing is transparent. */
  readonly frames: readonly Uint8ClampedArray[];
}

const COLOURS = 256;
/** Bits of a channel that tell colours apart. */
const BITS = 6;
const CODE_BITS = 8;
const MAX_CODE_BITS = 12;
const MAX_BLOCK = 255;

export function gifOf({ width, height, delay, frames }: Movie): Uint8Array<ArrayBuffer> {
  const { colours, indexOf } = paletteOf(frames);
  const out = new Bytes();
  const short = (value: number) => out.push(value & 255, value >> 8);
  out.text('GIF89a');
  short(width);
  short(height);
  // A table of 256 colours for all frames.
  out.push(0xf7, 0, 0);
  for (let i = 0; i < 3 * COLOURS; i++) out.push(colours[i] ?? 0);
  out.push(0x21, 0xff, 11);
  out.text('NETSCAPE2.0');
  out.push(3, 1, 0, 0, 0);
  for (const frame of frames) {
    out.push(0x21, 0xf9, 4, 0);
    short(delay);
    out.push(0, 0);
    out.push(0x2c, 0, 0, 0, 0);
    short(width);
    short(height);
    out.push(0, CODE_BITS);
    compress(frame, indexOf, out);
  }
  out.push(0x3b);
  return out.taken();
}

const binOf = (pixels: ArrayLike<number>, at: number): number => {
  const [red = 0, green = 0, blue = 0] = [pixels[at], pixels[at + 1], pixels[at + 2]];
  const drop = 8 - BITS;
  return ((red >> drop) << (2 * BITS)) | ((green >> drop) << BITS) | (blue >> drop);
};

/** The colours that leave the fewest pixels far from one of them; each other one becomes the nearest of them. */
function paletteOf(frames: Movie['frames']) {
  const counts = new Float64Array(1 << (3 * BITS));
  const sums = new Float64Array(3 << (3 * BITS));
  for (const pixels of frames)
    for (let at = 0; at < pixels.length; at += 4) {
      const bin = binOf(pixels, at);
      counts[bin] = (counts[bin] ?? 0) + 1;
      for (let channel = 0; channel < 3; channel++)
        sums[3 * bin + channel] = (sums[3 * bin + channel] ?? 0) + (pixels[at + channel] ?? 0);
    }
  const used = Array.from(counts.keys()).filter((bin) => (counts[bin] ?? 0) > 0);
  const mean = (bin: number) => [0, 1, 2].map((channel) => (sums[3 * bin + channel] ?? 0) / (counts[bin] ?? 1));
  const means = chosen(used.map((bin) => ({ colour: mean(bin), count: counts[bin] ?? 0 })));
  const colours = Uint8Array.from(means.flat(), Math.round);
  const indices = new Uint8Array(1 << (3 * BITS));
  for (const bin of used) indices[bin] = nearest(mean(bin), means);
  return { colours, indexOf: indices };
}

interface Counted {
  readonly colour: readonly number[];
  readonly count: number;
}

/** One after the other that which the most pixels are the farthest from, so that rare bright spots stay, too. */
function chosen(all: readonly Counted[]): readonly (readonly number[])[] {
  const away = all.map(() => Number.POSITIVE_INFINITY);
  const kept: (readonly number[])[] = [];
  while (kept.length < COLOURS) {
    let [next, most] = [-1, 0];
    for (const [i, { count }] of all.entries()) {
      const weight = kept.length === 0 ? count : count * (away[i] ?? 0);
      if (weight > most) [next, most] = [i, weight];
    }
    const added = all[next]?.colour;
    if (added === undefined) break;
    kept.push(added);
    for (const [i, { colour }] of all.entries()) away[i] = Math.min(away[i] ?? 0, distance(colour, added));
  }
  return kept;
}

/** Squared. */
const distance = ([r0 = 0, g0 = 0, b0 = 0]: readonly number[], [r1 = 0, g1 = 0, b1 = 0]: readonly number[]): number =>
  (r1 - r0) ** 2 + (g1 - g0) ** 2 + (b1 - b0) ** 2;

function nearest(colour: readonly number[], means: readonly (readonly number[])[]): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (const [index, one] of means.entries()) {
    const away = distance(colour, one);
    if (away < least) [best, least] = [index, away];
  }
  return best;
}

/** Codes of growing width, in blocks of at most 255 bytes. */
function compress(pixels: Uint8ClampedArray, indexOf: Uint8Array, out: Bytes): void {
  const [clear, end] = [1 << CODE_BITS, (1 << CODE_BITS) + 1];
  let next = end + 1;
  let width = CODE_BITS + 1;
  let [buffer, filled] = [0, 0];
  let block: number[] = [];
  const flush = () => {
    if (block.length > 0) out.push(block.length, ...block);
    block = [];
  };
  const emit = (code: number) => {
    buffer |= code << filled;
    filled += width;
    for (; filled >= 8; filled -= 8) {
      block.push(buffer & 255);
      buffer >>>= 8;
      if (block.length === MAX_BLOCK) flush();
    }
  };
  // Of a code and the index behind it: the code of both.
  const table = new Int16Array(COLOURS << MAX_CODE_BITS).fill(-1);
  emit(clear);
  let code = indexOf[binOf(pixels, 0)] ?? 0;
  for (let at = 4; at < pixels.length; at += 4) {
    const index = indexOf[binOf(pixels, at)] ?? 0;
    const key = (code << CODE_BITS) | index;
    const known = table[key] ?? -1;
    if (known >= 0) {
      code = known;
      continue;
    }
    emit(code);
    code = index;
    if (next < 1 << MAX_CODE_BITS) {
      // A code is one bit longer from the one on that needs it.
      if (next === 1 << width) width++;
      table[key] = next++;
    } else {
      emit(clear);
      table.fill(-1);
      next = end + 1;
      width = CODE_BITS + 1;
    }
  }
  emit(code);
  emit(end);
  if (filled > 0) block.push(buffer & 255);
  flush();
  out.push(0);
}

/** Bytes that grow. */
class Bytes {
  #bytes = new Uint8Array(1 << 16);
  #length = 0;

  push(...values: readonly number[]): void {
    if (this.#length + values.length > this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#bytes.length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(values, this.#length);
    this.#length += values.length;
  }

  text(characters: string): void {
    this.push(...Array.from(characters, (character) => character.charCodeAt(0)));
  }

  taken(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }
}
