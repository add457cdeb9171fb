// Modules of the expression compiler: they import the memory and the listed functions of a kernel, and nothing else.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { shapeOfRows } from '../../src/expressions/compiled/shape.ts';
import { compileExpression } from '../../src/expressions/evaluate.ts';
import { FUNCTIONS } from '../../src/expressions/functions.ts';
import { filesOf, type Gate } from './gate.ts';

const EMITTER = 'src/expressions/compiled/emit-module.ts';
type EmitModule = typeof import('../../src/expressions/compiled/emit-module.ts').emitModule;

/** Everything that a compiled expression may import. Additions need a reason in docs/decisions/0015. */
const ALLOWED: ReadonlySet<string> = new Set(
  ['memory', 'unary', 'binary', 'pow', 'exp', 'log', 'sin', 'cos', 'tan'].map((name) => `kernel.${name}`),
);

/** One expression for each function, and one with every operator. */
const TEXTS = [
  'sum(k, 1, 9, x^k) - (x < y and not (x >= 2) or y == 3 ? x/y : -x^2)',
  ...[...FUNCTIONS].map(([name, { arity }]) => (arity === 1 ? `${name}(x)` : `${name}(x, y)`)),
];

export const compiledExpressions: Gate = {
  name: 'compiled expressions',
  async run(root) {
    const file = join(root, EMITTER);
    if (!existsSync(file)) return { counted: 0, unit: 'compiled expressions', faults: [] };
    const { emitModule } = (await import(pathToFileURL(file).href)) as { readonly emitModule: EmitModule };
    const faults: string[] = [];
    for (const text of TEXTS) {
      const { code, pool, slots } = compileExpression(text, ['x', 'y']);
      const bytes = emitModule(shapeOfRows(code, pool, slots.length));
      if (bytes === undefined) faults.push(`${text} is not compiled`);
      else faults.push(...importFaults(text, bytes));
    }
    faults.push(...filesOf(root, ['build/kernels/*.wasm']).flatMap((kernel) => exportFaults(root, kernel)));
    return { counted: TEXTS.length, unit: 'compiled expressions', faults };
  },
};

function importFaults(text: string, bytes: Uint8Array<ArrayBuffer>): string[] {
  return WebAssembly.Module.imports(new WebAssembly.Module(bytes))
    .map(({ module, name }) => `${module}.${name}`)
    .filter((name) => !ALLOWED.has(name))
    .map((name) => `${text} imports ${name}, which is not on the list of scripts/gates/compiled-expressions.ts`);
}

/** A kernel that links modules exports every function that one may import. */
function exportFaults(root: string, file: string): string[] {
  const module = new WebAssembly.Module(readFileSync(join(root, file)));
  const exported = new Set(WebAssembly.Module.exports(module).map(({ name }) => `kernel.${name}`));
  if (!exported.has('kernel.link')) return [];
  return [...ALLOWED].filter((name) => !exported.has(name)).map((name) => `${file} does not export ${name}`);
}
