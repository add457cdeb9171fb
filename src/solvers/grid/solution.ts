// Builds the solution from the kernel output: the flow, its bounds and balances, the ranking of outages.

import { bound, uncertain } from '../../core/uncertainty.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import type { Invariant, Quantity, Solution } from '../definition.ts';
import { exactly, quantity } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import { type Ranking, rankingOf } from './contingencies.ts';
import type { GridFace } from './face.ts';
import { alternatingOf, directOf, type Flow } from './flows.ts';
import type { GridInput } from './inputs.ts';
import { picturesOf } from './pictures.ts';
import { KIND, listed, type Problem, problemOf } from './problem.ts';

/** Relative to the largest flow: agreement with the second solution, and the largest ± that is still called a solution. */
const AGREEMENT = 1e-9;
const MAX_RELATIVE = 1e-6;
/** Of the largest term of a balance. */
const BALANCE = 1e-10;
const DEGREES = 57.29577951308232;

export function solutionOf(outputs: readonly KernelOutput<GridFace>[], input: GridInput): Solution {
  const problem = problemOf(input);
  const output = outputOf(outputs, 0);
  if (output.info !== 0) throw new Error(`The kernel ended with ${output.info}.`);
  const isAlternating = input.method === 'ac';
  const direct = problem.isDirect ? directOf(problem, output) : undefined;
  const flow = isAlternating ? alternatingOf(problem, output, input) : direct;
  if (!flow) throw new Error('The plan has no flow.');
  const { lines, nodes } = problem;
  const nameOf = (l: number) =>
    `${nodes[lines[l]?.from ?? 0]?.number}–${nodes[lines[l]?.to ?? 0]?.number} (branch ${l + 1})`;
  const ranking = rankingOf(problem, output, nameOf);
  const { chosen, bounds, second } = flow;
  const value = flow.flows[chosen.flow] ?? 0;
  const scale = flow.flows.reduce((most, one) => Math.max(most, Math.abs(one)), 1);
  const isWitnessed = Math.abs(value - second.flow) <= AGREEMENT * scale && agrees(flow);
  const isSharp = bounds.flow <= MAX_RELATIVE * scale;
  const invariants = invariantsOf(problem, flow, output, input);
  const holds = invariants.every(({ drift, bound: most }) => Math.abs(drift) <= most);
  const pictures = picturesOf(problem, flow, direct, ranking, output, isAlternating);
  return {
    value,
    ...uncertain([
      bound('rounding', bounds.flow, 'residuals of the balances times the sensitivities of the flow to them'),
    ]),
    bound: AGREEMENT,
    converged: isWitnessed && isSharp && holds && ranking.isConfirmed && second.notes.length === 0,
    witness: { method: second.method, reference: Number.isNaN(second.flow) ? 0 : second.flow, scale },
    invariants,
    series: pictures.series,
    fields: pictures.fields,
    plots: pictures.plots,
    quantities: quantitiesOf(problem, flow, direct, ranking, output, isAlternating),
    operatorInputs: isAlternating ? {} : lawInputs(problem, flow),
    functional: value,
    notes: [
      `${problem.title}: ${nodes.length} buses, ${lines.length} branches; the value is the flow of ${nameOf(chosen.flow)}.`,
      ...problem.notes,
      ...(isAlternating ? limitNotes(problem, output) : [MODEL]),
      ...overloadNotes(problem, flow, nameOf),
      ...ranking.notes,
      ...second.notes,
      ...(isSharp ? [] : ['The equations are so nearly singular that rounding decides: the ± is large.']),
    ],
  };
}

const MODEL =
  'The ± is that of the linear equations. Losses, reactive power and voltages are not part of a DC flow: method ac has them.';

/** Whether the second solution has the same angles and voltages. */
function agrees({ angles, magnitudes, second }: Flow): boolean {
  const largest = angles.reduce((most, angle) => Math.max(most, Math.abs(angle)), 1);
  const isNear = (a: Float64Array, b: Float64Array | undefined, isAngle: boolean) =>
    !b ||
    a.every((value, i) => {
      const turns = isAngle ? Math.round((value - (b[i] ?? 0)) / (2 * Math.PI)) : 0;
      return magnitudes[i] === 0 || Math.abs(value - (b[i] ?? Number.NaN) - turns * 2 * Math.PI) <= 1e-8 * largest;
    });
  return isNear(angles, second.angles, true) && isNear(magnitudes, second.magnitudes, false);
}

function invariantsOf(
  { nodes, lines }: Problem,
  { bounds, flows, backflows, generation, magnitudes }: Flow,
  output: KernelOutput<GridFace>,
  { q_limits, method }: GridInput,
): readonly Invariant[] {
  const sum = (values: Iterable<number>) => [...values].reduce((total, one) => total + one, 0);
  const live = nodes.map(({ kind }) => kind !== KIND.dead);
  const losses = sum(lines.map((_, l) => (flows[l] ?? 0) + (backflows[l] ?? 0)));
  const taken = sum(
    nodes.map(({ load, conductance }, i) =>
      live[i] ? load + conductance * (magnitudes[i] ?? 0) * (magnitudes[i] ?? 0) : 0,
    ),
  );
  const made = sum(generation);
  const total = sum(nodes.map(({ size }) => size)) + sum(flows.map(Math.abs));
  const invariants: Invariant[] = [
    {
      name: 'bus_balance',
      label: 'largest mismatch of a bus, over its largest terms',
      value: bounds.mismatch,
      drift: bounds.mismatch / bounds.scale,
      bound: BALANCE,
    },
    {
      name: 'power_balance',
      label: 'generation less loads, shunts and losses',
      value: made,
      drift: (made - taken - losses) / Math.max(1, total, bounds.scale),
      bound: BALANCE,
    },
  ];
  if (method === 'ac' && q_limits) {
    const wrong = limitFaults(nodes, output);
    invariants.push({
      name: 'reactive_limits',
      label: 'generators beyond a limit, or at one that their voltage does not need',
      value: wrong,
      drift: wrong,
      bound: 0,
    });
  }
  return invariants;
}

const LIMIT_SLACK = 1e-7;

function limitFaults(nodes: Problem['nodes'], { views }: KernelOutput<GridFace>): number {
  const { limits = new Float64Array(), powers = new Float64Array(), magnitudes = new Float64Array() } = views;
  return nodes.filter(({ kind, qLow, qHigh, voltage }, i) => {
    if (kind !== KIND.generator) return false;
    const [limit, q] = [limits[i] ?? 0, powers[2 * i + 1] ?? 0];
    if (limit === 0) return q > qHigh + LIMIT_SLACK || q < qLow - LIMIT_SLACK;
    return limit * ((magnitudes[i] ?? 0) - voltage) > LIMIT_SLACK;
  }).length;
}

function limitNotes({ nodes }: Problem, { views }: KernelOutput<GridFace>): readonly string[] {
  const { limits = new Float64Array() } = views;
  const at = nodes.filter((_, i) => (limits[i] ?? 0) !== 0).map(({ number }) => `${number}`);
  return at.length === 0
    ? []
    : [`At a limit of reactive power, so without their voltage: ${listed('bus', 'buses', at)}.`];
}

function overloadNotes({ lines }: Problem, { apparent }: Flow, nameOf: (l: number) => string): readonly string[] {
  const over = lines.flatMap(({ rating }, l) =>
    rating > 0 && (apparent[l] ?? 0) > rating * (1 + AGREEMENT) ? [nameOf(l)] : [],
  );
  return over.length === 0
    ? []
    : [`Above ${over.length === 1 ? 'its rating' : 'their ratings'}: ${listed('branch', 'branches', over)}.`];
}

function quantitiesOf(
  { nodes, lines, base }: Problem,
  flow: Flow,
  direct: Flow | undefined,
  ranking: Ranking,
  { statistics }: KernelOutput<GridFace>,
  isAlternating: boolean,
): readonly Quantity[] {
  const { chosen, bounds, angles, magnitudes, apparent, generation } = flow;
  const live = nodes.filter(({ kind }) => kind !== KIND.dead);
  const size = live.reduce((total, one) => total + one.size, 0);
  const load = live.reduce((total, one) => total + one.load, 0);
  const lost = nodes.reduce((total, { kind, load: own }) => total + (kind === KIND.dead ? own : 0), 0);
  const made = generation.reduce((total, one) => total + one, 0);
  const references = nodes.reduce(
    (total, { kind }, i) => total + (kind === KIND.reference ? (generation[i] ?? 0) : 0),
    0,
  );
  const rounding = 1e-15 * nodes.length * size * base;
  const reference = bounds.reference * base + rounding;
  const loadedLine = lines[chosen.loaded];
  const lowest = nodes[chosen.lowest]?.number ?? 0;
  return [
    exactly('branch', chosen.flow + 1, '1'),
    quantity('load', load * base, 'MW', rounding),
    quantity('generation', made * base, 'MW', reference),
    quantity('reference_power', references * base, 'MW', reference),
    ...(lost === 0
      ? []
      : [quantity('load_without_voltage', lost * base, 'MW', 1e-15 * nodes.length * Math.abs(lost) * base)]),
    ...(isAlternating
      ? [
          quantity('losses', (made - load) * base, 'MW', reference + rounding),
          quantity('lowest_voltage', magnitudes[chosen.lowest] ?? 0, 'pu', bounds.lowest),
          exactly('lowest_voltage_bus', lowest, '1'),
          exactly('iterations', statistics.iterations ?? 0, '1'),
          ...(direct ? [directFlowOf(direct, chosen.flow)] : []),
        ]
      : [
          quantity(
            'lowest_angle',
            (angles[chosen.lowest] ?? 0) * DEGREES,
            'deg',
            bounds.lowest * DEGREES + 1e-14 * 360,
          ),
          exactly('lowest_angle_bus', lowest, '1'),
        ]),
    ...(loadedLine
      ? [
          quantity(
            'highest_loading',
            (100 * (apparent[chosen.loaded] ?? 0)) / loadedLine.rating,
            'percent',
            (101 * bounds.loaded) / loadedLine.rating,
          ),
          exactly('highest_loading_branch', chosen.loaded + 1, '1'),
        ]
      : []),
    ...ranking.quantities,
  ];
}

/** The DC flow of the branch of the value, bounded by its distance from the second solution and the flows of all. */
function directFlowOf({ flows, bounds, chosen }: Flow, l: number): Quantity {
  const total = flows.reduce((sum, one) => sum + Math.abs(one), 0);
  const most = l === chosen.flow ? bounds.flow : bounds.flow + bounds.loaded + 1e-13 * (1 + total + bounds.scale);
  return quantity('dc_flow', flows[l] ?? 0, 'pu', most);
}

/** The law holds for angles and reactances in its ranges; a shift is part of the first angle, a tap of the reactance. */
function lawInputs({ lines }: Problem, { angles, chosen }: Flow): Solution['operatorInputs'] {
  const line = lines[chosen.flow];
  if (!line) return {};
  const [thi, thj, x] = [(angles[line.from] ?? 0) - line.shift, angles[line.to] ?? 0, line.reactance * line.tap];
  const isLawful = Math.abs(thi) <= 3.2 && Math.abs(thj) <= 3.2 && x >= 1e-5 && x <= 10;
  return isLawful ? { POWER_ELECTRICAL: { thi, thj, x } } : {};
}
