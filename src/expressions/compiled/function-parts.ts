// Parts of compiled functions: their imports, the uses of their values, and the one NaN of the machine.

import { type Code, get } from './emitter.ts';
import type { ImportedFunction } from './encoding.ts';
import { ONE_ROW, WASM } from './instructions.ts';
import { childrenOf, type Value } from './value-graph.ts';

/** The functions that a module imports, in the order of first use. */
export class Imports {
  readonly names: ImportedFunction[] = [];

  indexOf(name: ImportedFunction): number {
    const known = this.names.indexOf(name);
    return known >= 0 ? known : this.names.push(name) - 1;
  }
}

/** Bytes of the NaN that AssemblyScript writes: positive, quiet, without payload. */
export const NAN = [0, 0, 0, 0, 0, 0, 0xf8, 0x7f];

/** Pushes an f64 of a local variable, with any NaN replaced by that of the machine. */
export const canonicalized = (local: number): Code => [
  ...[...get(local), WASM.f64Const, ...NAN],
  ...[...get(local), ...get(local), ...ONE_ROW.eq, WASM.select],
];

/** Uses of every value that the roots need, each root and each operand once. */
export function countUses(roots: readonly Value[]): Map<Value, number> {
  const uses = new Map<Value, number>();
  const pending = [...roots];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    const count = uses.get(value) ?? 0;
    uses.set(value, count + 1);
    if (count === 0) pending.push(...childrenOf(value));
  }
  return uses;
}
