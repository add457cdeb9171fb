import { tumor } from '../../src/solvers/tumor/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(tumor, 'deterministic');
