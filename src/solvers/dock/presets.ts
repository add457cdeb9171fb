// Problems to start from.

import type { z } from 'zod';
import type { Example } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

/** An icosahedron of 12 atoms and its centre that lacks one vertex: an atom completes the cluster of 13. */
export const PRESETS: readonly Example<z.input<typeof inputs>>[] = [
  {
    title: 'Two tetrahedra',
    look: 'Where four atoms settle on four others: the place of the lowest energy.',
    input: {},
  },
  {
    title: 'An atom on a tetrahedron',
    look: 'A single atom settles above the middle of a face.',
    input: { ligand: 'atom' },
  },
  {
    title: 'A dimer on an octahedron',
    look: 'A pair of atoms looks for its best place on six others.',
    input: { receptor: 'octahedron', ligand: 'dimer' },
  },
  {
    title: 'A triangle on an icosahedron',
    look: 'Three atoms look for their best place on a cluster of thirteen.',
    input: { receptor: 'ico13', ligand: 'triangle' },
  },
  {
    title: 'Two clusters of 13 atoms',
    look: 'Two clusters touch where most of their atoms are close.',
    input: { receptor: 'lj13', ligand: 'lj13' },
  },
  {
    title: 'A tetrahedron on an icosahedron',
    look: 'Four atoms look for their best place on a cluster of thirteen.',
    input: { receptor: 'ico13', ligand: 'tetrahedron' },
  },
];
