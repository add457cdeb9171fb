// SD files: the first molecule of a connection table V2000.
//
// Dalby et al., J. Chem. Inf. Comput. Sci. 32 (1992) 244: three lines of a header, a line of counts, atoms, bonds,
// properties up to M  END. Numbers stand in columns.

import { validationError } from '../parts/errors.ts';
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

const COUNTS = /^[ \d]{3}[ \d]{3}.*V(2000|3000)\s*$/;
const COUNTS_LINE = 3;

export const isSdf = (text: string): boolean => {
  const head = linesOf(text.slice(0, 2000));
  return COUNTS.test(head[COUNTS_LINE] ?? '') || head.slice(0, 8).some((line) => /V[23]000\s*$/.test(line));
};

const whole = (word: string): number => (/^\s*\d{1,3}\s*$/.test(word) ? Number(word) : Number.NaN);

/** @throws DomainError VALIDATION_FAILED, which names the line */
export function parseSdf(field: FileField, text: string): Structure {
  const lines = linesOf(text);
  const counts = lines[COUNTS_LINE];
  if (counts === undefined)
    throw malformed(field, lines.length, `the file ends before the line of counts, line ${COUNTS_LINE + 1}`);
  const [, version] = COUNTS.exec(counts) ?? [];
  if (version === undefined)
    throw malformed(field, COUNTS_LINE + 1, `${quoted(counts)} is not the line of counts of a V2000 table`);
  if (version === '3000') throw malformed(field, COUNTS_LINE + 1, 'tables V3000 are not read; write V2000');
  const [atomCount, bondCount] = [whole(counts.slice(0, 3)), whole(counts.slice(3, 6))];
  if (!(atomCount >= 1))
    throw malformed(field, COUNTS_LINE + 1, `the number of atoms is ${quoted(counts.slice(0, 3))}`);
  if (!(bondCount >= 0))
    throw malformed(field, COUNTS_LINE + 1, `the number of bonds is ${quoted(counts.slice(3, 6))}`);
  if (atomCount > maxAtoms(field)) throw tooMany(field, atomCount);
  const first = COUNTS_LINE + 1;
  const end = lines.findIndex((line, k) => k >= first && /^M {2}END/.test(line));
  if (end < 0) throw malformed(field, lines.length, 'the molecule does not end with M  END: the file is cut short');
  if (end < first + atomCount + bondCount) {
    const message = `${field}: line 4 says ${atomCount} atoms and ${bondCount} bonds; ${end - first} lines follow before M  END.`;
    throw validationError(field, message, 'WRONG_COUNT', { said: atomCount + bondCount, found: end - first });
  }
  const atoms = lines.slice(first, first + atomCount).map((text, k) => atomOf(field, text, first + k + 1));
  checkBonds(field, lines.slice(first + atomCount, first + atomCount + bondCount), first + atomCount + 1, atomCount);
  const charges = chargesOf(field, lines, first + atomCount + bondCount, end, atomCount);
  const rest = lines.slice(end + 1);
  const separator = rest.findIndex((line) => line.startsWith('$$$$'));
  const isMany = separator >= 0 && rest.slice(separator + 1).some((line) => line.trim() !== '');
  return {
    format: 'sdf',
    atoms: atoms.map((atom, k) => ({ ...atom, charge: charges.get(k) ?? 0 })),
    rotatable: [],
    notes: isMany ? [`${field} has several molecules; the first one counts.`] : [],
  };
}

function atomOf(field: FileField, text: string, line: number): Atom {
  if (text.length < 32) throw malformed(field, line, `${quoted(text)} is too short for a line of an atom`);
  const at = (axis: string, from: number) => coordinateOf(field, line, axis, text.slice(from, from + 10).trim());
  return { x: at('x', 0), y: at('y', 10), z: at('z', 20), element: text.slice(31, 34).trim(), line };
}

function checkBonds(field: FileField, bonds: readonly string[], firstLine: number, atoms: number): void {
  for (const [k, text] of bonds.entries()) {
    const [a, b, order] = [whole(text.slice(0, 3)), whole(text.slice(3, 6)), whole(text.slice(6, 9))];
    for (const end of [a, b])
      if (!(end >= 1 && end <= atoms))
        throw malformed(field, firstLine + k, `a bond ends at atom ${end}; there are 1 to ${atoms}`);
    if (a === b) throw malformed(field, firstLine + k, `a bond joins atom ${a} to itself`);
    if (!(order >= 1 && order <= 10))
      throw malformed(field, firstLine + k, `the kind of a bond is ${quoted(text.slice(6, 9))}`);
  }
}

/** Formal charges of M  CHG lines, by index of the atom. */
function chargesOf(field: FileField, lines: readonly string[], from: number, to: number, atoms: number) {
  const charges = new Map<number, number>();
  for (let k = from; k < to; k++) {
    const text = lines[k] ?? '';
    if (!text.startsWith('M  CHG')) continue;
    const words = text.slice(6).trim().split(/\s+/).map(Number);
    const [count = Number.NaN, ...pairs] = words;
    if (!(count >= 1) || pairs.length !== 2 * count || words.some((one) => !Number.isInteger(one)))
      throw malformed(field, k + 1, `${quoted(text)} is not a line of charges`);
    for (let p = 0; p < pairs.length; p += 2) {
      const atom = pairs[p] ?? 0;
      if (atom < 1 || atom > atoms) throw malformed(field, k + 1, `a charge of atom ${atom}; there are 1 to ${atoms}`);
      charges.set(atom - 1, pairs[p + 1] ?? 0);
    }
  }
  return charges;
}
