// Translates the outcome of a kernel run into errors.

import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import type { StatisticName } from '../../kernels/face.ts';
import type { UnifiedFace } from './face.ts';
import type { UnifiedInput } from './inputs.ts';
import { EVENT_CAPACITY, MAX_RESTARTS } from './plan.ts';
import { type Problem, scaleOf } from './problem.ts';

export const OUTCOME = {
  unfinished: 0,
  finished: 1,
  stopped: 2,
  stepTooSmall: 3,
  nonFiniteSlope: 4,
  nonFiniteState: 5,
  stiff: 6,
  machine: 7,
  tooManyEvents: 8,
} as const;

export const statisticOf = ({ statistics }: KernelOutput<UnifiedFace>, name: StatisticName<UnifiedFace>): number =>
  statistics[name] ?? Number.NaN;

/** Failure codes of the expression machine, with the wording of src/expressions/evaluate.ts. */
const FAILURES: readonly (readonly [code: 'BUDGET_EXCEEDED' | 'VALIDATION_FAILED', reason: string])[] = [
  ['VALIDATION_FAILED', 'it failed'],
  ['BUDGET_EXCEEDED', `it needs more than ${LIMITS.expression.steps} steps`],
  ['VALIDATION_FAILED', 'the bounds of a sum are not whole numbers'],
  ['BUDGET_EXCEEDED', `a sum has more than ${LIMITS.expression.sumTerms} terms`],
];

export function programError(output: KernelOutput<UnifiedFace>, problem: Problem): DomainError {
  const { algebraic, states, events, invariants, initial } = problem;
  const assignments = events.flatMap((event) => event.assignments.map(() => event));
  const line = [...algebraic, ...states, ...events, ...assignments, ...invariants, ...initial][
    statisticOf(output, 'failingProgram')
  ];
  const [code, reason] = FAILURES[statisticOf(output, 'programFailure')] ?? ['VALIDATION_FAILED', 'it failed'];
  const path = line?.path ?? 'equations';
  const message = `${path} (${line?.text ?? ''}) has no value: ${reason}.`;
  return new DomainError(code, message, { details: [{ path, code, message }] });
}

/** @throws DomainError  unless the run reached its end, was stopped by an event, or spent its steps */
export function assertCompleted(output: KernelOutput<UnifiedFace>, input: UnifiedInput, problem: Problem): void {
  const outcome = statisticOf(output, 'outcome');
  const t = scaleOf(problem, 't').fromCoherent(statisticOf(output, 't'));
  const index = statisticOf(output, 'index');
  const symbol = problem.states[index]?.symbol ?? 'a state';
  const facts = { t };
  switch (outcome) {
    case OUTCOME.machine:
      throw programError(output, problem);
    case OUTCOME.nonFiniteSlope: {
      const line = problem.states[index];
      const message = `The derivative of ${symbol} (${line?.text}) is not finite at t = ${t}.`;
      const details = [{ path: line?.path ?? 'equations', code: 'NOT_FINITE', message }];
      throw new DomainError('VALUE_UNDEFINED', message, { details, facts });
    }
    case OUTCOME.nonFiniteState: {
      const advice = input.method === 'rk4' ? ' A smaller dt, or the method auto, may get further.' : '';
      throw new DomainError('UNSTABLE_SCHEME', `${symbol} is not finite after t = ${t}.${advice}`, { facts });
    }
    case OUTCOME.stepTooSmall: {
      const reason = `${index < 0 ? 'the solution' : symbol} escapes to infinity there, or the right side is discontinuous or undefined beyond`;
      const message = `No step is short enough at t = ${t}: ${reason}.`;
      throw new DomainError('UNSTABLE_SCHEME', message, { facts });
    }
    case OUTCOME.stiff: {
      const message = `The problem is stiff from t = ${t}: stability limits dopri5 to very short steps. Use method auto or rodas4.`;
      throw new DomainError('UNSTABLE_SCHEME', message, { facts });
    }
    case OUTCOME.tooManyEvents: {
      const event = problem.events[index];
      const restarts = statisticOf(output, 'restarts');
      if (restarts > MAX_RESTARTS) {
        const message = `Events have changed states more than ${MAX_RESTARTS} times by t = ${t}, the maximum; choose an earlier t_end.`;
        const details = [{ path: event?.path ?? 'events', code: 'TOO_MANY', message }];
        throw new DomainError('BUDGET_EXCEEDED', message, { details, facts: { ...facts, restarts } });
      }
      const message = `${event?.path} (${event?.text}) happens ever faster and piles up at t = ${t}; add an event that stops the run before.`;
      const details = [{ path: event?.path ?? 'events', code: 'CROWDED', message }];
      throw new DomainError('UNSTABLE_SCHEME', message, { details, facts: { ...facts, recorded: EVENT_CAPACITY } });
    }
  }
}
