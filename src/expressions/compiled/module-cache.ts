// Cache of compiled modules by the hash of their shape, bounded by LIMITS.expression.compiled. One per thread.

import { LIMITS } from '../../core/limits.ts';
import { sha256Hex, utf8 } from '../../core/sha256.ts';
import type { CompiledModule } from '../../kernels/abi.ts';
import { compileModule } from '../../kernels/compiled.ts';
import { emitModule } from './emit-module.ts';
import { IMPORTED_FUNCTIONS } from './encoding.ts';
import type { Shape } from './shape.ts';

/** Least recently used first. A shape without a module stays too, so that it is not emitted again. */
const modules = new Map<string, CompiledModule | undefined>();

/**
 * The module of a shape.
 *
 * @param words  expected work of the run, in words of byte code: a short run uses a cached module or none
 * @returns undefined if the machine must evaluate, or does so sooner
 */
export function moduleOf(shape: Shape, words: number): CompiledModule | undefined {
  const { words: minimum, modules: maximum } = LIMITS.expression.compiled;
  // Hashing costs more than a short run.
  if (words < minimum / 10) return undefined;
  const key = hashOf(shape);
  const isKnown = modules.has(key);
  if (!isKnown && words < minimum) return undefined;
  const module = isKnown ? modules.get(key) : compile(shape);
  modules.delete(key);
  modules.set(key, module);
  for (const oldest of modules.keys()) {
    if (modules.size <= maximum) break;
    modules.delete(oldest);
  }
  return module;
}

/** Number of shapes in the cache. */
export const cachedModules = () => modules.size;

function compile(shape: Shape): CompiledModule | undefined {
  const bytes = emitModule(shape);
  return bytes === undefined ? undefined : compileModule(bytes, IMPORTED_FUNCTIONS);
}

/** Everything that `emitModule` reads; of the constants only whether they are 0 or 1. */
function hashOf({ code, pool, slotCount, programs, form }: Shape): string {
  const constants = Array.from(pool, (value) => (Object.is(value, 0) ? 0 : value === 1 ? 1 : 2)).join('');
  const ranges = programs.map(({ start, end, poolBase, target }) => [start, end, poolBase, target.to, target.index]);
  return sha256Hex(utf8(JSON.stringify([form, slotCount, constants, ranges, [...code]])));
}
