// Acts of a contract's parties that an Ed25519 key signs: events, and the acceptance of proposals.
//
// A signature is over `svc-act` and the canonical JSON of machine, contract, name, payload and a number. So it is valid
// for one contract only, and the number, which must rise, makes it valid once.

import { fromHex } from '../core/bits.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { verifySignature } from '../core/ed25519.ts';
import { utf8 } from '../core/sha256.ts';

/** What is signed. */
export interface SignedAct {
  /** Slug of the machine. */
  readonly machine: string;
  readonly contract: string;
  /** Name of the event; `proposal.accept` and the like for acts on proposals, which no event is called. */
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** A whole number above all that this key has signed for the contract before, such as the time in milliseconds. */
  readonly nonce: number;
}

export interface ActSignature {
  /** Ed25519, 64 hexadecimal digits. */
  readonly public_key: string;
  readonly nonce: number;
  /** 128 hexadecimal digits. */
  readonly signature: string;
}

/** The bytes that are signed. */
export function actMessage({ machine, contract, name, payload, nonce }: SignedAct): Uint8Array {
  return utf8(`svc-act\n${canonicalJson({ contract, machine, name, nonce, payload })}`);
}

export function isActSigned(
  act: Omit<SignedAct, 'nonce'>,
  { public_key: key, nonce, signature }: ActSignature,
  verify = verifySignature,
): boolean {
  const [keyBytes, signatureBytes] = [fromHex(key), fromHex(signature)];
  if (keyBytes === undefined || signatureBytes === undefined) return false;
  return verify(keyBytes, actMessage({ ...act, nonce }), signatureBytes);
}

const HEX = { key: /^[0-9a-f]{64}$/, signature: /^[0-9a-f]{128}$/ };

/**
 * Whether the signature in the payload of a row of a contract is valid; undefined if there is none. Forms are checked,
 * because rows of a bundle are untrusted.
 */
export function rowSignature(
  machine: string,
  type: string,
  payload: Readonly<Record<string, unknown>>,
): boolean | undefined {
  const { signed, to, contract, act, name, terms_hash: termsHash } = payload;
  if (signed === undefined || (type !== 'event' && type !== 'contract')) return undefined;
  const { public_key: key, nonce, signature } = (signed ?? {}) as Partial<Record<string, unknown>>;
  const isFormed =
    typeof key === 'string' &&
    HEX.key.test(key) &&
    typeof signature === 'string' &&
    HEX.signature.test(signature) &&
    Number.isSafeInteger(nonce);
  if (!isFormed) return false;
  const given = { public_key: key, nonce: Number(nonce), signature };
  if (type === 'event') {
    const sent = (payload.payload ?? {}) as Readonly<Record<string, unknown>>;
    return isActSigned({ machine, contract: String(to), name: String(name), payload: sent }, given);
  }
  const words = {
    machine,
    contract: String(contract),
    name: nameOfAct(String(act)),
    payload: { terms_hash: termsHash },
  };
  return isActSigned(words, given);
}

/** The name under which an act on a proposal is signed. */
export const nameOfAct = (act: string): string => `proposal.${act}`;
