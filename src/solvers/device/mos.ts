// A stack of metal, oxide and semiconductor on a line: oxide from −t to 0, semiconductor from 0 to a neutral contact.
//
// Without current one Fermi level holds for the whole semiconductor. The interface is a node, so that the displacement on
// both sides of it and the fixed charges on it balance: couplings of both media in series, which is their harmonic mean.

import { log } from '../../core/elementary.ts';
import { at } from '../parts/arrays.ts';
import { validationError } from '../parts/errors.ts';
import { BOLTZMANN, CHARGE, VACUUM_PERMITTIVITY } from './constants.ts';
import type { DeviceInput } from './inputs.ts';
import {
  breaksOf,
  type Doping,
  debyeOf,
  highestOf,
  type LineArrays,
  lineOf,
  neutral,
  once,
  ownDoping,
} from './junction.ts';
import { gradedNodes } from './line-grid.ts';
import { lineCells } from './shares.ts';

export interface Mos {
  readonly kind: 'mos';
  /** Net doping in 1/m³ at a depth in m. */
  readonly doping: Doping;
  readonly isUniform: boolean;
  readonly thermal: number;
  readonly permittivity: number;
  readonly logIntrinsic: number;
  readonly kappa: number;
  readonly length: number;
  /** Potential of the neutral contact over the thermal voltage. */
  readonly bulk: number;
  /** Gate voltage without any charge at the interface and in the semiconductor, and with the fixed charge only. */
  readonly workDifference: number;
  readonly flatBand: number;
  readonly threshold: number;
  readonly oxide: { readonly thickness: number; readonly relative: number; readonly capacitance: number };
  /** Fixed charge, C/m². */
  readonly fixed: number;
  /** 1 if electrons are the minority, −1 if holes. */
  readonly minority: 1 | -1;
  readonly probe: number;
  readonly biases: readonly number[];
  readonly nodes: (share: number) => Float64Array;
  /** Neutral potential over the thermal voltage at node i. */
  readonly neutralPotential: (i: number, share: number) => number;
  readonly line: (share: number) => LineArrays;
}

const PER_CM3 = 1e6;
const PER_CM2 = 1e4;
const CV_POINTS = 41;
const TAIL = 20;

/** @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID */
export function mosOf(input: DeviceInput): Mos {
  const { bias, T, cv_from: from, cv_to: to } = input;
  if (!(from < to))
    throw validationError('cv_to', `cv_to is ${to} V; more than cv_from, ${from} V, is expected.`, 'OUT_OF_RANGE');
  const thermal = (BOLTZMANN * T) / CHARGE;
  const permittivity = input.eps * VACUUM_PERMITTIVITY;
  const ni = input.ni * PER_CM3;
  const logIntrinsic = log(ni);
  const isUniform = input.doping === undefined;
  const net = input.body === 'p' ? -input.Na * PER_CM3 : input.Nd * PER_CM3;
  const doping = input.doping === undefined ? () => net : ownDoping(input.doping);
  const density = Math.max(Math.abs(net), ni);
  const barrier = 2 * thermal * Math.abs(neutral(net, logIntrinsic)) + 8 * thermal;
  const length =
    input.ln ??
    (isUniform
      ? Math.min(
          0.01,
          1.05 * Math.sqrt((2 * permittivity * barrier) / (CHARGE * density)) +
            TAIL * debyeOf(density, permittivity, thermal),
        )
      : 1e-6);
  const highest = Math.max(highestOf(doping, 0, length), ni);
  const deep = doping(length);
  const bulk = neutral(deep, logIntrinsic);
  const oxide = {
    thickness: input.tox,
    relative: input.eps_ox,
    capacitance: (input.eps_ox * VACUUM_PERMITTIVITY) / input.tox,
  };
  const fixed = CHARGE * input.Qf * PER_CM2;
  const workDifference = input.phi_m - (input.chi + 0.5 * input.Eg - thermal * bulk);
  const flatBand = workDifference - fixed / oxide.capacitance;
  const depleted = Math.sqrt(4 * CHARGE * permittivity * Math.abs(deep) * thermal * Math.abs(bulk));
  const threshold = flatBand - 2 * thermal * bulk - (Math.sign(bulk) * depleted) / oxide.capacitance;
  const probe = input.probe ?? 0;
  if (probe < 0 || probe > length)
    throw validationError('probe', `probe is ${probe}; a depth from 0 to ${length} m is expected.`, 'OUT_OF_RANGE');
  // A layer of carriers at the interface is as thick as a thermal voltage over its field.
  const largest = Math.max(...[bias, from, to].map((one) => Math.abs(one - flatBand)));
  const layer = (2 * thermal * permittivity) / Math.max(1e-300, largest * oxide.capacitance);
  const thin = 0.5 * Math.min(debyeOf(highest, permittivity, thermal), layer);
  const breaks = isUniform ? [] : breaksOf(doping, 0, length);
  const nodes = once((share) =>
    gradedNodes({ from: 0, to: length, breaks, centres: [0, ...breaks], thin }, lineCells(input, 1), share),
  );
  const line = once((share) => lineOf(doping, nodes(share), isUniform ? undefined : share));
  return {
    kind: 'mos',
    doping,
    isUniform,
    thermal,
    permittivity,
    logIntrinsic,
    kappa: CHARGE / (VACUUM_PERMITTIVITY * thermal),
    length,
    bulk,
    workDifference,
    flatBand,
    threshold,
    oxide,
    fixed,
    minority: bulk <= 0 ? 1 : -1,
    probe,
    biases: Array.from({ length: CV_POINTS }, (_, k) => from + ((to - from) * k) / (CV_POINTS - 1)),
    nodes,
    neutralPotential: (i, share) => neutral(doping(at(nodes(share), i)), logIntrinsic),
    line,
  };
}

/** Potential of the gate over the thermal voltage. */
export const gatePotential = ({ bulk, workDifference, thermal }: Mos, bias: number): number =>
  bulk + (bias - workDifference) / thermal;

/** Couplings, charges and weights of the kernel: the gate before the nodes of the semiconductor. */
export function mosArrays({ kappa, permittivity, oxide, fixed, thermal, line }: Mos, share: number) {
  const { nodes, before, behind } = line(share);
  const relative = permittivity / VACUUM_PERMITTIVITY;
  const last = nodes.length - 1;
  const half = (i: number) => (i < 0 || i >= last ? 0 : 0.5 * (at(nodes, i + 1) - at(nodes, i)));
  const [right, source, weights] = [0, 0, 0].map(() => new Float64Array(nodes.length + 1)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  right[0] = oxide.relative / oxide.thickness;
  for (let i = 0; i <= last; i++) {
    right[i + 1] = i === last ? 0 : (0.5 * relative) / half(i);
    weights[i + 1] = kappa * (half(i - 1) + half(i));
    source[i + 1] = kappa * (half(i - 1) * at(before, i) + half(i) * at(behind, i));
  }
  source[1] = at(source, 1) + fixed / (VACUUM_PERMITTIVITY * thermal);
  return { right, source, weights };
}
