// Receipts in files: alone, in a stored run, in a result file or in a bundle.

import { DomainError } from '../core/errors.ts';
import type { KernelImage } from '../kernels/abi.ts';
import { isBundle, kernelOf, type ReceiptBundle, readBundle } from '../protocol/bundle.ts';
import { type OpenedResult, openReceipt } from '../protocol/open-result.ts';
import type { Untrusted } from '../protocol/untrusted.ts';
import { readJson } from './files.ts';

/** Reads an envelope, one wrapped in a stored-run response, or that of a result file. */
export function readEnvelope(path: string): Untrusted {
  return openReceipt(readJson(path)).subject;
}

/** A receipt of any form of file. */
export interface OpenedReceipt extends OpenedResult {
  /** Kernel in a bundle. */
  readonly kernel?: KernelImage;
}

/** A receipt bundle contains its kernel, so it is replayed too. */
export function openBundle(bundle: ReceiptBundle): OpenedReceipt {
  return { subject: bundle.envelope, isSealed: true, kernel: kernelOf(bundle) };
}

/**
 * The envelope in a file that holds one: alone, in a stored run, a result file or a bundle.
 *
 * @throws DomainError VALIDATION_FAILED for a file without one
 */
export function readSealed(path: string): Untrusted {
  const value = readJson(path);
  const bundle = isBundle(value) ? readBundle(value) : undefined;
  if (bundle?.kind === 'machine')
    throw new DomainError('VALIDATION_FAILED', `${path} is the bundle of a machine; a receipt is expected.`);
  const { subject, isSealed: hasSeal } = bundle ? openBundle(bundle) : openReceipt(value);
  if (hasSeal) return subject;
  throw new DomainError(
    'VALIDATION_FAILED',
    `${path} holds a result that nobody sealed; a receipt is expected, as --url of svc solve and svc compute makes it.`,
  );
}
