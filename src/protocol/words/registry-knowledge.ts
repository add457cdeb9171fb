// Knowledge of a program that holds the whole registry: the command line and the service.

import { EXPRESSION_KERNEL } from '../../expressions/evaluate.ts';
import { OPERATORS } from '../../operators/load.ts';
import { registration } from '../../operators/registered.ts';
import { findSolver } from '../../solvers/index.ts';
import { COMPUTE } from '../chain-computation.ts';
import type { Untrusted } from '../untrusted.ts';
import type { ReaderKnowledge } from './describe.ts';
import { lawWordsOf } from './registry-words.ts';

/** @param kernelSha256  hash of this program's kernel of the receipt, `kernelSlugOf` it */
export function registryKnowledge(
  kernelSha256: string | undefined,
  keyOwner: (key: Untrusted) => string | undefined,
): ReaderKnowledge {
  const law = (id: string) => {
    const operator = OPERATORS.get(id);
    return operator && lawWordsOf(operator);
  };
  return { law, registration, solver: findSolver, kernelSha256, keyOwner };
}

/** The kernel that computes a receipt; undefined for a solver that this program does not have. */
export function kernelSlugOf({ solver }: Untrusted): string | undefined {
  if (solver === COMPUTE) return EXPRESSION_KERNEL;
  return typeof solver === 'string' ? findSolver(solver)?.id : undefined;
}
