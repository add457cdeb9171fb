// Reads a stored seal over all machines: whether the node signed it, and what it says. A damaged one is an outcome.

import { payloadOf } from '../../chain/bundle.ts';
import { SEAL_TYPE } from '../../chain/node-seal.ts';
import { fromBase64, toHex } from '../../core/bits.ts';
import { verifySignature } from '../../core/ed25519.ts';
import { type DsseEnvelope, preAuthenticationEncoding } from '../../protocol/dsse.ts';
import { publicJwk } from '../../protocol/signing.ts';
import type { NodeSeal } from '../../storage/node/node-seals.ts';

/** DSSE envelope of a seal, stored as JSON. */
type SealEnvelope = DsseEnvelope<typeof SEAL_TYPE>;

export interface ParsedEnvelope {
  readonly envelope: SealEnvelope;
  readonly payload: Uint8Array;
  readonly keyid: string;
  readonly sig: Uint8Array;
}

/** A seal that the node signed, and whose columns say the same. */
export interface SoundSeal {
  readonly seal: NodeSeal;
  readonly envelope: SealEnvelope;
  /** The signed text, and what it says. */
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** @returns undefined if the seal is damaged */
export function soundSeal(
  seal: NodeSeal,
  keys: readonly Uint8Array[],
  verify: typeof verifySignature = verifySignature,
): SoundSeal | undefined {
  const parsed = parseEnvelope(seal.envelope);
  if (parsed === undefined || !isEnvelopeSigned(SEAL_TYPE, parsed, keys, verify)) return undefined;
  const text = new TextDecoder().decode(parsed.payload);
  const fields = payloadOf({ payload_text: text });
  const { no, svcond, machines, root } = seal;
  const isSame =
    fields.no === no && fields.svcond === svcond && fields.machines === machines && fields.root === toHex(root);
  return isSame ? { seal, envelope: parsed.envelope, text, fields } : undefined;
}

/** The root that a seal was signed with, hex; that of its column if the signature does not confirm one. */
export function rootOf(seal: NodeSeal, keys: readonly Uint8Array[], verify: typeof verifySignature): string {
  const parsed = parseEnvelope(seal.envelope);
  const isSigned = parsed !== undefined && isEnvelopeSigned(SEAL_TYPE, parsed, keys, verify);
  const { root } = isSigned ? payloadOf({ payload_text: new TextDecoder().decode(parsed.payload) }) : {};
  return typeof root === 'string' ? root : toHex(seal.root);
}

/** Whether one of the keys signed an envelope. */
export function isEnvelopeSigned(
  type: string,
  { payload, keyid, sig }: ParsedEnvelope,
  keys: readonly Uint8Array[],
  verify: typeof verifySignature = verifySignature,
): boolean {
  const message = preAuthenticationEncoding(type, payload);
  return keys.some((key) => publicJwk(key).kid === keyid && verify(key, message, sig));
}

/** Parses an envelope with exactly one signature; undefined for anything else. */
export function parseEnvelope(text: string): ParsedEnvelope | undefined {
  const { payloadType, payload = '', signatures } = parseObject(text) as Partial<SealEnvelope>;
  const { keyid = '', sig = '' } = signatures?.[0] ?? {};
  const envelope: SealEnvelope = { payloadType: SEAL_TYPE, payload, signatures: [{ keyid, sig }] };
  const payloadBytes = fromBase64(String(payload));
  const sigBytes = fromBase64(String(sig));
  if (payloadType !== SEAL_TYPE || JSON.stringify(envelope) !== text) return undefined;
  return payloadBytes && sigBytes && { envelope, payload: payloadBytes, keyid, sig: sigBytes };
}

function parseObject(text: string): object {
  try {
    return (JSON.parse(text) as object | null) ?? {};
  } catch {
    return {};
  }
}
