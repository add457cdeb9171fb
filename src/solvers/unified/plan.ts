// What the kernel is asked to do: one run for a table, three for a system, whose steps are whole, halved and quartered.

import { LIMITS } from '../../core/limits.ts';
import type { KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../solver.ts';
import type { Method, UnifiedInput } from './input.ts';
import { refusal } from './lists.ts';
import type { Problem } from './problem.ts';
import { type Programs, programsOf } from './programs.ts';
import { tableRows } from './rows.ts';
import { PLAIN } from './units.ts';

/** Names of the kernel's parameter block, in order. */
export const PARAMETERS = [
  'kind',
  'code_words',
  'pool_values',
  'slots',
  'programs',
  'points',
  'states',
  'fixed',
  'needed',
  'algebraic',
  'events',
  'assignments',
  'invariants',
  'method',
  'max_steps',
  'parts',
  'is_autonomous',
  'event_capacity',
  'ticks',
  't0',
  't_end',
  'dt',
  'rtol',
  'max_step',
] as const;

/** Views of the kernel. */
export const VIEW = {
  code: 0,
  pool: 1,
  slots: 2,
  table: 3,
  events: 4,
  atol: 5,
  samples: 6,
  end: 7,
  happened: 8,
  invariants: 9,
  counts: 10,
} as const;

export const SYSTEM_VIEWS = [VIEW.samples, VIEW.end, VIEW.happened, VIEW.invariants, VIEW.counts];
const STATISTICS = 15;

const METHODS: Readonly<Record<Method, number>> = { rk4: 0, dopri5: 1, rodas4: 2, auto: 3 };

/** Into how many parts each step is cut, run by run: the value comes from the first, the error from the others. */
const PARTS = [1, 2, 4] as const;

/** Events that are recorded with their times and states; all are counted. */
export const EVENT_CAPACITY = 1000;

/** Tries of a step where the caller sets no bound and the budget allows so many. */
const STANDARD_TRIES = 100_000;
const STANDARD_STEPS = 1000;
const MOST_STEPS = 10_000_000;
/** Of a controlled run, where the caller does not allow longer ones: what happens in between is not stepped over. */
const LEAST_STEPS = 200;
/** Of the kernel: changes of states by events in one run. */
export const MOST_RESTARTS = 10_000;
/** Room for the steps that a fixed-step run makes anew at events. */
const RESTARTS = MOST_RESTARTS + 1;

/** Measured (bench/unified.ts): an instruction, the call of a program, and what a stage costs beside. */
const NS_PER_OPERATION = 3;
const NS_PER_PROGRAM = 12;
const NS_PER_STAGE = 20;

export function planOf(input: UnifiedInput, problem: Problem): Plan {
  const programs = programsOf(problem);
  return problem.mode === 'ode' ? systemPlan(input, problem, programs) : tablePlan(input, problem, programs);
}

function inputsOf({ code, pool, table }: Programs, slots: Float64Array) {
  return [
    { view: VIEW.code, data: code },
    { view: VIEW.pool, data: pool },
    { view: VIEW.slots, data: slots },
    { view: VIEW.table, data: table },
  ];
}

function tablePlan(input: UnifiedInput, problem: Problem, programs: Programs): Plan {
  const { code, pool, count, rowCost } = programs;
  const { slots, algebraic } = problem;
  const { values, count: rows } = tableRows(input, problem);
  const parameters = [0, code.length, pool.length, slots.length, count, rows, 0, 0, 0, algebraic.length];
  return {
    runs: [
      { parameters, inputs: inputsOf(programs, values), steps: rows, outputs: [VIEW.slots], statistics: STATISTICS },
    ],
    estimateNs: 30_000 + rows * (rowCost * NS_PER_OPERATION + count * NS_PER_PROGRAM),
    estimateBytes: Math.max(BASE_BYTES, OWN_BYTES + 8 * values.length + 12 * code.length),
  };
}

/** Two pages that every instance has; the kernel's tables and the machine's stack. */
const BASE_BYTES = 131_072;
const OWN_BYTES = 16_384;

function systemPlan(input: UnifiedInput, problem: Problem, programs: Programs): Plan {
  const { code, pool, count, assignmentCount, slopeCost } = programs;
  const { states, algebraic, fixedCount, neededCount, events, invariants, slots, values, span, scales } = problem;
  const [from, to] = span;
  const time = scales.get('t') ?? PLAIN;
  const n = states.length;
  const stage = slopeCost * NS_PER_OPERATION + (n + neededCount) * NS_PER_PROGRAM + NS_PER_STAGE;
  const tryNs = costOfTry(input.method, n, stage, events.length);
  const step = stepOf(input, to - from, time.toCoherent);
  const tries = triesOf(input, step, to - from, tryNs);
  const isFixed = input.method === 'rk4';
  const ticks = Math.min(1e8, 100 * tries);
  const happened = events.length > 0 ? EVENT_CAPACITY * (2 + n) : 0;
  const moving = algebraic.length - fixedCount;
  const atol = Float64Array.from(states, ({ symbol }) =>
    input.atol === undefined ? 0 : (scales.get(symbol) ?? PLAIN).toCoherent(input.atol),
  );
  const run = (parts: number): KernelRun => ({
    parameters: [
      1,
      code.length,
      pool.length,
      slots.length,
      count,
      input.points,
      n,
      fixedCount,
      neededCount,
      algebraic.length,
      events.length,
      assignmentCount,
      invariants.length,
      METHODS[input.method],
      tries,
      parts,
      Number(problem.isAutonomous),
      EVENT_CAPACITY,
      ticks,
      from,
      to,
      step,
      input.rtol,
      isFixed ? 0 : input.max_step === undefined ? (to - from) / LEAST_STEPS : time.toCoherent(input.max_step),
    ],
    inputs: [
      ...inputsOf(programs, values),
      { view: VIEW.events, data: programs.events },
      { view: VIEW.atol, data: atol },
    ],
    // Tries and ticks together never reach it, so a run ends only when it has arrived or has given up.
    steps: tries + ticks + 1,
    outputs: SYSTEM_VIEWS,
    statistics: STATISTICS,
  });
  const matrix = input.method === 'auto' || input.method === 'rodas4' ? 3 * n * n : 0;
  const numbers = happened + (input.points + 1) * (2 + n + moving) + 40 * n + matrix + values.length + pool.length;
  const likely = isFixed ? tries - RESTARTS : Math.min(tries, LIKELY_TRIES);
  return {
    runs: PARTS.map(run),
    estimateNs: 100_000 + likely * tryNs,
    estimateBytes: Math.max(BASE_BYTES, OWN_BYTES + 8 * numbers + 4 * code.length + 12 * count),
  };
}

/** What a controlled step takes on most problems; a run that takes more is stopped by its own bound, or by the deadline. */
const LIKELY_TRIES = 5_000;

/** Of one try in all three runs together. */
function costOfTry(method: Method, n: number, stage: number, events: number): number {
  const parts = PARTS.reduce<number>((sum, one) => sum + one, 0);
  const steps = method === 'rk4' ? parts : parts + PARTS.length - 1;
  const implicit = (2 * n + 7) * stage + 2 * n * n * n;
  const explicit = (method === 'rk4' ? 4 : 6) * stage;
  const perStep = method === 'rodas4' ? implicit : method === 'auto' ? Math.max(explicit, implicit / 4) : explicit;
  return steps * (perStep + 6 * events * stage);
}

/** Coherent; 0 lets the method choose. @throws DomainError VALIDATION_FAILED */
function stepOf({ method, dt, steps }: UnifiedInput, span: number, toCoherent: (value: number) => number): number {
  if (method !== 'rk4') {
    if (steps === undefined) return dt === undefined ? 0 : Math.min(toCoherent(dt), span);
    throw refusal('steps', `steps is ${steps}; only the method rk4 takes so many. Others choose their steps by rtol.`);
  }
  if (dt !== undefined && steps !== undefined) {
    throw refusal('steps', `dt is ${dt} and steps is ${steps}; one of them is expected.`);
  }
  return dt === undefined ? span / (steps ?? STANDARD_STEPS) : toCoherent(dt);
}

/** @throws DomainError VALIDATION_FAILED */
function triesOf({ method, max_steps: most }: UnifiedInput, step: number, span: number, tryNs: number): number {
  if (method === 'rk4') {
    const steps = Math.ceil(span / step);
    if (!(steps <= MOST_STEPS)) throw refusal('dt', `dt makes ${steps} steps; at most ${MOST_STEPS} are allowed.`);
    return steps + RESTARTS;
  }
  return most ?? Math.max(1_000, Math.min(STANDARD_TRIES, Math.floor((LIMITS.kernel.budgetNs / tryNs) * 0.5)));
}
