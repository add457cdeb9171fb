// Linear elasticity by finite elements: displacements and stresses of plane bodies and bodies of revolution.

import { defineSolver } from '../solver.ts';
import { FEA_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { feaLive } from './live.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const fea = defineSolver({
  id: 'fea',
  revision: 2,
  title: 'Linear elasticity by finite elements',
  summary:
    'Quadrilaterals in plane stress, plane strain or axisymmetric: displacement and stress of ready shapes, outlines and meshes.',
  domain: 'Structural FEA',
  subject: 'Mechanics and structures',
  equations: [
    String.raw`\nabla\cdot\sigma + \mathbf b = 0`,
    String.raw`\sigma = C : (\varepsilon - \alpha\, \Delta T\, I), \quad \varepsilon = \tfrac12 \left(\nabla \mathbf u + \nabla \mathbf u^{T}\right)`,
  ],
  method: {
    name: 'Q4 elements, full, B-bar or with incompatible modes; conjugate gradients without a matrix, multigrid',
    order: { space: 2 },
    stability: 'unconditional; full elements lock in bending and near a Poisson ratio of 1/2',
  },
  operatorChain: ['KO42', 'FEA_DISPLACEMENT', 'BEAM_DEFLECTION'],
  unit: 'm',
  inputs,
  form,
  words,
  kernel: FEA_FACE,
  plan: planOf,
  // They are meshed and refined.
  hasLongPlan: ({ outline, mesh }) => outline !== undefined || mesh !== undefined,
  collect: solutionOf,
  live: feaLive,
  mesh: {
    nodes: 'nodes',
    elements: 'elements',
    atNodes: ['displacement', 'stress', 'von_mises'],
    inElements: ['gauss_stress', 'element_error'],
  },
  references: [
    { cite: 'Hughes, The Finite Element Method (2000)', at: 'chapters 3, 4 and 9' },
    { cite: 'Timoshenko & Goodier, Theory of Elasticity (3rd ed., 1970)', at: '§21 and §28' },
    {
      cite: 'Taylor, Beresford & Wilson, Int. J. Numer. Meth. Engng 10 (1976)',
      at: 'pp. 1211–1219',
      doi: '10.1002/nme.1620100602',
    },
    {
      cite: 'Zienkiewicz & Zhu, Int. J. Numer. Meth. Engng 24 (1987)',
      at: 'pp. 337–357',
      doi: '10.1002/nme.1620240206',
    },
    { cite: 'MacNeal & Harder, Finite Elem. Anal. Des. 1 (1985)', at: 'pp. 3–20', doi: '10.1016/0168-874X(85)90003-4' },
  ],
});
