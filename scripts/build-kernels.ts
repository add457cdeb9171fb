// Compiles every kernel entry, one wasm module each, and writes build/kernels/manifest.json.
//
//   node scripts/build-kernels.ts [slug …] [--debug]
//
// One entry at a time, because the compiler merges two entries with the same export name silently, and
// prints help and exits 0 without an entry. Cached by content: an entry is compiled again only when a file
// that it imports, the options or the compiler changed. Builds of different slugs may run concurrently.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { compile, fingerprint, ROOT, type Target } from './compile-kernel.ts';

const MAX_KERNEL_BYTES = 60_000;

interface Entry {
  /** SHA-256 of the wasm bytes. */
  readonly sha256: string;
  readonly bytes: number;
  /** Fingerprint of all inputs of the compilation. */
  readonly source: string;
}

type Kernels = Record<string, Entry>;

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

function entries(): Map<string, string> {
  const solvers = join(ROOT, 'assembly/solvers');
  const files = readdirSync(solvers)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(solvers, name));
  const expression = join(ROOT, 'assembly/expression.ts');
  if (existsSync(expression)) files.push(expression);
  return new Map(files.map((file) => [basename(file, '.ts'), file]));
}

function check(slug: string, bytes: Uint8Array<ArrayBuffer>, target: Target): void {
  const module = new WebAssembly.Module(bytes);
  const imports = WebAssembly.Module.imports(module);
  if (imports.length > 0) {
    const names = imports.map((one) => `${one.module}.${one.name}`).join(', ');
    throw new Error(`${slug}: imports ${names}; a kernel must not have imports`);
  }
  const exported = new Set(WebAssembly.Module.exports(module).map((one) => one.name));
  for (const name of ['abi', 'control', 'reserve', 'start', 'advance', 'view', 'extent', 'memory']) {
    if (!exported.has(name)) throw new Error(`${slug}: the export ${name} is missing`);
  }
  if (target === 'release' && bytes.length > MAX_KERNEL_BYTES) {
    throw new Error(`${slug}: ${bytes.length} bytes, allowed ${MAX_KERNEL_BYTES}`);
  }
}

/** Replaces a file atomically. */
function replaceFile(path: string, contents: Uint8Array | string): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, contents);
  renameSync(draft, path);
}

function readKernels(manifest: string): Kernels {
  return existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')) as { kernels: Kernels }).kernels : {};
}

/** Reads the manifest again just before writing, to keep the entries of a concurrent build. */
function updateManifest(manifest: string, change: (kernels: Kernels) => void): void {
  const kernels = readKernels(manifest);
  change(kernels);
  const sorted = Object.fromEntries(Object.entries(kernels).sort(([a], [b]) => (a < b ? -1 : 1)));
  replaceFile(manifest, `${JSON.stringify({ kernels: sorted }, null, 2)}\n`);
}

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const target: Target = args.includes('--debug') ? 'debug' : 'release';
  const all = entries();
  if (all.size === 0) throw new Error('no kernel entries found under assembly/solvers');
  const named = args.filter((arg) => !arg.startsWith('--'));
  const unknown = named.filter((slug) => !all.has(slug));
  if (unknown.length > 0) throw new Error(`no kernel ${unknown.join(', ')}; there are ${[...all.keys()].join(', ')}`);

  const folder = join(ROOT, target === 'debug' ? 'build/kernels-debug' : 'build/kernels');
  const manifest = join(folder, 'manifest.json');
  mkdirSync(folder, { recursive: true });
  const before = readKernels(manifest);
  for (const [slug, file] of all) {
    if (named.length > 0 && !named.includes(slug)) continue;
    const path = join(folder, `${slug}.wasm`);
    const source = fingerprint(file, target);
    const known = before[slug];
    if (known?.source === source && existsSync(path) && sha256(readFileSync(path)) === known.sha256) continue;
    const bytes = await compile(file, target);
    check(slug, bytes, target);
    replaceFile(path, bytes);
    updateManifest(manifest, (kernels) => {
      kernels[slug] = { sha256: sha256(bytes), bytes: bytes.length, source };
    });
    console.error(`kernel ${slug}: ${bytes.length} bytes`);
  }

  const removed = Object.keys(before).filter((slug) => !all.has(slug));
  if (removed.length === 0) return;
  updateManifest(manifest, (kernels) => {
    for (const slug of removed) delete kernels[slug];
  });
  for (const slug of removed) rmSync(join(folder, `${slug}.wasm`), { force: true });
}

await main();
