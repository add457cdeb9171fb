// Loads the code of a solver when a task needs it, and with it the definitions of the operators in its chain.

import type { SealedDefinition } from '../../operators/definition.ts';
import type { SolverDefinition } from '../../solvers/definition.ts';
import { loadScript } from './load-script.ts';

interface SolverModule {
  readonly solver: SolverDefinition;
  readonly definitions: readonly SealedDefinition[];
}

/** Defined by scripts/portal/solver-files.ts. */
declare const __SOLVER_MODULES__: Readonly<Record<string, () => Promise<SolverModule>>>;

/** @returns undefined for an id that is no solver's. @throws ScriptUnavailable */
export async function loadSolver(id: unknown): Promise<SolverModule | undefined> {
  const load = typeof id === 'string' && Object.hasOwn(__SOLVER_MODULES__, id) ? __SOLVER_MODULES__[id] : undefined;
  return load && loadScript(load);
}
