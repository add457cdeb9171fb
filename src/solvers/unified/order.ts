// Topological order of equations: each after those it reads, otherwise in the given order.

import { validationError } from '../parts/errors.ts';
import { dependenciesOf, type Line } from './lines.ts';

/** @throws DomainError VALIDATION_FAILED naming a cycle */
export function sortByDependency(lines: readonly Line[]): readonly Line[] {
  const bySymbol = new Map(lines.map((line) => [line.symbol, line]));
  const ordered = new Set<Line>();
  const path: Line[] = [];
  const visit = (line: Line) => {
    if (ordered.has(line)) return;
    if (path.includes(line)) throw cycle([...path.slice(path.indexOf(line)), line]);
    path.push(line);
    for (const name of dependenciesOf(line)) {
      const source = bySymbol.get(name);
      if (source) visit(source);
    }
    path.pop();
    ordered.add(line);
  };
  for (const line of lines) visit(line);
  return [...ordered];
}

function cycle(path: readonly Line[]): Error {
  const steps = path.slice(1).map((source, i) => `${path[i]?.symbol} needs ${source.symbol}`);
  const message = `The equations form a cycle: ${steps.join(', ')}. Give one of these symbols as a number.`;
  return validationError('equations', message, 'CYCLE', { cycle: path.map(({ symbol }) => symbol) });
}

/** The symbols that `roots` depend on, directly or indirectly, including themselves. */
export function dependencyClosure(roots: Iterable<string>, lines: readonly Line[]): ReadonlySet<string> {
  const bySymbol = new Map(lines.map((line) => [line.symbol, line]));
  const closure = new Set(roots);
  for (const name of closure) {
    const line = bySymbol.get(name);
    if (line) for (const dependency of dependenciesOf(line)) closure.add(dependency);
  }
  return closure;
}
