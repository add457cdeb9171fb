// Words of the form: what its fields are called beside their names, and which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

const FIELDS = ['field', 'springs'] as const;
const OF_GRAVITY = [
  { law: ['gravity'] },
  { law: [null], bodies: [null], preset: { not: FIELDS } },
  { law: [null], bodies: 'given' },
] as const;
const OF_FIELD = [
  { law: ['field'] },
  { law: [null], bodies: [null], preset: FIELDS },
  { law: [null], bodies: 'given' },
] as const;

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Total energy' },
  quantities: {
    horizon: 'Time that can be trusted',
    closest_approach: 'Closest approach',
    closest_approach_time: 'Time of the closest approach',
    closest_first: 'First body of it',
    closest_second: 'Second body of it',
    escaping_bodies: 'Bodies that escape',
    angular_momentum: 'Angular momentum',
    'x_#': 'Place x of body #',
    'y_#': 'Place y of body #',
    'z_#': 'Place z of body #',
    'vx_#': 'Velocity along x of body #',
    'vy_#': 'Velocity along y of body #',
    'vz_#': 'Velocity along z of body #',
    steps: 'Steps',
  },
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
  arrays: {
    nearest_distance: 'distance',
    energy_error: 'relative error',
    position_uncertainty: 'body',
    phi: 'body',
    dphi: 'rate',
    semi_major_axis: 'semi-major axis',
  },
  numerics: ['method', 'dt', 'samples'],
  usedWhen: {
    G: OF_GRAVITY,
    softening: OF_GRAVITY,
    alpha: OF_FIELD,
    beta: OF_FIELD,
    koSettings: OF_FIELD,
    useOperatorModules: { koSettings: 'given' },
    normalizeOperators: { koSettings: 'given' },
    coreOnly: OF_FIELD,
    pairwiseCoupling: OF_FIELD,
    pairwiseSoftening: OF_FIELD,
  },
  shown: ['bodies', 'units', 'tMax'],
  examples: [
    {
      title: 'The figure of eight',
      look: 'Three equal bodies chase each other along one figure of eight.',
      input: { preset: 'figure-eight' },
    },
    {
      title: 'Three bodies of Pythagoras',
      look: 'Three bodies at rest fall together; close meetings end with one of them thrown out.',
      input: { preset: 'pythagorean' },
    },
    {
      title: 'The solar system',
      look: 'The Sun and its planets under their mutual gravity.',
      input: { preset: 'solar-system' },
    },
    {
      title: 'A Trojan of Jupiter',
      look: 'An asteroid that shares the orbit of Jupiter, a sixth of a turn away.',
      input: { preset: 'trojan' },
    },
    {
      title: 'A planet of two suns',
      look: 'A planet circles two suns that circle each other.',
      input: { preset: 'circumbinary' },
    },
    { title: 'A ring of bodies', look: 'Equal bodies in a ring turn together.', input: { preset: 'ring' } },
    {
      title: 'Bodies on springs',
      look: 'Bodies tied by springs swing in several rhythms at once.',
      input: { preset: 'springs' },
    },
  ],
};
