// The id of the caller's equations, which stands in a receipt where no registered law made a number.

import { canonicalJson } from '../../core/canonical-json.ts';
import { sha256Hex } from '../../core/sha256.ts';
import { parseAssignments, parseList } from './entries.ts';
import type { UnifiedInput } from './inputs.ts';

const HASH_DIGITS = 16;

/**
 * `own:` and 16 hex digits of the SHA-256 of the canonical JSON of `{equations, events}`: the texts without needless
 * spaces, equations in alphabetical order. Anyone can compute it from the inputs of a receipt.
 */
export function ownEquationsId({ equations, events }: Pick<UnifiedInput, 'equations' | 'events'>): string {
  // The order of equations is free; simultaneous events happen in the given order.
  const text = canonicalJson({
    equations: parseAssignments(equations).map(withoutSpaces).sort(),
    events: parseList(events).map(withoutSpaces),
  });
  return `own:${sha256Hex(text).slice(0, HASH_DIGITS)}`;
}

/** Spaces remain only between two words: `a and b`. */
const withoutSpaces = (text: string) => text.replace(/\s+/g, ' ').replace(/ (?!\w)|(?<!\w) /g, '');
