// Coverage of the ± of each solver, and its median width: all cases of test/coverage.
//
//   node bench/coverage.ts

import { existsSync } from 'node:fs';
import type { SolverDefinition } from '../src/solvers/definition.ts';
import { SOLVERS } from '../src/solvers/index.ts';
import { measureCoverage, readCoverageCases } from '../test/suites/coverage.ts';
import { runSolver } from '../test/suites/run-solver.ts';
import { fixed, printHead, printRow } from './harness/table.ts';

printHead('solver', 'cases', 'covered', 'missed', 'refused', 'median of ± / error', 'target');
for (const solver of SOLVERS as readonly SolverDefinition[]) {
  if (!existsSync(new URL(`../test/coverage/${solver.id}.json`, import.meta.url))) continue;
  const { results, answered, covered, refused, medianRatio } = await measureCoverage(
    readCoverageCases(solver.id),
    (input) => runSolver(solver, input),
  );
  printRow(
    ...[solver.id, results.length, covered, answered - covered, refused].map(String),
    fixed(medianRatio, 2),
    '≥ 99 % (by chance 90 %), refused ≤ 2 %, median 1 to 20',
  );
}
