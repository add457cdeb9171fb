import { device } from '../../src/solvers/device/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(device, 'deterministic');
