import { flow } from '../../src/solvers/flow/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(flow, 'deterministic');
