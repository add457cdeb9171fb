import { fracture } from '../../src/solvers/fracture/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(fracture, 'deterministic');
