// Reaction and diffusion of two species: Gray–Scott, FitzHugh–Nagumo, or kinetics of one's own.

import { defineSolver } from '../solver.ts';
import { REACT_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { reactLive } from './live.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const react = defineSolver({
  id: 'react',
  revision: 2,
  title: 'Reaction and diffusion',
  summary: 'Patterns, waves and fronts of two species: Gray–Scott, FitzHugh–Nagumo or own kinetics.',
  domain: 'Reaction-Diffusion',
  subject: 'Atoms and chemistry',
  equations: [
    String.raw`\frac{\partial u}{\partial t} = D_u \nabla^2 u + f(u, v), \quad \frac{\partial v}{\partial t} = D_v \nabla^2 v + g(u, v)`,
  ],
  method: {
    name: 'Runge–Kutta 4 with differences of order 4; forward Euler with 5-point differences',
    order: { time: 4, space: 4 },
    stability: 'D Δt (1/Δx² + 1/Δy²) <= 0.522 (rk4) or 1/2 (euler), less where the rates are faster than diffusion',
  },
  operatorChain: ['KO42', 'ICO9'],
  unit: 'c',
  inputs,
  form,
  words,
  kernel: REACT_FACE,
  plan: planOf,
  // Own expressions of a rectangle are scanned for what lies between its cells.
  hasLongPlan: ({ dim, reaction_u, initial_u, initial_v }) =>
    dim !== 1 && (reaction_u ?? initial_u ?? initial_v) !== undefined,
  collect: solutionOf,
  live: reactLive,
  references: [
    { cite: 'Pearson, Science 261 (1993)', at: 'pp. 189–192', doi: '10.1126/science.261.5118.189' },
    { cite: 'Gray & Scott, Chem. Eng. Sci. 39 (1984)', at: 'pp. 1087–1097', doi: '10.1016/0009-2509(84)87017-7' },
    { cite: 'FitzHugh, Biophys. J. 1 (1961)', at: 'pp. 445–466', doi: '10.1016/S0006-3495(61)86902-6' },
    {
      cite: 'Nagumo, Arimoto & Yoshizawa, Proc. IRE 50 (1962)',
      at: 'pp. 2061–2070',
      doi: '10.1109/JRPROC.1962.288235',
    },
    {
      cite: 'Murray, Mathematical Biology (3rd ed., 2002–2003)',
      at: 'volume I, chapter 13; volume II, chapters 1 and 2',
    },
    { cite: 'LeVeque, Finite Difference Methods (2007)', at: 'chapters 5, 7 and 9', doi: '10.1137/1.9780898717839' },
  ],
});
