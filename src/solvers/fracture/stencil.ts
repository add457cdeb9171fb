// Neighbours of a point, as the kernel counts them, and the longest stable time step of a lattice.

import type { Lattice } from './problem.ts';

type Shape = Pick<Lattice, 'columns' | 'rows' | 'horizon'>;

export interface Neighbour {
  readonly di: number;
  readonly dj: number;
  readonly length: number;
  /** Part of its cell within the horizon. */
  readonly part: number;
}

export const reachOf = ({ horizon }: Pick<Shape, 'horizon'>): number => Math.ceil(horizon + 0.5) - 1;

/** Rows of grips beyond both ends together. */
export const gripRows = (lattice: Pick<Shape, 'horizon'>, hasGrips: boolean): number =>
  hasGrips ? 2 * reachOf(lattice) : 0;

/** One half of the neighbours of a point. */
export function neighboursOf(lattice: Pick<Shape, 'columns' | 'horizon'>): Neighbour[] {
  const reach = reachOf(lattice);
  const side = lattice.columns === 1 ? 0 : reach;
  const found: Neighbour[] = [];
  for (let dj = 0; dj <= reach; dj++)
    for (let di = -side; di <= side; di++) {
      const length = Math.sqrt(di * di + dj * dj);
      const part = Math.min(1, lattice.horizon + 0.5 - length);
      if ((dj > 0 || di > 0) && part > 0) found.push({ di, dj, length, part });
    }
  return found;
}

/** The longest stable step, in spacings over √(E/ρ): 2 / √(2 Σ stiffness) at the stiffest point (Gershgorin). */
export function stableStep(lattice: Shape, hasGrips: boolean): number {
  const neighbours = neighboursOf(lattice);
  const modulus = neighbours.reduce(
    (sum, { dj, length, part }) => sum + (part * dj * dj * dj * dj) / (length * length * length),
    0,
  );
  const constant = (lattice.columns === 1 ? 1 : 1.125) / modulus;
  // Sides reach twice the horizon into the sums; farther points are all alike.
  const most = 4 * reachOf(lattice) + 1;
  const [columns, rows] = [Math.min(lattice.columns, most), Math.min(lattice.rows, most)];
  const isWithin = (x: number, y: number) => x >= 0 && x < columns && (hasGrips || (y >= 0 && y < rows));
  const both = neighbours.flatMap((one) => [one, { ...one, di: -one.di, dj: -one.dj }]);
  const wholeAt = (x: number, y: number) =>
    both.reduce((sum, { di, dj, length, part }) => sum + (isWithin(x + di, y + dj) ? part / length : 0), 0);
  const whole = Float64Array.from({ length: columns * rows }, (_, i) => wholeAt(i % columns, Math.floor(i / columns)));
  const bulk = both.reduce((sum, { length, part }) => sum + part / length, 0);
  const at = (x: number, y: number) => whole[Math.min(Math.max(y, 0), rows - 1) * columns + x] ?? bulk;
  let stiffest = 0;
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++) {
      let sum = 0;
      for (const { di, dj, length, part } of both)
        if (isWithin(x + di, y + dj)) {
          const isGrip = y + dj < 0 || y + dj >= rows;
          const own = at(x, y);
          sum += ((constant * part) / length) * ((2 * bulk) / (own + (isGrip ? own : at(x + di, y + dj))));
        }
      stiffest = Math.max(stiffest, sum);
    }
  return Math.sqrt(2 / stiffest);
}
