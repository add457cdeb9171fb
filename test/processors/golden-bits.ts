// Computes every golden case and prints one JSON line: the processor, and case → hash. Run by whatever Node is to be compared.

import { SOLVERS } from '../../src/solvers/index.ts';
import { GOLDEN_CASES } from '../suites/golden-cases.ts';
import { runSolver } from '../suites/run-solver.ts';
import { bitsOf } from '../suites/solution-bits.ts';

const bits: Record<string, string> = {};
for (const { solver: id, name, input } of GOLDEN_CASES) {
  const solver = SOLVERS.find((one) => one.id === id);
  if (solver === undefined) throw new Error(`There is no solver ${id}.`);
  bits[`${id}, ${name}`] = bitsOf(await runSolver(solver, input));
}
console.log(JSON.stringify({ arch: process.arch, version: process.version, bits }));
