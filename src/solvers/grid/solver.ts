// Power flow: the record that routes, documents and tests are read from.

import { defineSolver } from '../solver.ts';
import { GRID_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

/** Characters of a file that is read at once. */
const SHORT_FILE = 20_000;
const SHORT_TABLE = 200;

export const grid = defineSolver({
  id: 'grid',
  revision: 1,
  title: 'Power flow',
  summary: 'DC or AC flow of an electric network: angles, voltages, loadings, distribution factors and outages.',
  domain: 'Power Systems',
  subject: 'Energy and devices',
  equations: [
    String.raw`P_i = \sum_j \frac{\theta_i - \theta_j - \phi_{ij}}{x_{ij}\, t_{ij}} \quad\text{(DC)}`,
    String.raw`P_i + i Q_i = V_i \sum_j Y_{ij}^{*} V_j^{*} \quad\text{(AC)}`,
  ],
  method: {
    name: "DC flow by sparse LDLᵀ in minimum degree order; AC flow by Newton's method in rectangular coordinates",
  },
  operatorChain: ['KO42', 'POWER_ELECTRICAL'],
  unit: 'pu',
  inputs,
  form,
  words,
  kernel: GRID_FACE,
  plan: planOf,
  hasLongPlan: ({ file = '', buses = [] }) => file.length > SHORT_FILE || buses.length > SHORT_TABLE,
  collect: solutionOf,
  references: [
    {
      cite: 'Zimmerman, Murillo-Sánchez & Thomas, IEEE Transactions on Power Systems 26 (2011)',
      at: 'pp. 12–19',
      doi: '10.1109/TPWRS.2010.2051168',
    },
    {
      cite: 'Stott, Jardim & Alsaç, IEEE Transactions on Power Systems 24 (2009)',
      at: 'pp. 1290–1300',
      doi: '10.1109/TPWRS.2009.2021235',
    },
    { cite: 'Tinney & Hart, IEEE Transactions on Power Apparatus and Systems PAS-86 (1967)', at: 'pp. 1449–1460' },
    { cite: 'Iwamoto & Tamura, IEEE Transactions on Power Apparatus and Systems PAS-100 (1981)', at: 'pp. 1736–1743' },
    { cite: 'George & Liu, SIAM Review 31 (1989)', at: 'pp. 1–19', doi: '10.1137/1031001' },
  ],
});
