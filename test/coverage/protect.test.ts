import { protect } from '../../src/solvers/protect/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(protect, 'deterministic');
