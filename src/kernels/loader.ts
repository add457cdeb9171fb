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
  /**
   * A kernel of this or of an earlier version that has sealed receipts; undefined if the build has none of this hash.
   *
   * @throws DomainError KERNEL_FAILED if its bytes do not match the hash
   */
  findKernel(sha256: string): Promise<KernelImage | undefined>;
}

interface Manifest {
  readonly kernels: Readonly<Record<string, { readonly sha256: string }>>;
  /** Slugs of archived kernels, by hash; a node serves those at /api/kernels. */
  readonly archive?: Readonly<Record<string, string>>;
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

  const read = async (slug: string, sha256: string, name: string) => {
    const bytes = await readFile(name);
    if (bytes === undefined) return undefined;
    if (sha256Hex(bytes) !== sha256)
      throw new DomainError('KERNEL_FAILED', `The SHA-256 of kernel ${slug} does not match the manifest.`);
    return { slug, sha256, bytes };
  };

  return {
    kernelSlugs: async () => Object.keys((await manifest()).kernels),
    loadKernel: (slug) =>
      cached(`${slug}.wasm`, async () => {
        const { kernels } = await manifest();
        const expected = Object.hasOwn(kernels, slug) ? kernels[slug]?.sha256 : undefined;
        const image = expected === undefined ? undefined : await read(slug, expected, `${slug}.wasm`);
        if (image !== undefined) return image;
        const built = Object.keys(kernels).join(', ');
        throw new DomainError('KERNEL_UNAVAILABLE', `Kernel ${slug} not found; built kernels: ${built}.`);
      }),
    findKernel: async (sha256) => {
      const { kernels, archive = {} } = await manifest();
      const [slug] = Object.entries(kernels).find(([, kernel]) => kernel.sha256 === sha256) ?? [];
      if (slug !== undefined) return read(slug, sha256, `${slug}.wasm`);
      const archived = Object.hasOwn(archive, sha256) ? archive[sha256] : undefined;
      if (archived === undefined) return undefined;
      const name = `archive/${sha256}.wasm`;
      return cached(name, () => read(archived, sha256, name));
    },
  };
}
