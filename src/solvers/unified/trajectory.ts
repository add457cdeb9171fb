// The answer of a system from its two runs: states along t, the value at the end, and its uncertainty.

import { ROUNDOFF } from '../../core/decimal-error.ts';
import { DomainError } from '../../core/errors.ts';
import { bound as bounded, type Uncertain, uncertain } from '../../core/uncertainty.ts';
import { StepBudget, verifyValue } from '../../expressions/verify.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import type { Field, Invariant, Solution } from '../definition.ts';
import { maxMagnitude } from '../parts/arrays.ts';
import { exactly, quantity, series } from '../parts/fields.ts';
import type { Plot } from '../plot.ts';
import { type Answer, column, plotsOf, type Spread } from './answer.ts';
import { assertRanges } from './checks.ts';
import type { UnifiedFace } from './face.ts';
import type { UnifiedInput } from './inputs.ts';
import { assertCompleted, OUTCOME, statisticOf } from './outcome.ts';
import { EVENT_CAPACITY, type SYSTEM_VIEWS } from './plan.ts';
import { type Problem, scaleOf } from './problem.ts';
import { verifyRow } from './reference.ts';
import { widthIn } from './units.ts';

/** Maximum bound of a converged solution. */
const MAX_BOUND = 1e-3;
/** Covers a second run that is only half as wrong as the first; where steps are short enough, it is a fiftieth. */
const WITNESS_MARGIN = 2;

/** Where a run ends, and the first time of each event. @throws DomainError for a run without an end */
export function trajectoryEnd(output: KernelOutput<UnifiedFace>, input: UnifiedInput, problem: Problem) {
  const run = new Run(output, problem);
  assertInitialValues(run, problem);
  assertCompleted(output, input, problem);
  return { values: run.values(), firstTime: (event: number) => run.firstTime(event) };
}

export function trajectoryAnswer(
  outputs: readonly KernelOutput<UnifiedFace>[],
  input: UnifiedInput,
  problem: Problem,
  spread: Spread,
): Answer {
  const runs = outputs.map((output) => new Run(output, problem));
  for (const run of runs) assertInitialValues(run, problem);
  for (const output of outputs) assertCompleted(output, input, problem);
  const [main, other] = runs;
  if (!main || !other) throw new Error('A system requires two kernel outputs.');
  const isGiven = (symbol: string) => problem.given.includes(symbol);
  for (const run of runs) assertRanges(problem.algebraic, (symbol) => (isGiven(symbol) ? [] : run.column(symbol)));
  const [headline = ''] = problem.outputs;
  const scale = scaleOf(problem, headline);
  const [value, reference] = [main, other].map((run) => scale.fromCoherent(run.end(headline))) as [number, number];
  const largest = scale.fromCoherent(maxMagnitude(main.column(headline)));
  const magnitude = Math.max(Math.abs(largest), Math.abs(reference));
  const budget = new StepBudget();
  const numericOf = endErrors(main, other, problem, budget);
  const errorOf = (symbol: string) => uncertain([...numericOf(symbol).budget, ...spread.ofSymbol(symbol)]);
  const error = errorOf(headline);
  const bound = magnitude === 0 ? 0 : numericOf(headline).uncertainty / magnitude;
  const doubts = doubtsOf(main, other, bound, problem);
  return {
    value,
    ...error,
    errorOf,
    bound,
    converged: main.outcome !== OUTCOME.unfinished && doubts.length === 0,
    witness: { method: 'other and shorter steps', reference, scale: magnitude },
    invariants: invariantsOf(main, input, problem, budget),
    series: [
      column(problem, 't', main.column('t')),
      ...problem.outputs
        .filter((symbol) => symbol !== 't')
        .map((symbol) => column(problem, symbol, main.column(symbol))),
      { ...column(problem, 't', main.steps()), name: 'step' },
    ],
    fields: eventFields(main, problem),
    plots: trajectoryPlots(main, problem),
    quantities: [
      ...endQuantities(main, problem, errorOf),
      ...eventQuantities(main, other, problem, spread),
      ...workQuantities(main, problem),
    ],
    end: main.values(),
    notes: [...notesOf(main, input, problem, budget), ...doubts],
  };
}

/**
 * The ± of the value of each symbol at the end: what the other run finds different, and the rounding of all steps.
 *
 * @throws DomainError BUDGET_EXCEEDED
 */
function endErrors(main: Run, other: Run, problem: Problem, budget: StepBudget): (symbol: string) => Uncertain {
  const end = main.values();
  const roundings = new Map(problem.roundings);
  for (const symbol of ['t', ...problem.states.map((state) => state.symbol)])
    roundings.set(symbol, main.rounding(main.column(symbol), main.end(symbol)));
  if (main.outcome === OUTCOME.finished) roundings.set('t', problem.roundings.get('t') ?? 0);
  const { bounds } = verifyRow(problem, end, roundings, budget);
  return (symbol) => {
    const scale = scaleOf(problem, symbol);
    const bound = bounds.get(symbol) ?? Number.POSITIVE_INFINITY;
    const rounding = Number.isFinite(bound) ? bound : main.rounding(main.column(symbol), main.end(symbol));
    return uncertain([
      bounded('rounding', widthIn(scale, rounding), 'one rounding in every step, and those of the equations'),
      bounded(
        'discretisation',
        widthIn(scale, WITNESS_MARGIN * Math.abs(main.end(symbol) - other.end(symbol))),
        'a second run with other and shorter steps',
      ),
    ]);
  };
}

/** Why the second run does not witness the first; empty if it does. */
function doubtsOf(main: Run, other: Run, bound: number, problem: Problem): readonly string[] {
  const doubts: string[] = [];
  const skipped = statisticOf(main.output, 'skipped');
  if (skipped > 0) {
    const steps = skipped === 1 ? '1 step holds a feature that it does' : `${skipped} steps hold features that they do`;
    doubts.push(`${steps} not resolve; use a smaller dt, or the method auto.`);
  } else if (statisticOf(other.output, 'skipped') > 0)
    doubts.push('Shorter steps hold a feature that they do not resolve; use a smaller dt, or the method auto.');
  if (main.outcome === OUTCOME.unfinished) return doubts;
  if (other.outcome === OUTCOME.unfinished) {
    const t = scaleOf(problem, 't').fromCoherent(statisticOf(other.output, 't'));
    doubts.push(`The second run has come to t = ${t} only; give more max_steps.`);
  } else if (!hasSameEvents(main, other)) doubts.push('A second run with other steps finds other events.');
  if (!(bound <= MAX_BOUND))
    doubts.push(
      `A second run with other steps differs by more than ${MAX_BOUND} of the largest value; use a smaller rtol.`,
    );
  return doubts;
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

  /**
   * The roundings of all steps: as a walk for the largest value, whose roundings the solution may carry along or forget,
   * and one after the other for the last.
   */
  rounding(values: Iterable<number>, end: number): number {
    const steps = statisticOf(this.output, 'accepted') + 2;
    return ROUNDOFF * (Math.sqrt(steps) * maxMagnitude(values) + steps * Math.abs(end));
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

  /** Time of the first of the recorded events with this index. */
  firstTime(event: number): number | undefined {
    return this.recordedEvents().find((recorded) => recorded.event === event)?.t;
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

/** Curves with their events, the plane of the first two states shown, and a table of the events. */
function trajectoryPlots(run: Run, problem: Problem): Plot[] {
  const { outputs, states, events } = problem;
  const recorded = run.recordedEvents();
  const names = events.map(({ text }) => conditionOf(text));
  const marks = recorded.length === 0 ? undefined : { at: 'event_t', kinds: 'event', names };
  const shown = states.map(({ symbol }) => symbol).filter((symbol) => outputs.includes(symbol));
  const [x, y] = shown;
  const columns = ['t', ...states.map(({ symbol }) => symbol)];
  return [
    ...plotsOf(problem, outputs, marks),
    ...(x === undefined || y === undefined ? [] : [{ kind: 'phase', title: `${y} over ${x}`, x, y } as const]),
    ...(recorded.length === 0
      ? []
      : [
          {
            kind: 'table',
            title: 'Events',
            columns: columns.map((symbol) => `event_${symbol}`),
            labels: recorded.map(({ event }) => names[event] ?? ''),
            words: Object.fromEntries(columns.map((symbol) => [`event_${symbol}`, symbol])),
          } as const,
        ]),
  ];
}

/** `y = 0 down` of `y = 0 down -> stop`. */
const conditionOf = (text: string) => (text.split('->', 1)[0] ?? '').trim();

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

function endQuantities(run: Run, problem: Problem, errorOf: Answer['errorOf']): Quantities {
  const isInput = (symbol: string) => symbol === 't' && run.outcome === OUTCOME.finished;
  return ['t', ...problem.outputs.filter((symbol) => symbol !== 't')].map((symbol) => {
    const { unit, fromCoherent } = scaleOf(problem, symbol);
    const [name, value] = [`${symbol}_end`, fromCoherent(run.end(symbol))];
    return isInput(symbol) ? exactly(name, value, unit) : quantity(name, value, unit, errorOf(symbol).uncertainty);
  });
}

/** Count and first time of each event. */
function eventQuantities(main: Run, other: Run, problem: Problem, spread: Spread): Quantities {
  const time = scaleOf(problem, 't');
  const counts = main.view('counts');
  const [from, to] = problem.span;
  return problem.events.flatMap((_, i) => {
    const name = `event_${i + 1}`;
    const count = exactly(`${name}_count`, counts[i] ?? 0, '1');
    const t = main.firstTime(i);
    if (t === undefined) return [count];
    const witness = other.firstTime(i);
    const error = witness === undefined ? to - from : WITNESS_MARGIN * Math.abs(t - witness);
    const rounding = main.rounding([from, t], t);
    const { uncertainty } = uncertain([
      bounded('discretisation', widthIn(time, error + rounding), 'a second run with other and shorter steps'),
      ...spread.ofEvent(i),
    ]);
    return [count, quantity(`${name}_first_t`, time.fromCoherent(t), time.unit, uncertainty)];
  });
}

function workQuantities({ output }: Run, problem: Problem): Quantities {
  const time = scaleOf(problem, 't');
  const isStiff = statisticOf(output, 'isStiff') === 1;
  return [
    exactly('steps_accepted', statisticOf(output, 'accepted'), '1'),
    exactly('steps_refused', statisticOf(output, 'rejected'), '1'),
    exactly('evaluations', statisticOf(output, 'evaluations'), '1'),
    exactly('jacobians', statisticOf(output, 'jacobians'), '1'),
    ...(isStiff ? [exactly('stiff_since_t', time.fromCoherent(statisticOf(output, 'stiffSince')), time.unit)] : []),
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
