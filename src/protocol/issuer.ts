// The issuer of an answer: the caller's key prefix, and the node's keys that sign receipts and seals.

import type { ReceiptKeys } from './receipt.ts';
import type { PublicJwk } from './signing.ts';

export interface Issuer {
  readonly keyPrefix: string;
  readonly receipts: ReceiptKeys;
  /** Belongs to the key that will seal the answer. */
  readonly publicKey: PublicJwk;
}
