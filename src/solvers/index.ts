// One line registers a solver.

import type { SolverDefinition } from './solver.ts';

export const SOLVERS: readonly SolverDefinition[] = [];
