// Words of the form: what its fields are called beside their names, which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Temperature at the probe at the end' },
  labels: {
    method: 'Scheme',
    nx: 'Cells along x',
    ny: 'Cells along y',
    kx: 'Half-waves along x',
    ky: 'Half-waves along y',
    alpha: 'Thermal diffusivity',
    dt: 'Time step',
    steps: 'Time steps',
    dim: 'Dimensions',
    mode: 'Initial profile',
    boundary: 'Ends',
    lx: 'Length along x',
    ly: 'Length along y',
    t_end: 'End time',
    initial: 'Initial temperature',
    samples: 'Initial temperature, as numbers',
    source: 'Heat source',
    conductivity: 'Thermal conductivity',
    capacity: 'Heat capacity',
    layers: 'Layers',
    left: 'Left end',
    right: 'Right end',
    bottom: 'Lower side',
    top: 'Upper side',
    probe_x: 'Probes, x',
    probe_y: 'Probes, y',
    steady: 'Steady state',
  },
  numerics: ['method', 'nx', 'ny', 'dt', 'steps'],
  examples: [
    {
      title: 'A brick wall in winter',
      look: 'Most of the drop from 20 °C to −5 °C lies in the layer of insulation.',
      input: {
        dim: 1,
        lx: 0.36,
        layers: [
          { to: 0.24, k: 0.6, c: 1400000 },
          { to: 0.36, k: 0.035, c: 30000 },
        ],
        left: 'convective 8 20',
        right: 'convective 25 -5',
        steady: true,
      },
    },
    {
      title: 'Step that melts away',
      look: 'A sharp step of temperature becomes smooth, fast at first and then slowly.',
      input: { dim: 1, nx: 128, mode: 'step' },
    },
    {
      title: 'Hot spot on a plate',
      look: 'A warm spot in the middle spreads, and its sides stay cold.',
      input: { mode: 'gaussian' },
    },
    {
      title: 'Rod heated by a current',
      look: 'Current warms the rod everywhere; its ends are cooled, so the middle is warmest.',
      input: {
        dim: 1,
        lx: 0.1,
        conductivity: '400',
        capacity: '3.4e6',
        initial: '20',
        source: '2e7',
        left: 'fixed 20',
        right: 'fixed 20',
        t_end: 60,
      },
    },
    {
      title: 'Day and night in the ground',
      look: 'The warmth of the day sinks into the ground, weaker and later with depth.',
      input: {
        dim: 1,
        lx: 1,
        conductivity: '1.2',
        capacity: '2e6',
        initial: '10',
        left: 'fixed 10+8*sin(2*pi*t/86400)',
        right: 'insulated',
        t_end: 259200,
      },
    },
    {
      title: 'A mug of coffee that cools',
      look: 'Half an hour in a room: the outside cools first.',
      input: {
        dim: 1,
        lx: 0.06,
        conductivity: '0.6',
        capacity: '4.2e6',
        initial: '90',
        left: 'convective 15 20',
        right: 'convective 15 20',
        t_end: 1800,
      },
    },
  ],
};
