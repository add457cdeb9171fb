// Editions of the engine. A row names the edition that decided it, and a replay of that row follows the same rules.
//
// 2 (docs/decisions/0023): timers keep their place through new versions; values that a sender is to blame for do not make
// a contract fail; guards that need no value are decided on empty windows; callers cannot send what a contract emits;
// names of a source used by one sender are one source.

export type EngineEdition = 1 | 2;

/** The edition that decides contracts from now on. */
export const CURRENT_ENGINE: EngineEdition = 2;

/** The edition that decides a contract, and the row from which on it does. */
export interface EngineOfContract {
  readonly edition: EngineEdition;
  readonly from: number;
}

/** A state without an engine is decided by the first edition. */
export const editionOf = ({ engine }: { readonly engine?: EngineOfContract | undefined }): EngineEdition =>
  engine?.edition ?? 1;
