// `defineSolver`: makes a solver definition runnable.

import type { z } from 'zod';
import type { KernelFace } from '../kernels/face.ts';
import type { Solution, SolverDefinition } from './definition.ts';
import { withWords } from './plot-words.ts';
import type { SolveControls } from './run.ts';

/** A runnable solver definition, as exported by `svc/solvers/<slug>`. */
export interface Solver<Shape extends z.ZodObject = z.ZodObject, Face extends KernelFace = KernelFace>
  extends SolverDefinition<Shape, Face> {
  /** Solves in this thread, in chunks that yield to the event loop. @throws DomainError as `solveHere` */
  solve(input: z.input<Shape>, controls?: SolveControls): Promise<Solution>;
}

/** Types a solver definition, names the arrays of its plots in words, and makes it runnable. */
export function defineSolver<Shape extends z.ZodObject, const Face extends KernelFace>(
  definition: SolverDefinition<Shape, Face>,
): Solver<Shape, Face> {
  return {
    ...definition,
    collect: (outputs, input) => {
      const solution = definition.collect(outputs, input);
      return { ...solution, plots: withWords(solution.plots, definition.form?.arrays ?? {}) };
    },
    solve: async (input, controls) => {
      const { solveHere } = await import('./run.ts');
      return solveHere(definition as unknown as SolverDefinition, input, controls);
    },
  };
}
