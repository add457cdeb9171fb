// Runs a solver the way the service does: parse, plan, run every kernel run, collect.

import type { z } from 'zod';
import type { KernelOutput, KernelRun } from '../../src/kernels/abi.ts';
import { compileKernel, drive, instantiate, type KernelInstance } from '../../src/kernels/instance.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { LocalRunner } from '../../src/kernels/run-here.ts';
import { runPlan } from '../../src/solvers/run.ts';
import type { Solution, SolverDefinition } from '../../src/solvers/solver.ts';

const shared = new LocalRunner();

/** Solve one case on warm instances, or on the given runner. */
export async function runSolver<Shape extends z.ZodObject>(
  solver: SolverDefinition<Shape>,
  input: z.input<Shape>,
  runner = shared,
): Promise<Solution> {
  const parsed = solver.inputs.parse(input);
  const outputs = await runPlan(solver.plan(parsed), await loadKernel(solver.id), runner);
  return solver.collect(outputs, parsed);
}

/** A fresh, cold instance of a built kernel. */
export async function freshInstance(slug: string): Promise<KernelInstance> {
  return instantiate(await compileKernel(await loadKernel(slug)));
}

/** One kernel run whose `advance` is called with `size` steps at a time, whatever the driver would choose. */
export function runInGroups(instance: KernelInstance, run: KernelRun, size: number): KernelOutput {
  const { advance } = instance.exports;
  const grouped = (steps: number): number => {
    let info = 0;
    for (let left = steps; left > 0 && info === 0; left -= size) info = advance(Math.min(size, left));
    return info;
  };
  const all = () => advance(run.steps);
  const exports = { ...instance.exports, advance: size >= run.steps ? all : grouped };
  // A clock that stands still makes the driver's own chunks grow as fast as they can.
  const chunks = drive({ ...instance, exports }, run, () => 0);
  for (;;) {
    const next = chunks.next();
    if (next.done) return next.value;
  }
}
