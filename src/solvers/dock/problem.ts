// The checked problem of a request: two bodies in the frame of the receptor's centroid, the scoring, and the box.

import { LIMITS } from '../../core/limits.ts';
import { validationError } from '../parts/errors.ts';
import { type BodyName, bodyOf } from './bodies.ts';
import { scoredAtoms } from './chemistry.ts';
import type { DockInput } from './inputs.ts';
import { Neighbours } from './neighbours.ts';
import { isPdbqt, parsePdbqt } from './pdbqt.ts';
import { isSdf, parseSdf } from './sdf.ts';
import { type Atom, type FileField, quoted, type Structure } from './structure.ts';
import { isXyz, parseXyz } from './xyz.ts';

export type Vector = readonly [number, number, number];

export interface Body {
  readonly name: string;
  /** All atoms, hydrogens too. */
  readonly atoms: readonly Atom[];
  /** Indices of the atoms that are scored. */
  readonly scored: readonly number[];
  /** f64[scored][5]: x, y, z about `centroid`, radius, bits. */
  readonly data: Float64Array;
  /** Of the scored atoms, in the coordinates of the file. */
  readonly centroid: Vector;
  /** Largest distance of a scored atom from the centroid. */
  readonly reach: number;
}

export interface Box {
  /** About the centroid of the receptor. */
  readonly centre: Vector;
  readonly half: Vector;
}

export interface Problem {
  readonly isVina: boolean;
  readonly receptor: Body;
  readonly ligand: Body;
  /** Of the sum over pairs: 1 / (1 + w N) with N rotors of Vina. */
  readonly factor: number;
  readonly rotors: number;
  readonly box: Box;
  /** Whether atoms of the ligand have to lie in the box. */
  readonly isBoxed: boolean;
  readonly chains: number;
  readonly hops: number;
  readonly minRmsd: number;
  readonly lengthUnit: 'sigma' | 'Å';
  readonly notes: readonly string[];
}

/** Weight of a rotor: Trott & Olson 2010. */
const ROTOR = 0.05846;
/** Distance below which two atoms of a structure are one. */
const TWIN = { lj: 0.1, vina: 0.2 } as const;
const CHAINS = { lj: 4, vina: 1 } as const;
const HOPS = { lj: 15, vina: 200 } as const;
const AXES = ['x', 'y', 'z'] as const;

const cache = new WeakMap<DockInput, Problem>();

/** @throws DomainError VALIDATION_FAILED, which names the field */
export function problemOf(input: DockInput): Problem {
  const known = cache.get(input);
  if (known) return known;
  const problem = buildProblem(input);
  cache.set(input, problem);
  return problem;
}

function buildProblem(input: DockInput): Problem {
  const structures = {
    receptor_file: structureOf('receptor_file', input.receptor_file),
    ligand_file: structureOf('ligand_file', input.ligand_file),
  };
  const hasChemistry = Object.values(structures).some((one) => one !== undefined && one.format !== 'xyz');
  const scoring = input.scoring ?? (hasChemistry ? 'vina' : 'lj');
  const isVina = scoring === 'vina';
  const receptor = readBody('receptor_file', structures.receptor_file, input.receptor, scoring);
  const ligand = readBody('ligand_file', structures.ligand_file, input.ligand, scoring);
  const pairs = receptor.body.scored.length * ligand.body.scored.length;
  const max = LIMITS.dock.pairs;
  if (pairs > max) {
    const message = `The atoms that are scored make ${pairs} pairs; at most ${max} are allowed.`;
    throw validationError('receptor_file', message, 'TOO_MANY_PAIRS', { max, pairs });
  }
  const chains = CHAINS[scoring] * input.exhaustiveness;
  const hops = input.hops ?? HOPS[scoring];
  const most = LIMITS.dock.minimisations;
  if (chains * (hops + 1) > most) {
    const message = `exhaustiveness and hops give ${chains * (hops + 1)} minimisations; at most ${most} are allowed.`;
    throw validationError('hops', message, 'TOO_MANY_MINIMISATIONS', { max: most });
  }
  if (input.mode !== 'dock' && structures.ligand_file === undefined)
    throw validationError('mode', `mode ${input.mode} needs ligand_file, whose positions count.`, 'NO_POSE');
  const given = boxOf(input, receptor.body, ligand.body);
  return {
    isVina,
    receptor: receptor.body,
    ligand: ligand.body,
    factor: isVina ? 1 / (1 + ROTOR * ligand.rotors) : 1,
    rotors: ligand.rotors,
    box: given ?? aroundReceptor(receptor.body, ligand.body, isVina),
    isBoxed: given !== undefined,
    chains,
    hops,
    minRmsd: input.min_rmsd ?? (isVina ? 1 : 0.1),
    lengthUnit: isVina ? 'Å' : 'sigma',
    notes: [...receptor.notes, ...ligand.notes],
  };
}

function structureOf(field: FileField, text: string | undefined): Structure | undefined {
  if (text === undefined) return undefined;
  if (text.trim() === '') {
    // The text of a file that was not found is empty: docking a body of the program instead would answer another question.
    throw validationError(field, `${field} is empty; expected PDBQT, SDF or XYZ text, or leave it out.`, 'EMPTY_FILE');
  }
  if (isSdf(text)) return parseSdf(field, text);
  if (isXyz(text)) return parseXyz(field, text);
  if (isPdbqt(text) || /^(?:ROOT|REMARK|MODEL)/m.test(text)) return parsePdbqt(field, text);
  const start = quoted(text.split('\n', 1)[0] ?? '');
  const message = `${field} begins with ${start}; expected PDBQT (ATOM records), SDF (V2000 in line 4), or XYZ (a number in line 1).`;
  throw validationError(field, message, 'UNKNOWN_FORMAT');
}

interface Reading {
  readonly body: Body;
  readonly rotors: number;
  readonly notes: readonly string[];
}

function readBody(field: FileField, structure: Structure | undefined, name: BodyName, scoring: 'lj' | 'vina'): Reading {
  if (structure === undefined) {
    if (scoring === 'vina')
      throw validationError(field, `${field} is missing: the body ${name} has no elements for vina.`, 'MISSING');
    const atoms = bodyOf(name).map(([x, y, z], k): Atom => ({ x, y, z, element: 'X', line: k + 1 }));
    return { body: bodyFrom(name, atoms, lennardJonesAtoms(atoms)), rotors: 0, notes: [] };
  }
  assertApart(field, structure.atoms, TWIN[scoring]);
  const { atoms, notes } = structure;
  if (scoring === 'lj') return { body: bodyFrom('file', atoms, lennardJonesAtoms(atoms)), rotors: 0, notes };
  const { scored, rotors, hasHydrogens } = scoredAtoms(field, structure);
  if (scored.length === 0)
    throw validationError(field, `${field} has hydrogens only, which vina does not score.`, 'NO_HEAVY_ATOMS');
  const bare = `${field} has no hydrogens: donors of hydrogen bonds cannot be told.`;
  return { body: bodyFrom('file', atoms, scored), rotors, notes: hasHydrogens ? notes : [...notes, bare] };
}

const lennardJonesAtoms = (atoms: readonly Atom[]) => atoms.map((_, index) => ({ index, radius: 0, bits: 0 }));

function bodyFrom(name: string, atoms: readonly Atom[], scored: ReturnType<typeof scoredAtoms>['scored']): Body {
  const mean = (axis: 'x' | 'y' | 'z') =>
    scored.reduce((sum, { index }) => sum + (atoms[index]?.[axis] ?? 0), 0) / scored.length;
  const centroid = [mean('x'), mean('y'), mean('z')] as const;
  const rows = scored.map(({ index, radius, bits }) => {
    const atom = atoms[index];
    return [(atom?.x ?? 0) - centroid[0], (atom?.y ?? 0) - centroid[1], (atom?.z ?? 0) - centroid[2], radius, bits];
  });
  const reach = rows.reduce((most, [x = 0, y = 0, z = 0]) => Math.max(most, Math.sqrt(x * x + y * y + z * z)), 0);
  return {
    name,
    atoms,
    scored: scored.map(({ index }) => index),
    data: Float64Array.from(rows.flat()),
    centroid,
    reach,
  };
}

function assertApart(field: FileField, atoms: readonly Atom[], min: number): void {
  const near = new Neighbours(atoms, min);
  for (const [index, { line }] of atoms.entries()) {
    const [twin] = near.around(index);
    if (twin === undefined) continue;
    const message = `${field}: the atoms of lines ${line} and ${atoms[twin]?.line} are closer than ${min}.`;
    throw validationError(field, message, 'DUPLICATE_ATOMS', { lines: [line, atoms[twin]?.line], min });
  }
}

/** The box of the caller, if any of its fields is given. */
function boxOf(input: DockInput, receptor: Body, ligand: Body): Box | undefined {
  const fields = AXES.flatMap((axis) => [`center_${axis}`, `size_${axis}`] as const);
  const missing = fields.filter((name) => input[name] === undefined);
  if (missing.length === fields.length) return undefined;
  const [first = ''] = missing;
  if (first !== '')
    throw validationError(first, `${first} is missing: a box has a center and a size along x, y and z.`, 'MISSING');
  const sizes = AXES.map((axis) => input[`size_${axis}`] ?? 0);
  const diagonal = Math.sqrt(sizes.reduce((sum, one) => sum + one * one, 0));
  const length = longestDistance(ligand);
  if (length > diagonal) {
    const message = `size_x, size_y and size_z give a box with a diagonal of ${diagonal}; the ligand is ${length} long.`;
    throw validationError('size_x', message, 'LIGAND_LARGER_THAN_BOX', { diagonal, length });
  }
  const centre = AXES.map((axis, k) => (input[`center_${axis}`] ?? 0) - (receptor.centroid[k] ?? 0));
  const far = AXES.map((_, k) => {
    const offset = Math.abs(centre[k] ?? 0) - (sizes[k] ?? 0) / 2;
    return Math.max(0, offset - receptor.reach);
  });
  const reach = Math.sqrt(far.reduce((sum, one) => sum + one * one, 0));
  const cutoff = 8;
  if (reach > cutoff) {
    const message = `The box is ${reach.toFixed(1)} away from the receptor, beyond any interaction: it is empty.`;
    throw validationError('center_x', message, 'EMPTY_BOX', { distance: reach });
  }
  return { centre: [centre[0] ?? 0, centre[1] ?? 0, centre[2] ?? 0], half: halves(sizes) };
}

const halves = (sizes: readonly number[]): Vector => [
  0.5 * (sizes[0] ?? 0),
  0.5 * (sizes[1] ?? 0),
  0.5 * (sizes[2] ?? 0),
];

function longestDistance({ data }: Body): number {
  let most = 0;
  for (let i = 0; i < data.length; i += 5)
    for (let j = 0; j < i; j += 5) {
      const [x, y, z] = [0, 1, 2].map((d) => (data[i + d] ?? 0) - (data[j + d] ?? 0)) as [number, number, number];
      most = Math.max(most, x * x + y * y + z * z);
    }
  return Math.sqrt(most);
}

/** Where starts are drawn without a box: the receptor with room for the ligand on every side. */
function aroundReceptor(receptor: Body, ligand: Body, isVina: boolean): Box {
  const low = [0, 0, 0];
  const high = [0, 0, 0];
  for (let j = 0; j < receptor.data.length; j += 5)
    for (let d = 0; d < 3; d++) {
      low[d] = Math.min(low[d] ?? 0, receptor.data[j + d] ?? 0);
      high[d] = Math.max(high[d] ?? 0, receptor.data[j + d] ?? 0);
    }
  const room = (isVina ? 4 : 1) + ligand.reach;
  const centre = low.map((one, d) => 0.5 * (one + (high[d] ?? 0)));
  const sizes = low.map((one, d) => (high[d] ?? 0) - one + 2 * room);
  return { centre: [centre[0] ?? 0, centre[1] ?? 0, centre[2] ?? 0], half: halves(sizes) };
}
