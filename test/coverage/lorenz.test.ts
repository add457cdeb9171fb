import { lorenz } from '../../src/solvers/lorenz/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(lorenz, 'deterministic');
