// The gallery of a portal build: every example of every solver, run here by its own kernel, and drawn as a thumbnail.
// A thumbnail is kept in build/gallery under the hash of all that it depends on, so that only what changed runs again.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { loadKernel } from '../../src/kernels/load-node.ts';
import type { GalleryCard, GallerySolver } from '../../src/portal/gallery/gallery-index.ts';
import { thumbnailOf } from '../../src/portal/pictures/thumbnail.ts';
import type { SolverDescription } from '../../src/portal/solve/solver-description.ts';
import { draftOf, urlOf } from '../../src/portal/solve/url.ts';
import type { SolverDefinition } from '../../src/solvers/definition.ts';
import { solveHere } from '../../src/solvers/run.ts';
import type { Example } from '../../src/solvers/solver-form.ts';
import { ROOT } from '../compile-kernel.ts';
import { fingerprintOf } from '../output-folder.ts';
import { describeSolver } from './describe-solver.ts';
import { pngOf } from './png.ts';

const CACHE = join(ROOT, 'build/gallery');
const FOLDER = 'assets/gallery/';

/** What every thumbnail depends on, beside its kernel, its input and the room of its solver. */
const SHARED_SOURCES = [
  'src/{core,kernels,expressions}/**/*.ts',
  // Not the list of solvers: a new one changes no picture of the others.
  'src/solvers/!(index|presets).ts',
  'src/solvers/parts/**/*.ts',
  'src/portal/pictures/*.ts',
  'scripts/portal/{gallery,png}.ts',
];

/** The time of examples that take the clock's: the same in every build. */
const CLOCK_SECONDS = 1_000_000;

interface StoredThumbnail {
  readonly title?: string;
  readonly type?: 'svg' | 'png';
  /** Base 64. */
  readonly content?: string;
}

export interface Gallery {
  /** Address of the index. */
  readonly index: string;
  /** Files of the portal, by name. */
  readonly files: ReadonlyMap<string, string | Buffer>;
}

/** Without examples, for builds that show none. */
export const EMPTY_GALLERY: Gallery = galleryOf([], new Map());

export const galleryFiles = ({ files }: Gallery): Plugin => ({
  name: 'gallery-files',
  generateBundle() {
    for (const [fileName, source] of files) this.emitFile({ type: 'asset', fileName, source });
  },
});

/**
 * @param onDrawn  is told the processor seconds of each example that had to run
 * @param cache  folder of thumbnails; those that no example has any more are deleted
 */
export async function buildGallery(
  solvers: readonly SolverDefinition[],
  onDrawn: (seconds: number) => void = () => undefined,
  cache = CACHE,
): Promise<Gallery> {
  mkdirSync(cache, { recursive: true });
  const shared = fingerprintOf(SHARED_SOURCES);
  const used = new Set<string>();
  const files = new Map<string, Buffer>();
  const rooms: GallerySolver[] = [];
  for (const solver of solvers) {
    const { sha256 } = await loadKernel(solver.id);
    const room = fingerprintOf([`src/solvers/${solver.id}/**/*.ts`]);
    const description = describeSolver(solver);
    const cards: GalleryCard[] = [];
    for (const example of description.examples) {
      const name = `${hashOf(shared, sha256, room, JSON.stringify(example.input))}.json`;
      const path = join(cache, name);
      used.add(name);
      const begin = process.cpuUsage();
      const known = readStored(path);
      const stored = known ?? (await drawn(solver, example.input));
      if (known === undefined) {
        store(path, stored);
        const { user, system } = process.cpuUsage(begin);
        onDrawn((user + system) / 1e6);
      }
      const image = publishImage(stored, files);
      cards.push(cardOf(solver, description, example, stored, image));
    }
    const { id, title, subject, domain, equations } = description;
    if (cards.length > 0) rooms.push({ id, title, subject, domain, equations, cards });
  }
  // Another process may delete the same ones.
  for (const name of readdirSync(cache))
    if (name.endsWith('.json') && !used.has(name)) rmSync(join(cache, name), { force: true });
  return galleryOf(rooms, files);
}

function galleryOf(rooms: readonly GallerySolver[], images: ReadonlyMap<string, Buffer>): Gallery {
  const text = JSON.stringify(rooms);
  const name = `${FOLDER}index-${hashOf(text).slice(0, 10)}.json`;
  return { index: `/${name}`, files: new Map<string, string | Buffer>([...images, [name, text]]) };
}

async function drawn(solver: SolverDefinition, input: Example['input']): Promise<StoredThumbnail> {
  const { clock } = solver;
  const timed = clock === undefined || input[clock] !== undefined ? input : { ...input, [clock]: CLOCK_SECONDS };
  const thumbnail = thumbnailOf(await solveHere(solver, timed));
  if (thumbnail === undefined) return {};
  const { title } = thumbnail;
  if ('svg' in thumbnail) return { title, type: 'svg', content: Buffer.from(thumbnail.svg).toString('base64') };
  return { title, type: 'png', content: pngOf(thumbnail).toString('base64') };
}

/** Named by its content, so that it may be kept for ever. @returns its address */
function publishImage({ type, content }: StoredThumbnail, files: Map<string, Buffer>): string | undefined {
  if (type === undefined || content === undefined) return undefined;
  const bytes = Buffer.from(content, 'base64');
  const name = `${FOLDER}${hashOf(bytes).slice(0, 12)}.${type}`;
  files.set(name, bytes);
  return `/${name}`;
}

function cardOf(
  { words }: SolverDefinition,
  description: SolverDescription,
  { title, input, look }: Example,
  { title: imageText }: StoredThumbnail,
  image: string | undefined,
): GalleryCard {
  const own = words?.equations === undefined ? undefined : input[words.equations];
  return {
    title,
    look: look ?? imageText ?? description.answer?.name ?? description.summary,
    ...(own === undefined ? {} : { equations: [own].flat().join('; ') }),
    ...(image === undefined ? {} : { image }),
    ...(imageText === undefined ? {} : { imageText }),
    // The page runs what the fragment asks for, here and on the server.
    href: `${urlOf(description, draftOf(description, input))}#run`,
  };
}

function hashOf(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
}

function readStored(path: string): StoredThumbnail | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as StoredThumbnail) : undefined;
}

/** In one step, since another build may read it. */
function store(path: string, thumbnail: StoredThumbnail): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(thumbnail));
  renameSync(draft, path);
}
