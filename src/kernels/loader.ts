// Loads built kernels by name, checks their hash against the manifest, and keeps them. Where the files lie is the
// business of load-node.ts and load-browser.ts.

import { DomainError } from '../core/errors.ts';
import { sha256Hex } from '../core/sha256.ts';
import type { KernelImage } from './abi.ts';

/** Reads one file of the build, `manifest.json` or `<slug>.wasm`; undefined if it is not there. */
export type ReadBuilt = (name: string) => Promise<Uint8Array<ArrayBuffer> | undefined>;

export interface KernelLoader {
  /** Slugs of all built kernels. */
  kernelSlugs(): Promise<readonly string[]>;
  /** @throws DomainError KERNEL_UNAVAILABLE if it was not built, KERNEL_FAILED if its bytes do not match the manifest */
  loadKernel(slug: string): Promise<KernelImage>;
}

interface Manifest {
  readonly kernels: Readonly<Record<string, { readonly sha256: string }>>;
}

export function createLoader(readBuilt: ReadBuilt): KernelLoader {
  const kept = new Map<string, Promise<unknown>>();
  /** Once for each name; a failure is forgotten, so that the next call tries again. */
  const once = <T>(name: string, make: () => Promise<T>): Promise<T> => {
    const known = kept.get(name) as Promise<T> | undefined;
    if (known) return known;
    const made = make();
    kept.set(name, made);
    made.catch(() => kept.delete(name));
    return made;
  };

  const manifest = () =>
    once('manifest.json', async () => {
      const bytes = await readBuilt('manifest.json');
      if (!bytes) throw new DomainError('KERNEL_UNAVAILABLE', 'No kernels are built; run `npm run build`.');
      return JSON.parse(new TextDecoder().decode(bytes)) as Manifest;
    });

  return {
    kernelSlugs: async () => Object.keys((await manifest()).kernels),
    loadKernel: (slug) =>
      once(`${slug}.wasm`, async () => {
        const { kernels } = await manifest();
        const expected = Object.hasOwn(kernels, slug) ? kernels[slug]?.sha256 : undefined;
        const bytes = expected === undefined ? undefined : await readBuilt(`${slug}.wasm`);
        if (!bytes) {
          const built = Object.keys(kernels).join(', ');
          throw new DomainError('KERNEL_UNAVAILABLE', `There is no kernel ${slug}; built are ${built}.`);
        }
        const got = sha256Hex(bytes);
        if (got !== expected) {
          throw new DomainError('KERNEL_FAILED', `The bytes of kernel ${slug} are not those of the manifest.`);
        }
        return { slug, sha256: got, bytes };
      }),
  };
}
