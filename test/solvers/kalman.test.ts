import { kalman } from '../../src/solvers/kalman/solver.ts';
import { describeSolver } from '../suites/describe-solver.ts';

describeSolver(kalman, {
  cases: {
    defaults: {},
    'constant acceleration': { preset: 'ca' },
    'a random walk': { preset: 'walk', steps: 60 },
    autoregression: { preset: 'ar1' },
    pendulum: { preset: 'pendulum' },
    gps: { preset: 'gps', runs: 20 },
    fusion: { preset: 'fusion' },
    nile: { preset: 'nile' },
  },
  conservation: true,
  golden: ['defaults', 'gps', 'nile'],
});
