// Inputs of the solver.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { singleLine } from '../../core/text-schema.ts';
import { choice, lengthAlong, real, relativeTolerance, whole } from '../parts/inputs.ts';

const expression = (help: string, unit: string) =>
  singleLine(LIMITS.expression.characters).optional().describe(help).meta({ unit });
const side = (help: string, standard: string) =>
  singleLine(LIMITS.expression.characters).default(standard).describe(help).meta({ unit: 'V' });
const density = (help: string, value: number, symbol: string) =>
  real(help, { unit: 'cm^-3', symbol, min: 1e10, max: 1e21, default: value });

export const inputs = z.strictObject({
  mode: choice('A pn junction or a MOS stack on a line, or Poisson’s equation on a rectangle', [
    'junction',
    'mos',
    'plane',
  ]),
  profile: choice('junction: doping in a step, linear over width, or acceptors diffused from the left', [
    'step',
    'linear',
    'gaussian',
  ]),
  Na: density('junction: acceptors of the p side, x < 0; mos: of a body p', 1e16, 'N_a'),
  Nd: density('junction: donors of the n side; mos: of a body n', 1e16, 'N_d'),
  doping: expression('junction, mos: Nd - Na of x in m', 'cm^-3'),
  width: real('linear: width of the profile', { unit: 'm', min: 1e-9, max: 1e-3, default: 5e-7 }),
  lp: real('junction: length left of 0; long enough by default', { unit: 'm', min: 1e-9, max: 0.01 }),
  ln: real('junction: length right of 0; mos: depth of the body', { unit: 'm', min: 1e-9, max: 0.01 }),
  bias: real('junction: voltage, p over n, negative is reverse; mos: voltage of the gate', {
    unit: 'V',
    symbol: 'V',
    min: -100,
    max: 100,
    default: 0,
  }),
  cv_from: real('junction, mos: first bias of the C-V curve', { unit: 'V', min: -100, max: 100, default: -5 }),
  cv_to: real('mos: last gate voltage of the C-V curve', { unit: 'V', min: -100, max: 100, default: 5 }),
  body: choice('mos: semiconductor under the gate, with acceptors (p) or donors (n)', ['p', 'n']),
  tox: real('mos: thickness of the oxide', { unit: 'm', symbol: 't_ox', min: 1e-10, max: 1e-5, default: 1e-8 }),
  eps_ox: real('mos: relative permittivity of the oxide', { unit: '1', min: 1, max: 1000, default: 3.9 }),
  phi_m: real('mos: work function of the gate', { unit: 'eV', symbol: 'φ_m', min: 0, max: 10, default: 4.1 }),
  Qf: real('mos: fixed charges at the interface', { unit: 'cm^-2', symbol: 'Q_f', min: -1e14, max: 1e14, default: 0 }),
  T: real('junction, mos: temperature', { unit: 'K', min: 50, max: 1000, default: 300 }),
  ni: real('junction, mos: intrinsic density at T', {
    unit: 'cm^-3',
    symbol: 'n_i',
    min: 1e-10,
    max: 1e19,
    default: 1e10,
  }),
  eps: real('junction, mos: relative permittivity of the semiconductor', {
    unit: '1',
    min: 1,
    max: 1000,
    default: 11.7,
  }),
  chi: real('junction, mos: electron affinity', { unit: 'eV', symbol: 'χ', min: 0, max: 10, default: 4.05 }),
  Eg: real('junction, mos: band gap', { unit: 'eV', symbol: 'E_g', min: 0.05, max: 10, default: 1.12 }),
  probe: real('junction: place of the value; 1e-7 by default; mos: depth of the value; the interface by default', {
    unit: 'm',
    min: -0.01,
    max: 0.01,
  }),
  cells: whole('junction, mos: cells of the line', { min: 64, max: 8192, default: 1024 }),
  lx: lengthAlong('x', 'plane'),
  ly: lengthAlong('y', 'plane'),
  left: side('plane: of x, y, or insulated', '0'),
  right: side('plane: right', '0'),
  bottom: side('plane: lower', '0'),
  top: side('plane: upper', '1'),
  permittivity: expression('plane: of x, y', '1'),
  source: expression('plane: ρ/ε0 of x, y', 'V/m^2'),
  electrode: expression('plane: held if > 0', '1'),
  electrode_v: real('plane: potential of the electrode', { unit: 'V', min: -1e6, max: 1e6, default: 1 }),
  nx: whole('plane: cells along x, in eights', { min: 16, max: 512, default: 64 }),
  ny: whole('plane: cells along y', { min: 16, max: 512, default: 64 }),
  probe_x: real('plane: x of the value; the middle by default', { unit: 'm', min: 0, max: 1e6 }),
  probe_y: real('plane: y of the value', { unit: 'm', min: 0, max: 1e6 }),
  tolerance: relativeTolerance('Tolerance of the iteration', { min: 1e-13, max: 1e-6, default: 1e-11 }),
});

export type DeviceInput = z.output<typeof inputs>;
