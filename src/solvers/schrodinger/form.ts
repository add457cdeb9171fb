// Words of the form: what its fields are called beside their names, which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Energy of the level' },
  answers: [
    { when: { units: ['eV-nm'] }, name: 'Energy of the level', unit: 'eV' },
    { when: { units: ['atomic', null] }, name: 'Energy of the level', unit: 'E_h' },
  ],
  quantities: {
    xmin: 'Left wall',
    xmax: 'Right wall',
    bound_states_found: 'Bound states found',
    splitting: 'Splitting of the lowest two levels',
    E_grid: 'Energy on this grid',
    wall_shift: 'Shift of the energy by the walls, at most',
    kinetic_coefficient: 'Coefficient ħ²/2m',
    mean_cell: 'Mean cell',
  },
  units: [
    { unit: 'E_h', meaning: 'Eₕ is the Hartree energy, 27.2114 eV; choose the units eV-nm to read electronvolts.' },
    { unit: 'a_0', meaning: 'a₀ is the Bohr radius, 0.0529177 nm.' },
  ],
  labels: {
    potential: 'Potential',
    omega: 'Angular frequency',
    L: 'Width of the well',
    V0: 'Depth or barrier',
    a: 'Half-width or place of the minima',
    D: 'Depth of the well',
    alpha: 'Inverse range',
    l: 'Angular momentum',
    Z: 'Charge of the nucleus',
    g: 'Coefficient of x⁴',
    F: 'Force',
    lambda: 'Strength',
    expression: 'V(x) of your own',
    mass: 'Mass',
    hbar: 'Reduced Planck constant',
    units: 'Units',
    xmin: 'Left wall',
    xmax: 'Right wall',
    N: 'Nodes',
    states: 'States',
    richardson: 'Extrapolate from two grids',
    tol: 'Tolerance of an energy',
  },
  arrays: {
    delta_x_delta_p: 'Δx Δp',
    E: 'energy',
  },
  numerics: ['xmin', 'xmax', 'N', 'richardson', 'tol', 'hbar'],
  examples: [
    { title: 'Harmonic oscillator', look: 'Evenly spaced levels, and waves with one more node each.', input: {} },
    {
      title: 'Tunnelling in a double well',
      look: 'The lowest two levels are a pair: the particle leaks through the wall between the wells.',
      input: { potential: 'double_well', V0: 10, a: 1.5 },
    },
    {
      title: 'The hydrogen atom',
      look: 'The waves of the electron in the pull of the nucleus.',
      input: { potential: 'hydrogen', states: 4 },
    },
    {
      title: 'Vibrations of a molecule',
      look: 'The levels move closer together as the bond weakens.',
      input: { potential: 'morse' },
    },
    {
      title: 'A potential of your own',
      look: 'The levels of a potential that you write as a formula.',
      input: { potential: 'custom', expression: 'x^4 - 3*x^2', states: 6, xmin: -4, xmax: 4 },
    },
    {
      title: 'A quantum well in a semiconductor',
      look: 'A thin layer holds an electron on a few levels, and its wave reaches into the walls.',
      input: { potential: 'finite_well', units: 'eV-nm', V0: 0.3, a: 5, mass: 0.067, states: 3 },
    },
    {
      title: 'A quantum ball that bounces',
      look: 'Levels of a ball over a floor: they crowd together with height.',
      input: { potential: 'linear', states: 5 },
    },
  ],
};
