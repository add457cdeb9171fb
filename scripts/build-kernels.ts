// Compiles every kernel entry, one wasm module each, and writes build/kernels/manifest.json.
//
//   node scripts/build-kernels.ts [slug …] [--debug]
//
// One entry at a time: two entries with the same export name merge silently, and no entry at all
// prints help and exits 0. Cached by content: an entry is compiled again only when the bytes of
// the room, the options or the compiler changed.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const MAX_KERNEL_BYTES = 40_000;

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

function entries(): string[] {
  const solvers = join(root, 'assembly/solvers');
  const found = readdirSync(solvers)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(solvers, name));
  const expression = join(root, 'assembly/expression.ts');
  return existsSync(expression) ? [...found, expression] : found;
}

/** One hash over every file of the room: coarse, but a change never slips through. */
function roomHash(target: string): string {
  const files = readdirSync(join(root, 'assembly'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort();
  const compiler = createRequire(import.meta.url)('assemblyscript/package.json') as { version: string };
  const hash = createHash('sha256');
  hash.update(`${compiler.version}\0${target}\0${readFileSync(join(root, 'asconfig.json'), 'utf8')}\0`);
  for (const name of files) hash.update(`${name}\0${readFileSync(join(root, 'assembly', name), 'utf8')}\0`);
  return hash.digest('hex');
}

/** Compile one entry in this process and return its bytes. */
async function compile(entry: string, target: string): Promise<Uint8Array> {
  const asc = await import('assemblyscript/asc');
  const outputs = new Map<string, Uint8Array>();
  const { error, stderr } = await asc.main(
    [relative(root, entry), '--config', 'asconfig.json', '--target', target, '-o', 'kernel.wasm', '--baseDir', root],
    {
      readFile: (name, baseDir) => {
        const path = join(baseDir ?? root, name);
        return existsSync(path) ? readFileSync(path, 'utf8') : null;
      },
      writeFile: (name, contents) => {
        outputs.set(name, typeof contents === 'string' ? new TextEncoder().encode(contents) : contents);
      },
      listFiles: (dirname, baseDir) => readdirSync(join(baseDir ?? root, dirname)),
    },
  );
  const bytes = outputs.get('kernel.wasm');
  if (error || !bytes) throw new Error(`${relative(root, entry)}: ${stderr.toString() || error?.message}`);
  return bytes;
}

function check(slug: string, bytes: Uint8Array, target: string): void {
  const module = new WebAssembly.Module(bytes.slice());
  const imports = WebAssembly.Module.imports(module);
  if (imports.length > 0) {
    const names = imports.map((one) => `${one.module}.${one.name}`).join(', ');
    throw new Error(`${slug}: a kernel imports nothing, but this one imports ${names}`);
  }
  const exported = new Set(WebAssembly.Module.exports(module).map((one) => one.name));
  for (const name of ['abi', 'control', 'reserve', 'start', 'advance', 'view', 'extent', 'memory']) {
    if (!exported.has(name)) throw new Error(`${slug}: the export ${name} is missing`);
  }
  if (target === 'release' && bytes.length > MAX_KERNEL_BYTES) {
    throw new Error(`${slug}: ${bytes.length} bytes, allowed ${MAX_KERNEL_BYTES}`);
  }
}

interface Manifest {
  room: string;
  kernels: Record<string, { sha256: string; bytes: number }>;
}

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const target = args.includes('--debug') ? 'debug' : 'release';
  const only = args.filter((arg) => !arg.startsWith('--'));
  const folder = join(root, target === 'debug' ? 'build/kernels-debug' : 'build/kernels');
  const manifestPath = join(folder, 'manifest.json');
  const room = roomHash(target);

  const all = entries();
  if (all.length === 0) throw new Error('no kernel entries found under assembly/solvers');
  const before = existsSync(manifestPath) ? (JSON.parse(readFileSync(manifestPath, 'utf8')) as Manifest) : undefined;
  const isFresh = (slug: string) => {
    const known = before?.room === room ? before.kernels[slug] : undefined;
    const path = join(folder, `${slug}.wasm`);
    return known !== undefined && existsSync(path) && sha256(readFileSync(path)) === known.sha256;
  };

  mkdirSync(folder, { recursive: true });
  const manifest: Manifest = { room, kernels: before?.room === room ? { ...before.kernels } : {} };
  let compiled = 0;
  for (const entry of all) {
    const slug = basename(entry, '.ts');
    if (only.length > 0 && !only.includes(slug)) continue;
    if (isFresh(slug)) continue;
    const bytes = await compile(entry, target);
    check(slug, bytes, target);
    writeFileSync(join(folder, `${slug}.wasm`), bytes);
    manifest.kernels[slug] = { sha256: sha256(bytes), bytes: bytes.length };
    console.error(`kernel ${slug}: ${bytes.length} bytes`);
    compiled++;
  }
  const slugs = new Set(all.map((entry) => basename(entry, '.ts')));
  for (const slug of Object.keys(manifest.kernels)) {
    if (slugs.has(slug)) continue;
    delete manifest.kernels[slug];
    rmSync(join(folder, `${slug}.wasm`), { force: true });
  }
  const sorted = Object.fromEntries(Object.entries(manifest.kernels).sort(([a], [b]) => (a < b ? -1 : 1)));
  if (compiled > 0 || before === undefined || Object.keys(before.kernels).length !== Object.keys(sorted).length) {
    writeFileSync(manifestPath, `${JSON.stringify({ ...manifest, kernels: sorted }, null, 2)}\n`);
  }
}

await main();
