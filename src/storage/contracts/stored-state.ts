// The columns that hold the state of a contract or an instance.
//
// Collections, which are long and change seldom, have a column of their own: a change that leaves them as they were does
// not write them again.

import type { ContractState } from '../../contracts/contract-state.ts';
import type { KeptWindows } from '../../contracts/windows/kept-windows.ts';

/** A state as it is stored. */
export type StoredState = ContractState & {
  /** The mark of a stranger: see `isOfStranger` of a contract. */
  readonly stranger?: true;
  /** Samples of the windows of an instance. */
  readonly windows?: KeptWindows | undefined;
};

interface StateColumns {
  readonly state: string;
  readonly collections: string | null;
}

export interface WrittenState {
  readonly state: ContractState;
  readonly windows?: KeptWindows | undefined;
  readonly isOfStranger?: boolean | undefined;
}

/** The column `state`. */
export function stateText({ state, windows, isOfStranger = false }: WrittenState): string {
  const { collections: _, ...rest } = state;
  return JSON.stringify({
    ...rest,
    ...(windows === undefined ? {} : { windows }),
    ...(isOfStranger ? { stranger: true } : {}),
  });
}

/** The column `collections`. Null leaves what is there; if it had some and has none now, a JSON null is written. */
export const collectionsText = ({ collections }: ContractState, isChanged: boolean): string | null =>
  isChanged ? JSON.stringify(collections ?? null) : null;

/** @throws SyntaxError if one of the columns is no JSON, which nobody but an intruder writes */
export function storedState({ state, collections }: StateColumns): StoredState {
  const stored = JSON.parse(state) as StoredState;
  const entries = collections === null ? null : (JSON.parse(collections) as ContractState['collections'] | null);
  return entries === null ? stored : { ...stored, collections: entries };
}
