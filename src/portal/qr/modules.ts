// The square of modules of a QR code, and its patterns that carry no data. ISO/IEC 18004:2015 §6.3, §7.9, §7.10.

import type { Version } from './versions.ts';

/** A square of modules: 1 is dark. Row by row, as all of them are read. */
export class Modules {
  readonly size: number;
  readonly #dark: Uint8Array;
  /** Modules of patterns, which no mask inverts. */
  readonly #isFixed: Uint8Array;

  constructor(size: number) {
    this.size = size;
    this.#dark = new Uint8Array(size * size);
    this.#isFixed = new Uint8Array(size * size);
  }

  isDark(x: number, y: number): boolean {
    return this.#dark[y * this.size + x] === 1;
  }

  isFixed(x: number, y: number): boolean {
    return this.#isFixed[y * this.size + x] === 1;
  }

  set(x: number, y: number, isDark: boolean): void {
    this.#dark[y * this.size + x] = isDark ? 1 : 0;
  }

  /** Sets a module of a pattern; outside of the square nothing. */
  fix(x: number, y: number, isDark: boolean): void {
    if (x < 0 || y < 0 || x >= this.size || y >= this.size) return;
    this.set(x, y, isDark);
    this.#isFixed[y * this.size + x] = 1;
  }

  copy(): Modules {
    const copy = new Modules(this.size);
    copy.#dark.set(this.#dark);
    copy.#isFixed.set(this.#isFixed);
    return copy;
  }
}

/** The patterns of a version. The format is reserved with mask 0. */
export function patternsOf(version: Version): Modules {
  const { size, centres } = version;
  const modules = new Modules(size);
  for (let at = 0; at < size; at++) {
    modules.fix(6, at, at % 2 === 0);
    modules.fix(at, 6, at % 2 === 0);
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    drawRings(modules, x, y, 4, (ring) => ring !== 2 && ring !== 4);
  const last = centres.at(-1);
  for (const x of centres)
    for (const y of centres) {
      const isOnFinder = (x === 6 && (y === 6 || y === last)) || (x === last && y === 6);
      if (!isOnFinder) drawRings(modules, x, y, 2, (ring) => ring !== 1);
    }
  drawFormat(modules, 0);
  drawVersion(modules, version);
  return modules;
}

/** Squares about a centre, dark by their distance from it. */
function drawRings(modules: Modules, x: number, y: number, radius: number, isDark: (ring: number) => boolean): void {
  for (let dy = -radius; dy <= radius; dy++)
    for (let dx = -radius; dx <= radius; dx++)
      modules.fix(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
}

const FORMAT_GENERATOR = 0x537;
const FORMAT_MASK = 0x5412;
const VERSION_GENERATOR = 0x1f25;
/** Level M. */
const LEVEL = 0b00;

/** The value, and behind it the remainder of the division by a generator of `checkBits` + 1 bits. */
function withCheck(value: number, checkBits: number, generator: number): number {
  let remainder = value;
  for (let bit = 0; bit < checkBits; bit++)
    remainder = (remainder << 1) ^ ((remainder >> (checkBits - 1)) & 1 ? generator : 0);
  return (value << checkBits) | (remainder & ((1 << checkBits) - 1));
}

/** Level and mask, twice, and the dark module. */
export function drawFormat(modules: Modules, mask: number): void {
  const { size } = modules;
  const bits = withCheck((LEVEL << 3) | mask, 10, FORMAT_GENERATOR) ^ FORMAT_MASK;
  for (let bit = 0; bit < 15; bit++) {
    const isDark = ((bits >> bit) & 1) === 1;
    // About the finder on the left above, without the timing.
    if (bit < 8) modules.fix(8, bit < 6 ? bit : bit + 1, isDark);
    else modules.fix(bit === 8 ? 7 : 14 - bit, 8, isDark);
    // Beside the two others.
    if (bit < 8) modules.fix(size - 1 - bit, 8, isDark);
    else modules.fix(8, size - 15 + bit, isDark);
  }
  modules.fix(8, size - 8, true);
}

/** From version 7 on, twice. */
function drawVersion(modules: Modules, { number, size }: Version): void {
  if (number < 7) return;
  const bits = withCheck(number, 12, VERSION_GENERATOR);
  for (let bit = 0; bit < 18; bit++) {
    const [along, across] = [Math.floor(bit / 3), size - 11 + (bit % 3)];
    const isDark = ((bits >> bit) & 1) === 1;
    modules.fix(across, along, isDark);
    modules.fix(along, across, isDark);
  }
}
