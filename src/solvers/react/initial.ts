// Initial states that are images: blocks of constant u and v over the whole domain, as cells of any grid see them. Forward
// Euler, a method of low order, takes the share of each block in a cell; an edge on a side of cells then stays sharp.

import { validationError } from '../parts/errors.ts';
import { randomWord } from '../parts/random.ts';
import type { ReactInput } from './inputs.ts';
import type { State } from './kinetics.ts';

/** Values of equal blocks, row-major from the bottom, over the whole domain. */
interface Image {
  readonly columns: number;
  readonly rows: number;
  readonly values: ArrayLike<number>;
}

/** The initial states of u and v on a grid, f64[rows, columns] each. */
export type InitialOn = (columns: number, rows: number) => readonly [u: Float64Array, v: Float64Array];

/** Largest deviation of noise, relative to the difference of foreground and background. */
const NOISE = 0.05;
const NOISE_BLOCKS = 32;
/** Side of the square of Pearson (1993), in cells of the request. */
const SQUARE_CELLS = 20;

interface Domain {
  readonly columns: number;
  readonly rows: number;
  readonly background: State;
  readonly foreground: State;
}

/** @throws DomainError VALIDATION_FAILED for a painting or samples that are no image of the domain */
export function initialOf(input: ReactInput, domain: Domain): InitialOn {
  const { background, foreground } = domain;
  const cover = coverOf(input, domain);
  const own = [imageOf(input, 'samples_u', domain), imageOf(input, 'samples_v', domain)];
  const isPeriodic = input.boundary === 'periodic';
  const weights = (blocks: number, cells: number) =>
    input.method === 'euler' ? overlaps(blocks, cells) : hats(blocks, cells, isPeriodic);
  return (columns, rows) => {
    const on = (image: Image) => projected(image, weights(image.columns, columns), weights(image.rows, rows));
    const shares = cover.map((part) => part && on(part));
    const mixed = (species: 0 | 1) => {
      const image = own[species];
      if (image !== undefined) return on(image);
      const [low, high] = [background[species], foreground[species]];
      return Float64Array.from({ length: columns * rows }, (_, i) => {
        const share = shares[species]?.[i] ?? 0;
        // Whole shares are exact.
        return share === 0 ? low : share === 1 ? high : low + share * (high - low);
      });
    };
    return [mixed(0), mixed(1)];
  };
}

/** The share of the foreground, of u and of v. */
function coverOf(input: ReactInput, { columns, rows }: Domain): readonly (Image | undefined)[] {
  const { painting, initial, seed } = input;
  if (painting !== undefined) {
    const image = paintedImage(painting);
    return [image, image];
  }
  if (initial === 'front') {
    const image = { columns: 10, rows: 1, values: Float64Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0, 0) };
    return [image, image];
  }
  // u is foreground on the left; v, which follows it, is raised below: a wave with one free end.
  if (initial === 'spiral')
    return [
      { columns: 2, rows: 1, values: [1, 0] },
      { columns: 1, rows: 2, values: [1, 0] },
    ];
  if (initial === 'noise') return [0, 1].map((species) => noise(seed, species, rows === 1));
  const side = (cells: number) => {
    const count = Math.min(SQUARE_CELLS, Math.floor(cells / 3));
    const from = Math.floor(cells / 2) - Math.floor(count / 2);
    return Float64Array.from({ length: cells }, (_, i) => Number(i >= from && i < from + count));
  };
  const [x, y] = [side(columns), rows === 1 ? Float64Array.of(1) : side(rows)];
  const values = Float64Array.from({ length: columns * rows }, (_, i) => {
    return (x[i % columns] ?? 0) * (y[Math.floor(i / columns)] ?? 0);
  });
  return [
    { columns, rows, values },
    { columns, rows, values },
  ];
}

function noise(seed: number, species: number, isLine: boolean): Image {
  const rows = isLine ? 1 : NOISE_BLOCKS;
  const offset = species * NOISE_BLOCKS * NOISE_BLOCKS;
  const values = Float64Array.from({ length: NOISE_BLOCKS * rows }, (_, i) => {
    return NOISE * (randomWord(seed, offset + i) / 2_147_483_648 - 1);
  });
  return { columns: NOISE_BLOCKS, rows, values };
}

const MAX_SIDE = 400;

function paintedImage(painting: string): Image {
  const lines = painting.split('\n').map((line) => line.trimEnd());
  while (lines.at(-1) === '') lines.pop();
  const columns = Math.max(0, ...lines.map((line) => line.length));
  if (columns === 0 || columns > MAX_SIDE || lines.length > MAX_SIDE) {
    const got = `${lines.length} rows of ${columns} characters`;
    throw validationError('painting', `painting has ${got}; 1 to ${MAX_SIDE} of each are expected.`, 'OUT_OF_RANGE');
  }
  const values = Float64Array.from({ length: columns * lines.length }, (_, i) => {
    return Number(lines[lines.length - 1 - Math.floor(i / columns)]?.[i % columns] === '#');
  });
  return { columns, rows: lines.length, values };
}

function imageOf(input: ReactInput, field: 'samples_u' | 'samples_v', { rows }: Domain): Image | undefined {
  const values = input[field];
  if (values === undefined) return undefined;
  if (rows === 1) return { columns: values.length, rows: 1, values };
  const side = Math.round(Math.sqrt(values.length));
  if (side * side === values.length) return { columns: side, rows: side, values };
  throw validationError(field, `${field} has ${values.length} numbers; a square of them is expected, as 64 × 64.`);
}

/** An image at the cells of a grid, by the weights of blocks along each axis. */
function projected(image: Image, along: AxisWeights, across: AxisWeights): Float64Array {
  const columns = along.length;
  const result = new Float64Array(columns * across.length);
  for (const [j, partsY] of across.entries())
    for (const [i, partsX] of along.entries()) {
      let sum = 0;
      for (const [q, y] of partsY)
        for (const [p, x] of partsX) sum += x * y * (image.values[q * image.columns + p] ?? Number.NaN);
      result[j * columns + i] = sum;
    }
  return result;
}

/** For each cell of an axis, the blocks that it sees, and their weights. */
type AxisWeights = readonly ReadonlyMap<number, number>[];

/** The share of each block in a cell. */
function overlaps(blocks: number, cells: number): AxisWeights {
  return Array.from({ length: cells }, (_, i) => {
    // In units of 1 / (blocks · cells), which are whole.
    const [from, to] = [i * blocks, (i + 1) * blocks];
    const parts = new Map<number, number>();
    for (let block = Math.floor(from / cells); block * cells < to; block++) {
      const width = Math.min(to, (block + 1) * cells) - Math.max(from, block * cells);
      parts.set(block, width / blocks);
    }
    return parts;
  });
}

/**
 * Weights by a hat of two cells, whose smoothing is then taken back to order 4: moments up to the third are those of the
 * image wherever its edges lie in a cell, while shares of blocks shift an edge by a part of a cell.
 */
function hats(blocks: number, cells: number, isPeriodic: boolean): AxisWeights {
  if (cells === 1) return [new Map([[0, 1]])];
  const inside = (index: number, count: number) => {
    if (isPeriodic) return ((index % count) + count) % count;
    return index < 0 ? -1 - index : index >= count ? 2 * count - 1 - index : index;
  };
  const smooth = Array.from({ length: cells }, (_, i) => {
    const parts = new Map<number, number>();
    const [from, to] = [((i - 0.5) * blocks) / cells, ((i + 1.5) * blocks) / cells];
    const share = (edge: number) => hatIntegral((edge * cells) / blocks - i - 0.5);
    for (let block = Math.floor(from); block < to; block++) {
      const weight = share(block + 1) - share(block);
      const at = inside(block, blocks);
      if (weight !== 0) parts.set(at, (parts.get(at) ?? 0) + weight);
    }
    return parts;
  });
  return smooth.map((parts, i) => {
    const sharp = new Map<number, number>();
    const add = (others: ReadonlyMap<number, number> | undefined, factor: number) => {
      for (const [block, weight] of others ?? []) sharp.set(block, (sharp.get(block) ?? 0) + factor * weight);
    };
    add(parts, 1 + 2 / 12);
    add(smooth[inside(i - 1, cells)], -1 / 12);
    add(smooth[inside(i + 1, cells)], -1 / 12);
    return sharp;
  });
}

/** The integral of the hat 1 − |t| up to t. */
function hatIntegral(t: number): number {
  if (t <= -1) return 0;
  if (t >= 1) return 1;
  return t < 0 ? 0.5 * (1 + t) * (1 + t) : 1 - 0.5 * (1 - t) * (1 - t);
}
