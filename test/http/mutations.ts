// Single-change mutations of a JSON document, for tamper detection tests.

import { bitsOf, fromBits } from '../../src/core/bits.ts';
import type { Path } from '../protocol/tamper.ts';

export interface Mutation {
  /** Path and change, for failure messages. */
  readonly name: string;
  readonly change: string;
  /** Of the changed value, of the added or of the removed field. */
  readonly path: Path;
  /** The mutated document as JSON text. */
  text(): string;
}

/** JSON.stringify writes −0 as 0, so −0 is serialized through this placeholder. */
const MINUS_ZERO = '@minus zero';
const print = (document: unknown) => JSON.stringify(document).replaceAll(JSON.stringify(MINUS_ZERO), '-0');

export function listMutations(document: unknown): Mutation[] {
  return [...nodesOf(document, [])].flatMap(([path, node]) =>
    changesOf(node).map(([change, changed, field]) => ({
      name: `${path.join('.') || 'the document'}: ${change}`,
      change,
      path: field === undefined ? path : [...path, field],
      text: () => print(replaced(document, path, changed)),
    })),
  );
}

function* nodesOf(node: unknown, path: Path): Generator<readonly [Path, unknown]> {
  yield [path, node];
  if (Array.isArray(node)) for (const [i, child] of node.entries()) yield* nodesOf(child, [...path, i]);
  else if (isObject(node)) for (const [name, child] of Object.entries(node)) yield* nodesOf(child, [...path, name]);
}

type Change = readonly [what: string, changed: unknown, field?: string];

function changesOf(node: unknown): readonly Change[] {
  if (typeof node === 'number') return numberChanges(node);
  if (typeof node === 'string') return stringChanges(node);
  if (typeof node === 'boolean') return [['flipped', !node]];
  if (Array.isArray(node)) {
    const removals = node.length === 0 ? [] : [0, Math.floor(node.length / 2), node.length - 1];
    return [
      ['an element added', [...node, 0]],
      ...[...new Set(removals)].map((i) => [`element ${i} removed`, node.toSpliced(i, 1)] as const),
      ...(node.length > 1 && node[0] !== node.at(-1) ? [['reversed', node.toReversed()] as const] : []),
    ];
  }
  if (isObject(node)) {
    return [
      ['a key added', { ...node, unknown_key: 0 }, 'unknown_key'],
      ...Object.keys(node).map((name) => [`${name} removed`, omit(node, name), name] as const),
    ];
  }
  return [['no longer null', 0]];
}

function numberChanges(x: number): readonly (readonly [string, unknown])[] {
  if (x === 0)
    return [
      ['the smallest number', Number.MIN_VALUE],
      ['minus zero', MINUS_ZERO],
    ];
  return [
    ['one ulp more', fromBits(bitsOf(x) + 1n)],
    ['one ulp less', fromBits(bitsOf(x) - 1n)],
    ['as text', String(x)],
  ];
}

/** One character at the start, in the middle and at the end, and one more. */
function stringChanges(text: string): readonly (readonly [string, unknown])[] {
  const places = text.length === 0 ? [] : [0, Math.floor(text.length / 2), text.length - 1];
  return [
    ['a character added', `${text}0`],
    ...[...new Set(places)].map((i) => {
      const other = text[i] === 'a' ? 'b' : 'a';
      return [`character ${i}`, text.slice(0, i) + other + text.slice(i + 1)] as const;
    }),
  ];
}

function replaced(node: unknown, [head, ...rest]: Path, changed: unknown): unknown {
  if (head === undefined) return changed;
  if (Array.isArray(node)) return node.with(Number(head), replaced(node[Number(head)], rest, changed));
  return isObject(node) ? { ...node, [head]: replaced(node[head], rest, changed) } : node;
}

const isObject = (node: unknown): node is Record<string, unknown> =>
  typeof node === 'object' && node !== null && !Array.isArray(node);

const omit = (node: Record<string, unknown>, name: string) =>
  Object.fromEntries(Object.entries(node).filter(([key]) => key !== name));
