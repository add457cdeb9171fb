// Inputs of the solver.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { multiLine } from '../../core/text-schema.ts';
import { cellsAlong, choice, lengthAlong, real, stepCount, timeStep, whole } from '../parts/inputs.ts';

export const MAX_STEPS = 200_000;
const CELLS = { min: 16, max: 128, default: 64 } as const;

const SIDES = ['fixed', 'free', 'periodic', 'open'] as const;
export type Side = (typeof SIDES)[number];

const expression = (help: string, unit: string) =>
  multiLine(LIMITS.expression.characters, 1).optional().describe(help).meta({ unit });

const halfWaves = (help: string) => whole(help, { min: 1, max: 64, default: 1 });
const relative = (help: string) => real(help, { unit: '1', min: 1e-6, max: 1e6, default: 1 });
const side = (name: string) => choice(`${name} side, if unlike the others`, ['same', ...SIDES]);
const place = (help: string) => real(help, { unit: 'm', min: 0, max: 1e6 });

export const inputs = z.strictObject({
  mode: choice('Membrane, string (wave1d), or a plane of Maxwell’s equations', ['membrane', 'maxwell', 'wave1d']),
  nx: cellsAlong('x', 'one more nodes', CELLS),
  ny: cellsAlong('y', 'not for a line', CELLS),
  kx: halfWaves('Half-waves along x of a standing wave'),
  ky: halfWaves('Half-waves along y of a standing wave'),
  c: real('Wave speed where density, tension, eps and mu are 1', {
    unit: 'm/s',
    min: 1e-6,
    max: 1e9,
    default: 1,
  }),
  dt: timeStep('Time step; by default from courant', { unit: 's' }),
  courant: real('Time step over the largest stable one', { unit: '1', symbol: 'S', min: 1e-3, max: 1, default: 0.5 }),
  steps: stepCount('Number of time steps; 200 by default', { max: MAX_STEPS }),
  dim: whole('1 for a line, 2 for a rectangle; 1 for wave1d, else 2', { min: 1, max: 2 }),
  mode_k: halfWaves('Half-waves of a standing wave on a line'),
  eps: relative('Relative permittivity'),
  mu: relative('Relative permeability'),
  t_end: real('Time of the end; by default dt times steps', { unit: 's', symbol: 't', min: 1e-30, max: 1e30 }),
  lx: lengthAlong('x'),
  ly: lengthAlong('y'),
  polarization: choice('Of maxwell: tm has E_z, te has H_z', ['tm', 'te']),
  boundary: choice('Sides: u or E_z is 0, the flux is 0, periodic, or open to infinity', SIDES),
  left: side('Left'),
  right: side('Right'),
  bottom: side('Lower'),
  top: side('Upper'),
  initial: choice('State at the start; auto is standing unless something else moves it', [
    'auto',
    'standing',
    'gaussian',
    'none',
  ]),
  x0: place('x of the hump or the source; the middle by default'),
  y0: place('y of the hump or the source'),
  width: real('Width (standard deviation) of the hump or the source; a twentieth of lx by default', {
    unit: 'm',
    min: 1e-9,
    max: 1e6,
  }),
  initial_u: expression('Initial field, of x, y', 'E'),
  initial_v: expression('Initial velocity, of x, y', 'E'),
  density: expression('Relative density or permittivity', '1'),
  tension: expression('Relative tension or 1/permeability', '1'),
  damping: expression('Damping rate', '1/s'),
  source: choice('Force or current over time at the source', ['none', 'ricker', 'sine', 'pulse']),
  frequency: real('Frequency of the source; by default a wave of eight widths', {
    unit: 'Hz',
    symbol: 'f_0',
    min: 1e-30,
    max: 1e30,
  }),
  waveform: expression('Own source, of t', '1'),
  probe_x: place('x of the probe; three eighths of lx by default'),
  probe_y: place('y of the probe; three eighths of ly by default'),
});

export type WaveInput = z.output<typeof inputs>;
