// Words of the form: what its fields are called beside their names, and which ones steer the computation only.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';
import { PRESETS } from './presets.ts';

const LENNARD_JONES = { scoring: [null, 'lj'] } as const;

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Energy of the best pose' },
  labels: {
    receptor: 'Receptor',
    ligand: 'Ligand',
    receptor_file: 'Receptor from a file',
    ligand_file: 'Ligand from a file',
    scoring: 'Scoring',
    mode: 'What to compute',
    center_x: 'Centre of the box along x',
    center_y: 'Centre of the box along y',
    center_z: 'Centre of the box along z',
    size_x: 'Size of the box along x',
    size_y: 'Size of the box along y',
    size_z: 'Size of the box along z',
    exhaustiveness: 'Exhaustiveness',
    hops: 'Hops of each chain',
    num_modes: 'Poses in the table',
    min_rmsd: 'Least RMSD between poses',
    energy_range: 'Energy range of the table',
    T: 'Temperature',
    epsilon: 'Well depth',
    sigma: 'Diameter',
    seed: 'Seed',
  },
  arrays: {
    pose_energy: 'energy',
    rmsd_lb: 'RMSD, lower bound',
    rmsd_ub: 'RMSD, upper bound',
    funnel_rmsd: 'RMSD',
    funnel_energy: 'energy',
    contact_receptor_atom: 'atom of the receptor',
    contact_ligand_atom: 'atom of the ligand',
    contact_distance: 'distance',
  },
  numerics: ['exhaustiveness', 'hops', 'num_modes', 'min_rmsd', 'energy_range', 'seed'],
  usedWhen: {
    receptor: { receptor_file: [null] },
    ligand: { ligand_file: [null] },
    epsilon: LENNARD_JONES,
    sigma: LENNARD_JONES,
  },
  shown: ['receptor_file', 'ligand_file'],
  examples: PRESETS,
};
