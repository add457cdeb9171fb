// Seals of many statements under one Ed25519 signature. A seal alone signs its statement. A seal of a batch signs the
// root of a Merkle tree (RFC 6962) and carries its statement, a leaf, with its inclusion path; both verify offline.

import { z } from 'zod';
import { inclusionRanges, isIncluded, leafHash, type Range, rangeHash, subtreeReader } from '../chain/merkle.ts';
import { fromBase64, fromHex, toBase64, toHex } from '../core/bits.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { DomainError } from '../core/errors.ts';
import { utf8 } from '../core/sha256.ts';
import { parseOrThrow } from '../core/validation.ts';
import { type DsseEnvelope, preAuthenticationEncoding, signDsse } from './dsse.ts';
import type { Signer } from './signing.ts';

/** Type of the payload of a statement. */
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** Type of the payload `{batch, root, size}`. It differs from that of statements, since DSSE signs the type too. */
export const BATCH_TYPE = 'application/vnd.svc.seal-batch+json';

/** Leaves of the largest tree that is read, and the length of its longest path. */
const MAX_LEAVES = 2 ** 20;
const MAX_PATH = 20;
/** Characters of a payload in base64: the canonical text of a batch has at most 100 bytes. */
const MAX_BATCH_PAYLOAD = 136;

export interface Inclusion {
  /** Index of the leaf, from 0. */
  readonly index: number;
  /** Hashes of siblings, leaf first, each as 64 lower-case hex digits. */
  readonly path: readonly string[];
}

/** DSSE envelope whose payload is the statement, or the root of a batch that has the statement as a leaf. */
export interface Seal extends DsseEnvelope<typeof PAYLOAD_TYPE | typeof BATCH_TYPE> {
  /** The statement in base64; only in a batch. */
  readonly statement?: string;
  /** Position of the statement in the tree; only in a batch. */
  readonly inclusion?: Inclusion;
}

/**
 * Seals statements with one signature. A single statement has the plain form.
 *
 * @param statements  canonical texts of statements in UTF-8, at most 2^20
 * @returns the seals, in the order of the statements
 * @throws RangeError for more than 2^20 statements, and what `signer.sign` throws
 */
export function sealBatch(statements: readonly Uint8Array[], signer: Signer): Seal[] {
  const size = statements.length;
  if (size > MAX_LEAVES) throw new RangeError(`A batch of ${size} statements; at most ${MAX_LEAVES} are allowed.`);
  if (size < 2) return statements.map((statement) => signDsse(PAYLOAD_TYPE, statement, signer));
  const read = subtreeReader(statements.map(leafHash));
  const hashes = new Map<number, string>();
  // Neighbours share most of their paths.
  const hexOf = (range: Range) => {
    const key = range.from * (MAX_LEAVES + 1) + range.to;
    const known = hashes.get(key);
    if (known !== undefined) return known;
    const hex = toHex(rangeHash(range, read));
    hashes.set(key, hex);
    return hex;
  };
  const root = hexOf({ from: 0, to: size });
  const signed = signDsse(BATCH_TYPE, utf8(canonicalJson({ batch: 1, root, size })), signer);
  return statements.map((statement, index) => ({
    ...signed,
    statement: toBase64(statement),
    inclusion: { index, path: inclusionRanges(index, size).map(hexOf) },
  }));
}

export interface OpenedSeal {
  /** The statement that the signature covers, directly or by the root of its batch. */
  readonly statement: Uint8Array;
  /** The exact bytes that are signed: DSSE's pre-authentication encoding of type and payload. */
  readonly signedBytes: Uint8Array;
  readonly keyid: string;
  /** 64 bytes, not yet verified. */
  readonly signature: Uint8Array;
}

/** Why a value is no seal of a statement. */
export interface SealRefusal {
  readonly reason: string;
}

/** Reads an untrusted seal of either form. The caller verifies `signature` over `signedBytes`; nothing is fetched. */
export function openSeal(value: unknown): OpenedSeal | SealRefusal {
  try {
    return isBatch(value) ? openBatch(value) : openPlain(value);
  } catch (error) {
    if (error instanceof DomainError) return { reason: error.message };
    throw error;
  }
}

const isBatch = (value: unknown) =>
  typeof value === 'object' && value !== null && 'payloadType' in value && value.payloadType === BATCH_TYPE;

const Bytes = z.string().transform((text, context) => {
  const bytes = fromBase64(text);
  if (bytes !== undefined) return bytes;
  context.addIssue('canonical base64 is expected');
  return z.NEVER;
});
const Hash = z.string().regex(/^[0-9a-f]{64}$/);

const signatures = z
  .array(
    z.strictObject({
      keyid: z.string().max(64),
      sig: Bytes.refine(({ length }) => length === 64, 'a signature of 64 bytes is expected'),
    }),
  )
  .length(1);

const PlainSeal = z.strictObject({ payloadType: z.literal(PAYLOAD_TYPE), payload: Bytes, signatures });

const BatchSeal = z.strictObject({
  payloadType: z.literal(BATCH_TYPE),
  payload: z.string().max(MAX_BATCH_PAYLOAD).pipe(Bytes),
  signatures,
  statement: Bytes,
  inclusion: z.strictObject({ index: z.int().min(0), path: z.array(Hash).max(MAX_PATH) }),
});

/** A tree of one leaf has the plain form only, so that a statement has one form. */
const Batch = z.strictObject({ batch: z.literal(1), root: Hash, size: z.int().min(2).max(MAX_LEAVES) });

function openPlain(value: unknown): OpenedSeal {
  const seal = parseOrThrow(PlainSeal, value);
  return { statement: seal.payload, ...signedPart(seal) };
}

function openBatch(value: unknown): OpenedSeal | SealRefusal {
  const seal = parseOrThrow(BatchSeal, value);
  const { statement, inclusion } = seal;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(seal.payload);
  const { batch, root, size } = parseOrThrow(Batch, parseJson(text));
  if (canonicalJson({ batch, root, size }) !== text)
    return { reason: 'The payload of the batch is not canonical JSON of batch, root and size.' };
  const path = inclusion.path.map(bytesOf);
  if (!isIncluded(leafHash(statement), inclusion.index, size, path, bytesOf(root)))
    return { reason: `The statement is not leaf ${inclusion.index} of the signed batch of ${size}.` };
  return { statement, ...signedPart(seal) };
}

function signedPart({ payloadType, payload, signatures: [signature] }: z.output<typeof PlainSeal | typeof BatchSeal>) {
  if (signature === undefined) throw new Error('The schema requires one signature.');
  const signedBytes = preAuthenticationEncoding(payloadType, payload);
  return { signedBytes, keyid: signature.keyid, signature: signature.sig };
}

/** @throws DomainError VALIDATION_FAILED */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DomainError('VALIDATION_FAILED', 'The payload of the batch is not JSON.', { cause });
  }
}

/** The schema has checked the digits. */
const bytesOf = (hex: string) => fromHex(hex) ?? new Uint8Array();
