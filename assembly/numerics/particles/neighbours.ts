// Neighbour lists for atoms in a periodic box: ghost atoms, cells and a Verlet list.
//
// Every atom is one 64-byte line (x, y, z, 0, fx, fy, fz, 0), with a second line (vx, vy, vz, 0, and
// the position at the last build) that only the integrator reads. A rebuild wraps the atoms into the
// box, sorts their lines by cell, so that neighbours in space are neighbours in memory, copies those
// near a face outside the box as ghosts, and writes for every atom the byte offsets of the lines
// within `listCutoff`. The list holds each pair once.
//
// A pair is listed under the atom whose partner lies in a later cell (z, then y, then x), or later in the
// same cell. The cell of a ghost is its owner's cell plus whole boxes, in integers, so both images of a pair
// agree whatever the rounding. A box may be smaller than the cutoff: an atom then pairs with several images of
// its partner, and with its own images. Five faces need ghosts, because no pair points down in z.
//
// The list stays complete until an atom has moved half the skin (L. Verlet, Phys. Rev. 159 (1967) 98,
// doi:10.1103/PhysRev.159.98). Ghosts and cells: Allen & Tildesley, Computer Simulation of Liquids
// (2nd ed.), §5.3. Positions alone fix the order of atoms and pairs, so results are bit-for-bit reproducible.
import { allocate, INFO_CAPACITY, INFO_NON_FINITE, INFO_OK, INFO_OUT_OF_MEMORY } from '../../kernel';

/** Size in bytes of an atom's line and of its motion line. */
export const LINE: usize = 64;
/** Offset of the force in a line, and of the position at the last build in a motion line. */
export const FORCE: usize = 32;
/** Size in bytes of a tag: three image counters and the atom number, i32 each. */
export const TAG: usize = 16;
/**
 * Cell edge over the cutoff. Speed is flat from 0.3 to 0.5: larger cells search more pairs, smaller cells more rows.
 */
const CELL_EDGE: f64 = 0.4;
/** Coordinate of the dummy line: beyond every cutoff, with a finite square. */
const FAR_AWAY: f64 = 1e9;

/** Lines of the atoms, then of the ghosts, then the dummy line. */
export let lines: usize = 0;
export let motions: usize = 0;
export let tags: usize = 0;
/** usize[n + 1]: start of the partners of atom i in the list: an even number of u32 byte offsets. */
export let listStarts: usize = 0;
/** Number of builds, of pairs in the list, and of ghosts. */
export let builds: i32 = 0;
export let pairs: i32 = 0;
export let ghosts: i32 = 0;

let n: i32 = 0;
let lx: f64 = 0;
let ly: f64 = 0;
let lz: f64 = 0;
let listCutoff: f64 = 0;
// Cells inside the box, cells of halo, and the whole grid.
let cellsX: i32 = 0;
let cellsY: i32 = 0;
let cellsZ: i32 = 0;
let haloX: i32 = 0;
let haloY: i32 = 0;
let haloZ: i32 = 0;
let strideY: i32 = 0;
let strideZ: i32 = 0;
let cells: i32 = 0;

let maxGhosts: i32 = 0;
let images: usize = 0; // per ghost 32 bytes: its shift (x, y, z) and u32 byte offset of its owner
let scratch: usize = 0;
let atomCells: usize = 0; // i32[n]
let ghostCells: usize = 0; // i32[maxGhosts]
let cellEnds: usize = 0; // i32[cells] after one leading zero
let stencilRows: usize = 0; // per row of the stencil: i32 first and last cell, relative to the atom's
let stencilRowCount: i32 = 0;
// Positions and line offsets of atoms and ghosts, sorted by cell.
let sortedX: usize = 0;
let sortedY: usize = 0;
let sortedZ: usize = 0;
let sortedLine: usize = 0;
let sortedIndex: usize = 0; // i32[n]: index of an atom in that order
let list: usize = 0;
let listEnd: usize = 0;

function cellCount(l: f64, edge: f64): i32 {
  return max(1, <i32>Math.floor(l / edge));
}

/**
 * Number of cells that the cutoff can cross: a partner d cells away is more than d - 1 edges away. Where the cutoff
 * is a multiple of the edge, rounding must not put a ghost outside the grid.
 */
function haloCount(l: f64, count: i32): i32 {
  return <i32>Math.floor(((listCutoff * <f64>count) / l) * (1 + 1e-12)) + 1;
}

/** Maximum number of images of one atom along one edge, itself included. */
function imageCount(l: f64): i32 {
  return 2 * <i32>Math.ceil(listCutoff / l) + 1;
}

/**
 * Allocates the arrays and sets up the cells.
 *
 * @param atoms          number of atoms
 * @param boxX           edges of the box, boxY and boxZ too
 * @param distance       cutoff of the list: interaction range plus skin
 * @param maxNeighbours  capacity of the list in partners per atom, on average
 * @returns info: 0, or 3 if out of memory
 */
export function reserveNeighbours(atoms: i32, boxX: f64, boxY: f64, boxZ: f64, distance: f64, maxNeighbours: f64): i32 {
  n = atoms;
  lx = boxX;
  ly = boxY;
  lz = boxZ;
  listCutoff = distance;
  builds = 0;

  // Limit the cells to about four per atom: a dilute gas would spend its time on empty cells.
  const edge = Math.max(CELL_EDGE * listCutoff, Math.cbrt((lx * ly * lz) / (4 * <f64>n)));
  cellsX = cellCount(lx, edge);
  cellsY = cellCount(ly, edge);
  cellsZ = cellCount(lz, edge);
  haloX = haloCount(lx, cellsX);
  haloY = haloCount(ly, cellsY);
  haloZ = haloCount(lz, cellsZ);
  strideY = cellsX + 2 * haloX;
  strideZ = strideY * (cellsY + 2 * haloY);
  cells = strideZ * (cellsZ + haloZ);

  maxGhosts = n * (imageCount(lx) * imageCount(ly) * ((imageCount(lz) + 1) >> 1) - 1);
  const lineCount = <usize>(n + maxGhosts);
  const capacity = <usize>(Math.ceil(maxNeighbours) + 2) * <usize>n * 4;
  lines = allocate((lineCount + 1) * LINE);
  motions = allocate(<usize>n * LINE);
  tags = allocate(<usize>n * TAG);
  listStarts = allocate(<usize>(n + 1) * sizeof<usize>());
  images = allocate(<usize>maxGhosts * 32);
  scratch = allocate(<usize>n * (2 * LINE + TAG + 4));
  atomCells = allocate((<usize>n) << 2);
  ghostCells = allocate((<usize>maxGhosts) << 2);
  cellEnds = allocate((<usize>cells + 1) << 2) + 4;
  stencilRows = allocate((<usize>((2 * haloY + 1) * (haloZ + 1))) << 3);
  sortedX = allocate(lineCount << 3);
  sortedY = allocate(lineCount << 3);
  sortedZ = allocate(lineCount << 3);
  sortedLine = allocate(lineCount << 2);
  sortedIndex = allocate((<usize>n) << 2);
  list = allocate(capacity);
  if (list === 0) return INFO_OUT_OF_MEMORY;
  listEnd = list + capacity;

  // Pads an odd number of partners to even; beyond every cutoff.
  const dummy = lines + lineCount * LINE;
  store<f64>(dummy, FAR_AWAY);
  store<f64>(dummy, FAR_AWAY, 8);
  store<f64>(dummy, FAR_AWAY, 16);
  buildStencil();
  return INFO_OK;
}

/** Builds the half stencil: the cells after an atom's own cell, as rows along x. Its own row is not included. */
function buildStencil(): void {
  const edgeX = lx / <f64>cellsX;
  const edgeY = ly / <f64>cellsY;
  const edgeZ = lz / <f64>cellsZ;
  stencilRowCount = 0;
  for (let dz = 0; dz <= haloZ; dz++) {
    const gapZ = <f64>max(dz - 1, 0) * edgeZ;
    for (let dy = dz === 0 ? 1 : -haloY; dy <= haloY; dy++) {
      const gapY = <f64>max(abs(dy) - 1, 0) * edgeY;
      const remaining = listCutoff * listCutoff - gapY * gapY - gapZ * gapZ;
      if (remaining <= 0) continue;
      const dx = min(haloX, <i32>Math.floor(Math.sqrt(remaining) / edgeX) + 1);
      const centre = dz * strideZ + dy * strideY;
      const row = stencilRows + ((<usize>stencilRowCount) << 3);
      store<i32>(row, centre - dx);
      store<i32>(row, centre + dx, 4);
      stencilRowCount++;
    }
  }
}

/** Wraps x into [0, l) and adds the whole boxes to the image counter at `counter`. */
function wrap(address: usize, counter: usize, l: f64): f64 {
  let x = load<f64>(address);
  let boxes = Math.floor(x / l);
  x -= boxes * l;
  // Just below zero, x - l * floor(x / l) rounds to l itself.
  if (x >= l) {
    x = 0;
    boxes += 1;
  }
  store<f64>(address, x);
  store<i32>(counter, load<i32>(counter) + <i32>boxes);
  return x;
}

function cellOf(x: f64, l: f64, count: i32): i32 {
  return min(count - 1, <i32>((x / l) * <f64>count));
}

/** Exclusive prefix sum: turns the count of each cell into its start index. */
function prefixSum(): void {
  let start: i32 = 0;
  const end = cellEnds + ((<usize>cells) << 2);
  for (let at = cellEnds; at < end; at += 4) {
    const count = load<i32>(at);
    store<i32>(at, start);
    start += count;
  }
}

/** Wraps all atoms into the box and assigns them to cells. */
function assignCells(): i32 {
  memory.fill(cellEnds, 0, (<usize>cells) << 2);
  for (let i = 0; i < n; i++) {
    const line = lines + <usize>i * LINE;
    const tag = tags + <usize>i * TAG;
    // The negated comparison also rejects NaN. A larger position would overflow its image counter.
    const size = Math.abs(load<f64>(line)) + Math.abs(load<f64>(line, 8)) + Math.abs(load<f64>(line, 16));
    if (!(size < FAR_AWAY * Math.min(1, Math.min(lx, Math.min(ly, lz))))) return INFO_NON_FINITE;
    const x = cellOf(wrap(line, tag, lx), lx, cellsX) + haloX;
    const y = cellOf(wrap(line + 8, tag + 4, ly), ly, cellsY) + haloY;
    const z = cellOf(wrap(line + 16, tag + 8, lz), lz, cellsZ);
    const cell = z * strideZ + y * strideY + x;
    store<i32>(atomCells + ((<usize>i) << 2), cell);
    const count = cellEnds + ((<usize>cell) << 2);
    store<i32>(count, load<i32>(count) + 1);
  }
  return INFO_OK;
}

/** Sorts the lines of the atoms by cell, and stores the positions at this build in the motion lines. */
function sortAtoms(): void {
  prefixSum();
  const newMotions = scratch + <usize>n * LINE;
  const newTags = newMotions + <usize>n * LINE;
  const newCells = newTags + <usize>n * TAG;
  for (let i = 0; i < n; i++) {
    const cell = load<i32>(atomCells + ((<usize>i) << 2));
    const start = cellEnds + ((<usize>cell) << 2);
    const position = <usize>load<i32>(start);
    store<i32>(start, <i32>position + 1);

    const line = lines + <usize>i * LINE;
    const xy = v128.load(line);
    const z = v128.load(line, 16);
    const to = scratch + position * LINE;
    v128.store(to, xy);
    v128.store(to, z, 16);
    v128.store(to, v128.load(line, FORCE), FORCE);
    v128.store(to, v128.load(line, FORCE + 16), FORCE + 16);

    const motion = motions + <usize>i * LINE;
    const moved = newMotions + position * LINE;
    v128.store(moved, v128.load(motion));
    v128.store(moved, v128.load(motion, 16), 16);
    v128.store(moved, xy, FORCE);
    v128.store(moved, z, FORCE + 16);
    v128.store(newTags + position * TAG, v128.load(tags + <usize>i * TAG));
    store<i32>(newCells + (position << 2), cell);
  }
  memory.copy(lines, scratch, <usize>n * LINE);
  memory.copy(motions, newMotions, <usize>n * LINE);
  memory.copy(tags, newTags, <usize>n * TAG);
  memory.copy(atomCells, newCells, (<usize>n) << 2);
}

/** Creates ghosts: the images within the cutoff of the box, in the order of their owners. */
function findGhosts(): void {
  memory.fill(cellEnds, 0, (<usize>cells) << 2);
  ghosts = 0;
  for (let i = 0; i < n; i++) {
    const line = lines + <usize>i * LINE;
    const x = load<f64>(line);
    const y = load<f64>(line, 8);
    const z = load<f64>(line, 16);
    const cell = load<i32>(atomCells + ((<usize>i) << 2));
    const ownCount = cellEnds + ((<usize>cell) << 2);
    store<i32>(ownCount, load<i32>(ownCount) + 1);

    const lowX = <i32>Math.ceil((-listCutoff - x) / lx);
    const highX = <i32>Math.floor((lx + listCutoff - x) / lx);
    const lowY = <i32>Math.ceil((-listCutoff - y) / ly);
    const highY = <i32>Math.floor((ly + listCutoff - y) / ly);
    const highZ = <i32>Math.floor((lz + listCutoff - z) / lz);
    for (let sz = 0; sz <= highZ; sz++) {
      for (let sy = lowY; sy <= highY; sy++) {
        for (let sx = lowX; sx <= highX; sx++) {
          if (sx === 0 && sy === 0 && sz === 0) continue;
          const image = images + ((<usize>ghosts) << 5);
          store<f64>(image, <f64>sx * lx);
          store<f64>(image, <f64>sy * ly, 8);
          store<f64>(image, <f64>sz * lz, 16);
          store<u32>(image, <u32>(<usize>i * LINE), 24);
          const imageCell = cell + sx * cellsX + sy * cellsY * strideY + sz * cellsZ * strideZ;
          store<i32>(ghostCells + ((<usize>ghosts) << 2), imageCell);
          const count = cellEnds + ((<usize>imageCell) << 2);
          store<i32>(count, load<i32>(count) + 1);
          ghosts++;
        }
      }
    }
  }
}

function appendSorted(index: i32, cell: i32): usize {
  const start = cellEnds + ((<usize>cell) << 2);
  const position = load<i32>(start);
  store<i32>(start, position + 1);
  const offset = <usize>index * LINE;
  store<u32>(sortedLine + ((<usize>position) << 2), <u32>offset);
  store<f64>(sortedX + ((<usize>position) << 3), load<f64>(lines + offset));
  store<f64>(sortedY + ((<usize>position) << 3), load<f64>(lines + offset, 8));
  store<f64>(sortedZ + ((<usize>position) << 3), load<f64>(lines + offset, 16));
  return <usize>position;
}

/** Sorts atoms and ghosts by cell. Afterwards cellEnds[c] is the end of cell c and the start of cell c + 1. */
function sortAll(): void {
  prefixSum();
  for (let i = 0; i < n; i++) {
    const position = appendSorted(i, load<i32>(atomCells + ((<usize>i) << 2)));
    store<i32>(sortedIndex + ((<usize>i) << 2), <i32>position);
  }
  for (let g = 0; g < ghosts; g++) appendSorted(n + g, load<i32>(ghostCells + ((<usize>g) << 2)));
}

/** Appends the sorted lines [from, to) within the cutoff of (x, y, z) to the list. @returns the new end of the list */
function scan(top: usize, from: i32, to: i32, x: v128, y: v128, z: v128, listCutoff2: v128): usize {
  let at = (<usize>from) << 3;
  const end = (<usize>to) << 3;
  while (at < end) {
    const dx = f64x2.sub(v128.load(sortedX + at), x);
    const dy = f64x2.sub(v128.load(sortedY + at), y);
    const dz = f64x2.sub(v128.load(sortedZ + at), z);
    const r2 = f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(dz, dz));
    // Store both lanes; advance the end only past partners within the cutoff.
    const near = <usize>i64x2.bitmask(f64x2.lt(r2, listCutoff2));
    const line = sortedLine + (at >> 1);
    store<u32>(top, load<u32>(line));
    top += (near & 1) << 2;
    store<u32>(top, load<u32>(line, 4));
    // In an odd range, the second lane of the last pair belongs to the next range.
    top += at + 8 < end ? (near & 2) << 1 : 0;
    at += 16;
  }
  return top;
}

/** Writes the list. info: 0; 4 if it is full. */
function listPairs(): i32 {
  const listCutoff2 = f64x2.splat(listCutoff * listCutoff);
  const dummy = <u32>(<usize>(n + maxGhosts) * LINE);
  let top = list;
  pairs = 0;
  for (let i = 0; i < n; i++) {
    store<usize>(listStarts + <usize>i * sizeof<usize>(), top);
    const begin = top;
    const line = lines + <usize>i * LINE;
    const x = v128.load_splat<f64>(line);
    const y = v128.load_splat<f64>(line, 8);
    const z = v128.load_splat<f64>(line, 16);
    const cell = load<i32>(atomCells + ((<usize>i) << 2));
    const ownCount = cellEnds + ((<usize>cell) << 2);

    // Its own row: later atoms of its own cell, then the later cells.
    const next = load<i32>(sortedIndex + ((<usize>i) << 2)) + 1;
    const last = load<i32>(ownCount + ((<usize>haloX) << 2));
    if (top + ((<usize>(last - next) + 2) << 2) > listEnd) return INFO_CAPACITY;
    top = scan(top, next, last, x, y, z, listCutoff2);
    const stencilEnd = stencilRows + ((<usize>stencilRowCount) << 3);
    for (let row = stencilRows; row < stencilEnd; row += 8) {
      const from = load<i32>(ownCount + ((<usize>load<i32>(row)) << 2) - 4);
      const to = load<i32>(ownCount + ((<usize>load<i32>(row, 4)) << 2));
      if (top + ((<usize>(to - from) + 2) << 2) > listEnd) return INFO_CAPACITY;
      top = scan(top, from, to, x, y, z, listCutoff2);
    }
    pairs += <i32>((top - begin) >> 2);
    if (((top - begin) & 4) !== 0) {
      store<u32>(top, dummy);
      top += 4;
    }
  }
  store<usize>(listStarts + <usize>n * sizeof<usize>(), top);
  return INFO_OK;
}

/**
 * Rebuilds ghosts and list from the positions in `lines`. Reorders the atoms; tags keep their numbers.
 *
 * @returns info: 0; 2 if a position is not finite or too large; 4 if the list overflows
 */
export function rebuild(): i32 {
  const info = assignCells();
  if (info !== INFO_OK) return info;
  sortAtoms();
  findGhosts();
  refreshGhosts();
  sortAll();
  builds++;
  return listPairs();
}

/** Copies the owners' positions to their ghosts (forward communication) and clears the ghosts' forces. */
export function refreshGhosts(): void {
  const zero = f64x2.splat(0);
  let ghost = lines + <usize>n * LINE;
  const end = ghost + <usize>ghosts * LINE;
  for (let image = images; ghost < end; image += 32) {
    const owner = lines + load<u32>(image, 24);
    v128.store(ghost, f64x2.add(v128.load(owner), v128.load(image)));
    store<f64>(ghost, load<f64>(owner, 16) + load<f64>(image, 16), 16);
    v128.store(ghost, zero, FORCE);
    v128.store(ghost, zero, FORCE + 16);
    ghost += LINE;
  }
}

/** Adds the forces on ghosts to their owners (reverse communication). */
export function foldGhosts(): void {
  let ghost = lines + <usize>n * LINE;
  const end = ghost + <usize>ghosts * LINE;
  for (let image = images; ghost < end; image += 32) {
    const owner = lines + load<u32>(image, 24);
    v128.store(owner, f64x2.add(v128.load(owner, FORCE), v128.load(ghost, FORCE)), FORCE);
    v128.store(owner, f64x2.add(v128.load(owner, FORCE + 16), v128.load(ghost, FORCE + 16)), FORCE + 16);
    ghost += LINE;
  }
}
