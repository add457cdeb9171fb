// Who is near whom, for atoms in a periodic box: ghost atoms, cells and a Verlet list.
//
// Every atom is one 64-byte line (x, y, z, 0, fx, fy, fz, 0), with a second line (vx, vy, vz, 0, and
// the position at the last build) that only the integrator reads. A rebuild wraps the atoms into the
// box, sorts their lines by cell, so that neighbours in space are neighbours in memory, copies those
// near a face outside the box as ghosts, and writes for every atom the byte offsets of the lines
// within `reach`. Each pair stands in the list once.
//
// Which of the two partners has a pair is decided by cells alone: the one whose partner lies in a
// later cell (z, then y, then x), or later in the same cell. The cell of a ghost is its owner's cell
// plus whole boxes, in integers, so the two views of one pair never disagree by a rounding, and a
// box may be smaller than the reach: then an atom meets several images of its partner, and its own.
// Ghosts are needed on five faces only, because no pair looks down in z.
//
// The list stays complete until an atom has moved half the skin (L. Verlet, Phys. Rev. 159 (1967) 98,
// doi:10.1103/PhysRev.159.98). Ghosts and cells: Allen & Tildesley, Computer Simulation of Liquids
// (2nd ed.), §5.3. The order of everything is fixed by positions alone, so the same bits come out.
import { allocate, INFO_CAPACITY, INFO_NON_FINITE, INFO_OK, INFO_OUT_OF_MEMORY } from '../kernel';

/** Bytes of an atom's line and of its motion line. */
export const LINE: usize = 64;
/** Offset of the force in a line, and of the position at the last build in a motion line. */
export const FORCE: usize = 32;
/** Bytes of a tag: three image counters and the atom's own number, i32 each. */
export const TAG: usize = 16;
/** Edge of a cell over the reach. Measured flat from 0.3 to 0.5; larger cells search more pairs, smaller ones more rows. */
const CELL_EDGE: f64 = 0.4;
/** Nobody is this far away, and its square is finite. */
const FAR_AWAY: f64 = 1e9;

/** Lines of the atoms, then of the ghosts. */
export let lines: usize = 0;
export let motions: usize = 0;
export let tags: usize = 0;
/** usize[n + 1]: where the partners of atom i begin in the list; an even number of u32 byte offsets each. */
export let firsts: usize = 0;
/** How often the list was built, how many pairs it holds, and how many ghosts there are. */
export let builds: i32 = 0;
export let pairs: i32 = 0;
export let ghosts: i32 = 0;

let n: i32 = 0;
let lx: f64 = 0;
let ly: f64 = 0;
let lz: f64 = 0;
let reach: f64 = 0;
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
let ends: usize = 0; // i32[cells] after one leading zero
let rows: usize = 0; // per row of the stencil: i32 first and last cell, relative to the atom's
let rowCount: i32 = 0;
// Positions and line offsets of atoms and ghosts in the order of their cells.
let sortedX: usize = 0;
let sortedY: usize = 0;
let sortedZ: usize = 0;
let sortedLine: usize = 0;
let sortedPlace: usize = 0; // i32[n]: place of an atom in that order
let list: usize = 0;
let listEnd: usize = 0;

function cellCount(l: f64, edge: f64): i32 {
  return max(1, <i32>Math.floor(l / edge));
}

/**
 * Cells that the reach can cross: a partner d cells away is more than d - 1 edges away. Where the reach
 * is a whole number of edges, a rounding must not put a ghost outside the grid.
 */
function haloCount(l: f64, count: i32): i32 {
  return <i32>Math.floor(((reach * <f64>count) / l) * (1 + 1e-12)) + 1;
}

/** How many images of one atom can be ghosts along one edge, itself included. */
function imageCount(l: f64): i32 {
  return 2 * <i32>Math.ceil(reach / l) + 1;
}

/**
 * Take all the memory and lay out the cells.
 *
 * @param atoms    number of atoms
 * @param boxX     edges of the box, boxY and boxZ too
 * @param distance pairs up to this far apart are listed
 * @param crowd    partners per atom, on average, that the list must be able to hold
 * @returns info: 0, or 3 if the memory does not suffice
 */
export function reserveNeighbours(atoms: i32, boxX: f64, boxY: f64, boxZ: f64, distance: f64, crowd: f64): i32 {
  n = atoms;
  lx = boxX;
  ly = boxY;
  lz = boxZ;
  reach = distance;
  builds = 0;

  // Not many more cells than atoms: a dilute gas would spend its time on empty ones.
  const edge = Math.max(CELL_EDGE * reach, Math.cbrt((lx * ly * lz) / (4 * <f64>n)));
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
  const all = <usize>(n + maxGhosts);
  const capacity = <usize>(Math.ceil(crowd) + 2) * <usize>n * 4;
  lines = allocate((all + 1) * LINE);
  motions = allocate(<usize>n * LINE);
  tags = allocate(<usize>n * TAG);
  firsts = allocate(<usize>(n + 1) * sizeof<usize>());
  images = allocate(<usize>maxGhosts * 32);
  scratch = allocate(<usize>n * (2 * LINE + TAG + 4));
  atomCells = allocate((<usize>n) << 2);
  ghostCells = allocate((<usize>maxGhosts) << 2);
  ends = allocate((<usize>cells + 1) << 2) + 4;
  rows = allocate((<usize>((2 * haloY + 1) * (haloZ + 1))) << 3);
  sortedX = allocate(all << 3);
  sortedY = allocate(all << 3);
  sortedZ = allocate(all << 3);
  sortedLine = allocate(all << 2);
  sortedPlace = allocate((<usize>n) << 2);
  list = allocate(capacity);
  if (list === 0) return INFO_OUT_OF_MEMORY;
  listEnd = list + capacity;

  // An odd partner is joined by this line, which is out of everybody's reach.
  const nobody = lines + all * LINE;
  store<f64>(nobody, FAR_AWAY);
  store<f64>(nobody, FAR_AWAY, 8);
  store<f64>(nobody, FAR_AWAY, 16);
  layRows();
  return INFO_OK;
}

/** The half of the neighbouring cells that come later than an atom's own, as rows along x; its own row apart. */
function layRows(): void {
  const edgeX = lx / <f64>cellsX;
  const edgeY = ly / <f64>cellsY;
  const edgeZ = lz / <f64>cellsZ;
  rowCount = 0;
  for (let dz = 0; dz <= haloZ; dz++) {
    const gapZ = <f64>max(dz - 1, 0) * edgeZ;
    for (let dy = dz === 0 ? 1 : -haloY; dy <= haloY; dy++) {
      const gapY = <f64>max(abs(dy) - 1, 0) * edgeY;
      const left = reach * reach - gapY * gapY - gapZ * gapZ;
      if (left <= 0) continue;
      const dx = min(haloX, <i32>Math.floor(Math.sqrt(left) / edgeX) + 1);
      const middle = dz * strideZ + dy * strideY;
      const row = rows + ((<usize>rowCount) << 3);
      store<i32>(row, middle - dx);
      store<i32>(row, middle + dx, 4);
      rowCount++;
    }
  }
}

/** Put x back into [0, l), counting whole boxes in the image counter at `counter`. */
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

/** Turn counts of the cells into the place where each begins. */
function countsToStarts(): void {
  let sum: i32 = 0;
  const end = ends + ((<usize>cells) << 2);
  for (let at = ends; at < end; at += 4) {
    const count = load<i32>(at);
    store<i32>(at, sum);
    sum += count;
  }
}

/** Wrap all atoms and find their cells. */
function assignCells(): i32 {
  memory.fill(ends, 0, (<usize>cells) << 2);
  for (let i = 0; i < n; i++) {
    const line = lines + <usize>i * LINE;
    const tag = tags + <usize>i * TAG;
    // Written so that NaN fails too. A position beyond this would overflow its image counter.
    const size = Math.abs(load<f64>(line)) + Math.abs(load<f64>(line, 8)) + Math.abs(load<f64>(line, 16));
    if (!(size < FAR_AWAY * Math.min(1, Math.min(lx, Math.min(ly, lz))))) return INFO_NON_FINITE;
    const x = cellOf(wrap(line, tag, lx), lx, cellsX) + haloX;
    const y = cellOf(wrap(line + 8, tag + 4, ly), ly, cellsY) + haloY;
    const z = cellOf(wrap(line + 16, tag + 8, lz), lz, cellsZ);
    const cell = z * strideZ + y * strideY + x;
    store<i32>(atomCells + ((<usize>i) << 2), cell);
    const count = ends + ((<usize>cell) << 2);
    store<i32>(count, load<i32>(count) + 1);
  }
  return INFO_OK;
}

/** Order the lines of the atoms by cell, and note the positions from which the list is made. */
function sortAtoms(): void {
  countsToStarts();
  const newMotions = scratch + <usize>n * LINE;
  const newTags = newMotions + <usize>n * LINE;
  const newCells = newTags + <usize>n * TAG;
  for (let i = 0; i < n; i++) {
    const cell = load<i32>(atomCells + ((<usize>i) << 2));
    const start = ends + ((<usize>cell) << 2);
    const place = <usize>load<i32>(start);
    store<i32>(start, <i32>place + 1);

    const line = lines + <usize>i * LINE;
    const xy = v128.load(line);
    const z = v128.load(line, 16);
    const to = scratch + place * LINE;
    v128.store(to, xy);
    v128.store(to, z, 16);
    v128.store(to, v128.load(line, FORCE), FORCE);
    v128.store(to, v128.load(line, FORCE + 16), FORCE + 16);

    const motion = motions + <usize>i * LINE;
    const moved = newMotions + place * LINE;
    v128.store(moved, v128.load(motion));
    v128.store(moved, v128.load(motion, 16), 16);
    v128.store(moved, xy, FORCE);
    v128.store(moved, z, FORCE + 16);
    v128.store(newTags + place * TAG, v128.load(tags + <usize>i * TAG));
    store<i32>(newCells + (place << 2), cell);
  }
  memory.copy(lines, scratch, <usize>n * LINE);
  memory.copy(motions, newMotions, <usize>n * LINE);
  memory.copy(tags, newTags, <usize>n * TAG);
  memory.copy(atomCells, newCells, (<usize>n) << 2);
}

/** Find the images of the atoms that lie within reach of the box, in the order of their owners. */
function findGhosts(): void {
  memory.fill(ends, 0, (<usize>cells) << 2);
  ghosts = 0;
  for (let i = 0; i < n; i++) {
    const line = lines + <usize>i * LINE;
    const x = load<f64>(line);
    const y = load<f64>(line, 8);
    const z = load<f64>(line, 16);
    const cell = load<i32>(atomCells + ((<usize>i) << 2));
    const own = ends + ((<usize>cell) << 2);
    store<i32>(own, load<i32>(own) + 1);

    const lowX = <i32>Math.ceil((-reach - x) / lx);
    const highX = <i32>Math.floor((lx + reach - x) / lx);
    const lowY = <i32>Math.ceil((-reach - y) / ly);
    const highY = <i32>Math.floor((ly + reach - y) / ly);
    const highZ = <i32>Math.floor((lz + reach - z) / lz);
    for (let sz = 0; sz <= highZ; sz++) {
      for (let sy = lowY; sy <= highY; sy++) {
        for (let sx = lowX; sx <= highX; sx++) {
          if (sx === 0 && sy === 0 && sz === 0) continue;
          const image = images + ((<usize>ghosts) << 5);
          store<f64>(image, <f64>sx * lx);
          store<f64>(image, <f64>sy * ly, 8);
          store<f64>(image, <f64>sz * lz, 16);
          store<u32>(image, <u32>(<usize>i * LINE), 24);
          const there = cell + sx * cellsX + sy * cellsY * strideY + sz * cellsZ * strideZ;
          store<i32>(ghostCells + ((<usize>ghosts) << 2), there);
          const count = ends + ((<usize>there) << 2);
          store<i32>(count, load<i32>(count) + 1);
          ghosts++;
        }
      }
    }
  }
}

function placeLine(index: i32, cell: i32): usize {
  const start = ends + ((<usize>cell) << 2);
  const place = load<i32>(start);
  store<i32>(start, place + 1);
  const offset = <usize>index * LINE;
  store<u32>(sortedLine + ((<usize>place) << 2), <u32>offset);
  store<f64>(sortedX + ((<usize>place) << 3), load<f64>(lines + offset));
  store<f64>(sortedY + ((<usize>place) << 3), load<f64>(lines + offset, 8));
  store<f64>(sortedZ + ((<usize>place) << 3), load<f64>(lines + offset, 16));
  return <usize>place;
}

/** Atoms and ghosts in the order of their cells; afterwards ends[c] is where cell c ends and c + 1 begins. */
function sortAll(): void {
  countsToStarts();
  for (let i = 0; i < n; i++) {
    const place = placeLine(i, load<i32>(atomCells + ((<usize>i) << 2)));
    store<i32>(sortedPlace + ((<usize>i) << 2), <i32>place);
  }
  for (let g = 0; g < ghosts; g++) placeLine(n + g, load<i32>(ghostCells + ((<usize>g) << 2)));
}

/** Append the lines at places [from, to) that are within reach of (x, y, z). Returns the new end of the list. */
function scan(top: usize, from: i32, to: i32, x: v128, y: v128, z: v128, reach2: v128): usize {
  let at = (<usize>from) << 3;
  const end = (<usize>to) << 3;
  while (at < end) {
    const dx = f64x2.sub(v128.load(sortedX + at), x);
    const dy = f64x2.sub(v128.load(sortedY + at), y);
    const dz = f64x2.sub(v128.load(sortedZ + at), z);
    const r2 = f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(dz, dz));
    // Both are written, and the end moves on only past those that count.
    const near = <usize>i64x2.bitmask(f64x2.lt(r2, reach2));
    const line = sortedLine + (at >> 1);
    store<u32>(top, load<u32>(line));
    top += (near & 1) << 2;
    store<u32>(top, load<u32>(line, 4));
    // The last pair of an odd range has a stranger in its second lane.
    top += at + 8 < end ? (near & 2) << 1 : 0;
    at += 16;
  }
  return top;
}

/** Write the list. info: 4 if it is full. */
function listPairs(): i32 {
  const reach2 = f64x2.splat(reach * reach);
  const nobody = <u32>(<usize>(n + maxGhosts) * LINE);
  let top = list;
  pairs = 0;
  for (let i = 0; i < n; i++) {
    store<usize>(firsts + <usize>i * sizeof<usize>(), top);
    const begin = top;
    const line = lines + <usize>i * LINE;
    const x = v128.load_splat<f64>(line);
    const y = v128.load_splat<f64>(line, 8);
    const z = v128.load_splat<f64>(line, 16);
    const cell = load<i32>(atomCells + ((<usize>i) << 2));
    const own = ends + ((<usize>cell) << 2);

    // The rest of its own row: what follows in its own cell, and the later cells.
    const next = load<i32>(sortedPlace + ((<usize>i) << 2)) + 1;
    const last = load<i32>(own + ((<usize>haloX) << 2));
    if (top + ((<usize>(last - next) + 2) << 2) > listEnd) return INFO_CAPACITY;
    top = scan(top, next, last, x, y, z, reach2);
    const rowsEnd = rows + ((<usize>rowCount) << 3);
    for (let row = rows; row < rowsEnd; row += 8) {
      const from = load<i32>(own + ((<usize>load<i32>(row)) << 2) - 4);
      const to = load<i32>(own + ((<usize>load<i32>(row, 4)) << 2));
      if (top + ((<usize>(to - from) + 2) << 2) > listEnd) return INFO_CAPACITY;
      top = scan(top, from, to, x, y, z, reach2);
    }
    pairs += <i32>((top - begin) >> 2);
    if (((top - begin) & 4) !== 0) {
      store<u32>(top, nobody);
      top += 4;
    }
  }
  store<usize>(firsts + <usize>n * sizeof<usize>(), top);
  return INFO_OK;
}

/**
 * Build ghosts and list anew from the positions in `lines`. Atoms change their order; tags keep their numbers.
 *
 * @returns info: 0; 2 if a position is not finite or absurdly far; 4 if the list does not hold all pairs
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

/** Carry the ghosts to where their owners are now, with no force on them. */
export function refreshGhosts(): void {
  const none = f64x2.splat(0);
  let ghost = lines + <usize>n * LINE;
  const end = ghost + <usize>ghosts * LINE;
  for (let image = images; ghost < end; image += 32) {
    const owner = lines + load<u32>(image, 24);
    v128.store(ghost, f64x2.add(v128.load(owner), v128.load(image)));
    store<f64>(ghost, load<f64>(owner, 16) + load<f64>(image, 16), 16);
    v128.store(ghost, none, FORCE);
    v128.store(ghost, none, FORCE + 16);
    ghost += LINE;
  }
}

/** Give the forces on ghosts to their owners. */
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
