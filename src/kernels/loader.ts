// Loads built kernels by name, checks their hash against the manifest, and caches them. load-node.ts and
// load-browser.ts supply the files.

import { DomainError } from '../core/errors.ts';
import { sha256Hex } from '../core/sha256.ts';
import type { KernelImage } from './abi.ts';

/** Reads one file of the build, `manifest.json` or `<slug>.wasm`; undefined if it is missing. */
export type ReadFile = (name: string) => Promise<Uint8Array<ArrayBuffer> | undefined>;

export interface KernelLoader {
  /** Slugs of all built kernels. */
  kernelSlugs(): Promise<readonly string[]>;
  /** @throws DomainError KERNEL_UNAVAILABLE if it is not built, KERNEL_FAILED if its bytes do not match the manifest */
  loadKernel(slug: string): Promise<KernelImage>;
}

interface Manifest {
  readonly kernels: Readonly<Record<string, { readonly sha256: string }>>;
}

export function createKernelLoader(readFile: ReadFile): KernelLoader {
  const cache = new Map<string, Promise<unknown>>();
  /** Caches the result by name; removes a failure, so that the next call retries. */
  const cached = <T>(name: string, make: () => Promise<T>): Promise<T> => {
    const existing = cache.get(name) as Promise<T> | undefined;
    if (existing) return existing;
    const created = make();
    cache.set(name, created);
    created.catch(() => cache.delete(name));
    return created;
  };

  const manifest = () =>
    cached('manifest.json', async () => {
      const bytes = await readFile('manifest.json');
      if (!bytes) throw new DomainError('KERNEL_UNAVAILABLE', 'Kernel manifest not found; run `npm run build`.');
      return JSON.parse(new TextDecoder().decode(bytes)) as Manifest;
    });

  return {
    kernelSlugs: async () => Object.keys((await manifest()).kernels),
    loadKernel: (slug) =>
      cached(`${slug}.wasm`, async () => {
        const { kernels } = await manifest();
        const expected = Object.hasOwn(kernels, slug) ? kernels[slug]?.sha256 : undefined;
        const bytes = expected === undefined ? undefined : await readFile(`${slug}.wasm`);
        if (!bytes) {
          const built = Object.keys(kernels).join(', ');
          throw new DomainError('KERNEL_UNAVAILABLE', `Kernel ${slug} not found; built kernels: ${built}.`);
        }
        const actual = sha256Hex(bytes);
        if (actual !== expected) {
          throw new DomainError('KERNEL_FAILED', `The SHA-256 of kernel ${slug} does not match the manifest.`);
        }
        return { slug, sha256: actual, bytes };
      }),
  };
}
