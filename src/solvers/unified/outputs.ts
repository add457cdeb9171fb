// Selects the symbols that a problem shows; the first is the value.

import { nearestNames } from '../../core/nearest.ts';
import { validationError } from '../parts/errors.ts';
import { parseItems } from './entries.ts';
import type { UnifiedInput } from './inputs.ts';
import { dependenciesOf, type Line } from './lines.ts';
import { dependencyClosure } from './order.ts';

/** @throws DomainError VALIDATION_FAILED for an unknown symbol, or one that is named twice */
export function outputsOf(
  input: UnifiedInput,
  ownLines: readonly Line[],
  states: readonly Line[],
  algebraic: readonly Line[],
  timeDependent: readonly Line[],
): readonly string[] {
  const requested = parseItems(input.outputs);
  const known = ['t', ...states.map(({ symbol }) => symbol), ...algebraic.map(({ symbol }) => symbol)];
  for (const name of requested) {
    if (known.includes(name)) continue;
    const nearest = nearestNames(name, known, 1)[0];
    throw validationError(
      'outputs',
      `outputs names ${name}; one of ${known.join(', ')} is expected.${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`,
      'UNKNOWN_FIELD',
    );
  }
  if (new Set(requested).size < requested.length)
    throw validationError('outputs', 'outputs names a symbol twice.', 'DUPLICATE');
  if (requested.length > 0) return requested;
  if (states.length > 0) return [...states, ...timeDependent].map(({ symbol }) => symbol);
  const last = lastOf(ownLines, algebraic);
  return [last, ...algebraic.map(({ symbol }) => symbol).filter((name) => name !== last)];
}

/**
 * The value of a table: the last equation of the caller that no other one reads, or the last law in dependency order, if
 * there is no equation or this one feeds the law.
 */
function lastOf(ownLines: readonly Line[], algebraic: readonly Line[]): string {
  const read = new Set(ownLines.flatMap((line) => [...dependenciesOf(line)]));
  const own = ownLines.findLast(({ symbol }) => !read.has(symbol))?.symbol;
  const law = algebraic.findLast((line) => line.law !== undefined)?.symbol;
  if (own === undefined || law === undefined) return own ?? law ?? '';
  return dependencyClosure([law], algebraic).has(own) ? law : own;
}
