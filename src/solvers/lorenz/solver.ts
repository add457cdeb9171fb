// Chaotic dynamics: the record that routes, documents and tests are read from.

import { defineSolver } from '../solver.ts';
import { LORENZ_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { lorenzLive } from './live.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const lorenz = defineSolver({
  id: 'lorenz',
  revision: 1,
  title: 'Chaotic dynamics',
  summary:
    'Lyapunov exponents of Lorenz’s, Rössler’s or your own equations; dimension, equilibria, forecast horizon, map of maxima.',
  domain: 'Chaotic Dynamics',
  subject: 'Mathematics and logic',
  equations: [
    String.raw`\frac{\mathrm d x}{\mathrm d t} = \sigma (y - x), \quad \frac{\mathrm d y}{\mathrm d t} = x (\rho - z) - y, \quad \frac{\mathrm d z}{\mathrm d t} = x y - \beta z`,
    String.raw`\lambda_1 = \lim_{t \to \infty} \frac1t \ln \frac{|\delta(t)|}{|\delta(0)|}`,
  ],
  method: {
    name: 'Runge–Kutta of order 4 with the variational equations, orthonormal frames; DOP853 as the second method',
    order: { time: 4 },
    stability: 'explicit: h |λ| < 2.785 on the negative real axis',
  },
  operatorChain: ['KO42', 'NL10'],
  unit: '1/t',
  inputs,
  form,
  words,
  kernel: LORENZ_FACE,
  plan: planOf,
  collect: solutionOf,
  live: lorenzLive,
  references: [
    { cite: 'Lorenz, J. Atmos. Sci. 20 (1963)', at: 'pp. 130–141' },
    {
      cite: 'Benettin, Galgani, Giorgilli & Strelcyn, Meccanica 15 (1980)',
      at: 'pp. 9–20 and 21–30',
      doi: '10.1007/BF02128236',
    },
    {
      cite: 'Wolf, Swift, Swinney & Vastano, Physica D 16 (1985)',
      at: 'pp. 285–317',
      doi: '10.1016/0167-2789(85)90011-9',
    },
    { cite: 'Rössler, Phys. Lett. A 57 (1976)', at: 'pp. 397–398', doi: '10.1016/0375-9601(76)90101-8' },
    { cite: 'Haken, Phys. Lett. A 94 (1983)', at: 'pp. 71–72', doi: '10.1016/0375-9601(83)90209-8' },
  ],
});
