// Loads built kernels from disk.

import { readFile } from 'node:fs/promises';
import { createKernelLoader } from './loader.ts';

// The published package mirrors the repository: dist/src/kernels beside dist/build/kernels.
export const KERNEL_FOLDER = new URL('../../build/kernels/', import.meta.url);

export const { loadKernel, kernelSlugs, findKernel } = createKernelLoader(async (name) => {
  try {
    return new Uint8Array(await readFile(new URL(name, KERNEL_FOLDER)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
});
