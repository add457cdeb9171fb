// Builds the portal into build/portal: the pages, their worker, and the verifier as one file.
//
//   node scripts/build-portal.ts
//
// Cached by content: nothing is built while no source, dependency or kernel changed.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type InlineConfig, type Rolldown } from 'vite';
import { ROOT } from './compile-kernel.ts';
import { filesOf } from './gates/gate.ts';
import { chainDefinitions } from './portal/chain-definitions.ts';
import { describeSolvers } from './portal/describe-solvers.ts';
import { buildVerifier } from './portal/verifier.ts';

export const PORTAL = join(ROOT, 'build/portal');
const STAMP = join(PORTAL, '.fingerprint');

/** What a first visit loads before it can be used, compressed. */
const MAX_INITIAL_BYTES = 60_000;

/** Everything that the built files are made from. */
const SOURCES = [
  'src/{portal,core,kernels,expressions,operators,solvers,contracts,chain,protocol,client}/**/*.*',
  'scripts/build-portal.ts',
  'scripts/portal/*.ts',
  'package-lock.json',
  'build/kernels/manifest.json',
];

export interface PortalBuild {
  readonly isFresh: boolean;
  /** Compressed bytes of the scripts that index.html loads. */
  readonly initialBytes: number;
}

/** @throws Error if the scripts of a first visit grow beyond their budget */
export async function buildPortal(): Promise<PortalBuild> {
  const fingerprint = fingerprintOf(SOURCES);
  if (existsSync(STAMP)) {
    const [known, bytes] = readFileSync(STAMP, 'utf8').split(' ');
    if (known === fingerprint) return { isFresh: false, initialBytes: Number(bytes) };
  }
  const draft = `${PORTAL}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  const outputs = await build(configuration(draft));
  const initialBytes = initialBytesOf(outputs as Rolldown.RolldownOutput);
  if (initialBytes > MAX_INITIAL_BYTES) {
    throw new Error(`a first visit loads ${initialBytes} bytes of script; at most ${MAX_INITIAL_BYTES} are allowed`);
  }
  writeFileSync(join(draft, 'verifier.html'), await buildVerifier());
  publish(draft);
  writeFileSync(STAMP, `${fingerprint} ${initialBytes}`);
  return { isFresh: true, initialBytes };
}

/**
 * Into place one file at a time, pages last: whoever reads meanwhile, or builds the same beside us, finds a page and all
 * that it names. Assets carry their hash in their name, so new ones never replace what an old page needs.
 */
function publish(draft: string): void {
  const isPage = (name: string) => Number(name.endsWith('.html'));
  const files = filesOf(draft, ['**/*.*']).sort((a, b) => isPage(a) - isPage(b));
  mkdirSync(join(PORTAL, 'assets'), { recursive: true });
  for (const name of files) renameSync(join(draft, name), join(PORTAL, name));
  for (const name of filesOf(PORTAL, ['**/*.*'])) if (!files.includes(name)) rmSync(join(PORTAL, name));
  rmSync(draft, { recursive: true });
}

function configuration(outDir: string): InlineConfig {
  return {
    configFile: false,
    root: join(ROOT, 'src/portal'),
    // What goes wrong throws; warnings are about imports that are meant as they are.
    logLevel: 'error',
    define: { __SOLVERS__: JSON.stringify(describeSolvers()), __DEFINITIONS__: JSON.stringify(chainDefinitions()) },
    worker: { format: 'es' },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
    },
  };
}

function fingerprintOf(patterns: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of filesOf(ROOT, [...patterns])) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** The entry and everything that it imports before it runs; what is loaded on demand is not among it. */
function initialBytesOf({ output }: Rolldown.RolldownOutput): number {
  const chunks = new Map(output.flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one] as const] : [])));
  const reached = new Set<string>();
  const reach = (name: string) => {
    if (reached.has(name)) return;
    reached.add(name);
    for (const next of chunks.get(name)?.imports ?? []) reach(next);
  };
  for (const [name, chunk] of chunks) if (chunk.isEntry) reach(name);
  return [...reached].reduce((sum, name) => sum + gzipSync(chunks.get(name)?.code ?? '').length, 0);
}

if (import.meta.main) {
  const { isFresh, initialBytes } = await buildPortal();
  if (isFresh) console.error(`portal: ${initialBytes} bytes of script before the first page`);
}
