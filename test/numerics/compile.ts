// Compiles AssemblyScript harnesses for tests: a file outside assembly/solvers that exports functions to a test,
// or a faulty kernel. Caches them under build/harness by content.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { compile, fingerprint, ROOT, type Target } from '../../scripts/compile-kernel.ts';
import type { KernelImage } from '../../src/kernels/abi.ts';

/**
 * The wasm bytes of one AssemblyScript file.
 *
 * @param path  from the repository's root, or absolute: 'test/numerics/harness/tridiagonal.ts'
 */
export async function compileHarness(path: string, target: Target = 'release'): Promise<Uint8Array<ArrayBuffer>> {
  const entry = resolve(ROOT, path);
  const folder = join(ROOT, 'build/harness');
  const cached = join(folder, `${basename(entry, '.ts')}-${fingerprint(entry, target).slice(0, 16)}.wasm`);
  if (existsSync(cached)) return new Uint8Array(readFileSync(cached));
  const bytes = await compile(entry, target);
  mkdirSync(folder, { recursive: true });
  const temporary = `${cached}.${process.pid}`;
  writeFileSync(temporary, bytes);
  renameSync(temporary, cached);
  return bytes;
}

/** The exports of an instantiated harness: `const { memory, solve } = await loadHarness<Exports>(path)`. */
export async function loadHarness<Exports>(path: string, target: Target = 'release'): Promise<Exports> {
  const { instance } = await WebAssembly.instantiate(await compileHarness(path, target), {});
  return instance.exports as Exports;
}

/** The kernel image of a harness that implements the kernel ABI. */
export async function harnessImage(path: string): Promise<KernelImage> {
  const bytes = await compileHarness(path);
  return { slug: basename(path, '.ts'), sha256: createHash('sha256').update(bytes).digest('hex'), bytes };
}
