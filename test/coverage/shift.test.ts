import { computeLawHere } from '../../src/protocol/compute-law.ts';
import { withComputedLaws } from '../../src/solvers/computed-laws.ts';
import type { ShiftInput } from '../../src/solvers/shift/inputs.ts';
import { shift } from '../../src/solvers/shift/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';
import { runSolver } from '../suites/run-solver.ts';

describeCoverage(shift, 'deterministic', async (input) =>
  runSolver(shift, (await withComputedLaws(shift, input, computeLawHere)) as Partial<ShiftInput>),
);
