import { action } from '../../src/solvers/action/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(action, 'deterministic');
