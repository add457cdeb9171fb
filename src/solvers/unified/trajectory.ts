// The answer of a system from its three runs: states along t, the value at the end, and its uncertainty.

import { log } from '../../core/elementary.ts';
import { DomainError } from '../../core/errors.ts';
import { bound as bounded, uncertain } from '../../core/uncertainty.ts';
import { StepBudget, verifyValue } from '../../expressions/verify.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import type { Field, Invariant, Solution } from '../definition.ts';
import { maxMagnitude } from '../parts/arrays.ts';
import { quantity, series } from '../parts/fields.ts';
import { type Answer, column, plotsOf } from './answer.ts';
import { assertRanges } from './checks.ts';
import type { UnifiedFace } from './face.ts';
import type { UnifiedInput } from './inputs.ts';
import { assertCompleted, OUTCOME, statisticOf } from './outcome.ts';
import { EVENT_CAPACITY, type SYSTEM_VIEWS } from './plan.ts';
import { type Problem, scaleOf } from './problem.ts';

/** Maximum bound of a converged solution. */
const MAX_BOUND = 1e-3;
/** Differences below this fraction of the largest value are round-off and show no order. */
const ROUNDING = 1e-13;

export function trajectoryAnswer(
  outputs: readonly KernelOutput<UnifiedFace>[],
  input: UnifiedInput,
  problem: Problem,
): Answer {
  const runs = outputs.map((output) => new Run(output, problem));
  for (const run of runs) assertInitialValues(run, problem);
  for (const output of outputs) assertCompleted(output, input, problem);
  const [whole, halved, quartered] = runs;
  if (!whole || !halved || !quartered) throw new Error('A system requires three kernel outputs.');
  const isGiven = (symbol: string) => problem.given.includes(symbol);
  for (const run of runs) assertRanges(problem.algebraic, (symbol) => (isGiven(symbol) ? [] : run.column(symbol)));
  const [headline = ''] = problem.outputs;
  const scale = scaleOf(problem, headline);
  const [value, second, reference] = runs.map((run) => scale.fromCoherent(run.end(headline))) as [
    number,
    number,
    number,
  ];
  const largest = scale.fromCoherent(maxMagnitude(whole.column(headline)));
  const magnitude = Math.max(Math.abs(largest), Math.abs(second), Math.abs(reference));
  const [first, next] = [Math.abs(value - second), Math.abs(second - reference)];
  // If halving does not reduce the difference, both differences count.
  const distance = Math.max(Math.abs(value - reference), first, next);
  const uncertainty = Math.max(1.25 * distance, 4 * Number.EPSILON * magnitude);
  const bound = magnitude === 0 ? 0 : uncertainty / magnitude;
  const hasOrder = next > ROUNDING * magnitude && first > next;
  const budget = new StepBudget();
  const isComplete = runs.every((run) => run.outcome === OUTCOME.finished || run.outcome === OUTCOME.stopped);
  return {
    value,
    ...uncertain([bounded('discretisation', uncertainty, 'every step in two and four parts')]),
    bound,
    converged: isComplete && bound <= MAX_BOUND && runs.every((run) => hasSameEvents(run, whole)),
    witness: {
      method: 'every step in four parts',
      reference,
      scale: magnitude,
      ...(hasOrder ? { observedOrder: log(first / next) / Math.LN2 } : {}),
    },
    invariants: invariantsOf(whole, input, problem, budget),
    series: [
      column(problem, 't', whole.column('t')),
      ...problem.outputs
        .filter((symbol) => symbol !== 't')
        .map((symbol) => column(problem, symbol, whole.column(symbol))),
      { ...column(problem, 't', whole.steps()), name: 'step' },
    ],
    fields: eventFields(whole, problem),
    plots: plotsOf(problem, problem.outputs),
    quantities: [
      ...endQuantities(whole, problem),
      ...eventQuantities(runs, problem),
      ...workQuantities(whole, problem),
    ],
    end: whole.values(),
    notes: notesOf(whole, input, problem, budget),
  };
}

/** Whether two runs with different steps counted the same events and have the same outcome. */
function hasSameEvents(run: Run, other: Run): boolean {
  const counts = other.view('counts');
  return run.outcome === other.outcome && run.view('counts').every((count, event) => count === counts[event]);
}

/** @throws DomainError VALUE_UNDEFINED  for an initial value that is not finite */
function assertInitialValues(run: Run, problem: Problem): void {
  for (const { symbol, path, text } of problem.initial) {
    const value = run.column(symbol)[0] ?? Number.NaN;
    if (Number.isFinite(value)) continue;
    const message = `${path} (${text}): the initial value of ${symbol} is ${value}; a finite number is expected.`;
    throw new DomainError('VALUE_UNDEFINED', message, { details: [{ path, code: 'NOT_FINITE', message }] });
  }
}

/** Reads one kernel output by symbol. All values are coherent. */
class Run {
  readonly outcome: number;
  readonly output: KernelOutput<UnifiedFace>;
  readonly #problem: Problem;

  constructor(output: KernelOutput<UnifiedFace>, problem: Problem) {
    this.output = output;
    this.outcome = statisticOf(output, 'outcome');
    this.#problem = problem;
  }

  view(view: (typeof SYSTEM_VIEWS)[number]): Float64Array {
    return this.output.views[view] ?? new Float64Array();
  }

  /** Value of a symbol at the end of the run. */
  end(symbol: string): number {
    return this.view('end')[this.#problem.slots.indexOf(symbol)] ?? Number.NaN;
  }

  values(): ReadonlyMap<string, number> {
    const { slots, values } = this.#problem;
    const end = this.view('end');
    return new Map(slots.map((symbol, i) => [symbol, i < end.length ? (end[i] ?? 0) : (values[i] ?? 0)]));
  }

  start(): ReadonlyMap<string, number> {
    const { slots, values, states, algebraic } = this.#problem;
    const start = new Map(slots.map((symbol, i) => [symbol, values[i] ?? 0]));
    for (const { symbol } of [...states, ...algebraic]) start.set(symbol, this.column(symbol)[0] ?? 0);
    return start;
  }

  /** Values of a symbol along the samples; constant symbols repeat their value. */
  column(symbol: string): Float64Array {
    const { states, fixedCount, slots } = this.#problem;
    const { sample } = this.output.columns;
    const slot = slots.indexOf(symbol);
    if (slot === 0) return this.#samples(sample.t);
    if (slot <= states.length) return this.#samples(sample.states + slot - 1);
    const varyingIndex = slot - 1 - states.length - fixedCount;
    if (varyingIndex >= 0) return this.#samples(sample.states + states.length + varyingIndex);
    return new Float64Array(statisticOf(this.output, 'rows')).fill(this.end(symbol));
  }

  steps(): Float64Array {
    return this.#samples(this.output.columns.sample.step);
  }

  #samples(column: number): Float64Array {
    const { states, algebraic, fixedCount } = this.#problem;
    const width = this.output.columns.sample.states + states.length + algebraic.length - fixedCount;
    const samples = this.view('samples');
    const length = statisticOf(this.output, 'rows');
    return Float64Array.from({ length }, (_, row) => samples[row * width + column] ?? Number.NaN);
  }

  /** Recorded events in order. */
  recordedEvents(): readonly RecordedEvent[] {
    const { event, t, states } = this.output.columns.event;
    const width = states + this.#problem.states.length;
    const rows = this.view('recordedEvents');
    return Array.from({ length: statisticOf(this.output, 'recorded') }, (_, i) => {
      const row = rows.subarray(i * width, (i + 1) * width);
      return { event: row[event] ?? 0, t: row[t] ?? 0, states: row.subarray(states) };
    });
  }
}

interface RecordedEvent {
  /** Index among the events of the problem. */
  readonly event: number;
  readonly t: number;
  readonly states: Float64Array;
}

function invariantsOf(
  run: Run,
  { invariant_tol: bound }: UnifiedInput,
  problem: Problem,
  budget: StepBudget,
): Invariant[] {
  const extremes = rowsOf(run.view('invariants'), run.output.columns.invariant);
  const start = run.start();
  return problem.invariants.map(({ expression, text }, i) => {
    const first = extremes.at(i, 'first');
    // Relative to the magnitude of its terms, so that an invariant of value 0 has a scale.
    const { scale } = verifyValue({ expression, where: [] }, start, budget);
    const magnitude = Math.max(Math.abs(first), Number.isFinite(scale) ? scale : 0);
    const drift = Math.max(extremes.at(i, 'maximum') - first, first - extremes.at(i, 'minimum'));
    return { name: text, value: first, drift: drift === 0 ? 0 : drift / (magnitude || 1), bound };
  });
}

function eventFields(run: Run, problem: Problem): Field[] {
  if (problem.events.length === 0) return [];
  const rows = run.recordedEvents();
  const time = scaleOf(problem, 't');
  const numbers = rows.map(({ event }) => event + 1);
  const times = rows.map(({ t }) => time.fromCoherent(t));
  const scales = problem.states.map(({ symbol }) => scaleOf(problem, symbol));
  return [
    series('event', '1', numbers),
    series('event_t', time.unit, times),
    ...problem.states.map(({ symbol }, i) => {
      const data = rows.map(({ states }) => scales[i]?.fromCoherent(states[i] ?? 0) ?? 0);
      return series(`event_${symbol}`, scales[i]?.unit ?? '1', data);
    }),
  ];
}

type Quantities = Solution['quantities'];

function endQuantities(run: Run, problem: Problem): Quantities {
  return ['t', ...problem.outputs.filter((symbol) => symbol !== 't')].map((symbol) => {
    const { unit, fromCoherent } = scaleOf(problem, symbol);
    return quantity(`${symbol}_end`, fromCoherent(run.end(symbol)), unit);
  });
}

/** Count and first time of each event, with the change of that time for a quarter of the step. */
function eventQuantities(runs: readonly Run[], problem: Problem): Quantities {
  const [whole] = runs;
  const finest = runs.at(-1);
  if (!whole || !finest) return [];
  const time = scaleOf(problem, 't');
  const counts = whole.view('counts');
  const firstOf = (run: Run, event: number) => run.recordedEvents().find((recorded) => recorded.event === event)?.t;
  return problem.events.flatMap((_, i) => {
    const [t, other] = [firstOf(whole, i), firstOf(finest, i)];
    const name = `event_${i + 1}`;
    const count = quantity(`${name}_count`, counts[i] ?? 0, '1');
    if (t === undefined) return [count];
    const first = quantity(`${name}_first_t`, time.fromCoherent(t), time.unit);
    if (other === undefined) return [count, first];
    const error = Math.abs(time.fromCoherent(t) - time.fromCoherent(other));
    return [count, first, quantity(`${name}_first_t_error`, error, time.unit)];
  });
}

function workQuantities({ output }: Run, problem: Problem): Quantities {
  const time = scaleOf(problem, 't');
  const isStiff = statisticOf(output, 'isStiff') === 1;
  return [
    quantity('steps_accepted', statisticOf(output, 'accepted'), '1'),
    quantity('steps_refused', statisticOf(output, 'rejected'), '1'),
    quantity('evaluations', statisticOf(output, 'evaluations'), '1'),
    quantity('jacobians', statisticOf(output, 'jacobians'), '1'),
    ...(isStiff ? [quantity('stiff_since_t', time.fromCoherent(statisticOf(output, 'stiffSince')), time.unit)] : []),
  ];
}

function notesOf(
  run: Run,
  { method, max_steps: maxSteps, t_end: end }: UnifiedInput,
  problem: Problem,
  budget: StepBudget,
): string[] {
  const notes: string[] = [];
  const symbols = problem.algebraic.map(({ symbol }) => symbol);
  if (symbols.length > 1) notes.push(`Order of evaluation: ${symbols.join(', ')}.`);
  const t = scaleOf(problem, 't').fromCoherent(statisticOf(run.output, 't'));
  if (run.outcome === OUTCOME.unfinished) {
    const bound = maxSteps === undefined ? 'the steps that the budget allows' : `max_steps = ${maxSteps}`;
    notes.push(`After ${bound} the run has come to t = ${t} of ${end ?? 'its end'}; the value is that at t = ${t}.`);
  }
  const start = run.start();
  for (const { expression, path, text } of problem.events) {
    if (verifyValue({ expression, where: [] }, start, budget).reference !== 0) continue;
    notes.push(
      `${path} (${text}) is at its place at the start, which is no crossing: it happens when it comes back there.`,
    );
  }
  if (run.outcome === OUTCOME.stopped) notes.push(`Stopped by an event at t = ${t}.`);
  if (statisticOf(run.output, 'isStiff') === 1 && method === 'auto') {
    notes.push(
      `Stiff from t = ${scaleOf(problem, 't').fromCoherent(statisticOf(run.output, 'stiffSince'))}: RODAS took over from Dormand–Prince.`,
    );
  }
  if (statisticOf(run.output, 'recorded') === EVENT_CAPACITY) {
    notes.push(`Only the first ${EVENT_CAPACITY} events are listed; all are counted.`);
  }
  return notes;
}
