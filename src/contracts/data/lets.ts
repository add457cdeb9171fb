// Named expressions of a definition. They may name one another in any order of writing, but not in a circle: the order of
// evaluation is that of their dependence, since the order of names in JSON means nothing.

import type { ErrorDetail } from '../../core/errors.ts';
import { parseExpression } from '../../expressions/parse.ts';
import { symbolsOf } from '../../expressions/tree.ts';
import { DATA_SYNTAX } from '../typed-expressions.ts';

export type Lets = Readonly<Record<string, string>>;

/** The symbols of an expression; none if it does not parse, which the compiler reports. */
export function symbolsIn(text: string): readonly string[] {
  try {
    return [...symbolsOf(parseExpression(text, DATA_SYNTAX))];
  } catch {
    return text.match(/[A-Za-z_][\w.]*/g) ?? [];
  }
}

/** The names in an order in which each comes after those that it reads, and the circles that have none. */
export function orderOfLets(lets: Lets): { readonly order: readonly string[]; readonly circles: readonly string[][] } {
  const order: string[] = [];
  const circles: string[][] = [];
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) {
      circles.push([...path.slice(path.indexOf(name)), name]);
      return;
    }
    if (done.has(name)) return;
    for (const other of symbolsIn(lets[name] ?? '')) if (Object.hasOwn(lets, other)) visit(other, [...path, name]);
    if (done.has(name)) return;
    done.add(name);
    order.push(name);
  };
  for (const name of Object.keys(lets).sort()) visit(name, []);
  return { order, circles };
}

/** A fault for each circle, which names all that are in it. */
export function circleFaults(path: string, lets: Lets): ErrorDetail[] {
  return orderOfLets(lets).circles.map((circle) => {
    const at = `${path}.${circle[0]}`;
    return { path: at, code: 'CYCLE', message: `${at} depends on itself: ${circle.join(' reads ')}.` };
  });
}
