// Loads built kernels over HTTP, with the same interface as load-node.ts.

import { DomainError } from '../core/errors.ts';
import { createKernelLoader, type KernelLoader } from './loader.ts';

/**
 * Creates a loader for the kernels under one URL.
 *
 * @param base  URL of the folder with manifest.json and the wasm files
 * @param fetchFile  fetch or a compatible function
 * @throws DomainError KERNEL_UNAVAILABLE if the request fails or the response is an error
 */
export function createBrowserLoader(base: URL | string, fetchFile: typeof fetch = (...a) => fetch(...a)): KernelLoader {
  return createKernelLoader(async (name) => {
    const address = new URL(name, base);
    const response = await fetchFile(address).catch((cause: unknown) => {
      throw new DomainError('KERNEL_UNAVAILABLE', `Request to ${address.href} failed.`, { cause });
    });
    if (response.status === 404) return undefined;
    if (!response.ok)
      throw new DomainError('KERNEL_UNAVAILABLE', `Request to ${address.href} failed with status ${response.status}.`);
    return new Uint8Array(await response.arrayBuffer());
  });
}

// The published package mirrors the repository: dist/src/kernels beside dist/build/kernels.
export const { loadKernel, kernelSlugs, findKernel } = createBrowserLoader(
  new URL('../../build/kernels/', import.meta.url),
);
