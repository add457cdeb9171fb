// Where the atoms start: whole lattice cells in a brick, as near to a cube as their number allows.

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export interface Start {
  readonly box: Box;
  /** f64[3 N] */
  readonly positions: Float64Array;
  /** Lattice sites, of which the first N, or N evenly spread ones, are taken. */
  readonly sites: number;
}

/** The longest edge over the shortest, at most. */
const MOST_OBLONG = 2;

/** The cubic root, the same on every machine: Newton's iteration falls onto it from above until it rounds. */
export function cubeRoot(x: number): number {
  let root = Math.max(1, x);
  for (;;) {
    const next = (2 * root + x / (root * root)) / 3;
    if (!(next < root)) return root;
    root = next;
  }
}

/** Whole cells along each edge, at least `count` in all: few to spare, and near to a cube. */
export function brick(count: number): readonly [number, number, number] {
  const most = Math.ceil(cubeRoot(count) - 1e-9);
  let best: readonly [number, number, number] = [most, most, most];
  let least = most * most * most;
  for (let a = 1; a <= most; a++) {
    for (let b = a; b <= MOST_OBLONG * a; b++) {
      const c = Math.max(b, Math.ceil(count / (a * b)));
      // Twice as oblong weighs as much as 41 % more empty cells.
      const price = a * b * c * Math.sqrt(c / a);
      if (c > MOST_OBLONG * a || price >= least) continue;
      best = [a, b, c];
      least = price;
    }
  }
  return best;
}

/** Offsets of the four sites of a face-centred cubic cell, in cell edges. */
const FCC = [
  [0, 0, 0],
  [0.5, 0.5, 0],
  [0.5, 0, 0.5],
  [0, 0.5, 0.5],
] as const;

/** N atoms on a face-centred cubic lattice at density N / V; empty sites are spread evenly. */
export function latticeStart(atoms: number, density: number): Start {
  const [nx, ny, nz] = brick(Math.ceil(atoms / FCC.length));
  const sites = FCC.length * nx * ny * nz;
  const edge = cubeRoot(atoms / (density * nx * ny * nz));
  const positions = new Float64Array(3 * atoms);
  for (let k = 0; k < atoms; k++) {
    const site = Math.floor((k * sites) / atoms);
    const cell = Math.floor(site / FCC.length);
    const [u, v, w] = FCC[site % FCC.length] ?? FCC[0];
    positions[3 * k] = ((cell % nx) + u) * edge;
    positions[3 * k + 1] = ((Math.floor(cell / nx) % ny) + v) * edge;
    positions[3 * k + 2] = (Math.floor(cell / (nx * ny)) + w) * edge;
  }
  return { box: { x: nx * edge, y: ny * edge, z: nz * edge }, positions, sites };
}

/**
 * N beads on one path that winds through a simple cubic lattice, so that beads k and k + 1 are neighbours.
 *
 * @param farthest  beads start at most this far apart: at low density the path fills a part of the box only
 */
export function chainStart(beads: number, density: number, farthest: number): Start {
  const [nx, ny, nz] = brick(beads);
  const share = cubeRoot(beads / (density * nx * ny * nz));
  const step = Math.min(share, farthest);
  const positions = new Float64Array(3 * beads);
  for (let k = 0; k < beads; k++) {
    const row = Math.floor(k / nx);
    const layer = Math.floor(row / ny);
    const y = layer % 2 === 0 ? row % ny : ny - 1 - (row % ny);
    const x = row % 2 === 0 ? k % nx : nx - 1 - (k % nx);
    positions[3 * k] = x * step;
    positions[3 * k + 1] = y * step;
    positions[3 * k + 2] = layer * step;
  }
  return { box: { x: nx * share, y: ny * share, z: nz * share }, positions, sites: nx * ny * nz };
}
