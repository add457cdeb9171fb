// Builds the portal into build/portal: the pages, their worker, and the verifier as one file.
//
//   node scripts/build-portal.ts
//
// Cached by content: nothing is built while no source, dependency or kernel changed.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { currentRoutes } from '../src/client/routes-node.ts';
import { OPERATIONS } from '../src/operations/index.ts';
import { SOFTWARE_VERSION } from '../src/operations/node/software-version.ts';
import type { RoutesByName } from '../src/operations/route.ts';
import { definitionOf } from '../src/operators/definition.ts';
import { findOperator } from '../src/operators/load.ts';
import { PULSE_OPERATOR } from '../src/operators/operator.ts';
import { HOME_EXPERIMENT, SOLVERS, START_SOLVER } from '../src/solvers/index.ts';
import { ROOT } from './compile-kernel.ts';
import { fingerprintOf, publish } from './output-folder.ts';
import { DOC_SOURCES, type DocsFiles, docsFiles, renderDocs } from './portal/docs/docs-files.ts';
import { buildGallery, EMPTY_GALLERY, type Gallery, galleryFiles } from './portal/gallery.ts';
import { referenceOf } from './portal/reference/operation-pages.ts';
import { type ReferenceFiles, referenceFiles } from './portal/reference/reference-files.ts';
import { type PortalSolver, REGISTERED, solverChunks, solverDescriptions } from './portal/solver-files.ts';
import { buildVerifier } from './portal/verifier.ts';

export const PORTAL = join(ROOT, 'build/portal');
const STAMP = join(PORTAL, '.fingerprint');

/** Limit for the compressed scripts that index.html loads. */
export const MAX_INITIAL_BYTES = 60_000;

/** All inputs of the build. */
const SOURCES = [
  'src/{portal,core,kernels,expressions,operators,solvers,contracts,chain,protocol,client}/**/*.*',
  'scripts/{build-portal,output-folder}.ts',
  'scripts/portal/*.ts',
  'scripts/portal/reference/*.ts',
  'package-lock.json',
  'build/kernels/manifest.json',
  ...DOC_SOURCES,
];

export interface PortalBuild {
  readonly isFresh: boolean;
  /** Compressed bytes of the scripts that index.html loads. */
  readonly initialBytes: number;
}

/** @throws Error if the initial scripts exceed their limit */
export async function buildPortal(): Promise<PortalBuild> {
  const routes = await currentRoutes();
  writeFileSync(join(ROOT, 'build/routes.json'), JSON.stringify(routes));
  // Holds the routes and everything else that the portal shows of the operations.
  const reference = referenceFiles(referenceOf(OPERATIONS));
  const fingerprint = createHash('sha256').update(fingerprintOf(SOURCES)).update(reference.folder).digest('hex');
  if (existsSync(STAMP)) {
    const [known, bytes] = readFileSync(STAMP, 'utf8').split(' ');
    if (known === fingerprint) return { isFresh: false, initialBytes: Number(bytes) };
  }
  let drawn = 0;
  const gallery = await buildGallery(SOLVERS, (seconds) => {
    drawn += seconds;
  });
  if (drawn > 0) console.error(`portal: ${drawn.toFixed(1)} s of processor time for thumbnails`);
  const draft = `${PORTAL}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  const docs = docsFiles(await renderDocs());
  const initialBytes = initialBytesOf(await bundlePortal(REGISTERED, routes, draft, { gallery, docs, reference }));
  if (initialBytes > MAX_INITIAL_BYTES) {
    throw new Error(`index.html loads ${initialBytes} bytes of script; at most ${MAX_INITIAL_BYTES} are allowed`);
  }
  writeFileSync(join(draft, 'verifier.html'), await buildVerifier());
  const index = readFileSync(join(draft, 'index.html'), 'utf8');
  for (const [name, page] of [...docs.htmlPages(index), ...reference.htmlPages(index)]) {
    mkdirSync(dirname(join(draft, name)), { recursive: true });
    writeFileSync(join(draft, name), page);
  }
  // Assets have their hash in their name, so new ones never replace those of an old page.
  publish(draft, PORTAL, (name) => name.endsWith('.html'));
  writeFileSync(STAMP, `${fingerprint} ${initialBytes}`);
  return { isFresh: true, initialBytes };
}

/** What pages show beside the solvers; without it they say that nothing is loaded. */
interface PortalContent {
  readonly gallery?: Gallery;
  readonly docs?: Pick<DocsFiles, 'folder' | 'plugin'>;
  readonly reference?: Pick<ReferenceFiles, 'folder' | 'plugin'>;
}

/**
 * Bundles the pages and their worker.
 *
 * @param outDir  writes nothing if it is undefined
 */
export async function bundlePortal(
  solvers: readonly PortalSolver[],
  routes: RoutesByName,
  outDir?: string,
  { gallery = EMPTY_GALLERY, docs, reference }: PortalContent = {},
): Promise<Rolldown.RolldownOutput> {
  const { folder, plugin } = solverDescriptions(solvers);
  const outputs = await build({
    configFile: false,
    root: join(ROOT, 'src/portal'),
    // Errors throw; the warnings are about intended imports.
    logLevel: 'error',
    define: {
      __SOLVER_FOLDER__: JSON.stringify(folder),
      __DOCS_FOLDER__: JSON.stringify(docs?.folder ?? '/assets/docs/'),
      __REFERENCE_FOLDER__: JSON.stringify(reference?.folder ?? '/assets/reference/'),
      __START_SOLVER__: JSON.stringify(START_SOLVER),
      __GALLERY__: JSON.stringify(gallery.index),
      __HOME_EXPERIMENT__: JSON.stringify(HOME_EXPERIMENT),
      __PULSE_DEFINITION__: JSON.stringify(definitionOf(findOperator(PULSE_OPERATOR))),
      __ROUTES__: JSON.stringify(routes),
      __SVC_VERSION__: JSON.stringify(SOFTWARE_VERSION),
    },
    plugins: [plugin, galleryFiles(gallery), ...[docs, reference].flatMap((files) => files?.plugin ?? [])],
    worker: { format: 'es', plugins: () => [solverChunks(solvers)] },
    build: {
      ...(outDir === undefined ? { write: false } : { outDir }),
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
    },
  });
  return outputs as Rolldown.RolldownOutput;
}

/** The entry chunk and its static imports, without what is loaded on demand. */
export function initialBytesOf({ output }: Rolldown.RolldownOutput): number {
  const chunks = new Map(output.flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one] as const] : [])));
  const reached = new Set<string>();
  const visit = (name: string) => {
    if (reached.has(name)) return;
    reached.add(name);
    for (const next of chunks.get(name)?.imports ?? []) visit(next);
  };
  for (const [name, chunk] of chunks) if (chunk.isEntry) visit(name);
  return [...reached].reduce((sum, name) => sum + gzipSync(chunks.get(name)?.code ?? '').length, 0);
}

if (import.meta.main) {
  const { isFresh, initialBytes } = await buildPortal();
  if (isFresh) console.error(`portal: ${initialBytes} bytes of initial script`);
}
