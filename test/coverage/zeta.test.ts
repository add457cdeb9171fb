import { zeta } from '../../src/solvers/zeta/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(zeta, 'deterministic');
