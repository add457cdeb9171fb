// Compiles one AssemblyScript entry in this process, with the options of asconfig.json.
// The kernel build, the tests of numerics and the gates all come through here.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

export type Target = 'release' | 'debug';

/** The compiler keeps global state (binaryen's options), so compilations stand in line. */
let line: Promise<unknown> = Promise.resolve();

/**
 * Compile one entry to wasm.
 *
 * @param entry  absolute path of the AssemblyScript file
 * @throws Error with the compiler's diagnostics
 */
export function compile(entry: string, target: Target = 'release'): Promise<Uint8Array<ArrayBuffer>> {
  const turn = line.then(() => compileAlone(entry, target));
  line = turn.catch(() => undefined);
  return turn;
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
 * One hash over all that decides the bytes of an entry: compiler, options, target, and every file it reaches.
 *
 * @throws Error if an import leads to no file
 */
export function fingerprint(entry: string, target: Target): string {
  const compiler = createRequire(import.meta.url)('assemblyscript/package.json') as { version: string };
  const hash = createHash('sha256');
  hash.update(`${compiler.version}\0${target}\0${readFileSync(join(ROOT, 'asconfig.json'), 'utf8')}\0`);
  for (const path of reach(entry)) hash.update(`${relative(ROOT, path)}\0${readFileSync(path, 'utf8')}\0`);
  return hash.digest('hex');
}

/** Every file that an entry reaches by its imports, itself included, in sorted order. */
function reach(entry: string): string[] {
  const seen = new Set([entry]);
  for (const path of seen) {
    for (const specifier of importsOf(readFileSync(path, 'utf8'))) {
      const stem = resolve(dirname(path), specifier);
      const target = [`${stem}.ts`, join(stem, 'index.ts')].find((one) => existsSync(one));
      if (target === undefined) throw new Error(`${relative(ROOT, path)}: the import '${specifier}' leads to no file`);
      seen.add(target);
    }
  }
  return [...seen].sort();
}
