// Verdict on a receipt in words: what was checked, what failed, what was not checked, and what the signature covers.

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
  replay: 'Recomputing it with its kernel gives the same bits',
  arrays: 'The long arrays beside the result match their hashes',
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

/** Every claim about a receipt; those that nobody checked are named. */
const RECEIPT_CLAIMS = ['key pinned', 'replay', 'hmac'] as const;

export interface ReceiptVerdict {
  /** `good`: signed, unchanged, recomputed. `partial`: signed, unchanged. `unsigned`: no signature. `bad`: a check failed. */
  readonly verdict: 'good' | 'partial' | 'unsigned' | 'bad';
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
    (name) => (isSigned || name === 'replay') && claims.every(({ claim }) => claim !== name),
  );
  return [...claims, ...missing.map((claim) => ({ claim, ok: null, reason: hints[claim] }))];
}

export function receiptVerdict(claims: readonly CheckedClaim[], hints: CheckHints = {}): ReceiptVerdict {
  const holds = (name: string) => claims.some(({ claim, ok }) => claim === name && ok === true);
  const failed = claims.filter(({ ok }) => ok === false);
  const open = completeClaims(claims, hints).filter(({ ok }) => ok !== true && ok !== false);
  const isSigned = isSealed(claims);
  const bits = holds('replay') ? ', bits equal' : '';
  const lists = {
    checked: claims.filter(({ ok }) => ok === true).map(({ claim }) => claimSentence(claim)),
    failed: failed.map(withReason),
    unchecked: [...open.map(withReason), UNCHECKABLE],
    coverage: isSigned ? COVERAGE.signed : COVERAGE.unsigned,
  };
  if (failed.length > 0) return { verdict: 'bad', title: 'not valid', ...lists };
  if (!isSigned) return { verdict: 'unsigned', title: `not signed${bits}`, ...lists };
  const title = holds('key pinned') ? `valid${bits}` : `signed by an unknown key${bits}`;
  return { verdict: holds('replay') ? 'good' : 'partial', title, ...lists };
}

/** Whether a valid signature covers every field of the receipt. It says nothing about the owner of the key. */
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
