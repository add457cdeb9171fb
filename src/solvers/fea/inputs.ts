// Inputs of the solver.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { multiLine } from '../../core/text-schema.ts';
import { choice, real, relativeTolerance, whole } from '../parts/inputs.ts';

export const PROBLEMS = ['cantilever', 'cook', 'patch', 'hole', 'tube', 'block', 'outline', 'mesh'] as const;

const MAX_CONDITIONS = 4_000;
const LENGTH = { unit: 'm', min: 1e-9, max: 1e6 } as const;
const PLACE = { unit: 'm', min: -1e7, max: 1e7 } as const;

const conditions = (help: string, unit: string) =>
  multiLine(MAX_CONDITIONS, 1).optional().describe(help).meta({ unit, rows: 2 });

export const inputs = z.strictObject({
  problem: z
    .enum(PROBLEMS)
    .optional()
    .describe('Each has defaults for all that is left out; cantilever, or mesh or outline if such a text is given')
    .meta({ unit: '1' }),
  mesh: multiLine(LIMITS.body.bytes)
    .optional()
    .describe('Text of a Gmsh .msh or Abaqus .inp file with quadrilaterals')
    .meta({ unit: '1', rows: 5 }),
  outline: multiLine(LIMITS.fea.outlineCharacters)
    .optional()
    .describe('Corners "0 0; 4 0; 4 2; 0 2", then holes after |: corners or "circle x y r"')
    .meta({ unit: 'm', rows: 2 }),
  size: real('outline: length of the edges of elements', { ...LENGTH, symbol: 'h' }),
  length: real('Extent along x', { ...LENGTH, symbol: 'L' }),
  height: real('Extent along y', { ...LENGTH, symbol: 'H' }),
  radius: real('Of the hole; inner radius of a tube or round block', { ...LENGTH, symbol: 'a' }),
  nx: whole('Elements along x of the finest mesh; multiples of 4', { min: 1, max: 512, symbol: 'N_x' }),
  ny: whole('Elements along y', { min: 1, max: 512, symbol: 'N_y' }),
  refine: whole('mesh, outline: times that each element becomes four', { min: 0, max: 2 }),
  state: z
    .enum(['stress', 'strain', 'axisymmetric'])
    .optional()
    .describe('Plane stress or strain; axisymmetric: x is the radius')
    .meta({ unit: '1' }),
  element: choice('full locks in bending; bbar is for nearly incompressible bodies', ['incompatible', 'full', 'bbar']),
  E: real("Young's modulus", { unit: 'Pa', symbol: 'E', min: 1e-3, max: 1e15 }),
  nu: real("Poisson's ratio", { unit: '1', symbol: 'ν', min: -0.99, max: 0.4999 }),
  thickness: real('Of a plane body', { unit: 'm', symbol: 't', min: 1e-9, max: 1e6, default: 1 }),
  density: real('For gravity', { unit: 'kg/m^3', symbol: 'ρ', min: 0, max: 1e6, default: 7850 }),
  expansion: real('Thermal, for heat', { unit: '1/K', symbol: 'α', min: 0, max: 1, default: 1.2e-5 }),
  load: real('cantilever, cook: force at the end', { unit: 'N', symbol: 'F', min: -1e12, max: 1e12 }),
  supports: conditions('"left fixed; bottom uy=0; at 0 0 ux=0; x=2 ux=1e-3*y"', 'm'),
  loads: conditions('"right ty=-1e6; top p=2e5; y=1 force 0 -9; point 4 2 0 -5; gravity 0 -9.81; heat 80"', 'Pa'),
  probe_x: real('Where the value is read', PLACE),
  probe_y: real('Where the value is read', PLACE),
  component: z.enum(['ux', 'uy', 'magnitude']).optional().describe('Of the displacement').meta({ unit: '1' }),
  tolerance: relativeTolerance('Of the iteration, in the energy norm', { min: 1e-14, max: 1e-3, default: 1e-11 }),
  max_iterations: whole('Of each mesh', { min: 1, max: 20_000, default: 2_000 }),
});

export type FeaInput = z.output<typeof inputs>;
