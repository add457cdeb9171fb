// PDBQT files of AutoDock: ATOM and HETATM records with a type in columns 78 and 79, and the tree of rotatable bonds.

import {
  type Atom,
  coordinateOf,
  type FileField,
  linesOf,
  malformed,
  maxAtoms,
  quoted,
  type Structure,
  tooMany,
} from './structure.ts';

/** Records of PDB files that say nothing about atoms. */
const IGNORED = new Set(
  'REMARK TER END CONECT CRYST1 USER COMPND HEADER TITLE AUTHOR SOURCE KEYWDS EXPDTA REVDAT JRNL SEQRES HELIX SHEET MASTER ORIGX1 ORIGX2 ORIGX3 SCALE1 SCALE2 SCALE3 SSBOND LINK SITE HET HETNAM FORMUL DBREF MODRES CISPEP'.split(
    ' ',
  ),
);
const TYPE = /^[A-Za-z][A-Za-z0-9]{0,2}$/;

export const isPdbqt = (text: string): boolean => /^(?:ATOM {2}|HETATM)/m.test(text);

interface Tree {
  readonly branches: [from: number, to: number, line: number][];
  readonly open: [from: number, to: number][];
  root: 'none' | 'open' | 'closed';
  hasTorsions: boolean;
}

/** @throws DomainError VALIDATION_FAILED, which names the line */
export function parsePdbqt(field: FileField, text: string): Structure {
  const lines = linesOf(text);
  const atoms: Atom[] = [];
  const serials = new Map<number, number>();
  const tree: Tree = { branches: [], open: [], root: 'none', hasTorsions: false };
  const notes: string[] = [];
  let alternatives = 0;
  let models = 0;
  let isRepeated = false;
  for (const [k, text] of lines.entries()) {
    const line = k + 1;
    const record = text.slice(0, 6).trim();
    if (record === 'MODEL') models += 1;
    if (models > 1) {
      notes.push(`${field} has several models; the first one counts.`);
      break;
    }
    if (record === '' || record === 'MODEL' || record === 'ENDMDL' || IGNORED.has(record)) continue;
    if (record !== 'ATOM' && record !== 'HETATM') {
      readTree(field, text, line, tree);
      continue;
    }
    if (!['', 'A', '1'].includes(text.slice(16, 17).trim())) {
      alternatives += 1;
      continue;
    }
    if (atoms.length === maxAtoms(field)) throw tooMany(field, `more than ${maxAtoms(field)}`);
    const serial = Number(text.slice(6, 11));
    if (serials.has(serial)) isRepeated = true;
    serials.set(serial, atoms.length);
    atoms.push(atomOf(field, text, line));
  }
  if (atoms.length === 0) throw malformed(field, lines.length, 'no ATOM or HETATM record was found');
  if (alternatives > 0)
    notes.push(`${field}: ${alternatives} atoms of alternative locations other than A are left out.`);
  checkTree(field, lines.length, tree);
  if (isRepeated && tree.branches.length > 0)
    throw malformed(field, lines.length, 'two atoms have the same serial number, which branches refer to');
  const indexOf = (serial: number, line: number): number => {
    const index = serials.get(serial);
    if (index === undefined) throw malformed(field, line, `the branch refers to atom ${serial}, which is missing`);
    return index;
  };
  const rotatable = tree.branches.map(([from, to, line]) => [indexOf(from, line), indexOf(to, line)] as const);
  return { format: 'pdbqt', atoms, rotatable, notes };
}

function atomOf(field: FileField, text: string, line: number): Atom {
  if (text.length < 78)
    throw malformed(field, line, `has ${text.length} columns; the type stands in columns 78 and 79`);
  const at = (axis: string, from: number) => coordinateOf(field, line, axis, text.slice(from, from + 8).trim());
  const type = text.slice(77, 80).trim();
  if (!TYPE.test(type)) throw malformed(field, line, `${quoted(type)} in columns 78 and 79 is not a type of AutoDock`);
  return { x: at('x', 30), y: at('y', 38), z: at('z', 46), element: type, type, line };
}

function readTree(field: FileField, text: string, line: number, tree: Tree): void {
  const [record = '', ...words] = text.trim().split(/\s+/);
  const [from, to] = words.map((word) => (/^\d{1,6}$/.test(word) ? Number(word) : Number.NaN));
  if (record === 'ROOT' && tree.root === 'none') tree.root = 'open';
  else if (record === 'ENDROOT' && tree.root === 'open') tree.root = 'closed';
  else if (record === 'TORSDOF' && (from ?? Number.NaN) >= 0) tree.hasTorsions = true;
  else if ((record === 'BRANCH' || record === 'ENDBRANCH') && tree.root === 'closed') {
    if (from === undefined || to === undefined || Number.isNaN(from + to))
      throw malformed(field, line, `${record} needs the numbers of two atoms`);
    if (record === 'BRANCH') {
      tree.open.push([from, to]);
      tree.branches.push([from, to, line]);
      return;
    }
    const last = tree.open.pop();
    if (last?.[0] !== from || last[1] !== to)
      throw malformed(field, line, `ENDBRANCH ${from} ${to} does not close the branch that is open`);
  } else throw malformed(field, line, `${quoted(text.trim())} is not expected here`);
}

function checkTree(field: FileField, line: number, { root, open, hasTorsions }: Tree): void {
  if (root === 'open') throw malformed(field, line, 'ROOT is not closed by ENDROOT: the file is cut short');
  if (open.length > 0) throw malformed(field, line, 'a BRANCH is not closed by ENDBRANCH: the file is cut short');
  if (root === 'closed' && !hasTorsions)
    throw malformed(field, line, 'TORSDOF is missing after ROOT: the file is cut short');
}
