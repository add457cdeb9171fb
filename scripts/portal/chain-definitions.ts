// The definitions of all operators in the chains of solvers, by id, for the portal.

import { definitionOf, type SealedDefinition } from '../../src/operators/definition.ts';
import { findOperator } from '../../src/operators/load.ts';
import { SOLVERS } from '../../src/solvers/index.ts';

export function chainDefinitions(): Readonly<Record<string, SealedDefinition>> {
  const ids = new Set(SOLVERS.flatMap(({ operatorChain }) => operatorChain));
  return Object.fromEntries([...ids].map((id) => [id, definitionOf(findOperator(id))]));
}
