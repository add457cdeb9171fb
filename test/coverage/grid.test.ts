import { grid } from '../../src/solvers/grid/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(grid, 'deterministic');
