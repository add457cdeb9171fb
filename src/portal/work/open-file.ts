// A file that was dropped: a receipt, a receipt with its kernel, or a stretch of a chain. Read here, so that a page need not
// carry the schemas of files.

import type { MachineBundle } from '../../chain/bundle.ts';
import { DomainError } from '../../core/errors.ts';
import type { KernelImage } from '../../kernels/abi.ts';
import { isBundle, kernelOf, readBundle } from '../../protocol/bundle.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import { readReceipt } from './receipt-file.ts';

export type Opened =
  | { readonly kind: 'receipt'; readonly envelope: Untrusted; readonly kernel?: KernelImage }
  | { readonly kind: 'bundle'; readonly bundle: MachineBundle };

/** @throws DomainError BODY_TOO_LARGE, BAD_REQUEST, VALIDATION_FAILED naming the field of a bundle */
export async function openFile(file: Blob): Promise<Opened> {
  const value = await readReceipt(file);
  if (!isBundle(value)) {
    assertAlike(value);
    return { kind: 'receipt', envelope: value };
  }
  const bundle = readBundle(value);
  if (bundle.kind === 'machine') return { kind: 'bundle', bundle };
  return { kind: 'receipt', envelope: bundle.envelope, kernel: kernelOf(bundle) };
}

/** JSON about something else is told apart from a receipt with a fault, which is named further on. */
function assertAlike({ solver, seal, value }: Untrusted): void {
  if (solver !== undefined || seal !== undefined || value !== undefined) return;
  throw new DomainError(
    'BAD_REQUEST',
    'This JSON has neither the solver, value and seal of a receipt nor the format of a bundle.',
  );
}
