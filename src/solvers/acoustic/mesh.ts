// Cells, and the links between neighbours: boxes with walls on faces of cells, and polygons that cut cells.

import { areaOf, crossingsOf, distanceTo, type Point, type Polygon, stripOf, withoutEdges } from './polygon.ts';

/** Whether p = 0 on both ends of each axis. */
export type Ends = readonly (readonly [boolean, boolean])[];

export interface Mesh {
  /** Cells along each axis, of the surrounding box, and their lengths. */
  readonly counts: readonly number[];
  readonly spacings: readonly number[];
  readonly origin: readonly number[];
  /** The cell at each position of the surrounding box, x fastest; −1 outside. */
  readonly numbers: Int32Array;
  readonly volumes: Float64Array;
  readonly walls: Float64Array;
  readonly pairs: Int32Array;
  readonly conductances: Float64Array;
}

const product = (values: readonly number[]) => values.reduce((all, one) => all * one, 1);

export function boxMesh(lengths: readonly number[], counts: readonly number[], ends: Ends): Mesh {
  const spacings = lengths.map((length, d) => length / (counts[d] ?? 1));
  const n = product(counts);
  const volume = product(spacings);
  const walls = new Float64Array(n);
  const [pairs, conductances]: [number[], number[]] = [[], []];
  let stride = 1;
  counts.forEach((count, d) => {
    const h = spacings[d] ?? 1;
    const conductance = volume / (h * h);
    const [first, last] = ends[d] ?? [false, false];
    for (let i = 0; i < n; i++) {
      const k = Math.floor(i / stride) % count;
      if (k === 0 && first) walls[i] = (walls[i] ?? 0) + 2 * conductance;
      if (k === count - 1) walls[i] = (walls[i] ?? 0) + (last ? 2 * conductance : 0);
      else {
        pairs.push(i, i + stride);
        conductances.push(conductance);
      }
    }
    stride *= count;
  });
  return {
    counts,
    spacings,
    origin: counts.map(() => 0),
    numbers: Int32Array.from({ length: n }, (_, i) => i),
    volumes: new Float64Array(n).fill(volume),
    walls,
    pairs: Int32Array.from(pairs),
    conductances: Float64Array.from(conductances),
  };
}

/** Areas and faces below this part of a whole one are left out. */
const SMALL = 1e-9;

/** Open edges are moved outwards by this many cells, and met no nearer than this part of one. */
const MOVED = 3;
const NEAREST = 1e-3;

/**
 * Rigid edges cut cells. Open edges do not: cells with their centre inside are whole, and p falls to 0 where the line to
 * the centre of the next cell meets the edge (Gibou, Fedkiw, Cheng & Kang, J. Comput. Phys. 176 (2002) 205).
 *
 * @param cells  along the longer side. @param isOpen  by edge
 */
export function polygonMesh(polygon: Polygon, cells: number, isOpen: readonly boolean[] = []): Mesh {
  const [xs, ys] = [polygon.map(([x]) => x), polygon.map(([, y]) => y)];
  const [x0, y0] = [Math.min(...xs), Math.min(...ys)];
  const [lengthX, lengthY] = [Math.max(...xs) - x0, Math.max(...ys) - y0];
  const longest = Math.max(lengthX, lengthY);
  const [nx, ny] = [lengthX, lengthY].map((l) => Math.max(2, Math.round((cells * l) / longest))) as [number, number];
  const [hx, hy] = [lengthX / nx, lengthY / ny];
  const hasOpen = isOpen.includes(true);
  const isAllOpen = polygon.every((_, i) => isOpen[i] === true);
  const cutting = hasOpen && !isAllOpen ? withoutEdges(polygon, isOpen, MOVED * Math.max(hx, hy)) : polygon;
  const areas = new Float64Array(nx * ny);
  for (let j = 0; j < ny; j++) {
    const row = isAllOpen ? [] : stripOf(cutting, 1, y0 + j * hy, y0 + (j + 1) * hy);
    for (let i = 0; i < nx; i++)
      areas[j * nx + i] = isAllOpen ? hx * hy : areaOf(stripOf(row, 0, x0 + i * hx, x0 + (i + 1) * hx));
  }
  const isKept = hasOpen ? keptCells(polygon, cutting, [nx, ny], [x0, y0], [hx, hy]) : undefined;
  const links: (readonly [number, number, number])[] = [];
  const ends: (readonly [number, number])[] = [];
  /** A face between cells a and b, −1 outside of the grid, of this open length. */
  const add = (a: number, b: number, open: number, axis: 0 | 1) => {
    const [whole, distance] = axis === 0 ? [hy, hx] : [hx, hy];
    const has = (k: number) => k >= 0 && (areas[k] ?? 0) > SMALL * hx * hy && (isKept?.[k] ?? 1) === 1;
    if (!(open > SMALL * whole)) return;
    if (has(a) && has(b)) links.push([a, b, open / distance]);
    else if (hasOpen && (has(a) || has(b))) {
      const [k, reach] = has(a) ? [a, distance] : [b, -distance];
      const centre: Point = [x0 + ((k % nx) + 0.5) * hx, y0 + (Math.floor(k / nx) + 0.5) * hy];
      const met = distanceTo(polygon, isOpen, centre, axis, reach);
      if (met !== undefined) ends.push([k, open / Math.max(met, NEAREST * distance)]);
    }
  };
  for (let i = hasOpen ? 0 : 1; i < nx + Number(hasOpen); i++) {
    const inside = isAllOpen ? [] : crossingsOf(cutting, 0, x0 + i * hx);
    for (let j = 0; j < ny; j++) {
      const open = isAllOpen ? hy : within(inside, y0 + j * hy, hy);
      add(i > 0 ? j * nx + i - 1 : -1, i < nx ? j * nx + i : -1, open, 0);
    }
  }
  for (let j = hasOpen ? 0 : 1; j < ny + Number(hasOpen); j++) {
    const inside = isAllOpen ? [] : crossingsOf(cutting, 1, y0 + j * hy);
    for (let i = 0; i < nx; i++) {
      const open = isAllOpen ? hx : within(inside, x0 + i * hx, hx);
      add(j > 0 ? (j - 1) * nx + i : -1, j < ny ? j * nx + i : -1, open, 1);
    }
  }
  const numbers = new Int32Array(nx * ny).fill(-1);
  for (const [a, b] of links) numbers[a] = numbers[b] = 0;
  const volumes: number[] = [];
  for (let k = 0; k < numbers.length; k++) if (numbers[k] === 0) numbers[k] = volumes.push(areas[k] ?? 0) - 1;
  const walls = new Float64Array(volumes.length);
  for (const [k, conductance] of ends) {
    const cell = numbers[k] ?? -1;
    if (cell >= 0) walls[cell] = (walls[cell] ?? 0) + conductance;
  }
  return {
    counts: [nx, ny],
    spacings: [hx, hy],
    origin: [x0, y0],
    numbers,
    volumes: Float64Array.from(volumes),
    walls,
    pairs: Int32Array.from(links.flatMap(([a, b]) => [numbers[a] ?? 0, numbers[b] ?? 0])),
    conductances: Float64Array.from(links, ([, , value]) => value),
  };
}

/** 1 for cells that are not beyond an open edge: with their centre inside, or cut by a rigid edge. */
function keptCells(
  polygon: Polygon,
  cutting: Polygon,
  [nx, ny]: readonly [number, number],
  [x0, y0]: Point,
  [hx, hy]: Point,
): Uint8Array {
  const kept = new Uint8Array(nx * ny);
  const isWithin = (crossings: readonly number[], at: number) => crossings.filter((one) => one <= at).length % 2 === 1;
  for (let j = 0; j < ny; j++) {
    const y = y0 + (j + 0.5) * hy;
    const [own, moved] = [crossingsOf(polygon, 1, y), crossingsOf(cutting, 1, y)];
    const row = stripOf(polygon, 1, y0 + j * hy, y0 + (j + 1) * hy);
    for (let i = 0; i < nx; i++) {
      const x = x0 + (i + 0.5) * hx;
      const isCut = () =>
        !isWithin(moved, x) && areaOf(stripOf(row, 0, x0 + i * hx, x0 + (i + 1) * hx)) > SMALL * hx * hy;
      kept[j * nx + i] = Number(isWithin(own, x) || (cutting !== polygon && isCut()));
    }
  }
  return kept;
}

/** Length of the line inside the polygon, from `start` on for `length`. */
function within(crossings: readonly number[], start: number, length: number): number {
  let sum = 0;
  for (let k = 0; k + 1 < crossings.length; k += 2) {
    const [low = 0, high = 0] = [crossings[k], crossings[k + 1]];
    sum += Math.max(0, Math.min(high, start + length) - Math.max(low, start));
  }
  return sum;
}

/** The number of the cell about a place; −1 outside. */
export function cellAt({ counts, spacings, origin, numbers }: Mesh, place: readonly number[]): number {
  let [index, stride] = [0, 1];
  for (const [d, count] of counts.entries()) {
    const k = Math.floor(((place[d] ?? 0) - (origin[d] ?? 0)) / (spacings[d] ?? 1));
    if (!(k >= 0 && k <= count)) return -1;
    index += Math.min(k, count - 1) * stride;
    stride *= count;
  }
  return numbers[index] ?? -1;
}
