import { climate } from '../../src/solvers/climate/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(climate, 'deterministic');
// Many places are beside bores, on few cells: of 128 answers 4 are not converged.
describeCoverage(climate, 'deterministic', undefined, { set: 'climate-validation', maxRefused: 0.04 });
// Order 2, and waves on a beach.
describeCoverage(climate, 'deterministic', undefined, { set: 'climate-order2' });
