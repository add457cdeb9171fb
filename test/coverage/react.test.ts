import { react } from '../../src/solvers/react/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(react, 'deterministic');
