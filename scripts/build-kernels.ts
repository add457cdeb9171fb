// Compiles every kernel entry, one wasm module each, copies the archived kernels, and writes build/kernels/manifest.json.
//
//   node scripts/build-kernels.ts [slug …] [--debug]
//
// One entry a compilation, because the compiler merges two entries with the same export name silently, and
// prints help and exits 0 without an entry. Cached by content: an entry is compiled again only when a file
// that it imports, the options or the compiler changed. Builds of different slugs may run concurrently.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fingerprint, ROOT, type Target } from './compile-kernel.ts';
import { compileAll } from './parallel-compiler.ts';

/** Kept for ever: receipts name them by their hash. */
const ARCHIVE = join(ROOT, 'kernels');

interface Entry {
  /** SHA-256 of the wasm bytes. */
  readonly sha256: string;
  readonly bytes: number;
  /** Fingerprint of all inputs of the compilation. */
  readonly source: string;
}

type Kernels = Record<string, Entry>;

/** Slugs of archived kernels, by hash: every kernel that sealed a receipt of the museum. */
type Archive = Record<string, string>;

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

function check(slug: string, bytes: Uint8Array<ArrayBuffer>): void {
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
function updateManifest(manifest: string, archive: Archive, change: (kernels: Kernels) => void = () => {}): void {
  const kernels = readKernels(manifest);
  change(kernels);
  const sorted = Object.fromEntries(Object.entries(kernels).sort(([a], [b]) => (a < b ? -1 : 1)));
  const content = { kernels: sorted, archive };
  // fsck compares it, so that no byte of the file changes unseen.
  const own = sha256(JSON.stringify(content, null, 2));
  const text = `${JSON.stringify({ ...content, sha256: own }, null, 2)}\n`;
  if (!existsSync(manifest) || readFileSync(manifest, 'utf8') !== text) replaceFile(manifest, text);
}

/** Copies the kernels of `kernels/<slug>/<sha256>.wasm` into the build. @returns their slugs by hash */
function copyArchive(folder: string): Archive {
  const target = join(folder, 'archive');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const archive: Archive = {};
  for (const slug of existsSync(ARCHIVE) ? readdirSync(ARCHIVE).sort() : []) {
    for (const name of readdirSync(join(ARCHIVE, slug)).sort()) {
      const bytes = readFileSync(join(ARCHIVE, slug, name));
      const hash = basename(name, '.wasm');
      if (sha256(bytes) !== hash) throw new Error(`kernels/${slug}/${name} has the hash ${sha256(bytes)}`);
      writeFileSync(join(target, name), bytes);
      archive[hash] = slug;
    }
  }
  return archive;
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
  const archive = copyArchive(folder);
  const pathOf = (slug: string) => join(folder, `${slug}.wasm`);
  const isFresh = (slug: string, source: string) => {
    const known = before[slug];
    if (known?.source !== source || !existsSync(pathOf(slug))) return false;
    return sha256(readFileSync(pathOf(slug))) === known.sha256;
  };
  const sources = new Map([...all].map(([slug, file]) => [slug, fingerprint(file, target)]));
  const isWanted = (slug: string) => named.length === 0 || named.includes(slug);
  const stale = [...all].filter(([slug]) => isWanted(slug) && !isFresh(slug, sources.get(slug) ?? ''));
  await compileAll(
    stale.map(([, file]) => file),
    target,
    (file, bytes) => {
      const slug = basename(file, '.ts');
      check(slug, bytes);
      replaceFile(pathOf(slug), bytes);
      updateManifest(manifest, archive, (kernels) => {
        kernels[slug] = { sha256: sha256(bytes), bytes: bytes.length, source: sources.get(slug) ?? '' };
      });
      console.error(`kernel ${slug}: ${bytes.length} bytes`);
    },
  );

  const removed = Object.keys(before).filter((slug) => !all.has(slug));
  updateManifest(manifest, archive, (kernels) => {
    for (const slug of removed) delete kernels[slug];
  });
  for (const slug of removed) rmSync(join(folder, `${slug}.wasm`), { force: true });
}

await main();
