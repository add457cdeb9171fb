import { reactor } from '../../src/solvers/reactor/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(reactor, 'deterministic');
