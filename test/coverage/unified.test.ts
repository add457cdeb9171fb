import { unified } from '../../src/solvers/unified/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(unified, 'deterministic');
