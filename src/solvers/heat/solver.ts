// Heat conduction in a rod or plate, from a known initial profile, compared with the exact solution.

import { defineSolver } from '../solver.ts';
import { HEAT_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { heatLive } from './live.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const heat = defineSolver({
  id: 'heat',
  revision: 3,
  title: 'Heat conduction in a rod or plate',
  summary:
    'Thermal diffusion of a sine, step or Gaussian profile by Crank–Nicolson, ADI or FTCS, with the exact decay.',
  domain: 'Thermal Diffusion',
  subject: 'Heat, fluids and waves',
  equations: [
    String.raw`c\, \frac{\partial T}{\partial t} = \nabla\cdot(k \nabla T) + q(x, y, t), \quad \alpha = \frac{k}{c}`,
  ],
  method: {
    name: 'Crank–Nicolson, Peaceman–Rachford ADI, FTCS',
    order: { time: 2, space: 2 },
    stability: 'implicit: unconditional; explicit: α Δt (1/Δx² + 1/Δy²) <= 1/2, first order in time',
  },
  operatorChain: ['KO42', 'CHE17'],
  unit: 'T',
  inputs,
  form,
  words,
  kernel: HEAT_FACE,
  plan: planOf,
  collect: solutionOf,
  live: heatLive,
  references: [
    { cite: 'Crank & Nicolson, Proc. Camb. Phil. Soc. 43 (1947)', at: 'pp. 50–67', doi: '10.1017/S0305004100023197' },
    { cite: 'Peaceman & Rachford, J. SIAM 3 (1955)', at: 'pp. 28–41', doi: '10.1137/0103003' },
    { cite: 'Rannacher, Numer. Math. 43 (1984)', at: 'pp. 309–327', doi: '10.1007/BF01390130' },
    { cite: 'Carslaw & Jaeger, Conduction of Heat in Solids (2nd ed., 1959)', at: 'chapter III' },
    { cite: 'LeVeque, Finite Difference Methods (2007)', at: 'chapter 9', doi: '10.1137/1.9780898717839' },
  ],
});
