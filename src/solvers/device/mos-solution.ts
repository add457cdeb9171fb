// The solution of a stack of metal, oxide and semiconductor: band bending, charges, bands, and C-V of low and high frequency.

import { exp } from '../../core/elementary.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import type { Solution } from '../definition.ts';
import { at } from '../parts/arrays.ts';
import { exactly, quantity, series } from '../parts/fields.ts';
import { interpolate } from '../parts/interpolation.ts';
import { outputOf } from '../parts/outputs.ts';
import { CHARGE, VACUUM_PERMITTIVITY } from './constants.ts';
import type { DeviceFace } from './face.ts';
import { headOf } from './head.ts';
import type { DeviceInput } from './inputs.ts';
import { judge } from './judge.ts';
import { debyeOf } from './junction.ts';
import { gatePotential, type Mos } from './mos.ts';
import { type LineState, lineState, sumBetweenEnds } from './profile.ts';
import { stackBending } from './reference.ts';
import { SHARES } from './shares.ts';

const PER_CM3 = 1e6;
const DEGENERATE = 1e25;
/** V/m at which thermal oxide breaks down. */
const BREAKDOWN = 1e9;

interface StackState extends LineState {
  /** V over the neutral contact. */
  readonly bending: Float64Array;
  readonly surface: number;
  /** F/m² at a frequency that the minority follows, and at one that it does not. */
  readonly low: number;
  readonly high: number;
  /** Charge of the minority, C/m². */
  readonly inversion: number;
  /** V/m */
  readonly oxideField: number;
  readonly imbalance: number;
}

export function mosSolution(outputs: readonly KernelOutput<DeviceFace>[], problem: Mos, input: DeviceInput): Solution {
  const { thermal, probe, permittivity, oxide, bulk, flatBand, threshold } = problem;
  const { bias, tolerance } = input;
  const states = SHARES.map((share, i) => stateOf(outputOf(outputs, i), problem, share, bias));
  const [own] = states;
  if (own === undefined) throw new Error('The plan has no run.');
  const scale = Math.max(thermal, ...own.bending.map(Math.abs));
  const value = judge(
    states.map(({ nodes, bending }) => interpolate(nodes, bending, probe)),
    scale,
    tolerance,
  );
  const gateCharge = oxide.capacitance * Math.max(Math.abs(bias - flatBand), thermal);
  const of = (pick: (state: StackState) => number, size: number, further = 0) =>
    judge(states.map(pick), size, tolerance, { further });
  const low = of((state) => state.low, oxide.capacitance);
  const high = of((state) => state.high, oxide.capacitance);
  const inversion = of((state) => state.inversion, gateCharge);
  const oxideField = of((state) => state.oxideField, gateCharge / (oxide.relative * VACUUM_PERMITTIVITY));
  const field = of(
    (state) => state.maxField,
    Math.max(own.maxField, thermal / problem.length),
    (CHARGE * problem.line(1).uneven) / permittivity,
  );
  const witnessed = witnessOf(problem, input);
  const { head, isConfirmed } = headOf(outputs, {
    ...{ value, scale, witnessed, imbalance: own.imbalance },
    method: 'the equation of the surface potential, by bisection and quadrature without a grid',
    label: 'displacement through gate and contact less the charge between them, over all charge',
  });
  const curve = problem.biases.map((one, i) => stateOf(outputOf(outputs, SHARES.length + i), problem, 1, one));
  const output = outputOf(outputs, 0);
  const iterations = output.statistics.iterations ?? 0;
  const changes = (output.views.residuals ?? new Float64Array()).slice(0, iterations);
  const doping = Math.abs(problem.doping(problem.length));
  const exact = (name: string, number: number, unit: string, size: number) =>
    quantity(name, number, unit, 1e-9 * Math.max(Math.abs(number), size));
  return {
    ...head,
    series: [...profileSeries(own, problem, input), ...curveSeries(curve, problem), ...changeSeries(changes)],
    fields: [],
    plots: [
      { kind: 'line', title: 'Potential from the gate', x: 'x', y: ['potential'] },
      { kind: 'line', title: 'C-V', x: 'cv_bias', y: ['cv_capacitance', 'cv_high_frequency'] },
      { kind: 'line', title: 'Surface potential by gate voltage', x: 'cv_bias', y: ['cv_surface'] },
      { kind: 'line', title: 'Charge by gate voltage', x: 'cv_bias', y: ['cv_charge', 'cv_inversion'] },
      { kind: 'line', title: 'Bands', x: 'depth', y: ['E_c', 'E_i', 'E_v', 'E_F'] },
      { kind: 'line', title: 'Electric field', x: 'depth', y: ['field'] },
      { kind: 'line', title: 'Charge density', x: 'depth', y: ['charge'] },
      { kind: 'line', title: 'Electrons and holes', x: 'depth', y: ['electrons', 'holes'] },
      {
        kind: 'table',
        title: 'By gate voltage',
        columns: ['cv_bias', 'cv_surface', 'cv_capacitance', 'cv_high_frequency', 'cv_charge', 'cv_inversion'],
      },
      { kind: 'line', title: 'Largest change of an iteration', x: 'iteration', y: ['newton_change'], marks: 'points' },
    ],
    quantities: [
      exact('flat_band', flatBand, 'V', 1),
      exact('threshold', threshold, 'V', 1),
      exact('bulk_potential', Math.abs(thermal * bulk), 'V', thermal),
      exact('oxide_capacitance', oxide.capacitance, 'F/m^2', 0),
      quantity('capacitance', low.value, 'F/m^2', low.uncertainty),
      quantity('capacitance_high', high.value, 'F/m^2', high.uncertainty),
      quantity('inversion_charge', inversion.value, 'C/m^2', inversion.uncertainty),
      quantity('oxide_field', oxideField.value, 'V/m', oxideField.uncertainty),
      quantity('field_max', field.value, 'V/m', field.uncertainty),
      ...(doping > 0
        ? [
            exact(
              'depletion_max',
              Math.sqrt((4 * permittivity * thermal * Math.abs(bulk)) / (CHARGE * doping)),
              'm',
              0,
            ),
            exact('debye_length', debyeOf(doping, permittivity, thermal), 'm', 0),
          ]
        : []),
      quantity('thermal_voltage', thermal, 'V', 1e-15 * thermal),
      exactly('probe', probe, 'm'),
      exactly('iterations', iterations, '1'),
    ],
    operatorInputs: {},
    functional: value.value,
    notes: [
      ...(value.isRegular ? [] : ['The potentials on three grids do not converge with an order. Take more cells.']),
      ...(isConfirmed ? [] : ['The equation of the surface potential contradicts the grids. Take more cells.']),
      ...(Math.max(...own.electrons, ...own.holes) > DEGENERATE
        ? ['Above 1e19 cm^-3 Boltzmann’s statistics fail, and layers thinner than 3 nm are those of quantum mechanics.']
        : []),
      ...(Math.abs(own.oxideField) > BREAKDOWN
        ? ['Silicon dioxide breaks down near 1e9 V/m, and the field of the oxide is higher.']
        : []),
    ],
  };
}

function stateOf({ views }: KernelOutput<DeviceFace>, problem: Mos, share: number, bias: number): StackState {
  const { thermal, oxide, logIntrinsic, minority, bulk, fixed } = problem;
  const u = (views.potential ?? new Float64Array()).slice(1);
  const [slope, shift] = [views.slope ?? new Float64Array(), views.shift ?? new Float64Array()];
  const state = lineState(u, problem.line(share), logIntrinsic, problem);
  const { widths, electrons, holes, net, size, through } = state;
  const minorities = minority > 0 ? electrons : holes;
  // A Fermi level of its own keeps the number of the minority: the sum of w n (g + h φ − φ) is zero.
  let [moved, held, number] = [0, 0, 0];
  for (const [i, width] of widths.entries()) {
    const amount = width * at(minorities, i);
    number += amount;
    moved += amount * at(slope, i + 1);
    held += amount * (1 - at(shift, i + 1));
  }
  const level = held > 0 ? moved / held : 0;
  const displacement = oxide.capacitance * (thermal * (gatePotential(problem, bias) - at(u, 0)));
  // The contact is held; the interface is a node with half a cell.
  const between = sumBetweenEnds(net) + at(net, 0);
  const total = sumBetweenEnds(size) + at(size, 0) + Math.abs(displacement) + Math.abs(fixed);
  return {
    ...state,
    bending: u.map((one) => thermal * (one - bulk)),
    surface: thermal * (at(u, 0) - bulk),
    low: oxide.capacitance * (1 - at(slope, 1)),
    high: oxide.capacitance * (1 - at(slope, 1) - at(shift, 1) * level),
    inversion: -minority * CHARGE * number,
    oxideField: displacement / (oxide.relative * VACUUM_PERMITTIVITY),
    imbalance: (displacement + fixed + between - through[1]) / total,
  };
}

/** Own doping and an end that need not be far away have no equation of the surface alone. */
function witnessOf(problem: Mos, input: DeviceInput): number | undefined {
  const { isUniform, bulk, logIntrinsic, kappa, oxide, permittivity, flatBand, thermal, probe } = problem;
  if (!isUniform || input.ln !== undefined) return undefined;
  return (
    thermal *
    stackBending(probe, {
      electrons: exp(logIntrinsic + bulk),
      holes: exp(logIntrinsic - bulk),
      kappa: kappa / input.eps,
      coupling: oxide.capacitance / permittivity,
      drive: (input.bias - flatBand) / thermal,
    })
  );
}

function profileSeries(own: StackState, problem: Mos, { Eg, chi }: DeviceInput) {
  const { thermal, oxide } = problem;
  const level = (rise: number) => own.potential.map((one) => rise - one);
  const per = (values: Float64Array) => values.map((one) => one / PER_CM3);
  const gate = at(own.potential, 0) + own.oxideField * oxide.thickness;
  const deep = thermal * problem.bulk;
  return [
    series('x', 'm', Float64Array.of(-oxide.thickness, ...own.nodes)),
    series('potential', 'V', Float64Array.of(gate - deep, ...own.bending)),
    series('depth', 'm', own.nodes),
    series('field', 'V/m', own.field),
    series('charge', 'C/m^3', own.charge),
    series('electrons', 'cm^-3', per(own.electrons)),
    series('holes', 'cm^-3', per(own.holes)),
    series('doping', 'cm^-3', per(own.doping)),
    series('E_c', 'eV', level(0.5 * Eg)),
    series('E_i', 'eV', level(0)),
    series('E_v', 'eV', level(-0.5 * Eg)),
    series('E_vacuum', 'eV', level(0.5 * Eg + chi)),
    series('E_F', 'eV', new Float64Array(own.nodes.length)),
  ];
}

function curveSeries(curve: readonly StackState[], { biases, oxide, flatBand, fixed }: Mos) {
  const column = (name: string, unit: string, pick: (state: StackState, i: number) => number) =>
    series(name, unit, curve.map(pick));
  return [
    series('cv_bias', 'V', biases),
    column('cv_capacitance', 'F/m^2', ({ low }) => low),
    column('cv_high_frequency', 'F/m^2', ({ high }) => high),
    column('cv_surface', 'V', ({ surface }) => surface),
    // Of the semiconductor: what the gate and the fixed charge do not balance.
    column('cv_charge', 'C/m^2', ({ oxideField }) => -(oxideField * oxide.relative * VACUUM_PERMITTIVITY + fixed)),
    column('cv_inversion', 'C/m^2', ({ inversion }) => inversion),
    series(
      'cv_over_flat_band',
      'V',
      biases.map((bias) => bias - flatBand),
    ),
  ];
}

const changeSeries = (changes: Float64Array) => [
  series(
    'iteration',
    '1',
    changes.map((_, i) => i + 1),
  ),
  series('newton_change', '1', changes),
];
