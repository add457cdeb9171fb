// Poses of both searches: the distinct ones by energy, how often each was found, and how far they lie from the best.
//
// Two rows are one pose if their energies and terms agree, as for images under a symmetry of a body, or if their atoms are
// closer than min_rmsd. RMSD as AutoDock Vina defines it: u.b. of each atom from itself; l.b. from the nearest atom of the
// same element, in both directions.

import type { KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import type { DockFace } from './face.ts';
import type { Problem, Vector } from './problem.ts';
import { placed } from './reference.ts';

/** Of a search: local minima inside the box. */
export interface Minimum {
  readonly search: number;
  readonly row: number;
  readonly energy: number;
  /** f64[7]. */
  readonly pose: Float64Array;
  readonly terms: readonly number[];
}

export interface RankedPose extends Minimum {
  /** Rows of both searches that are this pose. */
  hits: number;
  readonly lower: number;
  readonly upper: number;
}

/** Distance outside the box, and length of the gradient of lj, that count as rounding. */
const INSIDE = 1e-9;
const STATIONARY = 1e-5;
/** Agreement of energies and terms of one pose. */
const SAME = { lj: 1e-6, vina: 5e-3 } as const;
/** Rows that are compared atom by atom. */
const MAX_COMPARED = 4_000;

/** By rising energy. */
export function minimaOf(outputs: readonly KernelOutput<DockFace>[], { isVina }: Problem): readonly Minimum[] {
  const found = outputs.flatMap(({ views, columns }, search) => {
    const rows = rowsOf(views.history ?? new Float64Array(), columns.history);
    return Array.from({ length: rows.count }, (_, row): Minimum | undefined => {
      if (rows.at(row, 'outside') > INSIDE) return undefined;
      if (!isVina && rows.at(row, 'slope') > STATIONARY * (1 + Math.abs(rows.at(row, 'energy')))) return undefined;
      const pose = (['x', 'y', 'z', 'q0', 'q1', 'q2', 'q3'] as const).map((name) => rows.at(row, name));
      const terms = (['term0', 'term1', 'term2', 'term3', 'term4'] as const).map((name) => rows.at(row, name));
      return { search, row, energy: rows.at(row, 'energy'), pose: Float64Array.from(pose), terms };
    }).filter((one) => one !== undefined);
  });
  return found.sort((a, b) => a.energy - b.energy || a.search - b.search || a.row - b.row);
}

/** Positions of the scored atoms of the ligand in a pose. */
export function ligandPlaces({ ligand }: Problem, pose: ArrayLike<number>): readonly Vector[] {
  return Array.from({ length: ligand.data.length / 5 }, (_, i) =>
    placed(pose, [ligand.data[5 * i] ?? 0, ligand.data[5 * i + 1] ?? 0, ligand.data[5 * i + 2] ?? 0]),
  );
}

export class Deviation {
  readonly #elements: readonly string[];

  constructor({ ligand, isVina }: Problem) {
    this.#elements = ligand.scored.map((index) => (isVina ? elementOf(ligand.atoms[index]) : ''));
  }

  upper(a: readonly Vector[], b: readonly Vector[]): number {
    return Math.sqrt(a.reduce((sum, place, i) => sum + distance2(place, b[i]), 0) / a.length);
  }

  lower(a: readonly Vector[], b: readonly Vector[]): number {
    return Math.max(this.#oneWay(a, b), this.#oneWay(b, a));
  }

  #oneWay(a: readonly Vector[], b: readonly Vector[]): number {
    let sum = 0;
    for (const [i, place] of a.entries()) {
      let nearest = Number.POSITIVE_INFINITY;
      for (const [j, other] of b.entries())
        if (this.#elements[i] === this.#elements[j]) nearest = Math.min(nearest, distance2(place, other));
      sum += nearest;
    }
    return Math.sqrt(sum / a.length);
  }
}

/** A type of AutoDock or a symbol as an element. */
const elementOf = (atom: { readonly type?: string; readonly element: string } | undefined): string => {
  const types: Readonly<Record<string, string>> = { A: 'C', NA: 'N', OA: 'O', SA: 'S' };
  const word = atom?.type ?? atom?.element ?? '';
  return types[word] ?? word;
};

function distance2(a: Vector, b: Vector | undefined): number {
  if (!b) return Number.POSITIVE_INFINITY;
  return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]);
}

/** The distinct poses by rising energy, at most `count`, up to `range` above the first. */
export function rankPoses(problem: Problem, minima: readonly Minimum[], count: number, range: number): RankedPose[] {
  const same = problem.isVina ? SAME.vina : SAME.lj;
  const deviation = new Deviation(problem);
  const ranked: RankedPose[] = [];
  const places: (readonly Vector[])[] = [];
  const first = minima[0]?.energy ?? 0;
  let compared = 0;
  for (const minimum of minima) {
    if (!(minimum.energy <= first + range) || compared > MAX_COMPARED) break;
    const twin = ranked.find((one) => areSame(one, minimum, same));
    if (twin) {
      twin.hits += 1;
      continue;
    }
    compared += 1;
    const own = ligandPlaces(problem, minimum.pose);
    const near = places.findIndex((other) => deviation.upper(own, other) < problem.minRmsd);
    const close =
      near >= 0 ? near : places.findIndex((other) => !problem.isVina && deviation.lower(own, other) < problem.minRmsd);
    if (close >= 0) {
      const nearest = ranked[close];
      if (nearest) nearest.hits += 1;
      continue;
    }
    if (ranked.length === count) continue;
    const best = places[0] ?? own;
    ranked.push({ ...minimum, hits: 1, lower: deviation.lower(own, best), upper: deviation.upper(own, best) });
    places.push(own);
  }
  return ranked;
}

function areSame(a: Minimum, b: Minimum, tolerance: number): boolean {
  if (!(Math.abs(a.energy - b.energy) <= tolerance)) return false;
  return a.terms.every((term, k) => {
    const other = b.terms[k] ?? Number.NaN;
    return Math.abs(term - other) <= 100 * tolerance * Math.max(1, Math.abs(term));
  });
}
