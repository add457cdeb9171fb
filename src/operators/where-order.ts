// The order of a law's intermediate values, by what they need and then by name. An object's own order would not do: it
// does not survive canonical JSON, and a receipt's law must be the registry's to the letter.

import { type Expression, symbolsOf } from '../expressions/tree.ts';

export interface Intermediate {
  readonly name: string;
  readonly expression: Expression;
}

/** What needs each other in a cycle comes last; the assembler refuses it. */
export function inOrderOfNeed(intermediates: readonly Intermediate[]): readonly Intermediate[] {
  const waiting = [...intermediates].sort((a, b) => (a.name < b.name ? -1 : 1));
  const ordered: Intermediate[] = [];
  while (waiting.length > 0) {
    const open = new Set(waiting.map(({ name }) => name));
    const next = waiting.findIndex(({ expression }) => [...symbolsOf(expression)].every((symbol) => !open.has(symbol)));
    ordered.push(...waiting.splice(Math.max(next, 0), 1));
  }
  return ordered;
}
