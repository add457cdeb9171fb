// Parses a dropped file: a receipt, a receipt with its kernel, or a chain bundle. Runs in the worker, so that pages
// need not load the schemas.

import { DomainError } from '../../core/errors.ts';
import { isBundle, kernelOf, readBundle } from '../../protocol/bundle.ts';
import { openReceipt } from '../../protocol/open-result.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import { type OpenedFile, sealedReceipt } from './opened-file.ts';
import { readReceipt } from './receipt-file.ts';

/** @throws DomainError BODY_TOO_LARGE, BAD_REQUEST, VALIDATION_FAILED with the invalid field of a bundle */
export async function openFile(file: Blob): Promise<OpenedFile> {
  const value = await readReceipt(file);
  if (!isBundle(value)) {
    const { subject: envelope, isSealed } = openReceipt(value);
    assertReceiptShape(envelope);
    return { kind: 'receipt', envelope, isSealed };
  }
  const bundle = readBundle(value);
  if (bundle.kind === 'machine') return { kind: 'bundle', bundle };
  return { ...sealedReceipt(bundle.envelope), kernel: kernelOf(bundle) };
}

/** Rejects JSON of any other kind; an invalid receipt is reported later, by its claims. */
function assertReceiptShape({ solver, seal, value }: Untrusted): void {
  if (solver !== undefined || seal !== undefined || value !== undefined) return;
  throw new DomainError(
    'BAD_REQUEST',
    'This JSON has neither the solver, value and seal of a receipt nor the format of a bundle.',
  );
}
