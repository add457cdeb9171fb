// Runs a solver as the service does: parse, plan, run the kernel runs, collect.

import type { z } from 'zod';
import type { KernelOutput, KernelRun } from '../../src/kernels/abi.ts';
import type { KernelFace } from '../../src/kernels/face.ts';
import { compileKernel, drive, instantiate, type KernelInstance } from '../../src/kernels/instance.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { LocalRunner } from '../../src/kernels/local-runner.ts';
import type { Solution, SolverDefinition } from '../../src/solvers/definition.ts';
import { runPlan } from '../../src/solvers/run.ts';

const shared = new LocalRunner();

/** Solves one case on warm instances, or on the given runner. */
export async function runSolver<Shape extends z.ZodObject>(
  solver: SolverDefinition<Shape>,
  input: z.input<Shape>,
  runner = shared,
): Promise<Solution> {
  const parsed = solver.inputs.parse(input);
  const { outputs } = await runPlan(solver.plan(parsed), await loadKernel(solver.id), runner);
  return solver.collect(outputs, parsed);
}

/** Creates a cold instance of a built kernel. */
export async function coldInstance(slug: string): Promise<KernelInstance> {
  return instantiate(await compileKernel(await loadKernel(slug)));
}

/** Runs a kernel with `size` steps per call of `advance`, whatever chunks the driver chooses. */
export function runInGroups<Face extends KernelFace>(
  instance: KernelInstance,
  run: KernelRun<Face>,
  size: number,
): KernelOutput<Face> {
  const { advance } = instance.exports;
  const advanceInGroups = (steps: number): number => {
    let info = 0;
    for (let remaining = steps; remaining > 0 && info === 0; remaining -= size)
      info = advance(Math.min(size, remaining));
    return info;
  };
  const advanceAtOnce = () => advance(run.steps);
  const exports = { ...instance.exports, advance: size >= run.steps ? advanceAtOnce : advanceInGroups };
  // A constant clock makes the chunks of the driver grow as fast as possible.
  const chunks = drive({ ...instance, exports }, run, () => 0);
  for (;;) {
    const next = chunks.next();
    if (next.done) return next.value;
  }
}
