import { opt } from '../../src/solvers/opt/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(opt, 'deterministic');
