import { closedform } from '../../src/solvers/closedform/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(closedform, 'deterministic');
