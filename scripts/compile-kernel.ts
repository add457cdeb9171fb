// Compiles one AssemblyScript entry in this process, with the options of asconfig.json.
// Used by the kernel build, the tests of numerics and the gates.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

export type Target = 'release' | 'debug';

/** The compiler has global state (binaryen's options), so compilations are serialized. */
let queue: Promise<unknown> = Promise.resolve();

/**
 * Compile one entry to wasm.
 *
 * @param entry  absolute path of the AssemblyScript file
 * @throws Error with the compiler's diagnostics
 */
export function compile(entry: string, target: Target = 'release'): Promise<Uint8Array<ArrayBuffer>> {
  const result = queue.then(() => compileAlone(entry, target));
  queue = result.catch(() => undefined);
  return result;
}

async function compileAlone(entry: string, target: Target): Promise<Uint8Array<ArrayBuffer>> {
  const asc = await import('assemblyscript/asc');
  const outputs = new Map<string, Uint8Array<ArrayBuffer>>();
  const { error, stderr } = await asc.main(
    [relative(ROOT, entry), '--config', 'asconfig.json', '--target', target, '-o', 'kernel.wasm', '--baseDir', ROOT],
    {
      readFile: (name, baseDir) => {
        const path = join(baseDir ?? ROOT, name);
        return existsSync(path) ? readFileSync(path, 'utf8') : null;
      },
      writeFile: (name, contents) => {
        const bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : new Uint8Array(contents);
        outputs.set(name, bytes);
      },
      listFiles: (folder, baseDir) => readdirSync(join(baseDir ?? ROOT, folder)),
    },
  );
  const bytes = outputs.get('kernel.wasm');
  if (error || !bytes) throw new Error(`${relative(ROOT, entry)}: ${stderr.toString() || error?.message}`);
  return bytes;
}

const IMPORT = /\b(?:from|import)\s*['"]([^'"]+)['"]/g;

/** The specifiers that one AssemblyScript file imports or re-exports. */
export function importsOf(source: string): string[] {
  return [...source.matchAll(IMPORT)].flatMap(([, specifier]) => (specifier === undefined ? [] : [specifier]));
}

/**
 * A hash of all inputs of a compilation: compiler, options, target, and every file that the entry imports.
 *
 * @throws Error if the file of an import is missing
 */
export function fingerprint(entry: string, target: Target): string {
  const compiler = createRequire(import.meta.url)('assemblyscript/package.json') as { version: string };
  const hash = createHash('sha256');
  hash.update(`${compiler.version}\0${target}\0${readFileSync(join(ROOT, 'asconfig.json'), 'utf8')}\0`);
  for (const path of reachableFiles(entry)) hash.update(`${relative(ROOT, path)}\0${readFileSync(path, 'utf8')}\0`);
  return hash.digest('hex');
}

/** The entry and every file that it imports, directly or indirectly, sorted. */
function reachableFiles(entry: string): string[] {
  const seen = new Set([entry]);
  for (const path of seen) {
    for (const specifier of importsOf(readFileSync(path, 'utf8'))) {
      const stem = resolve(dirname(path), specifier);
      const target = [`${stem}.ts`, join(stem, 'index.ts')].find((one) => existsSync(one));
      if (target === undefined)
        throw new Error(`${relative(ROOT, path)}: the file of the import '${specifier}' is missing`);
      seen.add(target);
    }
  }
  return [...seen].sort();
}
