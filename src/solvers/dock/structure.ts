// Structures that a caller uploads: atoms with their lines, and what the three formats have in common.

import { LIMITS } from '../../core/limits.ts';
import { validationError } from '../parts/errors.ts';

export type FileField = 'receptor_file' | 'ligand_file';
export type Format = 'pdbqt' | 'sdf' | 'xyz';

export interface Atom {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** A symbol of the periodic table, or another word in XYZ. */
  readonly element: string;
  /** The type of AutoDock that a PDBQT file states. */
  readonly type?: string;
  /** Formal charge that an SD file states. */
  readonly charge?: number;
  /** In the file, from 1. */
  readonly line: number;
}

export interface Structure {
  readonly format: Format;
  readonly atoms: readonly Atom[];
  /** Rotatable bonds that a PDBQT file states, by indices of atoms. */
  readonly rotatable: readonly (readonly [number, number])[];
  readonly notes: readonly string[];
}

const { coordinate, receptorAtoms, ligandAtoms } = LIMITS.dock;

export const maxAtoms = (field: FileField): number => (field === 'receptor_file' ? receptorAtoms : ligandAtoms);

export const malformed = (field: FileField, line: number, message: string) =>
  validationError(field, `${field}, line ${line}: ${message}.`, 'MALFORMED_STRUCTURE', { line });

export const tooMany = (field: FileField, found: number | string) => {
  const max = maxAtoms(field);
  const message = `${field} has ${found} atoms; at most ${max} are allowed.`;
  return validationError(field, message, 'TOO_MANY_ATOMS', { max, found });
};

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

/** A coordinate in ångström or sigma. @throws DomainError which names the line and the axis */
export function coordinateOf(field: FileField, line: number, axis: string, word: string): number {
  const value = NUMBER.test(word) ? Number(word) : Number.NaN;
  if (Math.abs(value) <= coordinate) return value;
  const expected = `expected a number from −${coordinate} to ${coordinate}`;
  throw malformed(field, line, `${axis} is ${quoted(word)}; ${expected}`);
}

export const quoted = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

export const linesOf = (text: string): string[] => text.split(/\r\n|\n|\r/);
