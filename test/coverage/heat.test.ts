import { heat } from '../../src/solvers/heat/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(heat, 'deterministic');
