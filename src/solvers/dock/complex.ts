// The complex in a pose, as the files count places: what is drawn, the contacts, and the atoms of each pose.

import { field, series } from '../parts/fields.ts';
import type { Problem, Vector } from './problem.ts';
import { type Pose, placed } from './reference.ts';
import type { Atom } from './structure.ts';

/** Receptor atoms that are drawn; of a larger one, those nearest to the ligand. */
const MAX_DRAWN = 1_500;
const MAX_CONTACTS = 20;
/** Room around the atoms that are drawn. */
const MARGIN = { lj: 0.6, vina: 2 } as const;

/** Positions of all atoms of the ligand in a pose, in the coordinates of the receptor's file. */
export function ligandAtoms({ ligand, receptor }: Problem, pose: Pose): readonly Vector[] {
  return ligand.atoms.map((atom) => {
    const own = [atom.x - ligand.centroid[0], atom.y - ligand.centroid[1], atom.z - ligand.centroid[2]] as const;
    const [x, y, z] = placed(pose, own);
    return [x + receptor.centroid[0], y + receptor.centroid[1], z + receptor.centroid[2]] as const;
  });
}

/** Arrays of a picture: positions in a box from the origin, and its edges. */
export function drawnComplex(problem: Problem, pose: Pose) {
  const { receptor, lengthUnit, isVina } = problem;
  const own = ligandAtoms(problem, pose);
  const middle = [0, 1, 2].map((d) => own.reduce((sum, place) => sum + (place[d] ?? 0), 0) / own.length);
  const distance = ({ x, y, z }: Atom) => {
    const [a = 0, b = 0, c = 0] = [x - (middle[0] ?? 0), y - (middle[1] ?? 0), z - (middle[2] ?? 0)];
    return a * a + b * b + c * c;
  };
  const shown =
    receptor.atoms.length <= MAX_DRAWN
      ? receptor.atoms
      : [...receptor.atoms].sort((a, b) => distance(a) - distance(b) || a.line - b.line).slice(0, MAX_DRAWN);
  const places = [...shown.map(({ x, y, z }): Vector => [x, y, z]), ...own];
  const margin = isVina ? MARGIN.vina : MARGIN.lj;
  const low = [0, 1, 2].map((d) => places.reduce((least, one) => Math.min(least, one[d] ?? 0), Infinity) - margin);
  const high = [0, 1, 2].map((d) => places.reduce((most, one) => Math.max(most, one[d] ?? 0), -Infinity) + margin);
  const inside = places.flatMap((place) => place.map((x, d) => x - (low[d] ?? 0)));
  return {
    drawn: shown.length,
    arrays: [
      series(
        'box',
        lengthUnit,
        high.map((one, d) => one - (low[d] ?? 0)),
      ),
      field('complex', lengthUnit, [places.length, 3], Float64Array.from(inside)),
    ],
  };
}

export interface Contact {
  readonly receptor: number;
  readonly ligand: number;
  readonly distance: number;
}

/** The closest pairs of scored atoms, nearest first; atoms by their numbers in the files, from 1. */
export function contactsOf(problem: Problem, pose: Pose): readonly Contact[] {
  const own = ligandAtoms(problem, pose);
  const reach = problem.isVina ? 4.5 : 1.6;
  const contacts: Contact[] = [];
  for (const i of problem.ligand.scored) {
    const place = own[i];
    if (!place) continue;
    for (const j of problem.receptor.scored) {
      const other = problem.receptor.atoms[j];
      if (!other) continue;
      const [x, y, z] = [place[0] - other.x, place[1] - other.y, place[2] - other.z];
      const distance = Math.sqrt(x * x + y * y + z * z);
      if (distance < reach) contacts.push({ receptor: j + 1, ligand: i + 1, distance });
    }
  }
  return contacts
    .sort((a, b) => a.distance - b.distance || a.receptor - b.receptor || a.ligand - b.ligand)
    .slice(0, MAX_CONTACTS);
}
