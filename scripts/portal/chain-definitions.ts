// The definitions of all operators that stand in a solver's chain, by id: what the portal needs of the registry.

import { definitionOf, type SealedDefinition } from '../../src/operators/definition.ts';
import { findOperator } from '../../src/operators/load.ts';
import { SOLVERS } from '../../src/solvers/index.ts';

export function chainDefinitions(): Readonly<Record<string, SealedDefinition>> {
  const ids = new Set(SOLVERS.flatMap(({ operatorChain }) => operatorChain));
  return Object.fromEntries([...ids].map((id) => [id, definitionOf(findOperator(id))]));
}
