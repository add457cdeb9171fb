import { wave } from '../../src/solvers/wave/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(wave, 'deterministic');
