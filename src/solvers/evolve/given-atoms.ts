// Atoms that the caller places: positions and velocities as arrays or as XYZ text, checked.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { multiLine } from '../../core/text-schema.ts';
import { validationError } from '../parts/errors.ts';
import type { Box } from './initial-positions.ts';

export const MAX_ATOMS = 2000;
/** Maximum magnitude of a coordinate or of a component of a velocity. */
const MAX_COMPONENT = 1e6;
/** Minimum distance in units of sig: the pair energy is 4e12 there. */
const MIN_DISTANCE = 0.1;
/** Velocities whose total momentum is below this share of the sum of its magnitudes have none. */
const NO_MOMENTUM = 1e-9;

const Vector = z.array(z.number().min(-MAX_COMPONENT).max(MAX_COMPONENT)).length(3);
const Vectors = z.union([multiLine(LIMITS.body.bytes), z.array(Vector).max(MAX_ATOMS)]).optional();
const TEXT = { unit: 'sigma', rows: 4 } as const;

export const atomFields = {
  positions: Vectors.describe(
    'Atoms instead of a lattice, [[x, y, z], …] or XYZ text, also with velocities behind x y z and Lattice="…" for the box',
  ).meta(TEXT),
  velocities: Vectors.describe('Velocities of these atoms; drawn at T0 without them').meta({
    ...TEXT,
    unit: 'sigma/tau',
  }),
  box: z
    .union([multiLine(200), z.array(z.number().min(0.1).max(MAX_COMPONENT)).length(3)])
    .optional()
    .describe('Edges of the periodic box around these atoms, x y z from 0; free space without it')
    .meta({ unit: 'sigma' }),
};

/** Vectors in the order of the atoms: f64[3 N]. */
export interface GivenAtoms {
  readonly positions: Float64Array;
  readonly velocities?: Float64Array;
  /** Missing in free space. */
  readonly box?: Box;
}

type Field = keyof typeof atomFields;
type Fields = Readonly<z.output<z.ZodObject<typeof atomFields>>>;

/** The atoms that the fields place; undefined without positions. @throws DomainError VALIDATION_FAILED */
export function givenAtoms(fields: Fields): GivenAtoms | undefined {
  const given = fields.positions === undefined ? undefined : rowsOf('positions', fields.positions);
  if (given === undefined || given.rows.length === 0) {
    for (const field of ['velocities', 'box'] as const)
      if (!isEmpty(fields[field])) throw refused(field, 'NO_POSITIONS', `${field} needs positions, which are missing.`);
    return undefined;
  }
  const { rows } = given;
  if (rows.length < 2) throw refused('positions', 'TOO_FEW_ATOMS', 'positions has 1 atom; at least 2 are expected.');
  const inText = rows[0]?.length === 6;
  if (inText && !isEmpty(fields.velocities))
    throw refused('velocities', 'GIVEN_TWICE', 'velocities is given, and positions has velocities behind x y z too.');
  const velocities = inText ? rows.map((row) => row.slice(3)) : velocityRows(fields.velocities, rows.length);
  const ownBox = boxOf(fields.box);
  if (ownBox && given.box) throw refused('box', 'GIVEN_TWICE', 'box is given, and positions has a Lattice too.');
  const box = ownBox ?? given.box;
  const positions = Float64Array.from(rows.flatMap((row) => row.slice(0, 3)));
  if (box) assertInside(positions, box);
  return {
    positions,
    ...(velocities ? { velocities: Float64Array.from(velocities.flat()) } : {}),
    ...(box ? { box } : {}),
  };
}

/** @throws DomainError VALIDATION_FAILED if two atoms, or an atom and an image, are too close for the pair energy */
export function assertApart({ positions, box }: GivenAtoms, sig: number): void {
  const min = MIN_DISTANCE * sig;
  const edges = box ? [box.x, box.y, box.z] : [];
  for (let i = 0; i < positions.length; i += 3) {
    for (let j = i + 3; j < positions.length; j += 3) {
      let squares = 0;
      for (let d = 0; d < 3; d++) {
        const x = (positions[i + d] ?? 0) - (positions[j + d] ?? 0);
        const edge = edges[d];
        const nearest = edge === undefined ? x : x - edge * Math.floor(x / edge + 0.5);
        squares += nearest * nearest;
      }
      if (squares >= min * min) continue;
      const message = `positions: atoms ${i / 3 + 1} and ${j / 3 + 1} are ${Math.sqrt(squares)} apart; the least is ${min} (${MIN_DISTANCE} sig).`;
      throw refused('positions', 'ATOMS_TOO_CLOSE', message, { min_distance: min });
    }
  }
}

/** Bonds join the atoms themselves, not images. @throws DomainError VALIDATION_FAILED if one crosses the box */
export function assertBondsInside({ positions, box }: GivenAtoms, chainLength: number): void {
  if (!box || chainLength === 0) return;
  const edges = [box.x, box.y, box.z];
  for (let k = 0; k + 3 < positions.length; k++) {
    const atom = Math.floor(k / 3) + 1;
    const edge = edges[k % 3] ?? 0;
    if (atom % chainLength === 0 || Math.abs((positions[k + 3] ?? 0) - (positions[k] ?? 0)) <= 0.5 * edge) continue;
    const message = `positions: the bond of atoms ${atom} and ${atom + 1} is longer than half an edge, ${0.5 * edge}.`;
    throw refused('positions', 'BOND_TOO_LONG', message, { max: 0.5 * edge });
  }
}

/** Total momentum of unit masses; 0 where it is rounding. */
export function totalMomentum(velocities: Float64Array | undefined): readonly [number, number, number] {
  const total: [number, number, number] = [0, 0, 0];
  let magnitude = 0;
  for (const [k, v] of (velocities ?? new Float64Array()).entries()) {
    const d = (k % 3) as 0 | 1 | 2;
    total[d] += v;
    magnitude += Math.abs(v);
  }
  return total.some((p) => Math.abs(p) > NO_MOMENTUM * magnitude) ? total : [0, 0, 0];
}

interface Rows {
  /** Three numbers each, or six with velocities. */
  readonly rows: readonly (readonly number[])[];
  readonly box?: Box | undefined;
}

function rowsOf(field: 'positions' | 'velocities', given: NonNullable<Fields['positions']>): Rows {
  if (typeof given !== 'string') return { rows: given };
  return given.trim() === '' ? { rows: [] } : parseXyz(field, given);
}

function velocityRows(given: Fields['velocities'], atoms: number) {
  if (given === undefined || isEmpty(given)) return undefined;
  const { rows } = rowsOf('velocities', given);
  if (rows.length !== atoms)
    throw refused('velocities', 'COUNTS_DIFFER', `velocities has ${rows.length} rows; positions has ${atoms} atoms.`);
  if (rows[0]?.length !== 3)
    throw refused('velocities', 'XYZ_LINE', 'velocities has 6 numbers in a line; 3 are expected.');
  return rows;
}

const isEmpty = (given: string | readonly unknown[] | undefined): boolean =>
  given === undefined || (typeof given === 'string' ? given.trim() === '' : given.length === 0);

/**
 * A frame of XYZ text: the count, a comment, and one line an atom: name x y z, or name x y z vx vy vz. A comment with
 * Lattice="ax 0 0 0 by 0 0 0 cz" (extended XYZ) gives the box.
 */
function parseXyz(field: 'positions' | 'velocities', text: string): Rows {
  const lines = text.split(/\r?\n/);
  const wrong = (line: number, message: string) => refused(field, 'XYZ_LINE', `${field}, line ${line}: ${message}`);
  const head = (lines[0] ?? '').trim();
  const count = /^\d{1,7}$/.test(head) ? Number(head) : Number.NaN;
  if (!(count >= 2 && count <= MAX_ATOMS))
    throw wrong(1, `${quoted(head)} is not a number of atoms from 2 to ${MAX_ATOMS}.`);
  const body = lines.slice(2);
  while (body.length > 0 && (body.at(-1) ?? '').trim() === '') body.pop();
  if (body.length !== count) {
    const message = `${field}: line 1 says ${count} atoms; ${body.length} lines follow the comment in line 2.`;
    throw refused(field, 'XYZ_COUNT', message, { said: count, found: body.length });
  }
  const rows = body.map((line, k) => {
    const [, ...numbers] = line.trim().split(/\s+/);
    if (numbers.length !== 3 && numbers.length !== 6)
      throw wrong(k + 3, `a name and 3 or 6 numbers are expected, not ${quoted(line)}.`);
    return numbers.map((word) => numberOf(word) ?? fail(wrong(k + 3, `${quoted(word)} is not a number up to 1e6.`)));
  });
  const uneven = rows.findIndex((row) => row.length !== rows[0]?.length);
  if (uneven >= 0)
    throw wrong(uneven + 3, `has ${rows[uneven]?.length} numbers; the lines before have ${rows[0]?.length}.`);
  return { rows, box: latticeOf(field, lines[1] ?? '') };
}

function latticeOf(field: Field, comment: string): Box | undefined {
  const [, inner] = /\bLattice\s*=\s*"([^"]*)"/i.exec(comment) ?? [];
  if (inner === undefined) return undefined;
  const numbers = inner.trim().split(/\s+/).map(numberOf);
  const isDiagonal = numbers.length === 9 && numbers.every((x, k) => (k % 4 === 0 ? (x ?? 0) > 0 : x === 0));
  if (!isDiagonal) {
    const message = `${field}, line 2: Lattice ${quoted(inner)} is not "ax 0 0 0 by 0 0 0 cz" of a box with right angles.`;
    throw refused(field, 'XYZ_LATTICE', message);
  }
  return { x: numbers[0] ?? 0, y: numbers[4] ?? 0, z: numbers[8] ?? 0 };
}

function boxOf(given: Fields['box']): Box | undefined {
  if (given === undefined || isEmpty(given)) return undefined;
  const edges =
    typeof given === 'string'
      ? given
          .trim()
          .split(/[\s,;]+/)
          .map(numberOf)
      : given;
  if (edges.length !== 3 || !edges.every((edge) => edge !== undefined && edge >= 0.1))
    throw refused('box', 'NOT_A_BOX', `box is ${quoted(String(given))}; three edges from 0.1 to 1e6 are expected.`);
  return { x: edges[0] ?? 0, y: edges[1] ?? 0, z: edges[2] ?? 0 };
}

function assertInside(positions: Float64Array, box: Box): void {
  const edges = [box.x, box.y, box.z];
  for (const [k, x] of positions.entries()) {
    const edge = edges[k % 3] ?? 0;
    if (x >= 0 && x <= edge) continue;
    const axis = 'xyz'[k % 3];
    const message = `positions: ${axis} of atom ${Math.floor(k / 3) + 1} is ${x}; the box reaches from 0 to ${edge}.`;
    throw refused('positions', 'OUTSIDE_BOX', message, { edge });
  }
}

/** A decimal number of usual size; undefined for anything else, NaN and Infinity included. */
function numberOf(word: string): number | undefined {
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(word)) return undefined;
  const value = Number(word);
  return Math.abs(value) <= MAX_COMPONENT ? value : undefined;
}

const quoted = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

const refused = (field: Field, code: string, message: string, facts = {}) =>
  validationError(field, message, code, facts);

function fail(error: Error): never {
  throw error;
}
