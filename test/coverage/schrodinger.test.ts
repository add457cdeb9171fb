import { schrodinger } from '../../src/solvers/schrodinger/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(schrodinger, 'deterministic');
// Of so few nodes a fifth resolves not even the ground state to a thousandth, and says so.
describeCoverage(schrodinger, 'deterministic', undefined, { set: 'schrodinger-coarse', maxRefused: 0.2 });
