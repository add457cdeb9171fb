// One line registers a solver.

import type { SolverDefinition } from './definition.ts';
import { evolve } from './evolve/solver.ts';
import { heat } from './heat/solver.ts';
import { sat } from './sat/solver.ts';
import { schrodinger } from './schrodinger/solver.ts';
import { unified } from './unified/solver.ts';

export const SOLVERS: readonly SolverDefinition[] = [evolve, heat, sat, schrodinger, unified];

/** The solver that a visitor sees first. */
export const START_SOLVER: string = heat.id;

export function findSolver(id: string): SolverDefinition | undefined {
  return SOLVERS.find((solver) => solver.id === id);
}
