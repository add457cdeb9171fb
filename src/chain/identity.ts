// The identity of a machine outside its node, derived from its slug and its first row, so that it cannot be taken over.

import { concat, fromHex, toHex } from '../core/bits.ts';
import { sha256, utf8 } from '../core/sha256.ts';

const IDENTITY_PREFIX = 'svc-id\0';
const ADDRESS_DIGITS = 16;

/** @param genesisHash  the hash of row 0, hex */
export function idHash(slug: string, genesisHash: string): string {
  const genesis = fromHex(genesisHash);
  if (genesis === undefined) throw new Error('The genesis hash must be hexadecimal.');
  return toHex(sha256(concat(utf8(`${IDENTITY_PREFIX}${slug}\0`), genesis)));
}

export function addressOf(id: string): string {
  return id.slice(0, ADDRESS_DIGITS);
}
