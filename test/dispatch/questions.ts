// Labelled sentences, and how dispatch answers them.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Dispatch, Dispatcher, type Outcome } from '../../src/dispatch/dispatch.ts';
import { OPERATORS } from '../../src/operators/load.ts';
import { toCoherent } from '../../src/operators/unit-table.ts';
import { SOLVERS } from '../../src/solvers/index.ts';

export interface Question {
  readonly query: string;
  /** Id of the solver or law that answers it; null if nothing does. */
  readonly target: string | null;
  /** Others that answer it too. */
  readonly also?: readonly string[];
  /** Inputs that it states: in the units of the fields of a solver, in coherent SI units of a law. */
  readonly inputs?: Readonly<Record<string, unknown>>;
}

const { questions, later, last, fresh } = JSON.parse(
  readFileSync(new URL('questions.json', import.meta.url), 'utf8'),
) as {
  readonly questions: readonly Question[];
  readonly later: readonly Question[];
  readonly last: readonly Question[];
  readonly fresh: readonly Question[];
};

const third = JSON.parse(readFileSync(new URL('questions-unread.json', import.meta.url), 'utf8')) as {
  readonly questions: readonly Question[];
};

const isOdd = ({ query }: Question, at: number) => (createHash('sha256').update(query).digest()[at] ?? 0) % 2 === 1;
const isHeld = (question: Question) => isOdd(question, 0);

/** Sentences about solvers that are not registered yet are skipped. */
const isKnown = ({ target }: Question) =>
  target === null || OPERATORS.has(target) || SOLVERS.some(({ id }) => id === target);

export const ALL: readonly Question[] = [...questions, ...later, ...last, ...fresh, ...third.questions];
export const TUNE = questions.filter((question) => !isHeld(question) && isKnown(question));
export const HELD = questions.filter((question) => isHeld(question) && isKnown(question));
export const LATER = later.filter(isKnown);
export const LAST = last.filter(isKnown);
/** By another author; the rules have changed since in general only. */
export const FRESH = fresh.filter(isKnown);
/** By a third author: all of them, those that were not read first, and those that nobody has read since. */
export const THIRD = third.questions.filter(isKnown);
export const THIRD_HELD = THIRD.filter(isHeld);
export const UNREAD = THIRD_HELD.filter((question) => isOdd(question, 1));

const dispatcher = new Dispatcher(SOLVERS);
export const answerOf = ({ query }: Question): Outcome => dispatcher.dispatch(query);

export interface Score {
  readonly count: number;
  /** Answered, of those that something answers. */
  readonly answered: number;
  /** Right, of the answered. */
  readonly right: number;
  /** Inputs read as labelled, of all that are labelled of right answers. */
  readonly slots: number;
  /** Refused, of those that nothing answers. */
  readonly refused: number;
  /** Answers that leave no number of the sentence without a place, of the answered. */
  readonly placed: number;
  readonly wrong: readonly string[];
}

const shareOf = (part: number, whole: number) => (whole === 0 ? 1 : part / whole);

export function scoreOf(asked: readonly Question[]): Score {
  const [inScope, outOfScope] = [asked.filter(({ target }) => target !== null), asked.filter((q) => q.target === null)];
  const answers = inScope.flatMap((question) => {
    const outcome = answerOf(question);
    return outcome.kind === 'chosen' ? [{ question, dispatch: outcome.dispatch }] : [];
  });
  const isRight = ({ question: { target, also = [] }, dispatch }: (typeof answers)[number]) =>
    [target, ...also].includes(dispatch.target.id);
  const rightOnes = answers.filter(isRight);
  const slots = rightOnes.flatMap(({ question, dispatch }) => slotsOf(question, dispatch));
  const passed = outOfScope.filter((question) => answerOf(question).kind === 'chosen');
  return {
    count: asked.length,
    answered: shareOf(answers.length, inScope.length),
    right: shareOf(rightOnes.length, answers.length),
    slots: shareOf(slots.filter(Boolean).length, slots.length),
    refused: shareOf(outOfScope.length - passed.length, outOfScope.length),
    placed: shareOf(answers.filter(({ dispatch }) => dispatch.unused.length === 0).length, answers.length),
    wrong: [
      ...answers
        .filter((answer) => !isRight(answer))
        .map(({ question, dispatch }) => `${dispatch.target.id}: ${question.query}`),
      ...passed.map(({ query }) => `answered: ${query}`),
    ],
  };
}

/** Whether each labelled input was read. */
function slotsOf({ target, inputs = {} }: Question, dispatch: Dispatch): boolean[] {
  if (dispatch.target.id !== target) return [];
  return Object.entries(inputs).map(([name, wanted]) => {
    const read = dispatch.inputs.find((input) => input.name === name);
    if (read === undefined || typeof wanted !== 'number') return read?.value === wanted;
    const value = dispatch.target.kind === 'law' ? toCoherent(Number(read.value), read.unit) : Number(read.value);
    return Math.abs(value - wanted) <= 1e-9 * Math.abs(wanted);
  });
}
