// Words about a law of the registry that a receipt does not hold: descriptions of its symbols. They count only for a
// receipt with the same definition.

import { canonicalJson } from '../../core/canonical-json.ts';
import { sha256Hex } from '../../core/sha256.ts';

export interface LawWords {
  readonly name: string;
  readonly equation: string;
  /** SHA-256 of the canonical JSON of its definition, as a receipt holds it. */
  readonly definition_sha256: string;
  readonly output: SymbolWords & { readonly symbol: string };
  readonly inputs: Readonly<Record<string, SymbolWords>>;
}

export interface SymbolWords {
  readonly unit: string;
  readonly name: string;
}

/** Undefined for what canonical JSON cannot hold. */
export function definitionSha256(definition: unknown): string | undefined {
  try {
    return sha256Hex(canonicalJson(definition));
  } catch {
    return undefined;
  }
}
