import { multibody } from '../../src/solvers/multibody/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(multibody, 'deterministic');
