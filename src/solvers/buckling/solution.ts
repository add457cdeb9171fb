// Builds the solution from the kernel output: critical loads with their ±, the second way, strength, and shapes.

import { bound, uncertain } from '../../core/uncertainty.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import type { Invariant, Quantity, Solution } from '../definition.ts';
import { validationError } from '../parts/errors.ts';
import { exactly, quantity, series } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import type { BucklingFace } from './face.ts';
import type { BucklingInput } from './inputs.ts';
import { columnPictures, framePictures, type Pictures } from './pictures.ts';
import { type Problem, problemOf } from './problem.ts';
import { columnReference, frameReference, type Reference, type Root } from './reference.ts';
import { type Strength, strengthOf } from './strength.ts';

/** Of the difference between elements and the second way: both may err to the same side. */
const RESERVE = 1.25;
/** Of a load: sums of energies. */
const ROUNDING = 1e-12;
/** Elements and second way that differ by more than this part are too coarse to be trusted. */
const COARSE = 0.02;

export function solutionOf(outputs: readonly KernelOutput<BucklingFace>[], input: BucklingInput): Solution {
  const problem = problemOf(input);
  const { body, mesh, elements } = problem;
  const output = outputOf(outputs, 0);
  assertSolved(problem, output);
  const { views, statistics, info } = output;
  const { found = 0, counted = 0, expected = 0 } = statistics;
  const factors = [...(views.loads ?? [])].slice(0, found);
  const reference: Reference =
    body.kind === 'column'
      ? columnReference(body, factors)
      : frameReference(body, 'forces' in problem ? problem.forces : EMPTY, factors);
  const unit = body.kind === 'column' ? 1 : body.unit;
  const rounding = ROUNDING + skewRounding(problem);
  const levels = factors.map((factor, j) =>
    levelOf(factor, reference.roots[j], views.bounds?.[j] ?? 0, { unit, rounding }),
  );
  const [first] = levels;
  if (!first) throw new Error('The kernel gave no load.');
  // A load that the second way does not confirm is not shown, nor those above it.
  const firstUnknown = levels.findIndex(({ isWitnessed }) => !isWitnessed);
  const shown =
    firstUnknown < 1 ? levels.slice(0, firstUnknown < 0 ? levels.length : 1) : levels.slice(0, firstUnknown);
  const { value, witness, isWitnessed } = first;
  const isComplete = counted === expected && info === 0;
  const isFine = Math.abs(value - witness) <= COARSE * value;
  const strength = strengthFor(problem, value);
  const shapes = shown.map((_, j) =>
    (views.shapes ?? new Float64Array()).slice(j * mesh.unknowns, (j + 1) * mesh.unknowns),
  );
  const pictures: Pictures =
    body.kind === 'column'
      ? columnPictures(body, mesh, shapes, factors[0] ?? 0, strength)
      : framePictures(body, mesh, shapes[0] ?? new Float64Array(), elements);
  const [main, ...others] = pictures.plots;
  const notes = [
    ...(isWitnessed ? [] : ['The second way found no load near that of the elements: take more elements.']),
    ...(isWitnessed && !reference.isFirst ? ['The second way may see a load below the first.'] : []),
    ...(isComplete ? [] : ['The count of loads does not confirm that none was missed.']),
    ...(isFine ? [] : ['The elements are too coarse: they and the second way differ by more than 2 %.']),
    ...(shown.length < input.modes ? [`${shown.length} of ${input.modes} loads are certain, or exist.`] : []),
    ...(strength?.isShort === true ? ['The column is short: it yields before it buckles elastically (Johnson).'] : []),
  ];
  return {
    value,
    uncertainty: first.uncertainty,
    budget: first.budget,
    bound: first.uncertainty / Math.abs(witness || value),
    converged: isWitnessed && reference.isFirst && isComplete && isFine,
    witness: {
      method:
        body.kind === 'column'
          ? 'shooting along the column with compound matrices'
          : 'exact stability functions, counted by Wittrick and Williams',
      reference: witness,
      scale: Math.abs(value),
    },
    invariants: invariantsOf(problem, counted, expected, value),
    series: [
      series(
        'mode',
        '1',
        shown.map((_, j) => j + 1),
      ),
      series(
        'critical_load',
        'N',
        shown.map((one) => one.value),
      ),
      series(
        'critical_load_uncertainty',
        'N',
        shown.map((one) => one.uncertainty),
      ),
      ...pictures.series,
      ...forcesOf(problem, factors[0] ?? 0),
    ],
    fields: pictures.fields,
    plots: [
      ...(main ? [main] : []),
      ...others,
      { kind: 'bars', title: 'Critical loads', x: 'mode', y: ['critical_load'] },
      { kind: 'table', title: 'Critical loads', columns: ['mode', 'critical_load', 'critical_load_uncertainty'] },
      ...(body.kind === 'frame'
        ? [{ kind: 'table' as const, title: 'Compression of the members', columns: ['member', 'member_compression'] }]
        : []),
    ],
    quantities: quantitiesOf(problem, first, strength),
    operatorInputs: {},
    functional: value,
    notes,
  };
}

const EMPTY = { held: new Float64Array(), varied: new Float64Array(), imbalance: 0 };

interface Level {
  readonly value: number;
  readonly witness: number;
  readonly isWitnessed: boolean;
  readonly uncertainty: number;
  readonly budget: Solution['budget'];
}

function levelOf(
  factor: number,
  root: Root | undefined,
  residual: number,
  { unit, rounding }: { readonly unit: number; readonly rounding: number },
): Level {
  const witness = root?.load ?? factor;
  // The difference holds what the iteration left, too; without a second way its residual is all there is.
  const difference =
    root === undefined ? factor * Math.max(residual, COARSE) : RESERVE * Math.abs(factor - witness) + root.error;
  const budget = uncertain([
    bound('rounding', rounding * factor * unit, 'sums of energies over the elements'),
    bound('discretisation', difference * unit, 'the second way, which shares no mesh, and its own error'),
  ]);
  return { value: factor * unit, witness: witness * unit, isWitnessed: root !== undefined, ...budget };
}

/** The stiffness along a member that is not parallel to an axis leaves rounding across it, as springs to the ground. */
function skewRounding({ body, elements }: Problem): number {
  if (body.kind === 'column') return 0;
  const skew = body.members.map(({ cosine, sine, EA, EI, length }) =>
    cosine === 0 || sine === 0 ? 0 : ((EA * length) / EI) * length,
  );
  return Number.EPSILON * Math.max(0, ...skew) * (0.1 + (elements * elements) / 500);
}

/** @throws DomainError VALIDATION_FAILED: nothing to buckle, or nothing left to add */
function assertSolved({ body, mesh }: Problem, { statistics }: KernelOutput<BucklingFace>): void {
  const { failedRow = 0, found = 0 } = statistics;
  if (failedRow > 0) {
    const isHeld = [12, 13, 14, 15].some((at) => mesh.records.some((one, i) => i % 20 === at && one > 0));
    const field =
      body.kind === 'frame' ? 'loads' : body.isWeightHeld ? 'weight' : body.vary === 'weight' ? 'load' : 'loads';
    if (isHeld) {
      const message = `${field}: what is held buckles the ${body.kind} already, before anything grows.`;
      throw validationError(field, message, 'BUCKLED');
    }
    const path = body.kind === 'column' ? 'springs' : 'nodes';
    const message = `${path}: the ${body.kind} is so soft at one place, against its stiffness elsewhere, that rounding hides it.`;
    throw validationError(path, message, 'TOO_SOFT');
  }
  if (found === 0) throw validationError('loads', `loads: no multiple of them buckles the ${body.kind}.`, 'TENSION');
}

function strengthFor({ body }: Problem, value: number): Strength | undefined {
  if (body.kind !== 'column' || body.section === undefined || body.vary !== 'load') return undefined;
  return strengthOf(value / body.section.area, body.E, body.yieldStress);
}

function invariantsOf(problem: Problem, counted: number, expected: number, value: number): readonly Invariant[] {
  const count: Invariant = {
    name: 'inertia_count',
    label: 'loads below a shift, counted by inertia, less those found',
    value,
    drift: counted - expected,
    bound: 0,
  };
  if (!('forces' in problem)) return [count];
  const { imbalance } = problem.forces;
  return [
    count,
    { name: 'equilibrium', label: 'force out of balance over the largest load', value, drift: imbalance, bound: 1e-8 },
  ];
}

function forcesOf(problem: Problem, factor: number) {
  if (!('forces' in problem)) return [];
  const { held, varied } = problem.forces;
  return [
    series(
      'member',
      '1',
      Array.from(varied, (_, i) => i + 1),
    ),
    series(
      'member_compression',
      'N',
      varied.map((one, i) => (held[i] ?? 0) + factor * one),
    ),
  ];
}

function quantitiesOf(
  { body, mesh, elements }: Problem,
  first: Level,
  strength: Strength | undefined,
): readonly Quantity[] {
  const { value, uncertainty } = first;
  const relative = uncertainty / value;
  const counts = [exactly('elements', mesh.records.length / 20, '1'), exactly('unknowns', mesh.unknowns, '1')];
  if (body.kind === 'frame')
    return [
      quantity('load_factor', value / body.unit, '1', uncertainty / body.unit),
      exactly('elements_per_member', elements, '1'),
      ...counts,
    ];
  const { section, length, E, load, vary } = body;
  if (section === undefined || strength === undefined) {
    const factor = vary === 'load' && load !== undefined && load > 0 ? value / load : undefined;
    return [...(factor === undefined ? [] : [quantity('safety_factor', factor, '1', factor * relative)]), ...counts];
  }
  const rounding = 1e-14;
  const K = (Math.PI * Math.sqrt((E * section.inertia) / value)) / length;
  const half = 0.5 * relative * (1 + relative) + rounding;
  const { euler, slenderness, transition, stress, slope } = strength;
  const stressError = euler * relative * slope * (1 + 2 * relative) + rounding * stress;
  const bearable = stress * section.area;
  const bearableError = stressError * section.area;
  return [
    quantity('effective_length_factor', K, '1', K * half),
    quantity('slenderness', slenderness, '1', slenderness * half),
    quantity('critical_stress', euler, 'Pa', euler * (relative + rounding)),
    ...(transition === undefined ? [] : [quantity('transition_slenderness', transition, '1', rounding * transition)]),
    ...(transition === undefined ? [] : [quantity('bearable_load', bearable, 'N', bearableError)]),
    ...(load !== undefined && load > 0
      ? [quantity('safety_factor', bearable / load, '1', bearableError / load + rounding * (bearable / load))]
      : []),
    ...counts,
  ];
}
