// The public seal: an Ed25519 signature over an in-toto Statement about the sealed fields of an envelope, alone or as
// one of a batch (seal-batch.ts). in-toto Statement v1: https://in-toto.io/Statement/v1

import { isSameBytes, toBitsHex } from '../core/bits.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { isRecord } from '../core/record.ts';
import { sha256Hex, utf8 } from '../core/sha256.ts';
import { quoteValue } from '../core/validation.ts';
import { definitionSha256 } from '../operators/definition-hash.ts';
import { arraysFault } from './array-results.ts';
import type { Body } from './envelope.ts';
import { type ExecutedRun, outcomesSha256, type RunOutcome, runsSha256 } from './executed-run.ts';
import { openSeal, type Seal, sealBatch } from './seal-batch.ts';
import {
  inputsSha256,
  isPredicateType,
  newSealType,
  PREDICATE_TYPE,
  type PredicateType,
  sealedMinusZero,
  sealedSha256,
} from './sealed-fields.ts';
import { isSignedBy, readPublicJwk, type Signer } from './signing.ts';
import type { Untrusted } from './untrusted.ts';

const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';

/** One statement about an envelope: it holds, it fails, or it was not compared (null). */
export interface Claim {
  readonly claim: string;
  readonly ok: boolean | null;
  readonly reason?: string;
}

/**
 * Canonical bytes of the statement about an envelope.
 *
 * @param body  an envelope; its seal and its words are ignored, and its trajectory_sha256 is that of its arrays
 *   (`arraysFault` checks it)
 * @throws TypeError for what JSON cannot hold or for another shape
 */
export function statementOf(body: Untrusted | Body, type: PredicateType = newSealType(body)): Uint8Array {
  const envelope = body as Untrusted;
  const { runs, outcomes, definitions, value } = envelope;
  // In canonical order, which saves sorting.
  return utf8(
    canonicalJson({
      _type: STATEMENT_TYPE,
      predicate: {
        definitions_sha256: definitionsSha256(definitions as readonly unknown[]),
        inputs_sha256: inputsSha256(envelope),
        kernel_sha256: envelope.kernel_sha256,
        outputs_sha256: outcomesSha256(outcomes as readonly RunOutcome[]),
        revision: envelope.revision,
        runs_sha256: runsSha256(runs as readonly ExecutedRun[]),
        solver: envelope.solver,
        stamps: envelope.stamps,
        trajectory_sha256: envelope.trajectory_sha256,
        uncertainty: envelope.uncertainty,
        unit: envelope.unit,
        value,
        value_bits: toBitsHex(value as number),
      },
      predicateType: type,
      subject: [{ digest: { sha256: sealedSha256(envelope, type) }, name: 'sealed fields' }],
    }),
  );
}

/** SHA-256 of the hashes of definitions, in the order of the chain; names and notes of laws stay outside. */
function definitionsSha256(definitions: readonly unknown[]): string {
  const text = canonicalJson(definitions.map((one) => definitionSha256(one as never)));
  const known = chains.get(text);
  if (known !== undefined) return known;
  const sha256 = sha256Hex(text);
  if (chains.size < MAX_CHAINS) chains.set(text, sha256);
  return sha256;
}

/** Hashes of chains by their text: most receipts are of few chains. A caller can make any, so they are bounded. */
const chains = new Map<string, string>();
const MAX_CHAINS = 1_024;

/** SHA-256 of the sealed fields of a receipt, as its own statement names it. */
export const receiptSha256 = (envelope: Untrusted | Body): string =>
  sealedSha256(envelope as Untrusted, newSealType(envelope));

/** Seals one envelope by itself. */
export function sealEnvelope(envelope: Untrusted, signer: Signer): Seal {
  const [seal] = sealBatch([statementOf(envelope)], signer);
  if (seal === undefined) throw new Error('A batch of one statement has one seal.');
  return seal;
}

/**
 * Checks the seal of an untrusted envelope; nothing is fetched.
 *
 * @param trusted  keys obtained from elsewhere; without them, no claim is made about the owner of the key
 */
export function checkSeal(
  envelope: Untrusted,
  trusted?: readonly { readonly kid?: string; readonly x?: string }[],
): Claim[] {
  const fail = (claim: string, reason: string): Claim => ({ claim, ok: false, reason });
  const opened = openSeal(envelope.seal);
  if ('reason' in opened) return [fail('seal', opened.reason)];
  const key = readPublicJwk(envelope.public_key);
  if (!key) return [fail('key', 'public_key is not an Ed25519 key whose kid is its thumbprint.')];

  const claims: Claim[] = [];
  const check = (claim: string, isTrue: boolean, reason: string) =>
    claims.push(isTrue ? { claim, ok: true } : { claim, ok: false, reason });
  const { statement, signedBytes, keyid, signature } = opened;
  check('keyid', keyid === key.kid, 'The signature names another key than public_key.');
  check(
    'signature',
    isSignedBy(key, signedBytes, signature),
    'The Ed25519 signature does not belong to this payload and key.',
  );
  const fault = statementFault(envelope, statement);
  check('statement', fault === undefined, fault ?? '');
  if (trusted) {
    check(
      'key pinned',
      trusted.some((one) => one.kid === key.kid && one.x === key.x),
      `Key ${key.kid} is not among the trusted ones.`,
    );
  }
  return claims;
}

/** Why the statement is not about this envelope; undefined if it is. */
function statementFault(envelope: Untrusted, statement: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(statement);
  const type = predicateTypeOf(text);
  if (!isPredicateType(type))
    return `It is a statement of type ${quoteValue(type)}; this program reads ${PREDICATE_TYPE} and earlier ones.`;
  if (newSealType(envelope) !== PREDICATE_TYPE && type !== newSealType(envelope))
    return `A statement of type ${quoteValue(type)} covers no sweep and no samples, which this envelope has.`;
  const fault = arraysFault(envelope);
  if (fault !== undefined) return fault;
  try {
    // Bytes: a decoder drops a byte order mark, and reads other bytes than UTF-8 as signs.
    if (isSameBytes(statement, statementOf(envelope, type))) {
      const zero = sealedMinusZero(envelope, type);
      return zero === undefined ? undefined : `${zero} is −0, which no seal has: a sealed field was changed.`;
    }
  } catch {
    // What has no statement is not what was signed.
  }
  return 'The signed statement is about another envelope: a sealed field was changed.';
}

/** The list of fields that the seal of an envelope covers; that of new seals if it has none that can be read. */
export function sealedListOf({ seal }: Untrusted): PredicateType {
  const opened = openSeal(seal);
  const type = 'reason' in opened ? undefined : predicateTypeOf(new TextDecoder().decode(opened.statement));
  return isPredicateType(type) ? type : PREDICATE_TYPE;
}

function predicateTypeOf(text: string): unknown {
  try {
    const statement: unknown = JSON.parse(text);
    return isRecord(statement) ? statement.predicateType : undefined;
  } catch {
    return undefined;
  }
}
