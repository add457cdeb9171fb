// The inputs of a docking: two structures, scoring, box, search, and what turns an energy into a dissociation constant.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { multiLine } from '../../core/text-schema.ts';
import { choice, real, seed, whole } from '../parts/inputs.ts';
import { BODY_NAMES } from './bodies.ts';

const { coordinate, minimisations, poses } = LIMITS.dock;

const body = (help: string) => z.enum(BODY_NAMES).default('tetrahedron').describe(help).meta({ unit: '1' });
const file = (help: string) => multiLine(LIMITS.body.bytes).optional().describe(help).meta({ unit: '1', rows: 6 });
const centre = (axis: string) =>
  real(`Centre of the box along ${axis}; sigma, or Å of vina`, { unit: '1', min: -coordinate, max: coordinate });
const size = (axis: string) => real(`Size of the box along ${axis}`, { unit: '1', min: 0.01, max: coordinate });

export const inputs = z.strictObject({
  receptor: body('Fixed body of Lennard-Jones atoms, without a file'),
  ligand: body('Body that moves, without a file'),
  receptor_file: file('PDBQT, SDF or XYZ text'),
  ligand_file: file('PDBQT, SDF or XYZ text; a rigid ligand'),
  scoring: z
    .enum(['lj', 'vina'])
    .optional()
    .describe('lj: equal Lennard-Jones atoms; vina: scoring of AutoDock Vina. By default vina for PDBQT and SDF')
    .meta({ unit: '1' }),
  mode: choice('dock: search; minimise, score: the ligand as its file places it', ['dock', 'minimise', 'score']),
  center_x: centre('x'),
  center_y: centre('y'),
  center_z: centre('z'),
  size_x: size('x'),
  size_y: size('y'),
  size_z: size('z'),
  exhaustiveness: whole('Effort of the search', { min: 1, max: 64, default: 8 }),
  hops: whole('Hops of each chain', { min: 0, max: minimisations }),
  num_modes: whole('Poses in the table', { min: 1, max: poses, default: 9 }),
  min_rmsd: real('RMSD of poses that differ; by default 1 Å or 0.1 sigma', { unit: '1', min: 0, max: 100 }),
  energy_range: real('Energy of the last pose over the first', { unit: 'epsilon', min: 0, max: 1e6, default: 3 }),
  T: real('Temperature of the dissociation constant', { unit: 'K', min: 200, max: 500, default: 298.15 }),
  epsilon: real('lj: well depth; argon by default', {
    unit: 'kJ/mol',
    symbol: 'ε',
    min: 1e-6,
    max: 1e6,
    default: 0.996,
  }),
  sigma: real('lj: diameter; argon by default', { unit: 'Å', symbol: 'σ', min: 0.01, max: 1e4, default: 3.405 }),
  seed: seed('Seed'),
});

export type DockInput = z.output<typeof inputs>;
