// The order in which equations can be evaluated: each behind those that it reads, as written where that is open.

import { type Line, needsOf } from './lines.ts';
import { refusal } from './lists.ts';

/** @throws DomainError VALIDATION_FAILED naming a cycle */
export function inOrder(lines: readonly Line[]): readonly Line[] {
  const bySymbol = new Map(lines.map((line) => [line.symbol, line]));
  const ordered = new Set<Line>();
  const open: Line[] = [];
  const place = (line: Line) => {
    if (ordered.has(line)) return;
    if (open.includes(line)) throw cycle([...open.slice(open.indexOf(line)), line]);
    open.push(line);
    for (const name of needsOf(line)) {
      const source = bySymbol.get(name);
      if (source) place(source);
    }
    open.pop();
    ordered.add(line);
  };
  for (const line of lines) place(line);
  return [...ordered];
}

function cycle(path: readonly Line[]): Error {
  const steps = path.slice(1).map((source, i) => `${path[i]?.symbol} needs ${source.symbol}`);
  const message = `The equations need each other in a cycle: ${steps.join(', ')}. One of them has to be given as a number.`;
  return refusal('equations', message, 'CYCLE', { cycle: path.map(({ symbol }) => symbol) });
}

/** The symbols that lead, by any number of steps, from `roots` back through the equations. */
export function reachedFrom(roots: Iterable<string>, lines: readonly Line[]): ReadonlySet<string> {
  const bySymbol = new Map(lines.map((line) => [line.symbol, line]));
  const reached = new Set(roots);
  for (const name of reached) {
    const line = bySymbol.get(name);
    if (line) for (const need of needsOf(line)) reached.add(need);
  }
  return reached;
}
