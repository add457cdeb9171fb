// Hostile values: JSON values and JSON literals that no honest client sends, and changes of a document with them.

import fc from 'fast-check';

/** JSON text that stands where a value stood; JSON.stringify could not write most of it. */
const LITERALS: readonly string[] = [
  // Wrong types.
  'null',
  'true',
  '""',
  '[]',
  '[[]]',
  '{}',
  '{"a":1}',
  '"64"',
  '[null]',
  // Numbers that doubles do not hold, and those beside the limits of types.
  ...['0', '-0', '-1', '0.5', '1e400', '-1e400', '1e-400', '1e308', '5e-324', '9007199254740991', '9007199254740993'],
  ...['2147483648', '-2147483649', '18446744073709551616', '1E+9', '9'.repeat(400), `0.${'3'.repeat(400)}`],
  // Not JSON.
  ...['NaN', 'Infinity', '-Infinity', 'undefined', '01', '1.', '.5', '+1', '0x10', "'a'", '"', '"\\x"', '"\\u12"', '}'],
  // Text: NUL, other control characters, escapes of terminals, surrogates, overrides, markup, queries, paths.
  ...['"a\\u0000b"', '"\\u0001"', '"\\u001b[31m"', '"\\u009b"', '"\\ud800"', '"\\udc00\\ud800"', '"\\ufeff"'],
  ...[
    '"\\u202eabc"',
    '"a\\nb"',
    '"\u{1f4a5}"',
    '"e\\u0301\\u0301"',
    '"<script>"',
    '"\' or 1=1 --"',
    '"; drop table audit"',
  ],
  ...['"../../etc/passwd"', '"%00"', '"{{7*7}}"', '"__proto__"', '"constructor"', '"toString"', '"NaN"'],
  ...['"1970-01-01T00:00:00Z"', '"9999-12-31T23:59:60Z"', '"2026-02-30"', '"\\ud83d"'],
  // Names that objects inherit, the same name twice, and names that are no text.
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"a":1,"a":2}',
  '{"":1}',
  '{"\\u0000":1}',
  '{"\\ud800":1}',
];

/** As `LITERALS`, and expensive to send: chosen seldom, and named in a case by their index. */
const LARGE: readonly string[] = [
  `"${'a'.repeat(100_000)}"`,
  `"${'\\u0000'.repeat(20_000)}"`,
  `"${'(('.repeat(10_000)}"`,
  `"${'1+'.repeat(300)}1"`,
  `${'['.repeat(31)}${']'.repeat(31)}`,
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  `{"${'k'.repeat(100_000)}":1}`,
  `{${Array.from({ length: 2_000 }, (_, i) => `"k${i}":${i}`).join(',')}}`,
  `[${'0,'.repeat(20_000)}0]`,
];

/** One change of a JSON document. `place` counts its values in order, modulo their number. */
export type Change =
  | { readonly does: 'replace' | 'add' | 'rename'; readonly place: number; readonly literal: string | number }
  | { readonly does: 'remove' | 'repeat' | 'twice'; readonly place: number };

export function changes(): fc.Arbitrary<Change> {
  const place = fc.nat(60);
  const literal = fc.oneof(
    { weight: 60, arbitrary: fc.constantFrom(...LITERALS) },
    { weight: 1, arbitrary: fc.nat(LARGE.length - 1) },
  );
  return fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ does: fc.constantFrom('replace', 'replace', 'add', 'rename'), place, literal }),
    },
    { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('remove', 'repeat', 'twice'), place }) },
  ) as fc.Arbitrary<Change>;
}

/** A change of the text of a document, whatever it says. */
export type Cut =
  | 'whole'
  | 'half'
  | 'last'
  | 'none'
  | 'trailing'
  | 'bom'
  | 'invalid utf-8'
  | 'utf-16'
  | 'spaces'
  | 'list';
export const CUTS: readonly Cut[] = [
  ...(['half', 'last', 'none', 'trailing', 'bom', 'invalid utf-8', 'utf-16', 'spaces', 'list'] as const),
];

export function cut(text: string, how: Cut): Buffer {
  switch (how) {
    case 'whole':
      return Buffer.from(text);
    case 'half':
      return Buffer.from(text.slice(0, text.length / 2));
    case 'last':
      return Buffer.from(text.slice(0, -1));
    case 'none':
      return Buffer.alloc(0);
    case 'trailing':
      return Buffer.from(`${text}{}`);
    case 'bom':
      return Buffer.from(`\ufeff${text}`);
    case 'invalid utf-8':
      return Buffer.concat([
        Buffer.from(text.slice(0, -2)),
        Buffer.from([0xc0, 0x80, 0xed, 0xa0, 0x80]),
        Buffer.from('"}'),
      ]);
    case 'utf-16':
      return Buffer.from(text, 'utf16le');
    case 'spaces':
      return Buffer.from(`${' '.repeat(5_000)}${text}`);
    case 'list':
      return Buffer.from(`[${text}]`);
  }
}

/** The text of a document after changes, made one after the other. */
export function changed(document: unknown, all: readonly Change[]): string {
  // Private use characters mark a literal; `literals` has its text.
  const literals: string[] = [];
  const mark = (literal: string) => `\ue000${literals.push(literal) - 1}\ue001`;
  let value = document;
  for (const change of all) value = withChange(value, change, mark);
  const text = JSON.stringify(value) ?? '';
  return text.replaceAll(/"\ue000(\d+)\ue001"/g, (_, index: string) => literals[Number(index)] ?? '');
}

type Mark = (literal: string) => string;

/** The JSON text that a change writes. */
export const literalOf = (literal: string | number): string =>
  typeof literal === 'string' ? literal : (LARGE[literal] ?? '');

interface Node {
  readonly parent: Record<string, unknown> | unknown[];
  readonly key: string;
}

function withChange(document: unknown, change: Change, mark: Mark): unknown {
  const root = { document: structuredClone(document) };
  const nodes = [...nodesOf(root)];
  const node = nodes[change.place % nodes.length];
  if (node === undefined) return document;
  apply(change, node, mark);
  return root.document;
}

function apply(change: Change, { parent, key }: Node, mark: Mark): void {
  const list = parent as Record<string, unknown>;
  const value = list[key];
  switch (change.does) {
    case 'replace':
      list[key] = mark(literalOf(change.literal));
      break;
    case 'add':
      if (Array.isArray(value)) value.push(mark(literalOf(change.literal)));
      else if (typeof value === 'object' && value !== null) define(value, 'added', mark(literalOf(change.literal)));
      break;
    case 'rename':
      if (Array.isArray(parent)) break;
      delete list[key];
      define(parent, nameIn(literalOf(change.literal)), value);
      break;
    case 'remove':
      if (Array.isArray(parent)) parent.splice(Number(key), 1);
      else delete list[key];
      break;
    case 'repeat':
      list[key] = Array.from({ length: 300 }, () => value);
      break;
    case 'twice':
      list[key] = mark(`${JSON.stringify(value)},${JSON.stringify(key)}:${JSON.stringify(value)}`);
      break;
  }
}

/** An own property, also for `__proto__`. */
function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

function nameIn(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}

function* nodesOf(parent: Record<string, unknown> | unknown[]): Generator<Node> {
  for (const [name, value] of Object.entries(parent)) {
    yield { parent, key: name };
    if (typeof value === 'object' && value !== null) yield* nodesOf(value as Record<string, unknown>);
  }
}
