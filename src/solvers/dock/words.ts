// Words by which a sentence names this solver and its inputs.

import type { SolverWords } from '../solver-words.ts';
import type { inputs } from './inputs.ts';

export const words: SolverWords<typeof inputs> = {
  names: [
    'dock a',
    'docking',
    'docked',
    'ligand pose*',
    'binding pose*',
    'AutoDock',
    'Vina',
    'molecular docking',
    'rigid docking',
    'rigid cluster*',
    'rigid Lennard-Jones',
    'rigid LJ',
    'dock the',
  ],
  topics: [
    'ligand',
    'receptor',
    'pocket',
    'pose',
    'poses',
    'protein',
    'binding',
    'binding site',
    'dock',
    'PDBQT',
    'drug',
    'arrangement',
    'lowest energy',
    'least energy',
  ],
  hints: [
    'molecule',
    'degrees of freedom',
    'rigid',
    'search',
    'best',
    'score',
    'tetrahedron',
    'box',
    'affinity',
    'exhaustiveness',
    'clusters',
    'stick',
    'together',
  ],
  inputs: {
    exhaustiveness: ['exhaustiveness', 'effort'],
    num_modes: ['poses', 'modes', 'best poses'],
    T: ['temperature'],
    epsilon: ['well depth'],
    hops: ['hops'],
  },
  choices: {
    receptor: {
      ico13: ['icosahedron', 'icosahedral', 'icosahedral receptor', 'icosahedral cluster of 13 atoms'],
      octahedron: ['octahedron', 'octahedral receptor'],
    },
    ligand: { dimer: ['dimer'], triangle: ['triangle'], tetrahedron: ['tetrahedron'] },
    scoring: { lj: ['Lennard-Jones bodies'], vina: ['Vina', 'AutoDock Vina'] },
    mode: { minimise: ['minimise the pose'], score: ['score the pose', 'score only'] },
  },
};
