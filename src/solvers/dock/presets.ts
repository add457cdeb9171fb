// Problems to start from.

import type { z } from 'zod';
import type { inputs } from './inputs.ts';

type Example = { readonly title: string; readonly input: z.input<typeof inputs> };

/** An icosahedron of 12 atoms and its centre that lacks one vertex: an atom completes the cluster of 13. */
export const PRESETS: readonly Example[] = [
  { title: 'Two tetrahedra', input: {} },
  { title: 'An atom on a tetrahedron', input: { ligand: 'atom' } },
  { title: 'A dimer on an octahedron', input: { receptor: 'octahedron', ligand: 'dimer' } },
  { title: 'A triangle on an icosahedron', input: { receptor: 'ico13', ligand: 'triangle' } },
  { title: 'A tetrahedron on an icosahedron', input: { receptor: 'ico13', ligand: 'tetrahedron' } },
  { title: 'Two clusters of 13 atoms', input: { receptor: 'lj13', ligand: 'lj13' } },
];
