// Tests against numbers that are known from elsewhere: published, exact, or computed with many digits.

import { expect, test } from 'vitest';
import type { z } from 'zod';
import type { SolverDefinition } from '../../src/solvers/definition.ts';
import { runSolver } from './run-solver.ts';
import { quantityOf } from './solution-parts.ts';

/** A number and the largest deviation from it. */
type Near = readonly [expected: number, tolerance: number];

export interface KnownValue<Input> {
  readonly input: Input;
  readonly value?: Near;
  /** The number that the witness gives. */
  readonly reference?: Near;
  readonly quantities?: Readonly<Record<string, Near>>;
}

export function testKnownValue<Shape extends z.ZodObject>(
  solver: SolverDefinition<Shape>,
  name: string,
  { input, value, reference, quantities = {} }: KnownValue<z.input<Shape>>,
): void {
  test(`known: ${name}`, async () => {
    const solution = await runSolver(solver, input);
    const found: readonly (readonly [string, number, Near | undefined])[] = [
      ['value', solution.value, value],
      ['reference', solution.witness.reference, reference],
      ...Object.entries(quantities).map(([one, near]) => [one, quantityOf(solution, one), near] as const),
    ];
    const known = found.flatMap(([what, number, near]) => (near ? [{ what, number, near }] : []));
    expect(known.length).toBeGreaterThan(0);
    for (const { what, number, near } of known)
      expect(Math.abs(number - near[0]), `${what} ${number}`).toBeLessThan(near[1]);
  });
}
