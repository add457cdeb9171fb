import { gauge } from '../../src/solvers/gauge/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(gauge, 'stochastic');
