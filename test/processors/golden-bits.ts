// Computes every golden case and prints one JSON line with the processor and the hash of each case. Run by the Node
// under test.

import { SOLVERS } from '../../src/solvers/index.ts';
import { GOLDEN_CASES } from '../suites/golden-cases.ts';
import { runSolver } from '../suites/run-solver.ts';
import { hashSolution } from '../suites/solution-bits.ts';

const bits: Record<string, string> = {};
for (const { solver: id, name, input } of GOLDEN_CASES) {
  const solver = SOLVERS.find((candidate) => candidate.id === id);
  if (solver === undefined) throw new Error(`solver ${id} not found`);
  bits[`${id}, ${name}`] = hashSolution(await runSolver(solver, input));
}
console.log(JSON.stringify({ arch: process.arch, version: process.version, bits }));
