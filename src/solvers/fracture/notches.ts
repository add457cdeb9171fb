// Notches that are given as a list, checked against the plate.

import { validationError } from '../parts/errors.ts';
import type { FractureInput } from './inputs.ts';

/** Ends of the notches, four numbers in m each; empty if none is given. @throws DomainError VALIDATION_FAILED */
export function notchesOf({ notches = [], mode, notch, width, nx, ny }: FractureInput): readonly (readonly number[])[] {
  if (notches.length === 0) return [];
  if (mode === 'bar')
    throw validationError('notches', 'notches are given for a bar; they belong to mode 2d. Leave them out.');
  if (notch === 'no') throw validationError('notches', 'notches are given beside notch no; leave one out.');
  const height = (width * ny) / nx;
  for (const [i, [x1 = 0, y1 = 0, x2 = 0, y2 = 0]] of notches.entries()) {
    const path = `notches.${i}`;
    if (x1 === x2 && y1 === y2)
      throw validationError(path, `Notch ${i} has no length: both ends are at ${x1}, ${y1}. Give two places.`);
    const isOutside =
      Math.max(x1, x2) <= 0 || Math.min(x1, x2) >= width || Math.max(y1, y2) <= 0 || Math.min(y1, y2) >= height;
    if (isOutside)
      throw validationError(
        path,
        `Notch ${i} from ${x1}, ${y1} to ${x2}, ${y2} misses the plate of ${width} by ${height} m.`,
        'OUT_OF_RANGE',
      );
  }
  return notches;
}
