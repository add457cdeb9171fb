// Kernels by their hash: the one of this build if it is the one that is asked for, else the node's archive.

import { DomainError } from '../../core/errors.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { KernelImage } from '../../kernels/abi.ts';
import type { KernelLoader } from '../../kernels/loader.ts';

type FindKernel = (sha256: string, slug: string) => Promise<KernelImage>;

/** @param base  where `<sha256>.wasm` is served */
export function createKernelArchive(loadKernel: KernelLoader['loadKernel'], base: URL): FindKernel {
  return async (sha256, slug) => {
    const current = await loadKernel(slug).catch(() => undefined);
    return current?.sha256 === sha256 ? current : fetchKernel(sha256, slug, base);
  };
}

/** The kernel that came with a file, if it is the one that is asked for; its hash was checked when it was read. */
export function withKernel(archive: FindKernel, kernel: KernelImage | undefined): FindKernel {
  return async (sha256, slug) => (kernel?.sha256 === sha256 ? kernel : archive(sha256, slug));
}

/** @throws DomainError KERNEL_UNAVAILABLE */
async function fetchKernel(sha256: string, slug: string, base: URL): Promise<KernelImage> {
  const unavailable = (why: string, cause?: unknown) =>
    new DomainError('KERNEL_UNAVAILABLE', `Kernel ${sha256} ${why}; without its bytes nothing can be replayed.`, {
      cause,
    });
  const response = await fetch(new URL(`${sha256}.wasm`, base)).catch((cause: unknown) => {
    throw unavailable('could not be fetched', cause);
  });
  if (!response.ok) throw unavailable(`is not kept by this node (${response.status})`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (sha256Hex(bytes) !== sha256) throw unavailable('came with other bytes than its name says');
  return { slug, sha256, bytes };
}
