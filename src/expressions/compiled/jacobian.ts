// Partial derivatives of programs with respect to slots, compiled to one function as emit-module.ts describes.

import { Differentiator, NoDerivative } from './derivative.ts';
import { type CompiledProgram, emitPrograms, graphOf } from './emit-module.ts';
import type { Shape } from './shape.ts';
import { NoGraph } from './value-graph.ts';

/**
 * The bytes of a module whose function writes out[i, j] = ∂(program i)/∂(slot j) of one row, for the programs with the
 * target `out`; programs with a slot as their target are intermediate values.
 *
 * @param slots  indices of the slots, none of which a program writes
 * @returns undefined as `emitModule`, and for a function without a rule (derivative.ts)
 */
export function emitJacobian(shape: Shape, slots: readonly number[]): Uint8Array<ArrayBuffer> | undefined {
  try {
    const { graph, programs } = graphOf(shape);
    const columns = slots.map((slot) => {
      const value = graph.slot(slot);
      if (value.kind !== 'slot') throw new NoGraph();
      return new Differentiator(graph, value);
    });
    const derivatives = programs
      .filter(({ target }) => target.to === 'out')
      .flatMap(({ result, target }) =>
        columns.map((column, j): CompiledProgram => {
          const derivative = column.of(result) ?? graph.literal(0);
          return { result: derivative, eager: [], target: { to: 'out', index: target.index * slots.length + j } };
        }),
      );
    return emitPrograms({ ...shape, form: 'row' }, derivatives);
  } catch (error) {
    if (error instanceof NoDerivative || error instanceof NoGraph) return undefined;
    throw error;
  }
}
