import { dock } from '../../src/solvers/dock/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(dock, 'stochastic');
