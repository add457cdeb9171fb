import { solve } from '../../src/solvers/solve/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(solve, 'deterministic');
