// The laws of a receipt by id and title, as lists of filed runs name it.

import { isRecord } from '../core/record.ts';
import { PULSE_OPERATOR } from '../operators/operator.ts';
import { COMPUTE } from './chain-computation.ts';

export interface Laws {
  /** Of several in a row, with commas between. */
  readonly lawId: string;
  /** Of several in a row, with semicolons between, since titles have commas. */
  readonly lawTitle: string;
}

/** @returns undefined for a receipt of a solver; its operators are not what it computed */
export function lawsOf({ solver, definitions }: LawsSource): Laws | undefined {
  if (solver !== COMPUTE || !Array.isArray(definitions)) return undefined;
  const laws = definitions.filter(isRecord).filter(({ id }) => id !== PULSE_OPERATOR);
  return {
    lawId: laws.map(({ id }) => String(id)).join(', '),
    lawTitle: laws.map(({ name }) => String(name)).join('; '),
  };
}

/** An envelope, which may be one of an unknown shape. */
interface LawsSource {
  readonly solver?: unknown;
  readonly definitions?: unknown;
}
