// The issuer of an answer: the caller's key prefix, and the node's keys that sign receipts and seals.

import type { ReceiptKeys } from './receipt.ts';
import type { Signer } from './seal.ts';

export interface Issuer {
  readonly keyPrefix: string;
  readonly receipts: ReceiptKeys;
  readonly signer: Signer;
}
