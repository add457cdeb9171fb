// Builds the solution from the kernel output: the answer, its check, and the counts of the search.

import { LIMITS } from '../../core/limits.ts';
import { uncertain } from '../../core/uncertainty.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import type { Field, Invariant, Quantity, Solution } from '../definition.ts';
import { exactly, field, quantity, series } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import type { Plot } from '../plot.ts';
import { answerLines } from './dimacs.ts';
import type { SatFace } from './face.ts';
import { picturesOf } from './pictures.ts';
import { type Problem, problemOf, type SatInput, WORK_PER_SECOND } from './problem.ts';
import { checkRefutation, clausesOf, countModels, falsifiedClauses } from './reference.ts';

const SATISFIABLE = 10;
const UNSATISFIABLE = 20;
/** CS81 holds up to here: its bound is no double beyond. */
const MAX_BOUND_VARIABLES = 1_400;
/** Lines of a long model that are printed; the field has all of it. */
const MAX_LINES = 40;

/** How the answer was checked. */
interface Check {
  readonly isVerified: boolean;
  /** The number of decisions a second way. */
  readonly decisions: number;
  readonly method: string;
  readonly invariants: readonly Invariant[];
  readonly notes: readonly string[];
}

type Counts = Readonly<Record<SatFace['statistics'][number], number>>;

export function solutionOf(outputs: readonly KernelOutput<SatFace>[], input: SatInput): Solution {
  const problem = problemOf(input);
  const { formula, n, name } = problem;
  const output = outputOf(outputs, 0);
  const { model = new Float64Array(), depths = new Float64Array(), core = new Float64Array() } = output.views;
  const { proof = new Float64Array() } = output.views;
  const counts = countsOf(output);
  const { status, decisions, maxDepth } = counts;
  const isSatisfiable = status === SATISFIABLE;
  const check = checkOf(problem, input, counts, output);
  const perDepth = depths.subarray(0, Math.max(1, maxDepth));
  const pictures = isSatisfiable ? picturesOf(problem, model) : { fields: [], plots: [] };
  const fields: Field[] = [
    ...(isSatisfiable ? [field('model', '1', [model.length], model)] : []),
    ...(core.length > 0 ? [field('core', '1', [core.length], core)] : []),
    ...(input.proof && status === UNSATISFIABLE ? [field('proof', '1', [proof.length], proof)] : []),
    ...pictures.fields,
  ];
  const plots: Plot[] = [
    ...pictures.plots,
    { kind: 'line', title: 'Decisions by depth', x: 'depth', y: ['decisions_at_depth'] },
  ];
  return {
    value: decisions,
    ...uncertain([]),
    bound: 0,
    converged: output.info === 0 && status !== 0 && check.isVerified,
    witness: { method: check.method, reference: check.decisions, scale: Math.max(1, decisions) },
    invariants: check.invariants,
    series: [
      series(
        'depth',
        '1',
        Float64Array.from(perDepth, (_, depth) => depth + 1),
      ),
      series('decisions_at_depth', 'decisions', perDepth.slice()),
    ],
    fields,
    plots,
    quantities: quantitiesOf(problem, input, counts, [...clausesOf(proof)].length, core.length),
    operatorInputs: formula.variables <= MAX_BOUND_VARIABLES ? { CS81: { n: formula.variables } } : {},
    functional: decisions,
    notes: [
      ...printed(answerLines(status, model)),
      ...(name === 'dimacs' ? [] : [`The formula is ${name} with n = ${n}.`]),
      ...(status === 0 ? [unknownNote(input, counts)] : []),
      ...check.notes,
      ...formula.notes,
    ],
  };
}

function countsOf({ statistics }: KernelOutput<SatFace>): Counts {
  return statistics as Counts;
}

function printed(lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES), `${lines.length - MAX_LINES} more lines of the model are in the field model.`];
}

function unknownNote({ max_decisions, time_limit, count_models }: SatInput, { decisions, models }: Counts): string {
  if (count_models && models >= Number.MAX_SAFE_INTEGER) return 'There are more than 2^53 models: not counted further.';
  return decisions >= max_decisions
    ? `The answer is unknown: max_decisions = ${max_decisions} are spent.`
    : `The answer is unknown: time_limit = ${time_limit} s of work, or the memory for clauses, is spent.`;
}

function checkOf(problem: Problem, input: SatInput, counts: Counts, { views }: KernelOutput<SatFace>): Check {
  const { formula, assumptions } = problem;
  const { model = new Float64Array(), depths = new Float64Array(), proof = new Float64Array() } = views;
  const sum = depths.reduce((total, count) => total + count, 0);
  const byDepth: Invariant = {
    name: 'decisions_by_depth',
    label: 'decisions of all depths together',
    value: sum,
    drift: (sum - counts.decisions) / Math.max(1, counts.decisions),
    bound: 0,
  };
  const plain = {
    isVerified: true,
    decisions: sum,
    method: 'decisions of all depths',
    invariants: [byDepth],
    notes: [],
  };
  if (counts.status === 0) return plain;
  if (counts.status === UNSATISFIABLE) {
    if (counts.isProofComplete !== 1 && !input.count_models)
      return { ...plain, isVerified: false, notes: [LONG_PROOF] };
    if (!input.count_models) return checkedProof(problem, input, counts, proof, plain);
  } else {
    const falsified = falsifiedClauses(formula, assumptions, model);
    const satisfied: Invariant = {
      name: 'falsified_clauses',
      label: 'clauses that the model makes false',
      value: falsified,
      drift: falsified,
      bound: 0,
    };
    const method = 'the model against every clause in plain TypeScript; decisions of all depths';
    if (!input.count_models) return { ...plain, isVerified: falsified === 0, method, invariants: [satisfied, byDepth] };
  }
  return checkedCount(problem, counts, plain);
}

const LONG_PROOF =
  'The refutation is longer than what is checked, so it has no witness: unsatisfiable by the search alone.';

function checkedProof(
  { formula, assumptions, maxCheckVisits }: Problem,
  { method }: SatInput,
  { decisions }: Counts,
  proof: Float64Array,
  plain: Check,
): Check {
  const { verdict, lemmas } = checkRefutation(formula, assumptions, proof, maxCheckVisits);
  if (verdict === 'open') return { ...plain, isVerified: false, notes: [LONG_PROOF] };
  const isRefuted = verdict === 'refuted';
  const proved: Invariant = {
    name: 'unproved_lemmas',
    label: 'lemmas that do not follow by unit propagation',
    value: lemmas,
    drift: isRefuted ? 0 : 1,
    bound: 0,
  };
  // A refutation by backtracking is a binary tree: one leaf more than inner nodes.
  const isTree = method === 'dpll' && isRefuted;
  return {
    ...plain,
    isVerified: isRefuted,
    decisions: isTree ? lemmas - 1 : plain.decisions,
    method: isTree
      ? `${lemmas} lemmas of the refutation by reverse unit propagation: one more than decisions (found ${decisions})`
      : `${lemmas} lemmas of the refutation by reverse unit propagation; decisions of all depths`,
    invariants: [proved, ...plain.invariants],
  };
}

function checkedCount({ formula, assumptions }: Problem, { models }: Counts, plain: Check): Check {
  const again = countModels(formula, assumptions, LIMITS.sat.countedNodes);
  if (again === undefined) {
    const note = 'The models are too many for the second count, so their number has no witness.';
    return { ...plain, isVerified: false, notes: [note] };
  }
  const counted: Invariant = {
    name: 'models',
    label: 'models counted by enumeration',
    value: again,
    drift: (models - again) / Math.max(1, again),
    bound: 0,
  };
  return {
    ...plain,
    isVerified: models === again,
    method: 'models counted again by enumeration; decisions of all depths',
    invariants: [counted, ...plain.invariants],
  };
}

function quantitiesOf(
  { formula }: Problem,
  { count_models }: SatInput,
  counts: Counts,
  lemmas: number,
  coreSize: number,
): readonly Quantity[] {
  const { status } = counts;
  const { variables, clauseCount, words } = formula;
  return [
    exactly('status', status, '1'),
    ...(status === 0 ? [] : [quantity('satisfiable', Number(status === SATISFIABLE), '1', 0)]),
    ...(count_models && status !== 0 ? [quantity('models', counts.models, '1', 0)] : []),
    exactly('propagations', counts.propagations, '1'),
    exactly('conflicts', counts.conflicts, '1'),
    exactly('restarts', counts.restarts, '1'),
    exactly('learnt', counts.learnt, '1'),
    exactly('deleted', counts.deleted, '1'),
    exactly('visits', counts.visits, '1'),
    exactly('work', counts.work / WORK_PER_SECOND, 's'),
    exactly('max_depth', counts.maxDepth, '1'),
    ...(status === UNSATISFIABLE ? [exactly('lemmas', lemmas, '1')] : []),
    ...(coreSize > 0 ? [exactly('core_size', coreSize, '1')] : []),
    exactly('variables', variables, '1'),
    exactly('clauses', clauseCount, '1'),
    exactly('literals', words.length - clauseCount, '1'),
    exactly('ratio', variables === 0 ? 0 : clauseCount / variables, '1'),
  ];
}
