// Smallest possible changes of one leaf of a JSON document.

import { bitsOf, fromBits } from '../../src/core/bits.ts';

export type Path = readonly (string | number)[];

export interface Leaf {
  readonly path: Path;
  readonly value: unknown;
}

/** Every value that is neither an object nor an array, with its path. */
export function leavesOf(value: unknown, path: Path = []): Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }];
  if (Array.isArray(value)) return value.flatMap((one, index) => leavesOf(one, [...path, index]));
  return Object.entries(value).flatMap(([name, one]) => leavesOf(one, [...path, name]));
}

/** The smallest change: the last bit of a number, one bit of the last character of a text, or the other boolean. */
export function changed(value: unknown): unknown {
  if (typeof value === 'number') return fromBits(bitsOf(value) ^ 1n);
  if (typeof value === 'string')
    return value.slice(0, -1) + String.fromCharCode((value.charCodeAt(value.length - 1) || 0) ^ 1);
  return value !== true;
}

/** A copy in which one leaf is another. */
export function withLeaf<Tree>(tree: Tree, path: Path, leaf: unknown): Tree {
  const [name, ...rest] = path;
  if (name === undefined) return leaf as Tree;
  const copy = (Array.isArray(tree) ? [...tree] : { ...tree }) as Record<string | number, unknown>;
  copy[name] = withLeaf(copy[name], rest, leaf);
  return copy as Tree;
}

/** The path in the form of a report: `series[1].data[17]`. */
export function nameOf(path: Path): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`;
    return name === '' ? part : `${name}.${part}`;
  }, '');
}

/** Words of an envelope, which stand outside the seal. */
const WORDS =
  /^(ok$|tuneStatus$|(equations|selection|plots|notes|reasons|lattice_equation)\b|master_sum\.terms\[\d+\]\.(term|expression)$|verification\.method$|uncertainty_budget\[\d+\]\.basis$|definitions\[\d+\]\.accuracy\.basis$|invariants\[\d+\]\.label$|definitions\[\d+\]\.(name$|constants\.\w+\.note$)|(series|fields)\[\d+\]\.(href|bytes)$)/;

export const isWord = (path: Path) => WORDS.test(nameOf(path));

/** Leaves that a seal covers, by path. */
export const sealedLeaves = (value: unknown) =>
  Object.fromEntries(
    leavesOf(value)
      .filter(({ path }) => !isWord(path))
      .map(({ path, value: leaf }) => [nameOf(path), leaf]),
  );
