// The problem of a request: its cavity, the air, the grids, and the places of source and microphone.

import { parseReal } from '../../core/decimal.ts';
import { exp, log } from '../../core/elementary.ts';
import { validationError } from '../parts/errors.ts';
import type { AcousticInput } from './inputs.ts';
import { boxMesh, cellAt, type Ends, type Mesh, polygonMesh } from './mesh.ts';
import { areaOf, cornerAngle, discOf, type Polygon, perimeterOf, polygonOf } from './polygon.ts';
import { endsOf, openEdgesOf, type Wall, wallsOf } from './walls.ts';

export interface Problem {
  /** Of a box: a line, a rectangle, or a room. */
  readonly lengths: readonly number[];
  readonly ends: Ends;
  readonly isBox: boolean;
  /** Of frequencies: 2, or less at a corner that is not convex. */
  readonly order: number;
  /** Whether p is constant at 0 Hz. */
  readonly isClosed: boolean;
  /** By axis of a box, at both ends, if any has an impedance. */
  readonly walls: readonly (readonly [Wall, Wall])[] | undefined;
  readonly meshes: readonly Mesh[];
  /** Of an L or an outline: its corners, and whether p is 0 on each edge. */
  readonly outline: { readonly polygon: Polygon; readonly isOpen: readonly boolean[] } | undefined;
  readonly dimensions: number;
  readonly volume: number;
  readonly speed: number;
  /** Relative. */
  readonly speedError: number;
  readonly rt60: number;
  readonly modes: number;
  readonly source: number;
  readonly microphone: number;
}

/** Cells by dimension: by default along the longest side, and in all. */
const CELLS = [0, 256, 48, 16] as const;
const MAX_CELLS = [0, 4096, 20_000, 4000] as const;
const DIMENSIONS = { line: 1, rectangle: 2, box: 3, l_shape: 2, disc: 2, outline: 2 } as const;

/** Bounds the longest step of the kernel, which mixes the vectors of its basis. */
const MAX_WORK = 1.5e7;
/** Of lengths: beyond it cells are so flat that digits are lost. */
const MAX_ASPECT = 1000;
/** Along the longer side of an outline: of fewer, the three grids that give ± are not three. */
const MIN_OUTLINE_CELLS = 8;
/** Of outlines, m. */
const MIN_PERIMETER = 1e-3;
const MIN_SLENDER = 1e-4;

/** @throws DomainError VALIDATION_FAILED */
export function problemOf(input: AcousticInput): Problem {
  const { shape, mode } = input;
  const dimensions = DIMENSIONS[shape];
  const isBox = shape === 'line' || shape === 'rectangle' || shape === 'box';
  if (input.outline !== undefined && shape !== 'outline')
    throw validationError('outline', `outline is given for shape ${shape}; ask for shape outline, or leave it out.`);
  const lengths = [input.lx, input.ly, input.lz].slice(0, dimensions);
  const cells = input.cells ?? cellsFor(lengths, dimensions, isBox);
  checkShape(shape === 'disc' || shape === 'outline' ? [] : lengths);
  const ends = endsOf(input, isBox ? dimensions : 0);
  const walls = wallsOf(input, isBox ? dimensions : 0, ends);
  const polygon = isBox ? undefined : outlineOf(input);
  const isOpen = polygon === undefined ? [] : openEdgesOf(input, polygon.length);
  const { speed, speedError } = airOf(input);
  const { volume, path, border } = polygon === undefined ? boxSize(lengths) : flatSize(polygon);
  const modes =
    input.f_max === undefined ? input.modes : modesUpTo(input.f_max, input.mode, speed, { volume, border }, dimensions);
  if (mode > modes) throw validationError('mode', `mode is ${mode}; at most modes, which is ${modes}, is allowed.`);
  if (polygon !== undefined && cells < MIN_OUTLINE_CELLS)
    throw validationError('cells', `cells is ${cells}; shape ${shape} needs at least ${MIN_OUTLINE_CELLS}.`);
  checkCells(cells, dimensions, polygon === undefined ? lengths : extentOf(polygon), polygon === undefined ? 4 : 2);
  const meshes = polygon === undefined ? [boxOf(lengths, cells, ends)] : refined(polygon, cells, isOpen);
  for (const { volumes } of meshes) {
    const work = volumes.length * (modes + 14) * (modes + 14);
    if (work > MAX_WORK)
      throw validationError(
        'modes',
        `modes is ${modes} on ${volumes.length} cells; cells × (modes + 14)² may be up to ${MAX_WORK}.`,
      );
    if (volumes.length < 4 * (modes + 2))
      throw validationError('modes', `modes is ${modes} on ${volumes.length} cells; four cells a mode are needed.`);
  }
  const [mesh] = meshes as [Mesh];
  const at = (name: 'source' | 'microphone', shares: readonly number[]) => placeOf(input[name], name, shares, mesh);
  return {
    lengths,
    ends,
    isBox,
    walls,
    isClosed: ends.every((pair) => !pair.includes(true)) && !isOpen.includes(true),
    order: polygon === undefined || shape === 'disc' ? 2 : cornerOrder(polygon, isOpen),
    meshes,
    outline: polygon === undefined || shape === 'disc' ? undefined : { polygon, isOpen },
    dimensions,
    volume,
    speed,
    speedError,
    rt60: input.rt60 ?? (6 * log(10) * path) / (speed * input.alpha),
    modes,
    source: at('source', [0.04, 0.05, 0.06]),
    microphone: at('microphone', [0.71, 0.23, 0.38]),
  };
}

/** The default, or what the largest number of cells leaves a room that is nearly a cube. */
function cellsFor(lengths: readonly number[], dimensions: number, isBox: boolean): number {
  const cells = CELLS[dimensions] ?? 4;
  const all = (along: number) => countsOf(lengths, along).reduce((product, count) => product * count, 1);
  return isBox && all(cells) > (MAX_CELLS[dimensions] ?? 0) ? cells - 1 : cells;
}

function checkCells(cells: number, dimensions: 1 | 2 | 3, lengths: readonly number[], minimum: number): void {
  const all = countsOf(lengths, cells, minimum).reduce((product, count) => product * count, 1);
  if (all <= MAX_CELLS[dimensions]) return;
  throw validationError('cells', `cells is ${cells}: ${all} in all; ${MAX_CELLS[dimensions]} are allowed.`);
}

/** Of the smallest rectangle about it. */
function extentOf(polygon: Polygon): readonly number[] {
  const along = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
  return [along(polygon.map(([x]) => x)), along(polygon.map(([, y]) => y))];
}

/**
 * The order of frequencies at the sharpest corner: eigenfunctions behave as r^(π/ω), or r^(π/2ω) where an open edge meets a
 * rigid one, and frequencies converge with twice this power, at most with 2 (Grisvard, Elliptic Problems in Nonsmooth
 * Domains, 1985).
 */
function cornerOrder(polygon: Polygon, isOpen: readonly boolean[]): number {
  const count = polygon.length;
  return polygon.reduce((order, _, i) => {
    const isMixed = isOpen[i] !== isOpen[(i + count - 1) % count];
    return Math.min(order, (isMixed ? 1 : 2) / cornerAngle(polygon, i));
  }, 2);
}

function checkShape(lengths: readonly number[]): void {
  const [longest, shortest] = [Math.max(...lengths), Math.min(...lengths)];
  if (longest <= MAX_ASPECT * shortest || lengths.length === 0) return;
  const name = (['lx', 'ly', 'lz'] as const)[lengths.indexOf(shortest)] ?? 'lx';
  const message = `${name} is ${shortest} m beside ${longest} m; at least 1/${MAX_ASPECT} of the longest is allowed.`;
  throw validationError(name, message);
}

function outlineOf({ shape, lx, ly, outline }: AcousticInput): Polygon {
  if (shape === 'disc') return discOf(lx);
  if (shape === 'l_shape') {
    const [x, y] = [lx / 2, ly / 2];
    return [
      [0, 0],
      [lx, 0],
      [lx, y],
      [x, y],
      [x, ly],
      [0, ly],
    ];
  }
  if (outline === undefined) throw validationError('outline', 'outline is missing; shape outline needs its corners.');
  const polygon = polygonOf(outline);
  const perimeter = perimeterOf(polygon);
  if (!(perimeter >= MIN_PERIMETER))
    throw validationError('outline', `outline is ${perimeter} m around; at least ${MIN_PERIMETER} m are expected.`);
  const slender = areaOf(polygon) / (perimeter * perimeter);
  if (!(slender > MIN_SLENDER))
    throw validationError(
      'outline',
      `outline is too thin: its area is ${slender.toPrecision(2)} of its perimeter squared; over ${MIN_SLENDER} is expected.`,
    );
  return polygon;
}

function countsOf(lengths: readonly number[], cells: number, minimum = 4): readonly number[] {
  const longest = Math.max(...lengths);
  return lengths.map((length) => Math.max(minimum, Math.round((cells * length) / longest)));
}

const boxOf = (lengths: readonly number[], cells: number, ends: Ends): Mesh =>
  boxMesh(lengths, countsOf(lengths, cells), ends);

/** A grid, and two that judge it: coarser by √2 each. */
const refined = (polygon: Polygon, cells: number, isOpen: readonly boolean[]): readonly Mesh[] =>
  [1, Math.SQRT1_2, 0.5].map((share) => polygonMesh(polygon, Math.max(4, Math.round(cells * share)), isOpen));

/** Volume, the mean free path of a diffuse field, and the border: the surface of a room, the perimeter of a plane. */
function boxSize(lengths: readonly number[]) {
  const [x = 1, y, z] = lengths;
  if (y === undefined) return { volume: x, path: x, border: 2 };
  if (z === undefined) return { volume: x * y, path: (Math.PI * x * y) / (2 * (x + y)), border: 2 * (x + y) };
  return {
    volume: x * y * z,
    path: (2 * x * y * z) / (x * y + y * z + z * x),
    border: 2 * (x * y + y * z + z * x),
  };
}

function flatSize(polygon: Polygon) {
  const volume = areaOf(polygon);
  const border = perimeterOf(polygon);
  return { volume, path: (Math.PI * volume) / border, border };
}

/** Modes that the kernel finds at most, without that at 0 Hz. */
const MAX_MODES = 60;

/**
 * More modes than lie below a frequency: Weyl's law with the term of rigid walls (Kuttruff, chapter 3), and a margin.
 */
function modesUpTo(
  top: number,
  mode: number,
  speed: number,
  { volume, border }: { readonly volume: number; readonly border: number },
  dimensions: 1 | 2 | 3,
): number {
  const ratio = top / speed;
  const count =
    dimensions === 1
      ? 2 * ratio * volume
      : dimensions === 2
        ? Math.PI * ratio * ratio * volume + ratio * border
        : ((4 * Math.PI) / 3) * ratio * ratio * ratio * volume +
          (Math.PI / 4) * ratio * ratio * border +
          (ratio / 2) * 3 * Math.sqrt(border);
  const modes = Math.max(mode, Math.ceil(1.08 * count) + 4);
  if (modes <= MAX_MODES) return modes;
  const message = `f_max is ${top} Hz, below which about ${Math.round(count)} modes lie; ${MAX_MODES - 6} are possible.`;
  throw validationError('f_max', message);
}

/** Ideal gases with cp of 7/2 R (air) and 4 R (water vapour), saturation as in ISO 9613-1, annex B. */
function airOf({ c, temperature, humidity }: AcousticInput) {
  const isAir = temperature !== undefined || humidity !== undefined;
  if (c !== undefined && isAir)
    throw validationError('c', 'c is given beside temperature or humidity; give one or the other.');
  if (!isAir) return { speed: c ?? 343, speedError: 0 };
  const kelvin = (temperature ?? 20) + 273.15;
  const saturation = exp(log(10) * (4.6151 - 6.8346 * exp(1.261 * log(273.16 / kelvin))));
  const water = (humidity ?? 0) * saturation;
  const heat = 3.5 + 0.5 * water;
  const molar = 0.0289655 + water * (0.018015 - 0.0289655);
  return { speed: Math.sqrt(((heat / (heat - 1)) * 8.314462618 * kelvin) / molar), speedError: 1e-3 };
}

function placeOf(text: string | undefined, name: string, shares: readonly number[], mesh: Mesh): number {
  const { counts, spacings, origin } = mesh;
  const given = text
    ?.trim()
    .split(/[\s,]+/)
    .map(parseReal);
  const place = given ?? counts.map((count, d) => (origin[d] ?? 0) + (shares[d] ?? 0) * count * (spacings[d] ?? 1));
  const cell = place.length === counts.length ? cellAt(mesh, place) : -1;
  if (cell >= 0) return cell;
  // The places that are chosen here may lie outside of an outline: then any cell serves.
  if (given === undefined) return name === 'source' ? 0 : mesh.volumes.length - 1;
  throw validationError(
    name,
    `${name} is ${JSON.stringify(text)}; ${counts.length} numbers of a place inside are expected.`,
  );
}
