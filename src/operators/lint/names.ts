// Names: no two operators of the registry share a name but for case, punctuation, stop words and order of words.

import type { OperatorRecord } from '../operator.ts';
import { type Complaint, error } from './finding.ts';

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

/** `Work of a force` and `force-work` are one name. */
export function normalName(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words
    .filter((word) => !STOP_WORDS.has(word))
    .sort()
    .join(' ');
}

/** @returns complaints by id, for each operator whose name was taken before it */
export function checkNames(records: Iterable<OperatorRecord>): Map<string, Complaint[]> {
  const first = new Map<string, OperatorRecord>();
  const complaints = new Map<string, Complaint[]>();
  for (const record of records) {
    const normal = normalName(record.name);
    const other = first.get(normal);
    if (other === undefined) first.set(normal, record);
    else {
      const text = `"${record.name}" is the name of ${other.id} ("${other.name}") but for case, order or small words`;
      complaints.set(record.id, [error(text, 'One of the two is not a law of its own; take the next of the list.')]);
    }
  }
  return complaints;
}
