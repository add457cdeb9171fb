// Restricted globals: WebAssembly, the environment and the clock outside their files, and in rooms that compute sealed
// values everything that may give other bits on another machine. Imports are checked by dependency-cruiser.
//
// ECMA-262 leaves the transcendental functions of Math and the operator ** to the implementation, and engines differ.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf, type Gate } from './gate.ts';
import { linesOf, type Node, parse } from './syntax.ts';

/** Rooms whose results are sealed, and replayed on other machines. */
const DETERMINISTIC_ROOMS = /^src\/(core|expressions|operators|solvers|contracts|chain|protocol)\//;
/** Conversion of instants to ticks and to the local time of a zone, which only the host knows. */
const TIME_FILES = /^src\/(core\/clock|contracts\/(calendar|wall-clock))\.ts$/;

/** Exact by IEEE 754, or constants. */
const EXACT_MATH = new Set([
  ...['abs', 'ceil', 'clz32', 'floor', 'fround', 'imul', 'max', 'min', 'round', 'sign', 'sqrt', 'trunc'],
  ...['E', 'LN10', 'LN2', 'LOG10E', 'LOG2E', 'PI', 'SQRT1_2', 'SQRT2'],
]);
const LOCALE = /^(toLocale\w*|localeCompare)$/;

interface RestrictedGlobal {
  readonly name: string;
  /** A global, or a member of one. */
  readonly pattern: RegExp;
  readonly files: RegExp;
}

/** Each with the only files that may use it. */
const RESTRICTED_GLOBALS: readonly RestrictedGlobal[] = [
  { name: 'WebAssembly', pattern: /^WebAssembly\b/, files: /^src\/kernels\// },
  { name: 'the environment', pattern: /^process\.env\b/, files: /^src\/cli\// },
  {
    name: 'the clock',
    pattern: /^(Date\.now|performance)\b/,
    files: /^src\/(core\/clock\.ts$|server\.ts$|services\/node\/metrics\.ts$|kernels\/|cli\/|client\/|portal\/)/,
  },
];

export const globals: Gate = {
  name: 'host globals',
  async run(root) {
    const files = filesOf(root, ['src/**/*.ts', 'src/**/*.tsx']);
    const faults = files.flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8');
      const lineAt = linesOf(source);
      return faultsOf(file, parse(file, source)).map(({ at, text }) => `${file}:${lineAt(at)} ${text}`);
    });
    return { counted: files.length, unit: 'source files', faults };
  },
};

interface Fault {
  readonly at: number;
  readonly text: string;
}

function faultsOf(file: string, tree: Node): Fault[] {
  const faults: Fault[] = [];
  const isDeterministic = DETERMINISTIC_ROOMS.test(file) && !TIME_FILES.test(file);
  walk(tree, (node) => {
    const used = nameOf(node);
    const texts = [
      ...RESTRICTED_GLOBALS.filter((one) => used !== undefined && one.pattern.test(used) && !one.files.test(file)).map(
        ({ name }) => `uses ${name} by ${used}`,
      ),
      ...(isDeterministic ? [determinismFault(node, used)] : []),
    ];
    for (const text of texts) if (text !== undefined) faults.push({ at: node.span?.start ?? 1, text });
  });
  return faults;
}

/** Why a node is not deterministic on all machines. */
function determinismFault(node: Node, used: string | undefined): string | undefined {
  if (isHostPower(node)) return 'uses **, which the host implements';
  if (used === undefined) return undefined;
  const [object = '', member] = used.split('.');
  if (object === 'Math' && !EXACT_MATH.has(member ?? '')) return `uses ${used} of the host`;
  if (['Date', 'performance', 'Intl', 'crypto'].includes(object)) return `uses ${used} of the host`;
  if (node.type === 'MemberExpression' && LOCALE.test(memberOf(node) ?? '')) return `depends on a locale by ${used}`;
  return undefined;
}

/** Literal powers of two and powers of big integers are exact everywhere. */
function isHostPower(node: Node): boolean {
  if (node.type === 'AssignmentExpression') return node.operator === '**=';
  if (node.type !== 'BinaryExpression' || node.operator !== '**') return false;
  const [left, right] = [node.left as Node, node.right as Node];
  const exponent = right.type === 'UnaryExpression' && right.operator === '-' ? (right.argument as Node) : right;
  const isExact = left.type === 'BigIntLiteral' || (left.value === 2 && Number.isInteger(exponent.value));
  return !isExact;
}

/** `Math.sin`, `process.env`, `Date`; for a member of anything else `?.member`; `new Date()` is `Date.now`. */
function nameOf(node: Node): string | undefined {
  if (node.type === 'NewExpression' && !(node.arguments as unknown[] | null)?.length) {
    return nameOf(node.callee as Node) === 'Date' ? 'Date.now' : undefined;
  }
  if (node.type === 'Identifier') return node.value as string;
  if (node.type !== 'MemberExpression') return undefined;
  const object = node.object as Node;
  const head = object.type === 'Identifier' ? (object.value as string) : '?';
  return `${head}.${memberOf(node) ?? '?'}`;
}

/** `a.b` and `a['b']` are the same. */
function memberOf(node: Node): string | undefined {
  const property = node.property as Node;
  const name = property.type === 'Computed' ? (property.expression as Node) : property;
  return name.type === 'Identifier' && property.type === 'Computed' ? undefined : (name.value as string | undefined);
}

/** Visits expressions; not types, names of properties, or parts of a name that was visited whole. */
function walk(node: unknown, visit: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null) return;
  const here = node as Node;
  if (typeof here.type === 'string' && !here.type.startsWith('Ts')) visit(here);
  for (const [key, value] of Object.entries(here)) if (isExpression(here, key, value)) walk(value, visit);
}

function isExpression(parent: Node, key: string, child: unknown): boolean {
  const type = (child as Node | null)?.type;
  if (typeof parent.type !== 'string') return true; // a list, or a wrapper like an argument with its spread
  if (parent.type.startsWith('Ts')) return key === 'expression'; // value as Type
  if (key === 'key' || key === 'property') return type === 'Computed';
  if (key === 'object') return type !== 'Identifier';
  return key !== 'span';
}
