// Molecular dynamics of Lennard-Jones atoms and bead-spring chains, checked by a direct sum over all pairs.

import { defineSolver } from '../solver.ts';
import { EVOLVE_FACE } from './face.ts';
import { form } from './form.ts';
import { evolveLive } from './live.ts';
import { planOf } from './plan.ts';
import { inputs } from './problem.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const evolve = defineSolver({
  id: 'evolve',
  revision: 4,
  title: 'Molecular dynamics of Lennard-Jones atoms and chains',
  summary:
    'Velocity Verlet in a box or free space, atoms as given: energy, temperature, pressure, g(r), S(k), diffusion.',
  domain: 'Molecular Dynamics',
  subject: 'Atoms and chemistry',
  equations: [
    String.raw`m\, \frac{\mathrm d^2 \mathbf r_i}{\mathrm d t^2} = -\nabla_i \sum_{j \ne i} 4 \varepsilon \left[ \left(\frac{\sigma}{r_{ij}}\right)^{12} - \left(\frac{\sigma}{r_{ij}}\right)^{6} \right]`,
  ],
  method: {
    name: 'velocity Verlet with a Verlet list',
    order: { time: 2 },
    stability: 'symplectic; Δt <= 0.02 σ / sqrt(max(ε, kT)), and Δt sqrt(2 k) <= 1 for bonds',
  },
  operatorChain: ['KO42'],
  unit: 'epsilon',
  inputs,
  form,
  words,
  kernel: EVOLVE_FACE,
  plan: planOf,
  collect: solutionOf,
  live: evolveLive,
  references: [
    { cite: 'Verlet, Phys. Rev. 159 (1967)', at: 'pp. 98–103', doi: '10.1103/PhysRev.159.98' },
    {
      cite: 'Swope, Andersen, Berens & Wilson, J. Chem. Phys. 76 (1982)',
      at: 'pp. 637–649',
      doi: '10.1063/1.442716',
    },
    { cite: 'Frenkel & Smit, Understanding Molecular Simulation (2nd ed., 2002)', at: 'chapters 3 and 4' },
    { cite: 'Allen & Tildesley, Computer Simulation of Liquids (2nd ed., 2017)', at: '§1.6 and §5.3' },
    { cite: 'Kremer & Grest, J. Chem. Phys. 92 (1990)', at: 'pp. 5057–5086', doi: '10.1063/1.458541' },
    { cite: 'Bussi, Donadio & Parrinello, J. Chem. Phys. 126 (2007)', at: '014101', doi: '10.1063/1.2408420' },
    { cite: 'Sokal, Monte Carlo Methods in Statistical Mechanics (1996)', at: '§3' },
    { cite: 'Hansen & McDonald, Theory of Simple Liquids (4th ed., 2013)', at: '§4.1 and §7.2' },
  ],
});
