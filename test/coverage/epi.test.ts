import { epi } from '../../src/solvers/epi/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(epi, 'deterministic');
