// Reads built kernels from disk, checks their hash against the manifest, and keeps them.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { DomainError } from '../core/errors.ts';
import type { KernelImage } from './abi.ts';

interface Manifest {
  readonly kernels: Readonly<Record<string, { readonly sha256: string; readonly bytes: number }>>;
}

// In the repository src/kernels → build/kernels; in the published package dist/kernels → dist/build/kernels.
const FOLDERS = ['../../build/kernels/', '../build/kernels/'];

let found: Promise<{ folder: URL; manifest: Manifest }> | undefined;
const images = new Map<string, Promise<KernelImage>>();

/** Slugs of all built kernels. */
export async function kernelSlugs(): Promise<readonly string[]> {
  return Object.keys((await locate()).manifest.kernels);
}

/** @throws DomainError KERNEL_UNAVAILABLE if it was not built, KERNEL_FAILED if its bytes do not match the manifest */
export function loadKernel(slug: string): Promise<KernelImage> {
  let image = images.get(slug);
  if (!image) {
    image = read(slug);
    images.set(slug, image);
    image.catch(() => images.delete(slug));
  }
  return image;
}

async function read(slug: string): Promise<KernelImage> {
  const { folder, manifest } = await locate();
  const entry = manifest.kernels[slug];
  if (!entry)
    throw new DomainError(
      'KERNEL_UNAVAILABLE',
      `There is no kernel ${slug}; built are ${Object.keys(manifest.kernels).join(', ')}.`,
    );
  const bytes = new Uint8Array(await readFile(new URL(`${slug}.wasm`, folder)));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== entry.sha256)
    throw new DomainError('KERNEL_FAILED', `The bytes of kernel ${slug} are not those of the manifest.`);
  return { slug, sha256, bytes };
}

function locate(): Promise<{ folder: URL; manifest: Manifest }> {
  found ??= search();
  found.catch(() => {
    found = undefined;
  });
  return found;
}

async function search(): Promise<{ folder: URL; manifest: Manifest }> {
  for (const relative of FOLDERS) {
    const folder = new URL(relative, import.meta.url);
    const text = await readFile(new URL('manifest.json', folder), 'utf8').catch(() => undefined);
    if (text !== undefined) return { folder, manifest: JSON.parse(text) as Manifest };
  }
  throw new DomainError('KERNEL_UNAVAILABLE', 'No kernels are built; run `npm run build`.');
}
