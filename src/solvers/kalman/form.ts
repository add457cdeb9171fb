// Words of the form: what its fields are called beside their names, which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

const OF_PRESET = { F: [null] } as const;
const OWN = { F: 'given' } as const;
const SIMULATED = { measurements: [null] } as const;

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Standard deviation of the state after the last row', unit: '1' },
  labels: {
    preset: 'Preset',
    F: 'State matrix',
    H: 'Measurement matrix',
    Q: 'Process noise',
    R: 'Measurement noise',
    B: 'Input matrix',
    u: 'Input',
    x0: 'Initial state',
    P0: 'Initial covariance',
    time: 'Kind of time',
    dt: 'Time step',
    q: 'Strength of the process noise',
    r: 'Variance of a measurement',
    a: 'Autoregression',
    length: 'Length',
    damping: 'Damping',
    measurements: 'Measurements',
    steps: 'Simulated rows',
    missing: 'Share missing',
    true_q: 'True Q over Q',
    true_r: 'True R over R',
    runs: 'Simulated runs',
    seed: 'Seed',
    state: 'State shown',
    tune: 'Tuned by likelihood',
  },
  numerics: ['runs', 'seed'],
  usedWhen: {
    H: OWN,
    Q: OWN,
    R: OWN,
    B: OWN,
    u: { B: 'given' },
    q: OF_PRESET,
    r: OF_PRESET,
    a: { ...OF_PRESET, preset: ['ar1'] },
    length: { ...OF_PRESET, preset: ['pendulum'] },
    damping: { ...OF_PRESET, preset: ['pendulum'] },
    steps: SIMULATED,
    missing: SIMULATED,
    true_q: SIMULATED,
    true_r: SIMULATED,
    runs: SIMULATED,
  },
  shown: ['q', 'r', 'dt', 'measurements', 'steps'],
  examples: [
    {
      title: 'A car on GPS',
      look: 'The estimate lies between the jumping measurements and the smooth model.',
      input: { preset: 'gps', steps: 120, seed: 7 },
    },
    {
      title: 'The Nile, tuned',
      look: 'A hundred years of the Nile: the level behind the noise drops around 1898.',
      input: { preset: 'nile' },
    },
    {
      title: 'A filter that trusts its model too much',
      look: 'Its band is too narrow: the truth leaves it too often.',
      input: { preset: 'cv', true_q: 25, steps: 300 },
    },
    {
      title: 'Own matrices and a short series',
      look: 'Your own matrices, and one measurement that is missing.',
      input: {
        F: '1 1; 0 1',
        H: '1 0',
        Q: '0.01 0; 0 0.01',
        R: '0.5',
        measurements: '0, 1.1\n1, 1.9\n2, 3.2\n3, NA\n5, 5.8\n6, 7.1\n7, 8.3\n8, 8.8',
      },
    },
    {
      title: 'No position is measured: not observable',
      look: 'Only speed is measured, so the uncertainty of the position grows without end.',
      input: { F: '1 1; 0 1', H: '0 1', Q: '0.01 0; 0 0.01', R: '1' },
    },
    {
      title: 'A pendulum seen through noise',
      look: 'The filter finds the swing behind noisy angles, and never sees the speed.',
      input: { preset: 'pendulum' },
    },
    {
      title: 'Two sensors for one level',
      look: 'Two sensors of different noise give one estimate that is better than each.',
      input: { preset: 'fusion' },
    },
  ],
};
