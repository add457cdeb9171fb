// The AssemblyScript room and what it compiles to: nothing comes in from outside, and inner loops call nobody.

import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import binaryen from 'assemblyscript/binaryen';
import { importsOf } from '../compile-kernel.ts';
import { type Finding, filesOf, type Gate } from './gate.ts';

/** Imports inside the room; no mathematics of the host, no instruction whose result may differ between machines. */
export const assemblyRoom: Gate = {
  name: 'assembly room',
  async look(root) {
    const room = join(root, 'assembly');
    const files = filesOf(root, ['assembly/**/*.ts']);
    const faults = files.flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8');
      const strangers = importsOf(source)
        .filter((name) => !name.startsWith('.') || isOutside(room, resolve(root, dirname(file), name)))
        .map((name) => `${file} imports '${name}' from outside the room`);
      const loose = [...source.matchAll(/\b(JSMath|relaxed_\w+|Math\.random)\b/g)].map(
        ([word]) => `${file} uses ${word}, which is not the same on every machine`,
      );
      return [...strangers, ...loose];
    });
    return { counted: files.length, of: 'AssemblyScript files', faults };
  },
};

/** The built modules: complete, small mouths, tight loops. */
export const builtKernels: Gate = {
  name: 'built kernels',
  async look(root): Promise<Finding> {
    const modules = filesOf(root, ['build/kernels/*.wasm']);
    const sources = filesOf(root, ['assembly/solvers/*.ts', 'assembly/expression.ts']);
    const slugs = new Set(modules.map((file) => basename(file, '.wasm')));
    const missing = sources.map((file) => basename(file, '.ts')).filter((slug) => !slugs.has(slug));
    const faults = missing.map((slug) => `${slug} is not built`);
    let loops = 0;
    for (const file of modules) {
      const bytes = new Uint8Array(readFileSync(join(root, file)));
      for (const { module, name } of WebAssembly.Module.imports(new WebAssembly.Module(bytes))) {
        faults.push(`${file} imports ${module}.${name}`);
      }
      const inner = innerLoops(textOf(bytes));
      loops += inner.length;
      const calling = inner.filter((loop) => loop.touchesMemory && loop.calls > 0).length;
      if (calling > 0 && !mayCall(root, basename(file, '.wasm'))) {
        faults.push(
          `${file}: ${calling} of ${inner.length} inner loops call a function; inline it, or say why: "${REASON} …"`,
        );
      }
    }
    return { counted: loops === 0 ? 0 : modules.length, of: `modules with ${loops} inner loops`, faults };
  },
};

const isOutside = (room: string, path: string) => relative(room, path).startsWith('..');

/** A kernel whose inner loops must call begins a comment line with these words and gives the reason. */
const REASON = '// Calls in inner loops:';

function mayCall(root: string, slug: string): boolean {
  const path = [`assembly/solvers/${slug}.ts`, `assembly/${slug}.ts`].map((one) => join(root, one)).find(existsSync);
  return path !== undefined && readFileSync(path, 'utf8').includes(REASON);
}

function textOf(bytes: Uint8Array): string {
  const module = binaryen.readBinary(bytes);
  try {
    return module.emitText();
  } finally {
    module.dispose();
  }
}

interface Loop {
  readonly indent: number;
  isInner: boolean;
  touchesMemory: boolean;
  calls: number;
}

/** The loops without a loop inside, from binaryen's indented text. */
export function innerLoops(text: string): Loop[] {
  const all: Loop[] = [];
  let open: Loop[] = [];
  for (const line of text.split('\n')) {
    const code = line.trimStart();
    const indent = line.length - code.length;
    open = open.filter((loop) => loop.indent < indent);
    const current = open.at(-1);
    if (code.startsWith('(loop')) {
      for (const loop of open) loop.isInner = false;
      const loop: Loop = { indent, isInner: true, touchesMemory: false, calls: 0 };
      all.push(loop);
      open.push(loop);
    } else if (current) {
      if (/^\(call(_indirect)? /.test(code)) current.calls++;
      if (/^\([a-z0-9]+\.(load|store)/.test(code)) current.touchesMemory = true;
    }
  }
  return all.filter((loop) => loop.isInner);
}
