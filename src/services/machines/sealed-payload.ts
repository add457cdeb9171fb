// Salt and payload of a row, sealed to the owner of its machine: the service writes them at any time and cannot read them.
//
// Stored: the name of the key (8 bytes of its SHA-256), then what HPKE gives. Authenticated with it: slug|seq|type|prev, so
// that one row's payload cannot stand in for another's.

import { type OpenRow, type RowHead, SALT_BYTES } from '../../chain/row.ts';
import { concat, fromHex, toHex } from '../../core/bits.ts';
import { sha256, utf8 } from '../../core/sha256.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import { type HpkeBinding, hpkeOpen, hpkeSeal } from './hpke.ts';

type Place = Pick<RowHead, 'slug' | 'seq' | 'type' | 'prev'>;

const INFO = utf8('svc-payload');
const NAME_BYTES = 8;

/** Undefined where rows are stored open: on public machines, and where no owner has lent an equation yet. */
export function sealFor(
  { isPublic, sealingKey }: Pick<Machine, 'isPublic' | 'sealingKey'>,
  row: OpenRow,
): Promise<Uint8Array> | undefined {
  return isPublic || sealingKey === undefined ? undefined : sealed(row, bytesOf(sealingKey));
}

async function sealed(row: OpenRow, publicKey: Uint8Array): Promise<Uint8Array> {
  const content = concat(bytesOf(row.salt), utf8(row.payload_text));
  return concat(nameOf(publicKey), await hpkeSeal(publicKey, content, bindingOf(row)));
}

export type Opened =
  | { readonly salt: string; readonly payload_text: string }
  /** It was sealed to another key, or is damaged. */
  | 'ANOTHER_KEY'
  | 'DAMAGED';

export async function openPayload(
  row: Place,
  bytes: Uint8Array,
  keys: { readonly publicKey: Uint8Array; readonly privateKey: Uint8Array },
): Promise<Opened> {
  if (toHex(bytes.subarray(0, NAME_BYTES)) !== toHex(nameOf(keys.publicKey))) return 'ANOTHER_KEY';
  const content = await hpkeOpen(keys.privateKey, bytes.subarray(NAME_BYTES), bindingOf(row));
  if (content === undefined || content.length < SALT_BYTES) return 'DAMAGED';
  return {
    salt: toHex(content.subarray(0, SALT_BYTES)),
    payload_text: new TextDecoder().decode(content.subarray(SALT_BYTES)),
  };
}

function bindingOf({ slug, seq, type, prev }: Place): HpkeBinding {
  return { info: INFO, aad: utf8(`${slug}|${seq}|${type}|${prev}`) };
}

function nameOf(publicKey: Uint8Array): Uint8Array {
  return sha256(publicKey).subarray(0, NAME_BYTES);
}

function bytesOf(hex: string): Uint8Array {
  const bytes = fromHex(hex);
  if (bytes === undefined) throw new Error('A key or a salt is not hex.');
  return bytes;
}
