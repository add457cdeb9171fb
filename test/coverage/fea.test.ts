import { fea } from '../../src/solvers/fea/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(fea, 'deterministic');
