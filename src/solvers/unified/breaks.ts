// Times at which the equations may change abruptly: every number among them may be one, like p of exp(-((t - p)/w)^2).

import { childrenOf, type Expression } from '../../expressions/tree.ts';
import type { Problem } from './problem.ts';

/** Maximum count of numbers that are looked at. */
const MAX_NUMBERS = 64;
/** Distance on both sides of a number, as a fraction of the span: an equation may have no value at the number itself. */
const OFFSET = 2 ** -30;

/**
 * Times beside every number of the equations that lies within the span, and midway between neighbours. The guard of the
 * kernel looks at the equations there. Sorted.
 */
export function breakTimes({
  algebraic,
  states,
  given,
  slots,
  values,
  span: [from, to],
}: Problem): Float64Array<ArrayBuffer> {
  const numbers = new Set<number>();
  for (const { expression, where } of [...algebraic, ...states])
    for (const tree of [...where.map((definition) => definition.expression), expression]) addNumbers(tree, numbers);
  for (const name of given) numbers.add(values[slots.indexOf(name)] ?? Number.NaN);
  const inside = [...numbers, ...[...numbers].map((value) => -value)]
    .filter((time) => time > from && time < to)
    .sort((a, b) => a - b);
  const places = inside.slice(0, MAX_NUMBERS);
  const offset = OFFSET * (to - from);
  const ends = [from, ...places, to];
  const middles = ends.slice(1).map((end, i) => (end + (ends[i] ?? end)) / 2);
  const times = places.length === 0 ? [] : [...places.flatMap((time) => [time - offset, time + offset]), ...middles];
  return Float64Array.from(times.filter((time) => time > from && time < to).sort((a, b) => a - b));
}

function addNumbers(node: Expression, numbers: Set<number>): void {
  if (node.kind === 'number') numbers.add(node.value);
  for (const child of childrenOf(node)) addNumbers(child, numbers);
}
