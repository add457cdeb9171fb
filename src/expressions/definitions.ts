// The intermediate values of a law, in the order in which they are computed. It does not depend on the order of keys,
// which canonical JSON does not keep: a law from a receipt must compile to the same code as that of the registry.

import type { Definition } from './bytecode.ts';
import { parseExpression } from './parse.ts';
import { symbolsOf } from './tree.ts';

/**
 * Topological order, ties by name. Cycles come last; the assembler refuses them.
 *
 * @throws DomainError EXPRESSION_INVALID
 */
export function parseDefinitions(where: Readonly<Record<string, string>> = {}): readonly Definition[] {
  const definitions = Object.entries(where).map(([name, text]) => ({ name, expression: parseExpression(text) }));
  const pending = definitions.sort((a, b) => (a.name < b.name ? -1 : 1));
  const ordered: Definition[] = [];
  while (pending.length > 0) {
    const names = new Set(pending.map(({ name }) => name));
    const next = pending.findIndex(({ expression }) =>
      [...symbolsOf(expression)].every((symbol) => !names.has(symbol)),
    );
    ordered.push(...pending.splice(Math.max(next, 0), 1));
  }
  return ordered;
}
