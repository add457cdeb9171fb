// Names: unique in the registry, ignoring case, punctuation, stop words and the order of words.

import type { OperatorRecord } from '../operator.ts';
import { type Diagnostic, error } from './diagnostic.ts';

const STOP_WORDS = new Set([
  'a',
  'an',
  'and',
  'at',
  'by',
  'for',
  'from',
  'in',
  'of',
  'on',
  'the',
  'to',
  'under',
  'with',
]);

/** The same for `Work of a force` and `force-work`. */
export function normalName(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words
    .filter((word) => !STOP_WORDS.has(word))
    .sort()
    .join(' ');
}

/** @returns diagnostics by id, for each operator whose name an earlier one has */
export function checkNames(records: Iterable<OperatorRecord>): Map<string, Diagnostic[]> {
  const first = new Map<string, OperatorRecord>();
  const diagnostics = new Map<string, Diagnostic[]>();
  for (const record of records) {
    const normal = normalName(record.name);
    const other = first.get(normal);
    if (other === undefined) first.set(normal, record);
    else {
      const text = `"${record.name}" is the name of ${other.id} ("${other.name}") but for case, order or stop words`;
      diagnostics.set(record.id, [error(text, 'If both are one law, take the next of the list.')]);
    }
  }
  return diagnostics;
}
