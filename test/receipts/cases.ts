// Cases of the museum: what each state seals, and how. Add cases; never change one.

import type { ComputeRequest } from '../../src/protocol/compute-request.ts';
import type { Stamps } from '../../src/protocol/stamps.ts';
import { SOLVERS } from '../../src/solvers/index.ts';
import { SLOW_STAMPS, STAMPS } from '../protocol/sealed-case.ts';

export interface SolverCase {
  readonly solver: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Operators of an open solver. */
  readonly operators?: readonly string[];
  readonly stamps?: Stamps;
}

const CHOSEN: Readonly<Record<string, SolverCase>> = {
  fea: { solver: 'fea', fields: { nx: 16, ny: 4 } },
  'fea-outline': {
    solver: 'fea',
    fields: {
      outline: '0 0; 2 0; 2 1; 0 1 | circle 1 0.5 0.25',
      size: 0.4,
      refine: 1,
      supports: 'edge4 fixed',
      loads: 'edge2 tx=1e6; gravity 0 -9.81; heat 20*x',
    },
  },
  'heat-rod': { solver: 'heat', fields: { dim: 1, nx: 16, steps: 24 } },
  'heat-rod-parity-rule': { solver: 'heat', fields: { dim: 1, nx: 8, steps: 12 }, stamps: SLOW_STAMPS },
  'heat-step-explicit': {
    solver: 'heat',
    fields: { dim: 1, nx: 12, steps: 30, method: 'explicit', mode: 'step', boundary: 'neumann' },
  },
  'heat-plate': { solver: 'heat', fields: { dim: 2, nx: 32, ny: 24, steps: 6 } },
  schrodinger: { solver: 'schrodinger', fields: { N: 120, states: 3 } },
  'schrodinger-custom': {
    solver: 'schrodinger',
    fields: { N: 100, states: 2, potential: 'custom', expression: 'x^4/2 - x^2', xmin: -4, xmax: 4 },
  },
  evolve: { solver: 'evolve', fields: { preset: 'lj-gas', N: 216, steps: 20, sample: 10 } },
  quant: { solver: 'quant', fields: {} },
  'quant-asian-sobol': { solver: 'quant', fields: { style: 'asian', sampler: 'sobol', paths: 8192 } },
  'quant-american': {
    solver: 'quant',
    fields: {
      style: 'american',
      type: 'put',
      dividends: [[0.4, 1.5]],
      rates: [
        [0.5, 0.02],
        [2, 0.035],
      ],
    },
  },
  'react-spots': { solver: 'react', fields: { N: 16, steps: 60, painting: '....\n.##.\n.##.\n....' } },
  'react-front': {
    solver: 'react',
    fields: {
      dim: 1,
      reaction_u: 'u*(1-u)*(u-a)',
      a: 0.25,
      N: 120,
      length: 60,
      boundary: 'no-flux',
      initial: 'front',
      t_end: 80,
      measure: 'speed',
    },
  },
  'unified-oscillator': { solver: 'unified', fields: { points: 41 } },
  'unified-events': {
    solver: 'unified',
    fields: {
      equations: "y' = v\nv' = -9.81\ny(0) = 10\nv(0) = 0",
      events: 'y = 0 down -> v = -0.8*v',
      t_end: 4,
      points: 33,
    },
  },
  'unified-stiff': {
    solver: 'unified',
    fields: { equations: "y' = -1000*(y - cos(t))\ny(0) = 0", t_end: 2, method: 'rodas4', points: 21 },
  },
  'unified-laws': {
    solver: 'unified',
    fields: { equations: 'ratio = E/2', vars: 'n = 2; m = 9.1e-31; L = 1e-9' },
    operators: ['QM5'],
  },
  epi: { solver: 'epi', fields: {} },
  'epi-ensemble': { solver: 'epi', fields: { preset: 'village', ensemble: 40, samples: 41 } },
  'epi-fit': { solver: 'epi', fields: { preset: 'school', samples: 51 } },
  'epi-groups': { solver: 'epi', fields: { preset: 'age', days: 120, waning: 0.01, mu: 1e-4 } },
  'unified-own': { solver: 'unified', fields: { equations: 'a = 3\nb = a^2 + sin(a)' } },
  acoustic: { solver: 'acoustic', fields: { shape: 'rectangle', modes: 3, cells: 12 } },
  'acoustic-outline': { solver: 'acoustic', fields: { shape: 'l_shape', modes: 3, cells: 12 } },
  climate: { solver: 'climate', fields: { nx: 100 } },
  'climate-plane': {
    solver: 'climate',
    fields: { dim: 2, nx: 24, ny: 20, initial: 'hump', width: 20, boundary: 'open', f: 0.01, manning: 0.03 },
  },
  device: { solver: 'device', fields: { cells: 64, cv_from: -1 } },
  'acoustic-walls': {
    solver: 'acoustic',
    fields: { shape: 'rectangle', modes: 3, cells: 12, impedance: 'all 20' },
  },
  'climate-order-2': { solver: 'climate', fields: { nx: 40, limiter: 'van-leer' } },
  'fracture-motion': { solver: 'fracture', fields: { load: 'grips', nx: 24, ny: 12 } },
  'device-mos': { solver: 'device', fields: { mode: 'mos', cells: 64, cv_from: -1, cv_to: 1 } },
  'device-plane': { solver: 'device', fields: { mode: 'plane', nx: 16, ny: 16 } },
  tumor: { solver: 'tumor', fields: { nx: 64, L: 6, t_end: 400 } },
  'tumor-therapy': {
    solver: 'tumor',
    fields: { nx: 64, L: 6, t_end: 400, level: 0.05, t_from: 380, therapy: 'resect 100 0.8; radiate 120 6 2' },
  },
  'tumor-map': { solver: 'tumor', fields: { map: 'ggw\nggw', nx: 32, L: 8, t_end: 300, level: 0.3 } },
  fracture: { solver: 'fracture', fields: { nx: 16, ny: 8, loadSteps: 4 } },
  flow: { solver: 'flow', fields: { N: 16, steps: 40 } },
  'flow-waves': {
    solver: 'flow',
    fields: { case: 'taylor-green', N: 16, steps: 20, dt: 0.01, mean_u: 1, scheme: 'maccormack' },
  },
  'flow-plates': { solver: 'flow', fields: { case: 'plates', N: 12, steps: 20, force: 0.1 } },
  'flow-disc': {
    solver: 'flow',
    fields: { case: 'channel', N: 12, steps: 20, dt: 0.05, visc: 0.05, length: 2, obstacles: [[0.8, 0.5, 0.25]] },
  },
  wave: { solver: 'wave', fields: { nx: 16, ny: 16, steps: 20 } },
  'wave-open': {
    solver: 'wave',
    fields: {
      mode: 'maxwell',
      dim: 1,
      nx: 48,
      boundary: 'open',
      initial: 'gaussian',
      x0: 0.3,
      density: 'x > 0.6 ? 2.25 : 1',
      t_end: 0.4,
    },
  },
};

const isChosen = (id: string) => Object.values(CHOSEN).some(({ solver }) => solver === id);

/** A solver without a case of its own seals its defaults. */
export const SOLVER_CASES: Readonly<Record<string, SolverCase>> = {
  ...CHOSEN,
  ...Object.fromEntries(SOLVERS.flatMap(({ id }) => (isChosen(id) ? [] : [[id, { solver: id, fields: {} }]]))),
};

export interface ComputeCase {
  readonly request: ComputeRequest;
  readonly stamps?: Stamps;
}

export const COMPUTE_CASES: Readonly<Record<string, ComputeCase>> = {
  'compute-box': {
    request: { domain: 'QM', operators: ['QM5'], inputs: { n: 3, m: 9.1093837139e-31, L: 2.5e-9 } },
  },
  'compute-units': {
    request: {
      domain: 'CM',
      operators: ['CM9'],
      inputs: { m: 2, v: 90 },
      units: { v: 'km/h' },
      uncertainties: { v: 1 },
    },
    stamps: SLOW_STAMPS,
  },
  'compute-every-option': {
    request: {
      domain: 'Chemical Engineering',
      operators: ['CHE17'],
      inputs: { T0: 80, kx: 2.5, ky: 1.75, x: 37, y: 0.6, 'CHE17.alpha': 1.11e-4, 'KO42.phi0': 0.7 },
      consts: { t: 320 },
      units: { x: 'cm' },
      uncertainties: { x: 1, T0: 2 },
      detail: 'full',
    },
    stamps: STAMPS,
  },
  'compute-chain': {
    request: {
      domain: 'CM',
      operators: ['CM4', 'CM9'],
      inputs: { v0: 3, a: 2, s: 12, m: 2 },
    },
  },
  'compute-option-price': {
    request: {
      domain: 'FIN',
      operators: ['BLACK_SCHOLES'],
      inputs: { S: 100, K: 95, r: 0.03, sig: 0.2, T: 1, phi: 1 },
      uncertainties: { sig: 0.01 },
    },
  },
  'compute-selected': {
    request: { domain: 'QM', operators: [], inputs: { n: 3, m: 9.1093837139e-31, L: 2.5e-9 } },
  },
  'compute-sweep': {
    request: {
      domain: 'CM',
      operators: ['CM5'],
      inputs: {},
      units: { v: 'km/h' },
      uncertainties: { theta: 0.5 },
      sweep: { theta: { from: 5, to: 85, count: 17 }, v: [36, 72, 400_000] },
    },
  },
  'compute-samples': {
    request: {
      domain: 'CK',
      operators: ['CK11'],
      inputs: { A: 1e13, Ea: 80_000, T: 300 },
      uncertainties: { Ea: 2_000, T: 1 },
      samples: { count: 200, seed: 7 },
    },
  },
  'compute-unknown': {
    request: { domain: 'CM', operators: ['CM9'], inputs: { m: 2, K: 100 }, solve_for: 'v', uncertainties: { K: 1 } },
  },
};

/** Receipts of one batch: one signature over their Merkle root. */
export const BATCH: readonly string[] = ['compute-box', 'compute-units', 'unified-own'];
