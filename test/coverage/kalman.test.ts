import { kalman } from '../../src/solvers/kalman/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(kalman, 'deterministic');
