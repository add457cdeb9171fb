// Contents of an opened file: a receipt or a chain bundle, as plain data.

import type { MachineBundle } from '../../chain/bundle.ts';
import type { KernelImage } from '../../kernels/abi.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';

export interface OpenedReceipt {
  readonly kind: 'receipt';
  /** The envelope or, if `isSealed` is false, the pure fields of a result that nobody sealed. */
  readonly envelope: Untrusted;
  readonly isSealed: boolean;
  /** Kernel in the file. */
  readonly kernel?: KernelImage;
}

export type OpenedFile = OpenedReceipt | { readonly kind: 'bundle'; readonly bundle: MachineBundle };

export const sealedReceipt = (envelope: Untrusted): OpenedReceipt => ({
  kind: 'receipt',
  envelope,
  isSealed: true,
});
