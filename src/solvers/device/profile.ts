// Numbers of a run on the line: potential, field, charge and carriers at the nodes, and the capacitance.

import { exp } from '../../core/elementary.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import { at } from '../parts/arrays.ts';
import { CHARGE, VACUUM_PERMITTIVITY } from './constants.ts';
import type { DeviceFace } from './face.ts';
import type { Junction, LineArrays } from './junction.ts';

/** Potential, field, charge and carriers at the nodes of a semiconductor. */
export interface LineState {
  readonly nodes: Float64Array;
  /** V; zero where n = p. */
  readonly potential: Float64Array;
  /** V/m */
  readonly field: Float64Array;
  /** C/m³ */
  readonly charge: Float64Array;
  /** 1/m³ */
  readonly electrons: Float64Array;
  readonly holes: Float64Array;
  readonly doping: Float64Array;
  readonly maxField: number;
  /** Widths of the control volumes, m. */
  readonly widths: Float64Array;
  /** Charge of the control volumes, C/m², and that of all carriers and ions in them. */
  readonly net: Float64Array;
  readonly size: Float64Array;
  /** Displacement through the first and the last edge, C/m². */
  readonly through: readonly [first: number, last: number];
}

export interface Profile extends LineState {
  /** F/m² */
  readonly capacitance: number;
  /** Flux through the ends less the charge between them, over all charge. */
  readonly imbalance: number;
}

interface Medium {
  readonly thermal: number;
  readonly permittivity: number;
}

/** @param u  potentials over the thermal voltage @param s  the logarithm of the intrinsic density */
export function lineState(
  u: Float64Array,
  { nodes, before, behind }: LineArrays,
  s: number,
  { thermal, permittivity }: Medium,
): LineState {
  const cells = nodes.length - 1;
  const electrons = u.map((one) => exp(s + one));
  const holes = u.map((one) => exp(s - one));
  const half = (i: number) => (i < 0 || i >= cells ? 0 : 0.5 * (at(nodes, i + 1) - at(nodes, i)));
  const carriers = (i: number) => at(holes, i) - at(electrons, i);
  const gradient = (i: number) => (thermal * (at(u, i + 1) - at(u, i))) / (2 * half(i));
  // The slope at a node is that of the next edge and what the charge of half a cell turns.
  const field = u.map((_, i) => {
    if (i === cells) return -gradient(i - 1) + (CHARGE * half(i - 1) * (carriers(i) + at(before, i))) / permittivity;
    return -gradient(i) - (CHARGE * half(i) * (carriers(i) + at(behind, i))) / permittivity;
  });
  const widths = nodes.map((_, i) => half(i - 1) + half(i));
  const ions = nodes.map((_, i) => half(i - 1) * at(before, i) + half(i) * at(behind, i));
  const doping = nodes.map((_, i) =>
    i === 0 ? at(behind, i) : i === cells ? at(before, i) : 0.5 * (at(before, i) + at(behind, i)),
  );
  return {
    nodes,
    potential: u.map((one) => thermal * one),
    field,
    charge: u.map((_, i) => CHARGE * (carriers(i) + at(doping, i))),
    electrons,
    holes,
    doping,
    maxField: field.reduce((largest, one) => Math.max(largest, Math.abs(one)), 0),
    widths,
    net: widths.map((width, i) => CHARGE * (width * carriers(i) + at(ions, i))),
    size: widths.map((width, i) => CHARGE * (width * (at(holes, i) + at(electrons, i)) + Math.abs(at(ions, i)))),
    through: [-permittivity * gradient(0), -permittivity * gradient(cells - 1)],
  };
}

/** The sum over all nodes but the ends. */
export const sumBetweenEnds = (values: Float64Array): number =>
  values.reduce((sum, one, i) => (i === 0 || i === values.length - 1 ? sum : sum + one), 0);

export function profileOf(
  { views }: KernelOutput<DeviceFace>,
  problem: Junction,
  share: number,
  bias: number,
): Profile {
  const { thermal, logIntrinsic } = problem;
  const s = logIntrinsic + bias / (2 * thermal);
  const slope = views.slope ?? new Float64Array();
  const line = problem.line(share);
  const state = lineState(views.potential ?? new Float64Array(), line, s, problem);
  const { widths, holes, net, size, through } = state;
  const total = sumBetweenEnds(size);
  return {
    ...state,
    capacitance: widths.reduce(
      (sum, width, i) => sum + (CHARGE * width * at(holes, i) * (1 - at(slope, i))) / (2 * thermal),
      0,
    ),
    imbalance: total === 0 ? 0 : (through[1] - through[0] - sumBetweenEnds(net)) / total,
  };
}

/** V/m that a thermal voltage over the line makes: the scale of fields that vanish. */
export const fieldScale = ({ thermal, lp, ln }: Junction): number => thermal / (lp + ln);

/** F/m² of the line as a plate capacitor: the scale of capacitances that vanish. */
export const plateCapacitance = ({ lp, ln }: Junction): number => VACUUM_PERMITTIVITY / (lp + ln);
