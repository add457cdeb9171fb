import { sat } from '../../src/solvers/sat/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(sat, 'deterministic');
