// XYZ files: the number of atoms, a comment, and one line an atom: symbol x y z.

import { validationError } from '../parts/errors.ts';
import {
  coordinateOf,
  type FileField,
  linesOf,
  malformed,
  maxAtoms,
  quoted,
  type Structure,
  tooMany,
} from './structure.ts';

const COUNT = /^\s*\d{1,12}\s*$/;
const SYMBOL = /^[A-Za-z][A-Za-z0-9]{0,7}$/;

export const isXyz = (text: string): boolean => COUNT.test(linesOf(text.slice(0, 200))[0] ?? '');

/** @throws DomainError VALIDATION_FAILED, which names the line */
export function parseXyz(field: FileField, text: string): Structure {
  const lines = linesOf(text);
  const count = Number(lines[0]);
  if (count < 1) throw malformed(field, 1, 'the number of atoms is 0; at least 1 is expected');
  if (count > maxAtoms(field)) throw tooMany(field, count);
  const body = lines.slice(2, 2 + count);
  const present = body.findIndex((line) => line.trim() === '');
  const found = present >= 0 ? present : body.length;
  if (found < count) {
    const message = `${field}: line 1 says ${count} atoms; ${found} lines of atoms follow the comment in line 2.`;
    throw validationError(field, message, 'WRONG_COUNT', { said: count, found });
  }
  const rest = lines.slice(2 + count);
  const next = rest.findIndex((line) => line.trim() !== '');
  if (next >= 0 && !COUNT.test(rest[next] ?? '')) {
    const message = `${field}: line 1 says ${count} atoms; line ${3 + count + next} is one more.`;
    throw validationError(field, message, 'WRONG_COUNT', { said: count });
  }
  const atoms = body.map((text, k) => {
    const line = k + 3;
    const [symbol = '', ...words] = text.trim().split(/\s+/);
    if (!SYMBOL.test(symbol)) throw malformed(field, line, `${quoted(symbol)} is not the symbol of an element`);
    if (words.length < 3) throw malformed(field, line, `has ${words.length} numbers; x, y and z are expected`);
    const [x = '', y = '', z = ''] = words;
    return {
      x: coordinateOf(field, line, 'x', x),
      y: coordinateOf(field, line, 'y', y),
      z: coordinateOf(field, line, 'z', z),
      element: symbol,
      line,
    };
  });
  const notes = next >= 0 ? [`${field} has several frames; the first one counts.`] : [];
  return { format: 'xyz', atoms, rotatable: [], notes };
}
