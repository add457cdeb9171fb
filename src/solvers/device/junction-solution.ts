// The solution of a junction: potential at the probe, field, charge, bands, and the C-V curve.

import type { KernelOutput } from '../../kernels/abi.ts';
import type { Quantity, Solution } from '../definition.ts';
import { exactly, quantity, series } from '../parts/fields.ts';
import { interpolate } from '../parts/interpolation.ts';
import { outputOf } from '../parts/outputs.ts';
import { CHARGE } from './constants.ts';
import type { DeviceFace } from './face.ts';
import { headOf } from './head.ts';
import type { DeviceInput } from './inputs.ts';
import { judge } from './judge.ts';
import { depletionOf, type Junction } from './junction.ts';
import { fieldScale, type Profile, plateCapacitance, profileOf } from './profile.ts';
import { stepPotential } from './reference.ts';
import { SHARES } from './shares.ts';

const PER_CM3 = 1e6;
/** Densities beyond which Boltzmann's statistics fail. */
const DEGENERATE = 1e25;

export function junctionSolution(
  outputs: readonly KernelOutput<DeviceFace>[],
  problem: Junction,
  input: DeviceInput,
): Solution {
  const { thermal, probe, permittivity, builtIn } = problem;
  const { bias, tolerance } = input;
  const profiles = SHARES.map((share, i) => profileOf(outputOf(outputs, i), problem, share, bias));
  const [own] = profiles;
  if (own === undefined) throw new Error('The plan has no run.');
  const swing = Math.max(Math.abs(builtIn - bias), thermal);
  const witnessed = witnessOf(problem, input);
  const potentials = profiles.map(({ nodes, potential }) => interpolate(nodes, potential, probe));
  const value = judge(potentials, swing, tolerance);
  const field = judge(
    profiles.map(({ maxField }) => maxField),
    Math.max(own.maxField, fieldScale(problem)),
    tolerance,
    { further: (CHARGE * problem.line(1).uneven) / permittivity },
  );
  const capacitance = judge(
    profiles.map((one) => one.capacitance),
    Math.max(Math.abs(own.capacitance), plateCapacitance(problem)),
    tolerance,
  );
  const { head, isConfirmed } = headOf(outputs, {
    ...{ value, scale: swing, witnessed, imbalance: own.imbalance },
    method: 'first integral of the equation, by quadrature without a grid',
    label: 'flux through the ends less the charge between them, over all charge',
  });
  const curve = problem.biases.map(
    (one, i) => profileOf(outputOf(outputs, SHARES.length + i), problem, 1, one).capacitance,
  );
  const output = outputOf(outputs, 0);
  const iterations = output.statistics.iterations ?? 0;
  return {
    ...head,
    series: seriesOf(own, input, problem, curve, (output.views.residuals ?? new Float64Array()).slice(0, iterations)),
    fields: [],
    plots: [
      { kind: 'line', title: 'Potential', x: 'x', y: ['potential'] },
      { kind: 'line', title: 'Bands', x: 'x', y: ['E_c', 'E_i', 'E_v', 'E_Fn', 'E_Fp'] },
      { kind: 'line', title: 'Electric field', x: 'x', y: ['field'] },
      { kind: 'line', title: 'Charge density', x: 'x', y: ['charge'] },
      { kind: 'line', title: 'Electrons, holes and doping', x: 'x', y: ['electrons', 'holes', 'doping'] },
      ...(curve.length > 1
        ? [
            { kind: 'line' as const, title: 'C-V', x: 'cv_bias', y: ['cv_capacitance'] },
            { kind: 'line' as const, title: '1/C²', x: 'cv_bias', y: ['cv_inverse_square'] },
            {
              kind: 'table' as const,
              title: 'Capacitance by bias',
              columns: ['cv_bias', 'cv_capacitance', 'cv_inverse_square'],
            },
          ]
        : []),
      { kind: 'line', title: 'Largest change of an iteration', x: 'iteration', y: ['newton_change'], marks: 'points' },
    ],
    quantities: [
      quantity('built_in', builtIn, 'V', 1e-13 * Math.max(Math.abs(builtIn), thermal)),
      quantity('field_max', field.value, 'V/m', field.uncertainty),
      quantity('capacitance', capacitance.value, 'F/m^2', capacitance.uncertainty),
      ...modelOf(input, problem),
      quantity('thermal_voltage', thermal, 'V', 1e-15 * thermal),
      quantity(
        'debye_length',
        shortestDebye(own, permittivity, thermal),
        'm',
        1e-9 * shortestDebye(own, permittivity, thermal),
      ),
      exactly('probe', probe, 'm'),
      exactly('iterations', iterations, '1'),
    ],
    operatorInputs:
      input.doping === undefined && input.profile === 'step'
        ? { CMP11: { T: input.T, Na: input.Na * PER_CM3, Nd: input.Nd * PER_CM3, ni: input.ni * PER_CM3 } }
        : {},
    functional: value.value,
    notes: [
      ...(value.isRegular ? [] : ['The potentials on three grids do not converge with an order. Take more cells.']),
      ...(isConfirmed ? [] : ['The first integral contradicts the grids. Take more cells.']),
      ...(own.doping.some((one) => Math.abs(one) > DEGENERATE)
        ? ['Above 1e19 cm^-3 Boltzmann’s statistics fail.']
        : []),
    ],
  };
}

/** The first integral holds between neutral ends that are far away, which lengths of one's own need not be. */
function witnessOf(problem: Junction, input: DeviceInput): number | undefined {
  if (input.doping !== undefined || input.profile !== 'step') return undefined;
  if (input.lp !== undefined || input.ln !== undefined) return undefined;
  const { thermal, kappa, probe, logIntrinsic } = problem;
  const s = logIntrinsic + input.bias / (2 * thermal);
  return (
    thermal * stepPotential(probe, { Na: input.Na * PER_CM3, Nd: input.Nd * PER_CM3, s, kappa: kappa / input.eps })
  );
}

/** The smallest Debye length. */
function shortestDebye({ electrons, holes }: Profile, permittivity: number, thermal: number): number {
  let most = 0;
  for (const [i, n] of electrons.entries()) most = Math.max(most, n + (holes[i] ?? 0));
  return Math.sqrt((permittivity * thermal) / (CHARGE * most));
}

/** The depletion model of a step. */
function modelOf({ Na, Nd, bias, doping, profile }: DeviceInput, { builtIn, permittivity }: Junction): Quantity[] {
  if (doping !== undefined || profile !== 'step' || builtIn <= bias) return [];
  const { W, xp, xn, field, capacitance } = depletionOf(Na * PER_CM3, Nd * PER_CM3, builtIn - bias, permittivity);
  const of = (name: string, value: number, unit: string) => quantity(name, value, unit, 1e-9 * value);
  return [
    of('depletion_width', W, 'm'),
    of('depletion_xp', xp, 'm'),
    of('depletion_xn', xn, 'm'),
    of('depletion_field', field, 'V/m'),
    of('depletion_capacitance', capacitance, 'F/m^2'),
  ];
}

function seriesOf(
  own: Profile,
  input: DeviceInput,
  { biases }: Junction,
  curve: readonly number[],
  residuals: Float64Array,
) {
  const { Eg, chi, bias } = input;
  const level = (shift: number) => own.potential.map((one) => shift - one);
  const per = (values: Float64Array) => values.map((one) => one / PER_CM3);
  const constant = (value: number) => own.nodes.map(() => value);
  return [
    series('x', 'm', own.nodes),
    series('potential', 'V', own.potential),
    series('field', 'V/m', own.field),
    series('charge', 'C/m^3', own.charge),
    series('electrons', 'cm^-3', per(own.electrons)),
    series('holes', 'cm^-3', per(own.holes)),
    series('doping', 'cm^-3', per(own.doping)),
    series('E_c', 'eV', level(0.5 * Eg)),
    series('E_i', 'eV', level(0)),
    series('E_v', 'eV', level(-0.5 * Eg)),
    series('E_vacuum', 'eV', level(0.5 * Eg + chi)),
    series('E_Fn', 'eV', constant(0.5 * bias)),
    series('E_Fp', 'eV', constant(-0.5 * bias)),
    series('cv_bias', 'V', biases),
    series('cv_capacitance', 'F/m^2', curve),
    series(
      'cv_inverse_square',
      'm^4/F^2',
      curve.map((one) => 1 / (one * one)),
    ),
    series(
      'iteration',
      '1',
      Float64Array.from(residuals, (_, i) => i + 1),
    ),
    series('newton_change', '1', residuals),
  ];
}
