// `defineSolver`: makes the record of a solver one that can also be run.

import type { z } from 'zod';
import type { Solution, SolverDefinition } from './definition.ts';
import type { SolveControls } from './run.ts';

/** A solver's record that can also be run: what `svc/solvers/<slug>` exports. */
export interface Solver<Shape extends z.ZodObject = z.ZodObject> extends SolverDefinition<Shape> {
  /** Solve in this thread, in chunks that let the event loop turn. @throws DomainError as `solveHere` */
  solve(input: z.input<Shape>, controls?: SolveControls): Promise<Solution>;
}

/** Types a solver's record and makes it runnable. */
export function defineSolver<Shape extends z.ZodObject>(definition: SolverDefinition<Shape>): Solver<Shape> {
  return {
    ...definition,
    solve: async (input, controls) => {
      const { solveHere } = await import('./run.ts');
      return solveHere(definition as unknown as SolverDefinition, input, controls);
    },
  };
}
