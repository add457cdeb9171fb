// Words of the form: what its fields are called beside their names, which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

const STRUCTURED = { problem: { not: ['mesh', 'outline'] }, mesh: [null], outline: [null] } as const;
const FREE_MESH = [{ problem: ['mesh', 'outline'] }, { mesh: 'given' }, { outline: 'given' }] as const;

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Displacement at the probe' },
  quantities: {
    probe_x: 'Place of the probe, x',
    probe_y: 'Place of the probe, y',
    extrapolated: 'Displacement, extrapolated to fine meshes',
    exact: 'Exact displacement',
    max_von_mises: 'Largest von Mises stress',
    von_mises_at_probe: 'Von Mises stress at the probe',
    strain_energy: 'Strain energy',
    energy_error: 'Relative error of the energy',
    order: 'Observed order',
    elements: 'Elements',
    unknowns: 'Unknowns',
    iterations: 'Iterations',
  },
  labels: {
    problem: 'Problem',
    mesh: 'Mesh file',
    outline: 'Outline',
    size: 'Size of elements',
    length: 'Length',
    height: 'Height',
    radius: 'Radius',
    nx: 'Elements along x',
    ny: 'Elements along y',
    refine: 'Refinements',
    state: 'State of stress',
    element: 'Element',
    E: "Young's modulus",
    nu: "Poisson's ratio",
    thickness: 'Thickness',
    density: 'Density',
    expansion: 'Thermal expansion',
    load: 'Force at the end',
    supports: 'Supports',
    loads: 'Loads',
    probe_x: 'Probe, x',
    probe_y: 'Probe, y',
    component: 'Displacement read',
    tolerance: 'Tolerance of the iteration',
    max_iterations: 'Most iterations',
  },
  arrays: {
    mesh_elements: 'elements',
    value_on_mesh: 'value',
    shape_von_mises: 'von Mises stress',
  },
  numerics: ['nx', 'ny', 'refine', 'size', 'element', 'tolerance', 'max_iterations'],
  usedWhen: {
    mesh: { problem: [null, 'mesh'], outline: [null] },
    outline: { problem: [null, 'outline'], mesh: [null] },
    size: [{ problem: ['outline'] }, { outline: 'given' }],
    length: { ...STRUCTURED, problem: { not: ['mesh', 'outline', 'cook', 'patch'] } },
    height: { ...STRUCTURED, problem: { not: ['mesh', 'outline', 'cook', 'patch'] } },
    radius: { problem: ['hole', 'tube', 'block'] },
    nx: { ...STRUCTURED, problem: { not: ['mesh', 'outline', 'patch'] } },
    ny: { ...STRUCTURED, problem: { not: ['mesh', 'outline', 'patch'] } },
    refine: [...FREE_MESH, { problem: ['patch'] }],
    thickness: { state: { not: ['axisymmetric'] } },
    density: { loads: 'given' },
    expansion: { loads: 'given' },
    load: { ...STRUCTURED, problem: [null, 'cantilever', 'cook'], loads: [null] },
  },
  shown: ['problem', 'length', 'height', 'radius', 'state', 'E', 'nu', 'load'],
  examples: [
    {
      title: 'A cantilever',
      look: 'A beam held at the left bends under its load; colour is stress, drawn with enlarged motion.',
      input: {},
    },
    {
      title: "Cook's membrane",
      look: 'A skewed plate is pulled up at its right side: a classic test of such programs.',
      input: { problem: 'cook' },
    },
    { title: 'A plate with a hole', look: 'Stress crowds at the edge of the hole.', input: { problem: 'hole' } },
    {
      title: 'A bracket of your own',
      look: 'A bracket with an outline of your own; look for stress in the inner corner.',
      input: {
        outline: '0 0; 4 0; 4 1; 1 1; 1 3; 0 3',
        E: 200000000000,
        supports: 'top fixed',
        loads: 'right ty=-1e6',
      },
    },
    {
      title: 'A shelf under books',
      look: 'How far a shelf between two walls sags under its books.',
      input: {
        outline: '0 0; 0.8 0; 0.8 0.02; 0 0.02',
        E: 12e9,
        nu: 0.3,
        density: 650,
        thickness: 0.25,
        supports: 'left fixed; right fixed',
        loads: 'top p=1500; gravity 0 -9.81',
      },
    },
    {
      title: 'A dam that holds water',
      look: 'Water presses from the left, most at the foot; the dam bends a little away.',
      input: {
        outline: '0 0; 7 0; 1 10; 0 10',
        E: 25e9,
        nu: 0.2,
        density: 2400,
        state: 'strain',
        supports: 'bottom fixed',
        loads: 'left p=9810*(10-y); gravity 0 -9.81',
      },
    },
  ],
};
