// Initial positions: lattice cells that fill a box as close to a cube as their number allows.

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export interface InitialPositions {
  readonly box: Box;
  /** f64[3 N] */
  readonly positions: Float64Array;
  /** Number of lattice sites; the first N, or N evenly spaced sites, are occupied. */
  readonly sites: number;
}

/** Maximum ratio of the longest edge to the shortest. */
const MAX_ASPECT_RATIO = 2;

/** Cube root, identical on every machine: Newton's iteration decreases until rounding stops it. */
export function cubeRoot(x: number): number {
  let root = Math.max(1, x);
  for (;;) {
    const next = (2 * root + x / (root * root)) / 3;
    if (!(next < root)) return root;
    root = next;
  }
}

/** Number of cells along each edge, at least `count` in total: few empty cells, and close to a cube. */
export function latticeCells(count: number): readonly [number, number, number] {
  const max = Math.ceil(cubeRoot(count) - 1e-9);
  let best: readonly [number, number, number] = [max, max, max];
  let lowestCost = max * max * max;
  for (let a = 1; a <= max; a++) {
    for (let b = a; b <= MAX_ASPECT_RATIO * a; b++) {
      const c = Math.max(b, Math.ceil(count / (a * b)));
      // Doubling the aspect ratio costs as much as 41 % more cells.
      const cost = a * b * c * Math.sqrt(c / a);
      if (c > MAX_ASPECT_RATIO * a || cost >= lowestCost) continue;
      best = [a, b, c];
      lowestCost = cost;
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

/** N atoms on a face-centred cubic lattice at density N / V, with evenly spaced vacancies. */
export function latticePositions(atoms: number, density: number): InitialPositions {
  const [nx, ny, nz] = latticeCells(Math.ceil(atoms / FCC.length));
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
 * N beads on one serpentine path through a simple cubic lattice, so that beads k and k + 1 are neighbours.
 *
 * @param maxSpacing  maximum distance of neighbours: at low density the path fills only a part of the box
 */
export function chainPositions(beads: number, density: number, maxSpacing: number): InitialPositions {
  const [nx, ny, nz] = latticeCells(beads);
  const spacing = cubeRoot(beads / (density * nx * ny * nz));
  const step = Math.min(spacing, maxSpacing);
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
  return { box: { x: nx * spacing, y: ny * spacing, z: nz * spacing }, positions, sites: nx * ny * nz };
}
