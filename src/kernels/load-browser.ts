// Built kernels over HTTP: the same face as load-node.ts.

import { DomainError } from '../core/errors.ts';
import { createLoader, type KernelLoader } from './loader.ts';

/**
 * A loader of the kernels under one address.
 *
 * @param base  where manifest.json and the wasm files are served; a page gives its own
 * @param load  fetch, or something like it
 * @throws DomainError KERNEL_UNAVAILABLE if the address does not answer or answers with a fault
 */
export function createBrowserLoader(base: URL | string, load: typeof fetch = (...a) => fetch(...a)): KernelLoader {
  return createLoader(async (name) => {
    const address = new URL(name, base);
    const response = await load(address).catch((cause: unknown) => {
      throw new DomainError('KERNEL_UNAVAILABLE', `${address.href} does not answer.`, { cause });
    });
    if (response.status === 404) return undefined;
    if (!response.ok) throw new DomainError('KERNEL_UNAVAILABLE', `${address.href} answers ${response.status}.`);
    return new Uint8Array(await response.arrayBuffer());
  });
}

// The published package mirrors the repository: dist/src/kernels beside dist/build/kernels.
export const { loadKernel, kernelSlugs } = createBrowserLoader(new URL('../../build/kernels/', import.meta.url));
