// Type-only imports: operations and what serves them import services as types; instances are passed as arguments.
//
// dependency-cruiser tells type-only imports from others only since version 18, which refuses Node 20.

import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { filesOf, type Gate } from './gate.ts';
import { linesOf, type Node, parse } from './syntax.ts';

const FILES = 'src/{operations,streams,http,mcp,broker}/**/*.ts';
const SERVICES = 'src/services/';

export const typeImports: Gate = {
  name: 'type imports',
  async run(root) {
    const files = filesOf(root, [FILES]);
    const faults = files.flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8');
      const lineAt = linesOf(source);
      return importsIn(parse(file, source)).flatMap(({ node, specifier, isTypeOnly }) => {
        const target = relative(root, resolve(root, file, '..', specifier));
        if (isTypeOnly || !specifier.startsWith('.') || !target.startsWith(SERVICES)) return [];
        return [`${file}:${lineAt(node.span?.start ?? 1)} imports ${target}; write import type`];
      });
    });
    return { counted: files.length, unit: 'files that import services as types', faults };
  },
};

interface Import {
  readonly node: Node;
  readonly specifier: string;
  readonly isTypeOnly: boolean;
}

/** Imports, re-exports and dynamic imports of constant modules, at any depth. */
function importsIn(tree: unknown): Import[] {
  if (typeof tree !== 'object' || tree === null) return [];
  const node = tree as Node;
  const inner = Object.values(node).flatMap(importsIn);
  const specifier = specifierOf(node);
  return specifier === undefined ? inner : [{ node, specifier, isTypeOnly: node.typeOnly === true }, ...inner];
}

function specifierOf(node: Node): string | undefined {
  const isDynamic = node.type === 'CallExpression' && (node.callee as Node).type === 'Import';
  const [argument] = isDynamic ? (node.arguments as { expression: Node }[]) : [];
  const source = /^(ImportDeclaration|Export(Named|All)Declaration)$/.test(node.type)
    ? node.source
    : argument?.expression;
  return (source as Node | undefined)?.value as string | undefined;
}
