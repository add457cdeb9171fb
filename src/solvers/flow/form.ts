// Words of the form, and problems to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Velocity at the probe at the end' },
  quantities: {
    v_max: 'Largest velocity v',
    v_min: 'Smallest velocity v',
    psi_min: 'Smallest stream function',
    vortex_x: 'Centre of the vortex, x',
    vortex_y: 'Centre of the vortex, y',
    kinetic_energy: 'Kinetic energy',
    published_u_min: 'Published smallest u',
    published_v_max: 'Published largest v',
    published_v_min: 'Published smallest v',
    ghia_difference: 'Largest difference from the table of Ghia',
    reynolds: 'Reynolds number',
    courant: 'Courant number',
    end_time: 'End time',
  },
  labels: {
    case: 'Flow',
    N: 'Cells across',
    steps: 'Time steps',
    dt: 'Time step',
    visc: 'Kinematic viscosity',
    iters: 'Most iterations',
    scheme: 'Interpolation',
    size: 'Side, period or height',
    speed: 'Speed',
    force: 'Force along plates',
    kx: 'Waves along x',
    ky: 'Waves along y',
    mean_u: 'Wind along x',
    mean_v: 'Wind along y',
    length: 'Channel over its height',
    obstacles: 'Discs',
    drawing: 'Drawn obstacles',
    probe_x: 'Probe, x',
    probe_y: 'Probe, y',
  },
  numerics: ['N', 'steps', 'dt', 'iters', 'scheme'],
  examples: [
    {
      title: 'A lid drags a cavity, Re 100',
      look: 'The lid drags the fluid along, which turns as one large vortex.',
      input: { N: 48, steps: 400, dt: 0.05 },
    },
    {
      title: 'A cavity at Re 400',
      look: 'A thinner fluid moves the vortex towards the middle of the cavity.',
      input: { N: 64, steps: 1000, dt: 0.04, visc: 0.0025 },
    },
    {
      title: 'Taylor–Green vortices decay',
      look: 'A pattern of vortices that a formula knows fades evenly.',
      input: { case: 'taylor-green', size: 6.283185307179586, visc: 0.1, steps: 100, dt: 0.01 },
    },
    {
      title: 'Vortices drift in a wind',
      look: 'The same vortices are carried along by a steady wind.',
      input: { case: 'taylor-green', mean_u: 1, mean_v: 0.5, visc: 1e-3, kx: 2, ky: 1, N: 64, steps: 100, dt: 0.01 },
    },
    {
      title: 'Flow between plates starts',
      look: 'The fluid starts from rest, and its profile becomes a parabola.',
      input: { case: 'plates', speed: 0, force: 0.08, steps: 200, dt: 0.05 },
    },
    {
      title: 'A disc in a channel',
      look: 'A fluid streams past a disc: colour is its speed, high in the gaps and low in the wake behind the disc.',
      input: { case: 'channel', obstacles: [[0.8, 0.5, 0.15]], visc: 0.02, dt: 0.02, steps: 300 },
    },
    {
      title: 'A step drawn in a channel',
      look: 'Behind the step the flow turns back, and the jet above it is faster.',
      input: { case: 'channel', N: 36, drawing: '......\n......\n.#....\n.#....', visc: 0.02, dt: 0.02, steps: 300 },
    },
  ],
};
