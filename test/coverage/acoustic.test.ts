import { acoustic } from '../../src/solvers/acoustic/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(acoustic, 'deterministic');
