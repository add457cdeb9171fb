// The entries of a text: separated by semicolons or lines, words by spaces or commas.

import { validationError } from '../parts/errors.ts';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

/** A finite number, or NaN if the word is none. */
export function numberOf(word: string | undefined): number {
  const value = word !== undefined && NUMBER.test(word) ? Number(word) : Number.NaN;
  return Number.isFinite(value) ? value : Number.NaN;
}

/** Words of each entry that is not empty; lines that begin with # are left out. @throws DomainError VALIDATION_FAILED */
export function entriesOf(text: string, path: string, max: number): readonly (readonly string[])[] {
  const entries = text
    .split(/[;\n\r]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '' && !entry.startsWith('#'));
  if (entries.length > max) {
    const message = `${path} has ${entries.length} entries; at most ${max} are allowed.`;
    throw validationError(path, message, 'TOO_MANY', { max });
  }
  return entries.map((entry) => entry.split(/[\s,]+/).filter((word) => word !== ''));
}

/** An entry that does not have the form that is expected. */
export function malformed(path: string, words: readonly string[], expected: string) {
  const entry = words.join(' ');
  const shown = JSON.stringify(entry.length > 60 ? `${entry.slice(0, 60)}…` : entry);
  return validationError(path, `${path} has ${shown}; expected ${expected}.`, 'MALFORMED');
}
