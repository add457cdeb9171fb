// Kernel runs of a plan: one for a table; two for a system, the second with other and shorter steps.

import { LIMITS } from '../../core/limits.ts';
import { expectedSteps, NS_PER_PRECISE_STEP } from '../../expressions/precise/expected-steps.ts';
import { INSTANCE_BYTES, type KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { validationError } from '../parts/errors.ts';
import { breakTimes } from './breaks.ts';
import { UNIFIED_FACE, type UnifiedFace } from './face.ts';
import type { Method, UnifiedInput } from './inputs.ts';
import type { Problem } from './problem.ts';
import { type Programs, programsOf } from './programs.ts';
import { tableRows } from './rows.ts';
import { UNSCALED } from './units.ts';
import type { VariedSource } from './variants.ts';

/** Views of a system that its solution reads. */
export const SYSTEM_VIEWS = ['samples', 'end', 'recordedEvents', 'invariants', 'counts'] as const;

/** The parameter `kind`. */
const KIND = { rows: 0, system: 1 } as const;

const METHODS: Readonly<Record<Method, number>> = { rk4: 0, dopri5: 1, rodas4: 2, auto: 3 };

/**
 * The runs of a system: the first gives the value, the second its error. Their steps have a ratio that is not rational,
 * and so have no common times; nor have the grids on which they look for features between their steps. Where steps
 * follow the tolerance, the second run has 1/WITNESS_STEP as many with this tolerance and order 5.
 */
const WITNESS_STEP = 0.4472135954999579; // 1/√5
const WITNESS_TOLERANCE = 0.018;
/** Minimum tolerance of the second run, above the rounding of its error estimate. */
const MIN_TOLERANCE = 1e-14;
const CHECKS = { value: 4_099, witness: 10_007 } as const;
/** With fixed steps: the tolerance, a thousandth of the change in a step that counts as a skipped feature. */
const FIXED_TOLERANCE = 1e-5;

/** Maximum number of events recorded with times and states; all events are counted. */
export const EVENT_CAPACITY = 1000;

/** Default maximum of tries, if the budget allows. */
const DEFAULT_TRIES = 100_000;
const DEFAULT_STEPS = 1000;
const MAX_STEPS = 10_000_000;
/** Minimum number of steps of an adaptive run without max_step, so that short features are not skipped. */
const MIN_STEPS = 200;
/** Maximum number of state changes by events in one run, as in the kernel. */
export const MAX_RESTARTS = 10_000;
/** Tries of the second run over those of the first: RODAS, of order 4, takes more than 1/WITNESS_STEP as many. */
const WITNESS_TRIES = 3;
/** Extra tries of a fixed-step run, for steps repeated at events. */
const EXTRA_TRIES = MAX_RESTARTS + 1;

/** Measured (bench/unified.ts): cost of an instruction, of a program call, and the overhead of a stage. */
const NS_PER_OPERATION = 3;
const NS_PER_PROGRAM = 12;
const NS_PER_STAGE = 20;

function planOf(input: UnifiedInput, problem: Problem): Plan<UnifiedFace> {
  const programs = programsOf(problem);
  return problem.mode === 'ode' ? systemPlan(input, problem, programs) : tablePlan(input, problem, programs);
}

/** The plan of a problem, and the run of the value of each variant. */
export function planWithVariants(
  input: UnifiedInput,
  problem: Problem,
  sources: readonly VariedSource[],
): Plan<UnifiedFace> {
  const plan = planOf(input, problem);
  const variants = sources.flatMap(({ sides }) => sides).map((one) => planOf(one.input, one.problem));
  return {
    ...plan,
    runs: [...plan.runs, ...variants.flatMap(({ runs }) => runs.slice(0, 1))],
    estimateNs: variants.reduce((sum, { estimateNs }) => sum + estimateNs, plan.estimateNs),
  };
}

/** Parameters and inputs that tables and systems share. */
function commonParts(
  { code, pool, table, count }: Programs,
  slots: Float64Array,
  { slots: symbols, algebraic }: Problem,
) {
  return {
    parameters: {
      codeWords: code.length,
      poolValues: pool.length,
      slots: symbols.length,
      programs: count,
      algebraic: algebraic.length,
    },
    inputs: { code, pool, slots, table },
  };
}

function tablePlan(input: UnifiedInput, problem: Problem, programs: Programs): Plan<UnifiedFace> {
  const { code, count, rowCost } = programs;
  const { values, count: rows } = tableRows(input, problem);
  const { parameters, inputs } = commonParts(programs, values, problem);
  return {
    runs: [
      {
        parameters: { ...parameters, kind: KIND.rows, rows },
        inputs,
        steps: rows,
        outputs: ['slots'],
        statistics: UNIFIED_FACE.statistics,
      },
    ],
    estimateNs: 30_000 + rows * (rowCost * NS_PER_OPERATION + count * NS_PER_PROGRAM),
    collectNs: collectNsOf(problem),
    estimateBytes: Math.max(INSTANCE_BYTES, KERNEL_BYTES + 8 * values.length + 12 * code.length),
  };
}

/** Every expression is evaluated at most once more, from its tree: a line, an event, an invariant. */
function collectNsOf({ algebraic, events, invariants }: Problem): number {
  const monitored = [...events, ...invariants].map(({ expression }) => ({ expression, where: [] }));
  const steps = [...algebraic, ...monitored].reduce((total, formula) => total + expectedSteps(formula), 0);
  return Math.min(steps, LIMITS.expression.preciseTotal) * NS_PER_PRECISE_STEP;
}

/** The tables of the kernel and the stack of the machine. */
const KERNEL_BYTES = 16_384;

function systemPlan(input: UnifiedInput, problem: Problem, programs: Programs): Plan<UnifiedFace> {
  const { code, pool, count, assignmentCount, slopeCost } = programs;
  const { states, algebraic, fixedCount, requiredCount, events, invariants, values, span, scales } = problem;
  const [from, to] = span;
  const time = scales.get('t') ?? UNSCALED;
  const n = states.length;
  const stage = slopeCost * NS_PER_OPERATION + (n + requiredCount) * NS_PER_PROGRAM + NS_PER_STAGE;
  const tryNs = costOfTry(input.method, n, stage, events.length);
  const step = stepOf(input, to - from, time.toCoherent);
  const isFixed = input.method === 'rk4';
  const tries = triesOf(input, step, to - from, tryNs);
  const breaks = breakTimes(problem);
  const recordedEvents = events.length > 0 ? EVENT_CAPACITY * (2 + n) : 0;
  const varyingCount = algebraic.length - fixedCount;
  const atol = Float64Array.from(states, ({ symbol }) =>
    input.atol === undefined ? 0 : (scales.get(symbol) ?? UNSCALED).toCoherent(input.atol),
  );
  const { parameters, inputs } = commonParts(programs, values, problem);
  const maxStep = input.max_step === undefined ? (to - from) / MIN_STEPS : time.toCoherent(input.max_step);
  const runOf = (purpose: keyof typeof CHECKS): KernelRun<UnifiedFace> => {
    const ratio = purpose === 'value' ? 1 : WITNESS_STEP;
    const rtol = purpose === 'value' ? input.rtol : Math.max(MIN_TOLERANCE, WITNESS_TOLERANCE * input.rtol);
    const maxTries = purpose === 'value' ? tries : Math.ceil(tries * WITNESS_TRIES);
    const ticks = Math.min(1e8, 100 * maxTries);
    return {
      parameters: {
        ...parameters,
        kind: KIND.system,
        rows: input.points,
        states: n,
        fixed: fixedCount,
        needed: requiredCount,
        events: events.length,
        assignments: assignmentCount,
        invariants: invariants.length,
        method: METHODS[input.method],
        maxSteps: maxTries,
        isAutonomous: Number(problem.isAutonomous),
        eventCapacity: EVENT_CAPACITY,
        checks: CHECKS[purpose],
        breaks: breaks.length,
        progressTicks: ticks,
        t0: from,
        tEnd: to,
        step: ratio * step,
        rtol: isFixed ? FIXED_TOLERANCE : rtol,
        maxStep: isFixed ? 0 : ratio * maxStep,
      },
      inputs: { ...inputs, events: programs.events, atol: atol.map((one) => (one * rtol) / input.rtol), breaks },
      // More than all tries and ticks together, so that only the kernel ends the run.
      steps: maxTries + ticks + 1,
      outputs: SYSTEM_VIEWS,
      statistics: UNIFIED_FACE.statistics,
    };
  };
  const jacobianValues = input.method === 'auto' || input.method === 'rodas4' ? 3 * n * n : 0;
  const valueCount =
    recordedEvents +
    (input.points + 1) * (2 + n + varyingCount) +
    43 * n +
    jacobianValues +
    values.length +
    pool.length;
  const expectedTries = isFixed ? tries - EXTRA_TRIES : Math.min(tries, TYPICAL_TRIES);
  return {
    runs: [runOf('value'), runOf('witness')],
    estimateNs: 100_000 + expectedTries * tryNs + (CHECKS.value + CHECKS.witness) * (stage + n * NS_PER_PROGRAM),
    collectNs: collectNsOf(problem),
    estimateBytes: Math.max(INSTANCE_BYTES, KERNEL_BYTES + 8 * valueCount + 4 * code.length + 12 * count),
  };
}

/** Tries of an adaptive run on typical problems; max_steps or the deadline stop a longer run. */
const TYPICAL_TRIES = 5_000;

/** Cost in nanoseconds of one try in the run of the value, with its share of the other run. */
function costOfTry(method: Method, n: number, stage: number, events: number): number {
  const implicit = (2 * n + 7) * stage + 2 * n * n * n;
  const explicit = (method === 'rk4' ? 4 : 6) * stage;
  const perStep = method === 'rodas4' ? implicit : method === 'auto' ? Math.max(explicit, implicit / 4) : explicit;
  return (1 + 1 / WITNESS_STEP) * (perStep + 6 * events * stage);
}

/** The coherent step; 0 lets the method choose. @throws DomainError VALIDATION_FAILED */
function stepOf({ method, dt, steps }: UnifiedInput, span: number, toCoherent: (value: number) => number): number {
  if (method !== 'rk4') {
    if (steps === undefined) return dt === undefined ? 0 : Math.min(toCoherent(dt), span);
    throw validationError(
      'steps',
      `steps is ${steps}; only method rk4 uses steps; the other methods choose their steps by rtol.`,
    );
  }
  if (dt !== undefined && steps !== undefined) {
    throw validationError('steps', `dt is ${dt} and steps is ${steps}; give one of them.`);
  }
  return dt === undefined ? span / (steps ?? DEFAULT_STEPS) : toCoherent(dt);
}

/** @throws DomainError VALIDATION_FAILED */
function triesOf({ method, max_steps: maxSteps }: UnifiedInput, step: number, span: number, tryNs: number): number {
  if (method === 'rk4') {
    const steps = Math.ceil(span / step);
    if (!(steps <= MAX_STEPS))
      throw validationError('dt', `dt makes ${steps} steps; at most ${MAX_STEPS} are allowed.`);
    return steps + EXTRA_TRIES;
  }
  return maxSteps ?? Math.max(1_000, Math.min(DEFAULT_TRIES, Math.floor((LIMITS.kernel.budgetNs / tryNs) * 0.5)));
}
