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
  'unified-own': { solver: 'unified', fields: { equations: 'a = 3\nb = a^2 + sin(a)' } },
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
};

/** Receipts of one batch: one signature over their Merkle root. */
export const BATCH: readonly string[] = ['compute-box', 'compute-units', 'unified-own'];
