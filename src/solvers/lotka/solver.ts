// Predators and prey: the record that routes, documents and tests are read from.

import { defineSolver } from '../solver.ts';
import { LOTKA_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const lotka = defineSolver({
  id: 'lotka',
  revision: 3,
  title: 'Predators and prey',
  summary:
    'Lotka and Volterra’s equations with harvest, a carrying capacity and saturating predators: the period, extremes and means of the cycle.',
  domain: 'Population Ecology',
  subject: 'Life and medicine',
  equations: [
    String.raw`\frac{\mathrm d x}{\mathrm d t} = x \left[ \alpha \left(1 - \frac xK\right) - h \right] - \frac{\beta x y}{1 + x/H}`,
    String.raw`\frac{\mathrm d y}{\mathrm d t} = \frac{\delta x y}{1 + x/H} - (\gamma + h)\, y`,
  ],
  method: {
    name: 'DOP853 in logarithms with laps from section to section; the pair 5(4), quadrature and equal Runge–Kutta steps as cross-checks',
    order: { time: 4 },
    stability: 'explicit: steps up to 5 over the rate at which prey return to their capacity',
  },
  operatorChain: ['KO42', 'CELL_GROWTH'],
  unit: 'T',
  inputs,
  form,
  words,
  kernel: LOTKA_FACE,
  plan: planOf,
  collect: solutionOf,
  references: [
    { cite: 'Volterra, Nature (1926)', at: 'Fluctuations in the abundance of a species considered mathematically' },
    { cite: 'Waldvogel, SIAM J. Numer. Anal. 20 (1983)', at: 'p. 1264: the period as an integral' },
    { cite: 'Hašík, Math. Biosci. 164 (2000)', at: 'pp. 203–215: the limit cycle is one' },
    {
      cite: 'Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I (2nd ed., 1993)',
      at: '§II.4 – II.10',
    },
  ],
});
