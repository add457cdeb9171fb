// A sweep of a solver, which every solver has without a line of its own.

import { expect, test } from 'vitest';
import type { z } from 'zod';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { LocalRunner } from '../../src/kernels/local-runner.ts';
import { definitionOf } from '../../src/operators/definition.ts';
import { findOperator } from '../../src/operators/load.ts';
import { pureFields } from '../../src/protocol/pure-fields.ts';
import { replayResult } from '../../src/protocol/replay.ts';
import { bindSolverSweep } from '../../src/protocol/sweep/solver-request.ts';
import type { SolverDefinition } from '../../src/solvers/definition.ts';
import { fieldWords } from '../../src/solvers/request.ts';
import { runPlan } from '../../src/solvers/run.ts';
import { replayTools } from '../protocol/sealed-case.ts';
import { runSolver } from './run-solver.ts';

/** Two values of one numeric field: the row of each is that of its own run, and the sweep replays. */
export function testSweep<Shape extends z.ZodObject>(solver: SolverDefinition<Shape>, input: z.input<Shape>): void {
  const parsed = solver.inputs.safeParse(input).data as Readonly<Record<string, unknown>> | undefined;
  const words = fieldWords(solver as unknown as SolverDefinition);
  const name = Object.keys(words).find(
    (field) => words[field]?.unit !== undefined && typeof parsed?.[field] === 'number',
  );
  if (name === undefined) return;
  test(`a sweep of ${name} has the rows of single runs, and replays`, { timeout: 60_000 }, async () => {
    const { [name]: value, ...others } = { ...parsed, ...(input as object) } as Record<string, unknown>;
    const definitions = solver.operatorChain.map((id) => definitionOf(findOperator(id)));
    const body = { ...others, sweep: { [name]: [value, value] } };
    const bound = bindSolverSweep(solver as unknown as SolverDefinition, body, { laws: [], definitions });
    if (bound.kind === 'gate') throw new Error('The gate refused the sweep.');
    const { computation } = bound;
    const image = await loadKernel(solver.id);
    const executed = { kernelSha256: image.sha256, ...(await runPlan(computation.plan(), image, new LocalRunner())) };
    const { pure } = pureFields(computation, executed, computation.collect(executed.outputs), true);
    const single = await runSolver(solver, input);
    const row = [value, single.value + 0, single.uncertainty + 0];
    expect(pure.table?.rows).toEqual([row, row]);
    expect(pure.inputs).not.toHaveProperty(name);
    const { claims } = await replayResult(JSON.parse(JSON.stringify(pure)), replayTools());
    expect(claims.filter(({ ok }) => ok !== true)).toEqual([]);
  });
}
