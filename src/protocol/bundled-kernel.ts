// The claim about a kernel that a file brings beside a receipt. In its own file, so that pages need no schemas for it.

import type { Claim } from './seal.ts';
import type { Untrusted } from './untrusted.ts';

/** The failed claim, if it is not the kernel that the receipt names: then another one must not be run in its place. */
export function foreignKernel(
  { kernel_sha256: named }: Untrusted,
  kernel: { readonly sha256: string } | undefined,
): Claim | undefined {
  if (kernel === undefined || kernel.sha256 === named) return undefined;
  return { claim: 'kernel', ok: false, reason: 'The kernel in the bundle is not the one that the receipt names.' };
}
