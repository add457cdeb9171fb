// Salt and payload of a row, sealed to the owner of its machine: the service can write but not read them.
//
// Stored: key id (8 bytes of its SHA-256), then the HPKE output. Additional authenticated data: slug|seq|type|prev, so
// that one row's payload cannot replace another's.

import { type OpenRow, type RowHead, SALT_BYTES } from '../../../chain/row.ts';
import type { RowType } from '../../../chain/row-type.ts';
import { concat, fromHex, toHex } from '../../../core/bits.ts';
import { sha256, utf8 } from '../../../core/sha256.ts';
import type { Machine } from '../../../storage/machines/machines.ts';
import { type HpkeBinding, hpkeOpen, hpkeSeal } from './hpke.ts';

type RowPosition = Pick<RowHead, 'slug' | 'seq' | 'type' | 'prev'>;

const INFO = utf8('svc-payload');
const KEY_ID_BYTES = 8;
/** Rows that state what the service stores in plain text anyway; see decision 20. */
const OPEN_TYPES: ReadonlySet<string> = new Set<RowType>(['genesis', 'settings']);

/**
 * Undefined if the payload is stored unsealed: on public machines, before the owner has provided an equation, and in
 * rows of the open types.
 */
export function sealFor(
  { isPublic, sealingKey }: Pick<Machine, 'isPublic' | 'sealingKey'>,
  row: OpenRow,
): Promise<Uint8Array> | undefined {
  return isPublic || sealingKey === undefined || OPEN_TYPES.has(row.type)
    ? undefined
    : sealed(row, bytesOf(sealingKey));
}

async function sealed(row: OpenRow, publicKey: Uint8Array): Promise<Uint8Array> {
  const content = concat(bytesOf(row.salt), utf8(row.payload_text));
  return concat(keyIdOf(publicKey), await hpkeSeal(publicKey, content, bindingOf(row)));
}

export type Opened =
  | { readonly salt: string; readonly payload_text: string }
  /** It was sealed to another key, or is damaged. */
  | 'ANOTHER_KEY'
  | 'DAMAGED';

export async function openPayload(
  row: RowPosition,
  bytes: Uint8Array,
  keys: { readonly publicKey: Uint8Array; readonly privateKey: Uint8Array },
): Promise<Opened> {
  if (toHex(bytes.subarray(0, KEY_ID_BYTES)) !== toHex(keyIdOf(keys.publicKey))) return 'ANOTHER_KEY';
  const content = await hpkeOpen(keys.privateKey, bytes.subarray(KEY_ID_BYTES), bindingOf(row));
  if (content === undefined || content.length < SALT_BYTES) return 'DAMAGED';
  return {
    salt: toHex(content.subarray(0, SALT_BYTES)),
    payload_text: new TextDecoder().decode(content.subarray(SALT_BYTES)),
  };
}

function bindingOf({ slug, seq, type, prev }: RowPosition): HpkeBinding {
  return { info: INFO, aad: utf8(`${slug}|${seq}|${type}|${prev}`) };
}

function keyIdOf(publicKey: Uint8Array): Uint8Array {
  return sha256(publicKey).subarray(0, KEY_ID_BYTES);
}

function bytesOf(hex: string): Uint8Array {
  const bytes = fromHex(hex);
  if (bytes === undefined) throw new Error('A key or salt is not valid hex.');
  return bytes;
}
