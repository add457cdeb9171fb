// Refusals as errors of the interface: the reason, the nearest alternatives and the next step.

import { DomainError, type ErrorDetail } from '../core/errors.ts';
import type { Candidate, Dispatch, Outcome, Refusal, RefusalReason } from './dispatch.ts';

const named = ({ id, title }: Pick<Candidate, 'id' | 'title'>) => `${id} (${title})`;

const REASONS: Readonly<Record<Exclude<RefusalReason, 'missing' | 'tie'>, string>> = {
  language: 'The question is not in English, which is the only language that is read.',
  nothing: 'Nothing here answers this question.',
  unsure: 'Nothing here answers this question surely enough.',
  negated: 'The question names a computation only to say that it is not wanted.',
};

/** @throws DomainError QUERY_NOT_UNDERSTOOD, QUERY_AMBIGUOUS; VALIDATION_FAILED for a law that lacks numbers */
export function chosenOrThrow(outcome: Outcome): Dispatch {
  if (outcome.kind === 'chosen') return outcome.dispatch;
  throw errorOf(outcome.refusal);
}

function errorOf({ reason, alternatives, nearest }: Refusal): DomainError {
  const list = alternatives.map(named).join(', ');
  const facts = { reason, alternatives, ...(nearest === undefined ? {} : { dispatch: nearest }) };
  if (reason === 'tie') {
    const message = `The question fits ${list} equally. Say more, or name one as target.`;
    return new DomainError('QUERY_AMBIGUOUS', message, { details: [detail('target', 'AMBIGUOUS', message)], facts });
  }
  if (reason === 'missing' && nearest !== undefined) return lacking(nearest, facts);
  const near = list === '' ? '' : ` The nearest are ${list}; name one as target if it is meant.`;
  const message = `${REASONS[reason as keyof typeof REASONS]}${near}`;
  return new DomainError('QUERY_NOT_UNDERSTOOD', message, {
    details: [detail('query', 'OUT_OF_SCOPE', message)],
    facts,
  });
}

function lacking({ target, missing }: Dispatch, facts: Readonly<Record<string, unknown>>): DomainError {
  const details = missing.map(({ name, label, unit }) =>
    detail(`constants.${name}`, 'MISSING', `${target.id} needs ${name}: ${label} [${unit}].`),
  );
  const message = `The question means ${named(target)}, which also needs ${missing.map(({ name }) => name).join(', ')}. Say them in words, or give them in constants.`;
  return new DomainError('VALIDATION_FAILED', message, { details, facts });
}

/** @throws DomainError QUERY_AMBIGUOUS for numbers that have no place: an answer would ignore them */
export function assertAllUsed(dispatch: Dispatch): void {
  const { unused, target, alternatives } = dispatch;
  if (unused.length === 0) return;
  const message = `${unused.map((words) => JSON.stringify(words)).join(', ')} has no place among the inputs of ${named(target)}. Name the input, or set ignore_unused.`;
  throw new DomainError('QUERY_AMBIGUOUS', message, {
    details: [detail('query', 'UNUSED_NUMBER', message)],
    facts: { reason: 'unused', alternatives, dispatch },
  });
}

const detail = (path: string, code: string, message: string): ErrorDetail => ({ path, code, message });
