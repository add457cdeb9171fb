// A flow as the solution shows it: DC or AC, with its bounds and its second solution.

import type { KernelOutput } from '../../kernels/abi.ts';
import { validationError } from '../parts/errors.ts';
import type { GridFace } from './face.ts';
import type { GridInput } from './inputs.ts';
import { KIND, type Problem } from './problem.ts';
import { alternatingFlow, directFlow } from './reference.ts';
import { alternatingBounds, type Bounds, type Chosen, directBounds } from './rounding.ts';

/** In per unit and rad. */
export interface Flow {
  readonly angles: Float64Array;
  /** 1 in a DC flow, 0 at a dead bus. */
  readonly magnitudes: Float64Array;
  /** Active power into the from end of each branch, and into its to end. */
  readonly flows: Float64Array;
  readonly backflows: Float64Array;
  /** Reactive power likewise; empty in a DC flow. */
  readonly reactive: Float64Array;
  readonly reactiveBack: Float64Array;
  /** Apparent power at the end where it is larger. */
  readonly apparent: Float64Array;
  /** Active and reactive power of the generators at each bus. */
  readonly generation: Float64Array;
  readonly reactiveGeneration: Float64Array;
  readonly chosen: Chosen;
  readonly bounds: Bounds;
  readonly second: Second;
}

/** The second solution. */
export interface Second {
  readonly method: string;
  /** Of the chosen branch; NaN if there is none. */
  readonly flow: number;
  readonly angles?: Float64Array | undefined;
  readonly magnitudes?: Float64Array | undefined;
  readonly notes: readonly string[];
}

type Output = KernelOutput<GridFace>;

const view = ({ views }: Output, name: GridFace['views'][number]): Float64Array => views[name] ?? new Float64Array();
const statistic = ({ statistics }: Output, name: GridFace['statistics'][number]): number => statistics[name] ?? -1;

/** @throws DomainError VALIDATION_FAILED if the equations are singular */
export function directOf(problem: Problem, output: Output): Flow {
  const { nodes, lines } = problem;
  const singular = statistic(output, 'singular');
  if (singular > 0) {
    const message = `The DC equations are singular at bus ${nodes[singular - 1]?.number}: negative reactances cancel others.`;
    throw validationError('branches', message, 'SINGULAR');
  }
  const [angles, flows] = [view(output, 'angles'), view(output, 'flows')];
  const chosen = {
    flow: statistic(output, 'chosen'),
    lowest: statistic(output, 'lowest'),
    loaded: statistic(output, 'loaded'),
  };
  const bounds = directBounds(problem, angles, flows, view(output, 'sensitivities'), chosen);
  const taken = takenBy(
    problem,
    flows,
    flows.map((flow) => -flow),
  );
  const again = directFlow(problem);
  return {
    angles,
    magnitudes: Float64Array.from(nodes, ({ kind }) => (kind === KIND.dead ? 0 : 1)),
    flows,
    backflows: flows.map((flow) => -flow),
    reactive: new Float64Array(),
    reactiveBack: new Float64Array(),
    apparent: flows.map(Math.abs),
    generation: Float64Array.from(nodes, (node, i) =>
      node.kind === KIND.reference
        ? (taken[i] ?? 0) + node.conductance + node.load
        : node.kind === KIND.dead
          ? 0
          : node.generation,
    ),
    reactiveGeneration: new Float64Array(),
    chosen,
    bounds,
    second: {
      method: 'elimination within an envelope, in the order of Cuthill and McKee',
      flow: lines.length === 0 ? 0 : (again?.flows[chosen.flow] ?? Number.NaN),
      angles: again?.angles,
      notes: again ? [] : ['The network is too large for the second solution, so the flow has no witness.'],
    },
  };
}

/** What branches take from each bus. */
function takenBy({ nodes, lines }: Problem, flows: Float64Array, backflows: Float64Array): Float64Array {
  const taken = new Float64Array(nodes.length);
  for (const [l, { from, to }] of lines.entries()) {
    taken[from] = (taken[from] ?? 0) + (flows[l] ?? 0);
    taken[to] = (taken[to] ?? 0) + (backflows[l] ?? 0);
  }
  return taken;
}

const sumOfSquares = (a = 0, b = 0): number => a * a + b * b;

const OUTCOMES: Readonly<Record<number, string>> = {
  2: 'the iteration met a minimum of the mismatch that is no solution',
  3: 'the Jacobian became singular, as at the end of the range of solutions (voltage collapse)',
  4: 'the iteration did not end',
};

/** @throws DomainError VALIDATION_FAILED if there is no solution where the search ended */
export function alternatingOf(problem: Problem, output: Output, { load_factor, start }: GridInput): Flow {
  const { nodes, lines } = problem;
  const outcome = statistic(output, 'outcome');
  if (outcome !== 1) {
    const bus = nodes[statistic(output, 'worst')]?.number;
    const mismatch = statistic(output, 'mismatch').toPrecision(3);
    const reason = OUTCOMES[outcome] ?? 'the iteration ended early';
    const message = `No AC flow was found: ${reason}; the largest mismatch is ${mismatch} pu at bus ${bus}. Got load_factor ${load_factor}, start ${start}: a smaller load or another start may have one.`;
    throw validationError('load_factor', message, 'NO_SOLUTION', { outcome });
  }
  const [voltages, limits, ends] = [view(output, 'voltages'), view(output, 'limits'), view(output, 'ends')];
  const chosen = {
    flow: statistic(output, 'chosenAlternating'),
    lowest: statistic(output, 'lowestAlternating'),
    loaded: statistic(output, 'loadedAlternating'),
  };
  const end = (k: number) => Float64Array.from(lines, (_, l) => ends[4 * l + k] ?? 0);
  const [flows, reactive, backflows, reactiveBack] = [end(0), end(1), end(2), end(3)];
  const powers = view(output, 'powers');
  const bounds = alternatingBounds(problem, voltages, limits, view(output, 'gradients'), chosen);
  const [angles, magnitudes] = [view(output, 'phases'), view(output, 'magnitudes')];
  const isSource = nodes.map(({ kind }) => kind === KIND.reference || kind === KIND.generator);
  return {
    angles,
    magnitudes,
    flows,
    backflows,
    reactive,
    reactiveBack,
    apparent: Float64Array.from(lines, (_, l) => {
      const [from, to] = [sumOfSquares(flows[l], reactive[l]), sumOfSquares(backflows[l], reactiveBack[l])];
      return Math.sqrt(Math.max(from, to));
    }),
    generation: Float64Array.from(nodes, ({ kind, generation, load }, i) =>
      kind === KIND.reference ? (powers[2 * i] ?? 0) + load : kind === KIND.dead ? 0 : generation,
    ),
    reactiveGeneration: Float64Array.from(nodes, ({ kind, q, reactiveLoad }, i) =>
      isSource[i] ? (powers[2 * i + 1] ?? 0) + reactiveLoad : kind === KIND.dead ? 0 : q + reactiveLoad,
    ),
    chosen,
    bounds,
    second: polarOf(problem, limits, { angles, magnitudes }, view(output, 'angles'), chosen),
  };
}

/** Angles and magnitudes closer than this are the same solution. */
const SAME = 1e-6;

/** Newton's method in polar coordinates: from the DC angles, and if it fails from the solution rounded to two decimals. */
function polarOf(
  problem: Problem,
  limits: Float64Array,
  found: Pick<Flow, 'angles' | 'magnitudes'>,
  directAngles: Float64Array,
  chosen: Chosen,
): Second {
  const { nodes, lines } = problem;
  const isHeld = nodes.map(
    ({ kind }, i) => kind === KIND.reference || (kind === KIND.generator && (limits[i] ?? 0) === 0),
  );
  const reactive = Float64Array.from(nodes, ({ q, qLow, qHigh }, i) => {
    const limit = limits[i] ?? 0;
    return limit > 0 ? qHigh : limit < 0 ? qLow : q;
  });
  const fixed = (kind: number) => kind >= KIND.reference;
  const rounded = (value: number) => Math.round(value * 100) / 100;
  const starts = [
    {
      words: 'from the angles of the DC flow',
      angles: Float64Array.from(nodes, ({ kind, angle }, i) => (fixed(kind) ? angle : (directAngles[i] ?? 0))),
      magnitudes: Float64Array.from(nodes, ({ voltage }, i) => (isHeld[i] ? voltage : 1)),
    },
    {
      words: 'from the solution rounded to two decimals',
      angles: Float64Array.from(nodes, ({ kind, angle }, i) => (fixed(kind) ? angle : rounded(found.angles[i] ?? 0))),
      magnitudes: Float64Array.from(nodes, ({ voltage }, i) =>
        isHeld[i] ? voltage : rounded(found.magnitudes[i] ?? 1),
      ),
    },
  ];
  for (const { words, ...start } of starts) {
    const again = alternatingFlow(problem, isHeld, reactive, start);
    if (!again) continue;
    const distance = nodes.reduce((most, { kind }, i) => {
      if (kind === KIND.dead) return most;
      return Math.max(most, Math.abs((again.magnitudes[i] ?? 0) - (found.magnitudes[i] ?? 0)));
    }, 0);
    const method = `Newton's method in polar coordinates, ${words}`;
    const flow = lines.length === 0 ? 0 : (again.flows[chosen.flow] ?? Number.NaN);
    if (distance < SAME) return { method, flow, angles: again.angles, magnitudes: again.magnitudes, notes: [] };
    const other = again.magnitudes.reduce((sum, v) => sum + v, 0) / Math.max(1, nodes.length);
    const note = `The second solution is another one, with a mean voltage of ${other.toFixed(4)} pu: the equations have several.`;
    return { method, flow, notes: [note] };
  }
  const note = "Newton's method in polar coordinates found no flow, or the network is too large for it: no witness.";
  return { method: "Newton's method in polar coordinates", flow: Number.NaN, notes: [note] };
}
