// Inputs of the solver.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { choice, real, relativeTolerance, whole } from '../parts/inputs.ts';

const POSITION = { unit: 'length', min: -1e6, max: 1e6 } as const;

export const inputs = z.strictObject({
  potential: choice('Shape of V(x)', [
    'harmonic',
    'infinite_well',
    'finite_well',
    'double_well',
    'morse',
    'hydrogen',
    'quartic',
    'linear',
    'poschl_teller',
    'custom',
  ]),
  omega: real('harmonic, quartic: angular frequency, V = m ω² x²/2 (eV-nm: rad/fs)', {
    unit: '1/time',
    symbol: 'ω',
    min: 0,
    max: 1e6,
    default: 1,
  }),
  L: real('infinite_well: width', { unit: 'length', symbol: 'L', min: 1e-6, max: 1e6, default: 1 }),
  V0: real('finite_well: depth; double_well: height of the barrier', {
    unit: 'E',
    symbol: 'V₀',
    min: 1e-6,
    max: 1e9,
    default: 10,
  }),
  a: real('finite_well: half-width; double_well: position of the minima, V = V₀ ((x/a)² − 1)²', {
    unit: 'length',
    symbol: 'a',
    min: 1e-6,
    max: 1e6,
    default: 1,
  }),
  D: real('morse: depth, V = D (1 − exp(−α x))²', { unit: 'E', symbol: 'D', min: 1e-6, max: 1e9, default: 10 }),
  alpha: real('morse, poschl_teller: inverse range', {
    unit: '1/length',
    symbol: 'α',
    min: 1e-6,
    max: 1e6,
    default: 1,
  }),
  l: whole('hydrogen: angular momentum', { symbol: 'l', min: 0, max: 20, default: 0 }),
  Z: real('hydrogen: charge of the nucleus, V = −Z e²/(4πε₀ r)', {
    unit: '1',
    symbol: 'Z',
    min: 1e-6,
    max: 200,
    default: 1,
  }),
  g: real('quartic: coefficient of x⁴, V = m ω² x²/2 + g x⁴', {
    unit: 'E/length^4',
    symbol: 'g',
    min: 0,
    max: 1e9,
    default: 0.1,
  }),
  F: real('linear: force, V = F x right of a wall at 0', {
    unit: 'E/length',
    symbol: 'F',
    min: 1e-6,
    max: 1e9,
    default: 1,
  }),
  lambda: real('poschl_teller: V = −(ħ²α²/2m) λ(λ + 1) / cosh²(α x)', {
    unit: '1',
    symbol: 'λ',
    min: 1e-6,
    max: 1e3,
    default: 3,
  }),
  expression: z
    .string()
    .min(1)
    .max(LIMITS.expression.characters)
    .optional()
    .describe('custom: V as an expression in x; it may use mass, hbar and the parameters above')
    .meta({ unit: '1' }),
  mass: real('Mass in electron masses', { unit: 'm_e', symbol: 'm', min: 1e-6, max: 1e6, default: 1 }),
  hbar: real('atomic: ħ, 1 by default; eV-nm: not allowed', { unit: 'E*time', symbol: 'ħ', min: 1e-6, max: 1e6 }),
  units: choice(
    'atomic: hartree and bohr (or pure numbers with ħ = m = 1); eV-nm: electronvolt, nanometre, femtosecond',
    ['atomic', 'eV-nm'],
  ),
  xmin: real('Left wall; by default beyond the tails', { ...POSITION, symbol: 'x_min' }),
  xmax: real('Right wall; by default beyond the tails', { ...POSITION, symbol: 'x_max' }),
  N: whole('Nodes between the walls', { symbol: 'N', min: 50, max: 20_000, default: 2000 }),
  states: whole('Number of states, from the lowest', { min: 1, max: 20, default: 5 }),
  richardson: z
    .boolean()
    .default(true)
    .describe('Extrapolate from N and 2N + 1 nodes: (4 E_fine − E) / 3')
    .meta({ unit: '1' }),
  tol: relativeTolerance('Relative width at which sectioning of an energy stops', {
    min: 1e-15,
    max: 1e-6,
    default: 1e-12,
  }),
});

export type SchrodingerInput = z.output<typeof inputs>;
