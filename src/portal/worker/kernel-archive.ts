// Finds kernels by hash: the one in this build if it matches, otherwise from the node's archive.

import { DomainError } from '../../core/errors.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { KernelImage } from '../../kernels/abi.ts';
import type { KernelLoader } from '../../kernels/loader.ts';

type FindKernel = (sha256: string, slug: string) => Promise<KernelImage>;

/** @param base  URL of the folder that serves `<sha256>.wasm` */
export function createKernelArchive(loadKernel: KernelLoader['loadKernel'], base: URL): FindKernel {
  return async (sha256, slug) => {
    const current = await loadKernel(slug).catch(() => undefined);
    return current?.sha256 === sha256 ? current : fetchKernel(sha256, slug, base);
  };
}

/** Uses the kernel embedded in a file if its hash matches; that hash was verified on reading. */
export function preferKernel(archive: FindKernel, kernel: KernelImage | undefined): FindKernel {
  return async (sha256, slug) => (kernel?.sha256 === sha256 ? kernel : archive(sha256, slug));
}

/** @throws DomainError KERNEL_UNAVAILABLE */
async function fetchKernel(sha256: string, slug: string, base: URL): Promise<KernelImage> {
  const unavailable = (reason: string, cause?: unknown) =>
    new DomainError('KERNEL_UNAVAILABLE', `Kernel ${sha256} ${reason}; a replay needs its bytes.`, {
      cause,
    });
  const response = await fetch(new URL(`${sha256}.wasm`, base)).catch((cause: unknown) => {
    throw unavailable('could not be fetched', cause);
  });
  if (!response.ok) throw unavailable(`was not found on this node (${response.status})`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (sha256Hex(bytes) !== sha256) throw unavailable('does not match its hash');
  return { slug, sha256, bytes };
}
