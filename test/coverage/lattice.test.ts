import { lattice } from '../../src/solvers/lattice/solver.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';

describeCoverage(lattice, 'deterministic');
