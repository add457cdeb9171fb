// Verdict on a receipt in words: what was checked, what failed, what was not checked, and what the signature covers.

import { shortText } from '../../core/plain-text.ts';

/** The outcome of one check; null or undefined if it could not be made. */
export interface CheckedClaim {
  readonly claim: string;
  readonly ok?: boolean | null | undefined;
  readonly reason?: string | undefined;
}

/** Each claim as a statement that holds if the check succeeds. */
const SENTENCES: Readonly<Record<string, string>> = {
  seal: 'The receipt is sealed',
  key: 'The receipt contains the key that signed it',
  keyid: 'The signature names this key',
  signature: 'The signature is valid (Ed25519)',
  statement: 'The signed statement matches this receipt',
  'key pinned': 'The key is one that you trust',
  hmac: 'The issuing node confirms it (HMAC)',
  kernel: 'Its kernel leaves the same outputs, bit for bit',
  plan: 'Its inputs give the runs of its kernel',
  answer: 'The outputs give the same numbers, bit for bit',
  stamps: 'Time, R(t) and the values scaled by it follow from the recorded stamps',
  arrays: 'The arrays match their hashes',
  laws: 'Its laws are, or once were, laws of this registry',
  identity: 'The machine identity matches the first row of this chain',
  rows: 'Every row matches its hash, its commitment and the previous row',
  checkpoint: 'The checkpoint is signed (Ed25519)',
  tree: 'The rows hash to the signed root',
  payloads: 'Every payload is present and was compared',
  definitions: 'The contract definitions match the chain',
  transitions: 'Every transition is allowed by its contract',
};

export function claimSentence(claim: string): string {
  return Object.hasOwn(SENTENCES, claim) ? (SENTENCES[claim] ?? claim) : claim;
}

/** Claims about a receipt that need more than the receipt; those that nobody checked are named. */
const RECEIPT_CLAIMS = ['key pinned', 'kernel', 'hmac'] as const;

export interface ReceiptVerdict {
  /**
   * `good`: signed by a trusted key, unchanged, recomputed. `partial`: the same, not recomputed. `unknown_key`: signed
   * by a key that nobody named as trusted. `unsigned`: no signature. `bad`: a check failed.
   */
  readonly verdict: 'good' | 'partial' | 'unknown_key' | 'unsigned' | 'bad';
  readonly title: string;
  readonly checked: readonly string[];
  readonly failed: readonly string[];
  readonly unchecked: readonly string[];
  /** What the signature covers. */
  readonly coverage: string;
}

/** By claim: why it was not checked here, or how to check it. */
export type CheckHints = Readonly<Partial<Record<(typeof RECEIPT_CLAIMS)[number], string>>>;

/** The claims, and after them those that nobody checked. */
export function completeClaims(claims: readonly CheckedClaim[], hints: CheckHints): readonly CheckedClaim[] {
  const isSigned = isSealed(claims);
  const missing = RECEIPT_CLAIMS.filter(
    (name) => (isSigned || name === 'kernel') && claims.every(({ claim }) => claim !== name),
  );
  return [...claims, ...missing.map((claim) => ({ claim, ok: null, reason: hints[claim] }))];
}

/** @param keyid  fingerprint of the key that signed the receipt */
export function receiptVerdict(
  claims: readonly CheckedClaim[],
  hints: CheckHints = {},
  keyid: unknown = undefined,
): ReceiptVerdict {
  const holds = (name: string) => claims.some(({ claim, ok }) => claim === name && ok === true);
  const failed = claims.filter(({ ok }) => ok === false);
  const open = completeClaims(claims, hints).filter(({ ok }) => ok !== true && ok !== false);
  const isSigned = isSealed(claims);
  const lists = {
    checked: claims.filter(({ ok }) => ok === true).map(({ claim }) => claimSentence(claim)),
    failed: failed.map(withReason),
    unchecked: [...open.map(withReason), UNCHECKABLE],
    coverage: isSigned ? COVERAGE.signed : COVERAGE.unsigned,
  };
  if (failed.length > 0) return { verdict: 'bad', title: failureTitle(failed), ...lists };
  const bits = bitsTitle(claims);
  if (!isSigned) return { verdict: 'unsigned', title: `not signed${bits}`, ...lists };
  if (!holds('key pinned')) return { verdict: 'unknown_key', title: `${unknownKeyTitle(keyid)}${bits}`, ...lists };
  return { verdict: holds('kernel') ? 'good' : 'partial', title: `valid${bits}`, ...lists };
}

/** Nobody is known by a key alone: without a pinned key, nothing is valid. */
export function unknownKeyTitle(keyid: unknown): string {
  return `signed by an unknown key${typeof keyid === 'string' ? ` ${shortText(keyid, 80)}` : ''}`;
}

/** A law that nobody registered is a verdict of its own: the number may be right, but its name is borrowed. */
function failureTitle(failed: readonly CheckedClaim[]): string {
  return failed.every(({ claim }) => claim === 'laws') ? 'not a registered law' : 'not valid';
}

function bitsTitle(claims: readonly CheckedClaim[]): string {
  const found = (name: string) => claims.find(({ claim }) => claim === name)?.ok;
  if (found('kernel') !== true) return '';
  return found('answer') === true ? ', bits equal' : ', outputs of the kernel equal, answer not compared';
}

/** Whether a valid signature covers the receipt. It says nothing about the owner of the key. */
export function isSealed(claims: readonly CheckedClaim[]): boolean {
  return ['keyid', 'signature', 'statement'].every((name) =>
    claims.some(({ claim, ok }) => claim === name && ok === true),
  );
}

const withReason = ({ claim, reason }: CheckedClaim) =>
  reason === undefined || reason === '' ? claimSentence(claim) : `${claimSentence(claim)}: ${reason}`;

/** No program can check these. */
export const UNCHECKABLE = 'No program can check whether the inputs are true or the law fits the case';

const COVERAGE = {
  signed: 'The signature covers this text, but not what the reading program adds.',
  unsigned: 'No valid signature covers this text: anyone may have written it.',
} as const;

/** Reasons of an HMAC that is not valid, by code. */
export const REASONS = {
  MALFORMED: 'svcProof must be 64 hex digits.',
  VALUE_NOT_SIGNED: 'The node did not sign this value.',
  NO_MATCH: 'Another node issued this receipt, or a signed field was changed.',
  EPOCH_UNKNOWN: 'Its secret epoch is unknown to this node.',
} as const;
