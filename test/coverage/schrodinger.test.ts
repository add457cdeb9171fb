import { schrodinger } from '../../src/solvers/schrodinger/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(schrodinger, 'deterministic');
