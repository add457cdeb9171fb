// Words of the form: what its fields are called beside their names, and which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Total energy' },
  labels: {
    prompt: 'Title',
    preset: 'Preset',
    law: 'Law of force',
    bodies: 'Bodies',
    units: 'Units',
    G: 'Constant of gravity',
    softening: 'Softening of gravity',
    alpha: 'Restoring force',
    beta: 'Cubic force',
    koSettings: 'Weights of couplings',
    useOperatorModules: 'Use couplings',
    normalizeOperators: 'Normalise couplings',
    coreOnly: 'Core only',
    pairwiseCoupling: 'Attraction of the field',
    pairwiseSoftening: 'Softening of the field',
    tMax: 'Length of the run',
    method: 'Method',
    dt: 'Time step',
    samples: 'Times of the curves',
  },
  numerics: ['method', 'dt', 'samples'],
  examples: [
    { title: 'The figure of eight', input: { preset: 'figure-eight' } },
    { title: 'Three bodies of Pythagoras', input: { preset: 'pythagorean' } },
    { title: 'The solar system', input: { preset: 'solar-system' } },
    { title: 'A Trojan of Jupiter', input: { preset: 'trojan' } },
    { title: 'A planet of two suns', input: { preset: 'circumbinary' } },
    { title: 'A ring of bodies', input: { preset: 'ring' } },
    { title: 'Bodies on springs', input: { preset: 'springs' } },
  ],
};
