import { buckling } from '../../src/solvers/buckling/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(buckling, 'deterministic');
