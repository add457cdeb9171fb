// Accuracy: a law that calls itself empirical says how far it may be from nature.
//
// The mark is the law's own words, in its name or validity. That a correlation is not passed off as exact cannot be
// checked here; a reader of the field must.

import type { OperatorRecord } from '../operator.ts';
import { type Diagnostic, error } from './diagnostic.ts';

/** A "correlation coefficient" and parameters "fitted" by the caller are no sign of an empirical law. */
const EMPIRICAL =
  /\bempirical|\brules? of thumb\b|\b(?:curve|explicit|best) fits?\b|\bfits? to\b|\bcorrelations? of (?:data|measure)/i;

export function checkAccuracy({ name, validity, accuracy }: OperatorRecord): Diagnostic[] {
  const mark = EMPIRICAL.exec(`${name}; ${validity}`)?.[0];
  if (mark === undefined || accuracy !== undefined) return [];
  const fix =
    'State accuracy with its basis: a printed bound, a distance that was computed, or "engineering judgment".';
  return [error(`the law calls itself "${mark}" and states no accuracy`, fix)];
}
