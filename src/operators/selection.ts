// Selection of the operators of a computation, as it is sealed.

import type { Link } from './bind.ts';
import type { OperatorDefinition } from './operator.ts';

export interface Selection {
  readonly by: 'caller' | 'wizard';
  /** In the order in which they are computed. */
  readonly operators: readonly { readonly operator_id: string; readonly name: string; readonly why: string }[];
  /** Operators whose required inputs are also given, and that use no further key. */
  readonly also_fit?: readonly string[];
}

/** As it is sealed. */
export interface SealedSelection extends Selection {
  readonly chain: readonly Link[];
}

/** @param isReordered  whether the order differs from the caller's */
export function namedByCaller(operators: readonly OperatorDefinition[], isReordered = false): Selection {
  const why = isReordered
    ? 'named by the caller; put in the order in which they need each other'
    : 'named by the caller';
  return { by: 'caller', operators: operators.map(({ id, name }) => ({ operator_id: id, name, why })) };
}
