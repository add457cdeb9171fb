// Epidemics in compartments: the record that routes, documents and tests are read from.

import { defineSolver } from '../solver.ts';
import { EPI_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { epiLive } from './live.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const epi = defineSolver({
  id: 'epi',
  revision: 2,
  title: 'Epidemics in compartments',
  summary:
    'SIR and SEIR with vaccination, interventions, births, waning immunity and groups; stochastic bands, and fits to counts.',
  domain: 'Epidemiology',
  subject: 'Life and medicine',
  equations: [
    String.raw`\frac{\mathrm d S}{\mathrm d t} = -\beta \frac{S I}{N} - \nu S + \omega R, \quad \frac{\mathrm d E}{\mathrm d t} = \beta \frac{S I}{N} - \sigma E`,
    String.raw`\frac{\mathrm d I}{\mathrm d t} = \sigma E - \gamma I, \quad \frac{\mathrm d R}{\mathrm d t} = \gamma I + \nu S - \omega R`,
  ],
  method: {
    name: 'Dormand–Prince 5(4) with adaptive steps; Gillespie’s direct method; quasi-likelihood by Levenberg and Marquardt',
    order: { time: 5 },
    stability: 'explicit: steps up to 3.3 over the fastest rate',
  },
  operatorChain: ['KO42', 'CELL_GROWTH'],
  unit: 'R0',
  inputs,
  form,
  words,
  kernel: EPI_FACE,
  plan: planOf,
  collect: solutionOf,
  live: epiLive,
  references: [
    {
      cite: 'Kermack & McKendrick, Proc. R. Soc. Lond. A 115 (1927)',
      at: 'pp. 700–721',
      doi: '10.1098/rspa.1927.0118',
    },
    { cite: 'Ma & Earn, Bull. Math. Biol. 68 (2006)', at: 'pp. 679–702', doi: '10.1007/s11538-005-9047-7' },
    { cite: 'Diekmann, Heesterbeek & Metz, J. Math. Biol. 28 (1990)', at: 'pp. 365–382', doi: '10.1007/BF00178324' },
    { cite: 'Gillespie, J. Phys. Chem. 81 (1977)', at: 'pp. 2340–2361', doi: '10.1021/j100540a008' },
    { cite: 'Wedderburn, Biometrika 61 (1974)', at: 'pp. 439–447', doi: '10.1093/biomet/61.3.439' },
    { cite: 'Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I (2nd ed., 1993)', at: '§II.4 – II.6' },
  ],
});
