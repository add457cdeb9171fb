// Words about a law of the registry that a receipt does not hold: descriptions of its symbols. They count only for a
// receipt with the same definition.

export interface LawWords {
  readonly name: string;
  readonly equation: string;
  /** `definitionSha256` of its definition. */
  readonly definition_sha256: string;
  readonly output: SymbolWords & { readonly symbol: string };
  readonly inputs: Readonly<Record<string, SymbolWords>>;
}

export interface SymbolWords {
  readonly unit: string;
  readonly name: string;
}
