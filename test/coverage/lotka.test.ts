import { lotka } from '../../src/solvers/lotka/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(lotka, 'deterministic');
