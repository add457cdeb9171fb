// Receipts: HMAC-SHA256 over canonical JSON, with a key derived for each key prefix.
//
// Only the node that made an HMAC can verify it. Everybody else verifies the seal (seal.ts).

import { canonicalJson } from '../core/canonical-json.ts';
import { hkdfSha256, hmacSha256Hex } from '../core/sha256.ts';

/** `svc-proof` states that this node computed a number; `svc-stamp` states only when a statement was made. */
const DOMAINS = { computation: 'svc-proof', stamp: 'svc-stamp' } as const;
export type ReceiptKind = keyof typeof DOMAINS;

export interface ReceiptClaim {
  readonly operatorIds: readonly string[];
  readonly R_t: number;
  readonly svcond: number;
  readonly keyPrefix: string;
  /** With a value, the receipt is v2 and signs value and unit; without, it is v1. */
  readonly value?: number | undefined;
  readonly unit?: string | undefined;
}

/** What the receipt of a transition states. Its domain is its own, so that no stamp passes for it. */
export interface TransitionClaim {
  readonly machine: string;
  readonly contract: string;
  /** Key of the instance; absent for a contract without a key, so that its receipts are as before. */
  readonly instance?: string | undefined;
  /** Who caused it; absent unless a party did. */
  readonly by?: { readonly party: string; readonly voter: string } | undefined;
  readonly definition_hash: string;
  readonly transition: string;
  readonly from: string;
  readonly to: string;
  readonly entry: number;
  /** Number and tick of its row. */
  readonly seq: number;
  readonly svcond: number;
  /** The newest row before the change. */
  readonly previous: { readonly seq: number; readonly row_hash: string };
  /** Operators and solvers that it called, with inputs and values. */
  readonly computed: readonly object[];
}

const transitionText = (claim: TransitionClaim): string => canonicalJson(['svc-transition', 'v1', claim]);
const TRANSITION_KEY = 'transition';

export interface ReceiptSecret {
  readonly epoch: number;
  readonly secret: Uint8Array;
}

export type ReceiptVersion = 'v1' | 'v2';

export interface SignedReceipt {
  readonly svcProof: string;
  readonly version: ReceiptVersion;
  readonly epoch: number;
}

export type ReceiptCheck =
  | { readonly valid: true; readonly kind: ReceiptKind; readonly version: ReceiptVersion; readonly epoch: number }
  | { readonly valid: false; readonly reason: 'MALFORMED' | 'VALUE_NOT_SIGNED' | 'NO_MATCH' | 'EPOCH_UNKNOWN' };

/** The exact text that is signed. */
export function receiptText(kind: ReceiptKind, claim: ReceiptClaim): string {
  const { operatorIds, R_t, svcond, keyPrefix, value, unit } = claim;
  const common = [operatorIds, R_t, svcond, keyPrefix];
  return value === undefined
    ? canonicalJson([DOMAINS[kind], 'v1', ...common])
    : canonicalJson([DOMAINS[kind], 'v2', ...common, value, unit ?? '']);
}

const PROOF = /^[0-9a-f]{64}$/;
const MAX_DERIVED_KEYS = 10_000;

/** The node's secrets, newest first. Rotation adds one; old receipts stay valid. */
export class ReceiptKeys {
  readonly #secrets: readonly ReceiptSecret[];
  readonly #derived = new Map<string, Uint8Array>();

  constructor(secrets: readonly ReceiptSecret[]) {
    this.#secrets = [...secrets].sort((a, b) => b.epoch - a.epoch);
    if (this.#secrets.length === 0) throw new Error('A receipt ring needs at least one secret.');
  }

  get newestEpoch(): number {
    return this.#secrets[0]?.epoch ?? 0;
  }

  sign(kind: ReceiptKind, claim: ReceiptClaim): SignedReceipt {
    const [newest] = this.#secrets;
    if (!newest) throw new Error('A receipt ring needs at least one secret.');
    return {
      svcProof: hmacSha256Hex(this.#keyFor(newest, claim.keyPrefix), receiptText(kind, claim)),
      version: claim.value === undefined ? 'v1' : 'v2',
      epoch: newest.epoch,
    };
  }

  signTransition(claim: TransitionClaim): Omit<SignedReceipt, 'version'> {
    const [newest] = this.#secrets;
    if (!newest) throw new Error('A receipt ring needs at least one secret.');
    const svcProof = hmacSha256Hex(this.#keyFor(newest, TRANSITION_KEY), transitionText(claim));
    return { svcProof, epoch: newest.epoch };
  }

  /** Never throws: a malformed proof or claim is not valid. */
  isTransition(proof: unknown, claim: TransitionClaim, epoch: unknown): boolean {
    const secret = this.#secrets.find((one) => one.epoch === epoch);
    if (typeof proof !== 'string' || !PROOF.test(proof) || secret === undefined) return false;
    return isEqualInConstantTime(hmacSha256Hex(this.#keyFor(secret, TRANSITION_KEY), transitionText(claim)), proof);
  }

  /** Never throws: a malformed proof or claim is not valid. */
  verify(proof: unknown, claim: ReceiptClaim, epoch?: number): ReceiptCheck {
    if (typeof proof !== 'string' || !PROOF.test(proof)) return { valid: false, reason: 'MALFORMED' };
    const secrets = epoch === undefined ? this.#secrets : this.#secrets.filter((one) => one.epoch === epoch);
    if (secrets.length === 0) return { valid: false, reason: 'EPOCH_UNKNOWN' };
    // Nobody can have signed a claim that canonical JSON cannot represent (a lone surrogate, NaN).
    if (!isRepresentable(claim)) return { valid: false, reason: 'MALFORMED' };
    const found = this.#find(secrets, proof, claim);
    if (found) return found;
    const { value: _, unit: __, ...withoutValue } = claim;
    if (claim.value !== undefined && this.#find(secrets, proof, withoutValue))
      return { valid: false, reason: 'VALUE_NOT_SIGNED' };
    return { valid: false, reason: 'NO_MATCH' };
  }

  #find(secrets: readonly ReceiptSecret[], proof: string, claim: ReceiptClaim): ReceiptCheck | undefined {
    for (const secret of secrets) {
      const key = this.#keyFor(secret, claim.keyPrefix);
      for (const kind of ['computation', 'stamp'] as const) {
        if (!isEqualInConstantTime(hmacSha256Hex(key, receiptText(kind, claim)), proof)) continue;
        return { valid: true, kind, version: claim.value === undefined ? 'v1' : 'v2', epoch: secret.epoch };
      }
    }
    return undefined;
  }

  #keyFor({ epoch, secret }: ReceiptSecret, keyPrefix: string): Uint8Array {
    const name = `${epoch}:${keyPrefix}`;
    let key = this.#derived.get(name);
    if (!key) {
      key = hkdfSha256(secret, 'svc-proof', keyPrefix, 32);
      // Callers choose the prefixes, so the cache must be bounded.
      if (this.#derived.size >= MAX_DERIVED_KEYS) this.#derived.clear();
      this.#derived.set(name, key);
    }
    return key;
  }
}

function isRepresentable(claim: ReceiptClaim): boolean {
  try {
    receiptText('computation', claim);
    return true;
  } catch {
    return false;
  }
}

/** Takes the same time wherever two texts of equal length differ. */
function isEqualInConstantTime(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
