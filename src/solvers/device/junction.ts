// A pn junction on a line: doping, an uneven grid, and the arrays of the kernel.
//
// Each carrier keeps the quasi-Fermi level of its contact. Counted from the middle of both, with the potential zero where
// n = p, a bias V changes the intrinsic density alone: n = nᵢ exp(V/2V_T) exp(u), p = nᵢ exp(V/2V_T) exp(−u).

import { exp, log } from '../../core/elementary.ts';
import { validationError } from '../parts/errors.ts';
import { fieldFunction } from '../parts/field-expression.ts';
import { BOLTZMANN, CHARGE, VACUUM_PERMITTIVITY } from './constants.ts';
import type { DeviceInput } from './inputs.ts';
import { gradedNodes } from './line-grid.ts';
import { lineCells } from './shares.ts';

/** Net doping in 1/m³, at a place in m. */
export type Doping = (x: number) => number;

export interface Junction {
  readonly kind: 'junction';
  readonly doping: Doping;
  readonly thermal: number;
  readonly permittivity: number;
  /** ln(nᵢ · 1 m³) at no bias. */
  readonly logIntrinsic: number;
  /** Charge over ε0 V_T of one carrier in a m³. */
  readonly kappa: number;
  readonly lp: number;
  readonly ln: number;
  /** Potential of the right contact over the left one at no bias. */
  readonly builtIn: number;
  readonly probe: number;
  readonly biases: readonly number[];
  /** The grid with a share of the cells, and its doping. */
  readonly line: (share: number) => LineArrays;
}

const PER_CM3 = 1e6;
const CV_POINTS = 11;
const SCAN = 2048;
/** Debye lengths of neutral material behind the depleted one. */
const TAIL = 20;
/** Most jumps of an own profile that get a node. */
const MAX_BREAKS = 8;

/** asinh(N / 2n), n = exp(s). */
export function neutral(doping: number, s: number): number {
  if (doping === 0) return 0;
  const half = 0.5 * Math.abs(doping);
  const u = log(half + Math.sqrt(half * half + exp(Math.min(2 * s, 650)))) - s;
  // Below this the logarithm would cancel: asinh z = z there.
  const z = exp(Math.min(log(half) - s, 300));
  const size = z < 1e-5 ? z : u;
  return doping < 0 ? -size : size;
}

/** d/ds of it. */
export function neutralSlope(doping: number, s: number): number {
  const half = 0.5 * doping;
  const root = Math.sqrt(half * half + exp(Math.min(2 * s, 650)));
  return root === 0 ? 0 : -half / root;
}

/** @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID */
export function junctionOf(input: DeviceInput): Junction {
  const { bias, cv_from: from, T } = input;
  if (from > 0)
    throw validationError(
      'cv_from',
      `cv_from is ${from} V; at most 0 V is expected, where the curve of a junction ends.`,
      'OUT_OF_RANGE',
    );
  const thermal = (BOLTZMANN * T) / CHARGE;
  const permittivity = input.eps * VACUUM_PERMITTIVITY;
  const logIntrinsic = log(input.ni * PER_CM3);
  const [Na, Nd] = [input.Na * PER_CM3, input.Nd * PER_CM3];
  const isOwn = input.doping !== undefined;
  const smallest = Math.min(bias, from);
  const reach = reachOf(Na, Nd, thermal * (neutral(Nd, logIntrinsic) + neutral(Na, logIntrinsic)) - smallest, {
    permittivity,
    thermal,
  });
  const isStep = !isOwn && input.profile === 'step';
  const extra = input.profile === 'linear' ? input.width : 0;
  const lp = input.lp ?? (isOwn || input.profile === 'gaussian' ? 1e-6 : reach.p + extra);
  const ln = input.ln ?? (isOwn ? 1e-6 : input.profile === 'gaussian' ? 1e-6 + 2 * reach.n : reach.n + extra);
  const doping = dopingOf(input, { Na, Nd, lp });
  const highest = highestOf(doping, -lp, ln);
  const builtIn = thermal * (neutral(doping(ln), logIntrinsic) - neutral(doping(-lp), logIntrinsic));
  if (bias > 0 && bias >= Math.max(builtIn, 0))
    throw validationError(
      'bias',
      `bias is ${bias} V; below the built-in ${builtIn.toPrecision(6)} V the charge is that of two quasi-Fermi levels.`,
      'OUT_OF_RANGE',
    );
  const probe = input.probe ?? Math.min(1e-7, 0.5 * ln);
  if (probe < -lp || probe > ln)
    throw validationError('probe', `probe is ${probe}; a place from ${-lp} to ${ln} m is expected.`, 'OUT_OF_RANGE');
  const kappa = CHARGE / (VACUUM_PERMITTIVITY * thermal);
  const breaks = isOwn
    ? breaksOf(doping, -lp, ln)
    : isStep
      ? [0]
      : input.profile === 'linear'
        ? kinks(input.width, lp, ln)
        : [];
  const thin = 0.5 * debyeOf(Math.max(highest, input.ni * PER_CM3), permittivity, thermal);
  const nodes = once((share) =>
    gradedNodes(
      { from: -lp, to: ln, breaks, centres: breaks.length === 0 ? [0] : breaks, thin },
      lineCells(input, 1),
      share,
    ),
  );
  return {
    kind: 'junction',
    doping,
    thermal,
    permittivity,
    logIntrinsic,
    kappa,
    lp,
    ln,
    builtIn,
    probe,
    line: once((share) => lineOf(doping, nodes(share), isOwn ? share : undefined)),
    biases: from === 0 ? [0] : Array.from({ length: CV_POINTS }, (_, k) => from * (1 - k / (CV_POINTS - 1))),
  };
}

const kinks = (width: number, lp: number, ln: number) => [-0.5 * width, 0.5 * width].filter((x) => x > -lp && x < ln);

/** The highest density of a scan. @throws DomainError VALIDATION_FAILED */
export function highestOf(doping: Doping, from: number, to: number): number {
  let highest = 0;
  for (let k = 0; k <= SCAN; k++) {
    const value = doping(from + ((to - from) * k) / SCAN);
    if (!(Math.abs(value) <= 1e27))
      throw validationError(
        'doping',
        `doping is ${value / PER_CM3} cm^-3 somewhere; at most 1e21 is expected.`,
        'OUT_OF_RANGE',
      );
    highest = Math.max(highest, Math.abs(value));
  }
  return highest;
}

/** A function of the share that is computed once each. */
export function once<Value>(compute: (share: number) => Value): (share: number) => Value {
  const known = new Map<number, Value>();
  return (share) => {
    const value = known.get(share) ?? compute(share);
    known.set(share, value);
    return value;
  };
}

/** The Debye length of majority carriers of a density. */
export const debyeOf = (density: number, permittivity: number, thermal: number): number =>
  Math.sqrt((permittivity * thermal) / (CHARGE * density));

function dopingOf(
  input: DeviceInput,
  { Na, Nd, lp }: { readonly Na: number; readonly Nd: number; readonly lp: number },
): Doping {
  if (input.doping !== undefined) return ownDoping(input.doping);
  if (input.profile === 'step') return (x) => (x < 0 ? -Na : Nd);
  if (input.profile === 'linear') return (x) => -Na + (Na + Nd) * Math.min(1, Math.max(0, x / input.width + 0.5));
  // The junction lies at 0: the acceptors have fallen to the donors there.
  const fall = log((Na + Nd) / Nd) / (lp * lp);
  return (x) => Nd - (Na + Nd) * exp(-Math.min(700, fall * (x + lp) * (x + lp)));
}

export function ownDoping(text: string): Doping {
  const own = fieldFunction(text, 'doping', ['x', 'x']);
  return (x) => own(x, 0) * PER_CM3;
}

/** Lengths that hold the depleted layers and neutral material behind them. */
function reachOf(
  Na: number,
  Nd: number,
  voltage: number,
  { permittivity, thermal }: { readonly permittivity: number; readonly thermal: number },
) {
  const { xp, xn } = depletionOf(Na, Nd, Math.max(voltage, 8 * thermal), permittivity);
  const side = (depleted: number, N: number) =>
    Math.min(0.01, 1.05 * depleted + TAIL * debyeOf(N, permittivity, thermal));
  return { p: side(xp, Na), n: side(xn, Nd) };
}

/** The depletion model of a step: no carriers within W, none too few outside. */
export function depletionOf(Na: number, Nd: number, voltage: number, permittivity: number) {
  const W = Math.sqrt((2 * permittivity * voltage * (1 / Na + 1 / Nd)) / CHARGE);
  return {
    W,
    xp: (W * Nd) / (Na + Nd),
    xn: (W * Na) / (Na + Nd),
    field: (2 * voltage) / W,
    capacitance: permittivity / W,
  };
}

/** Places where an own profile jumps, by bisection between samples. */
export function breaksOf(doping: Doping, from: number, to: number): number[] {
  const found: number[] = [];
  const h = (to - from) / SCAN;
  for (let k = 0; k < SCAN && found.length < MAX_BREAKS; k++) {
    let [a, b] = [from + k * h, from + (k + 1) * h];
    const jump = Math.abs(doping(b) - doping(a));
    if (jump < 1e-3 * (Math.abs(doping(a)) + Math.abs(doping(b)))) continue;
    for (let i = 0; i < 40; i++) {
      const middle = 0.5 * (a + b);
      if (Math.abs(doping(middle) - doping(a)) > Math.abs(doping(b) - doping(middle))) b = middle;
      else a = middle;
    }
    if (Math.abs(doping(b) - doping(a)) > 0.5 * jump) found.push(b);
  }
  return found;
}

export interface LineArrays {
  readonly nodes: Float64Array;
  /** Doping of the left and right half of each control volume, in 1/m³. */
  readonly before: Float64Array;
  readonly behind: Float64Array;
  /** The largest dose that lies elsewhere in a half than its mean has it, 1/m². */
  readonly uneven: number;
}

/** Samples of a half of a control volume on the finest grid; coarser grids take as many a length. */
const SAMPLES = 16;

/**
 * The doping of an own profile is its mean over the half: a dose between two nodes is seen by all grids. That of the
 * others, smooth between their nodes, is the value in the middle.
 */
export function lineOf(doping: Doping, nodes: Float64Array, share?: number): LineArrays {
  if (share !== undefined) {
    const count = SAMPLES / share;
    let uneven = 0;
    const mean = (from: number, to: number) => {
      const samples = Float64Array.from({ length: count }, (_, k) => doping(from + ((k + 0.5) / count) * (to - from)));
      const value = samples.reduce((sum, one) => sum + one, 0) / count;
      const apart = samples.reduce((sum, one) => sum + Math.abs(one - value), 0) / count;
      uneven = Math.max(uneven, (to - from) * apart);
      return value;
    };
    const halves = {
      before: nodes.map((x, i) => mean(x - 0.5 * (x - (nodes[i - 1] ?? x - 1e-12)), x)),
      behind: nodes.map((x, i) => mean(x, x + 0.5 * ((nodes[i + 1] ?? x + 1e-12) - x))),
    };
    return { nodes, ...halves, uneven };
  }
  const before = nodes.map((x, i) => doping(x - 0.25 * (x - (nodes[i - 1] ?? x - 1e-12))));
  const behind = nodes.map((x, i) => doping(x + 0.25 * ((nodes[i + 1] ?? x + 1e-12) - x)));
  return { nodes, before, behind, uneven: 0 };
}
