// Molecular docking: the record that routes, documents and tests are read from.

import { defineSolver } from '../solver.ts';
import { DOCK_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { dockLive } from './live.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

/** Characters of a file that is read at once. */
const SHORT_FILE = 20_000;

export const dock = defineSolver({
  id: 'dock',
  revision: 1,
  title: 'Molecular docking',
  summary:
    'The best pose of a rigid ligand on a receptor: Lennard-Jones bodies, or files of PDBQT, SDF and XYZ with the scoring of AutoDock Vina.',
  domain: 'Molecular Docking',
  subject: 'Atoms and chemistry',
  equations: [
    String.raw`E = \sum_{i \in \text{ligand}}\ \sum_{j \in \text{receptor}} 4 \varepsilon \left[ \left(\frac{\sigma}{r_{ij}}\right)^{12} - \left(\frac{\sigma}{r_{ij}}\right)^{6} \right] \to \min_{\mathbf x,\, R \in SO(3)}`,
  ],
  method: { name: 'basin hopping over uniform quaternions with L-BFGS, and a second search' },
  operatorChain: ['KO42', 'BINDING_AFFINITY'],
  unit: 'epsilon',
  inputs,
  form,
  words,
  kernel: DOCK_FACE,
  plan: planOf,
  hasLongPlan: ({ receptor_file = '', ligand_file = '' }) => receptor_file.length + ligand_file.length > SHORT_FILE,
  collect: solutionOf,
  live: dockLive,
  references: [
    { cite: 'Wales & Doye, Journal of Physical Chemistry A 101 (1997)', at: 'from p. 5111: basin hopping' },
    { cite: 'Trott & Olson, Journal of Computational Chemistry 31 (2010)', at: 'from p. 455: the scoring function' },
    {
      cite: 'Eberhardt, Santos-Martins, Tillack & Forli, Journal of Chemical Information and Modeling 61 (2021)',
      at: 'from p. 3891: AutoDock Vina 1.2',
    },
    { cite: 'Nocedal & Wright, Numerical Optimization (2nd ed., 2006)', at: 'limited-memory BFGS' },
    { cite: 'Gilson, Given, Bush & McCammon, Biophysical Journal 72 (1997)', at: 'the standard volume of binding' },
  ],
});
