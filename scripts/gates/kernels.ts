// The AssemblyScript sources and the compiled kernels: no imports from outside, no calls in inner loops.

import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import binaryen from 'assemblyscript/binaryen';
import { importsOf } from '../compile-kernel.ts';
import { filesOf, type Gate, type GateResult } from './gate.ts';

/** No imports from outside, no mathematics of the host, no instruction whose result may differ between machines. */
export const assemblyRoom: Gate = {
  name: 'assembly room',
  async run(root) {
    const folder = join(root, 'assembly');
    const files = filesOf(root, ['assembly/**/*.ts']);
    const faults = files.flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8');
      const outside = importsOf(source)
        .filter((name) => !name.startsWith('.') || isOutside(folder, resolve(root, dirname(file), name)))
        .map((name) => `${file} imports '${name}' from outside assembly`);
      const nondeterministic = [...source.matchAll(/\b(JSMath|relaxed_\w+|Math\.random)\b/g)].map(
        ([word]) => `${file} uses ${word}, which is not the same on every machine`,
      );
      return [...outside, ...nondeterministic];
    });
    return { counted: files.length, unit: 'AssemblyScript files', faults };
  },
};

/** The built modules: complete, without imports, inner loops without calls. */
export const builtKernels: Gate = {
  name: 'built kernels',
  async run(root): Promise<GateResult> {
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
      if (!hasZerosBeforePi(staticMemory(bytes))) {
        faults.push(`${file} has no zeros before its table of 2/pi; import numerics/trigonometric first`);
      }
      const inner = innerLoops(textOf(bytes));
      loops += inner.length;
      const calling = inner.filter((loop) => loop.touchesMemory && loop.calls > 0).length;
      if (calling > 0 && !hasReasonForCalls(root, basename(file, '.wasm'))) {
        faults.push(
          `${file}: ${calling} of ${inner.length} inner loops call a function; inline it, or give the reason: "${REASON} …"`,
        );
      }
    }
    return { counted: loops === 0 ? 0 : modules.length, unit: `modules with ${loops} inner loops`, faults };
  },
};

/** The memory of the instantiated module; empty for a module with imports. */
function staticMemory(bytes: Uint8Array<ArrayBuffer>): Uint8Array {
  const module = new WebAssembly.Module(bytes);
  if (WebAssembly.Module.imports(module).length > 0) return new Uint8Array();
  const { memory } = new WebAssembly.Instance(module).exports;
  return memory instanceof WebAssembly.Memory ? new Uint8Array(memory.buffer) : new Uint8Array();
}

/** The first eight bytes of AssemblyScript's table of 2/pi, little-endian. */
const PI_TABLE = [0x6e, 0x83, 0xf9, 0xa2, 0, 0, 0, 0];

/** sin and cos of some large arguments read the eight bytes before the table; see numerics/trigonometric.ts. */
export function hasZerosBeforePi(memory: Uint8Array): boolean {
  for (let at = memory.indexOf(0x6e); at >= 0; at = memory.indexOf(0x6e, at + 1)) {
    const isTable = PI_TABLE.every((byte, i) => memory[at + i] === byte);
    if (isTable && (at < 8 || memory.subarray(at - 8, at).some((byte) => byte !== 0))) return false;
  }
  return true;
}

const isOutside = (folder: string, path: string) => relative(folder, path).startsWith('..');

/** A kernel with calls in inner loops gives the reason in a comment line that begins with these words. */
const REASON = '// Calls in inner loops:';

function hasReasonForCalls(root: string, slug: string): boolean {
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

/** The innermost loops, from binaryen's indented text. */
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
