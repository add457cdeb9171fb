// Modules that were compiled from the byte code of a run, and their link into a kernel instance.
//
// They only save time: a run leaves the same bits with and without one. They are made in this process; bytes from
// outside never come here. The only exception to "modules import nothing": the memory and the listed functions of the
// instance that they are linked into (docs/decisions/0015-compiled-expressions.md).

import type { CompiledModule } from './abi.ts';

/** @param bytes  a module of this process's compiler */
export function compileModule(bytes: Uint8Array<ArrayBuffer>, functions: readonly string[]): CompiledModule {
  return { module: new WebAssembly.Module(bytes), functions };
}

/** The exports that a link needs; kernels without byte code lack the last two. */
interface Linkable {
  readonly exports: Readonly<Record<string, unknown>> & {
    readonly memory: unknown;
    readonly table?: WebAssembly.Table;
    link?(rows: number, step: number): void;
  };
}

interface Link {
  readonly module: WebAssembly.Module;
  /** Place of the function `rows` in the table; `step` follows, if the module has one. */
  readonly index: number;
  readonly hasStep: boolean;
}

const linked = new WeakMap<Linkable, Link>();

/** Links a module for the current run, after `reserve`. A kernel without links, of an old receipt, runs without. */
export function linkModule(instance: Linkable, { module, functions }: CompiledModule): void {
  const { table, memory, link } = instance.exports;
  if (table === undefined || link === undefined) return;
  const known = linked.get(instance);
  const index = known?.index ?? table.grow(2);
  if (known?.module !== module) {
    const imported = functions.map((name) => [name, wasmFunction(instance.exports[name])]);
    const kernel = { memory, ...Object.fromEntries(imported) } as Record<string, never>;
    const { rows, step } = new WebAssembly.Instance(module, { kernel }).exports;
    if (typeof rows !== 'function') throw new Error('The compiled module exports no function rows.');
    table.set(index, rows);
    table.set(index + 1, step ?? null);
    linked.set(instance, { index, module, hasStep: step !== undefined });
  }
  link(index, linked.get(instance)?.hasStep === true ? index + 1 : 0);
}

/** The loader wraps exported functions in JavaScript; a call through the wrapper costs 20 times one of the function. */
const wasmFunction = (exported: unknown) =>
  (exported as { readonly original?: unknown } | undefined)?.original ?? exported;
