// Home page: what svc is in one sentence, a computation that runs as the page opens and is compared with the server's,
// a receipt to tamper with, and the ways into the rest.

import { h } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { AnswerWords, Example } from '../../solvers/solver-form.ts';
import '../style/cards.css';
import '../style/home.css';
import { errorNotice } from '../kit/error-notice.ts';
import { formatMilliseconds } from '../kit/format.ts';
import { uncertaintyText } from '../kit/measured-value.ts';
import { Notice } from '../kit/notice.ts';
import { ReadoutValue } from '../kit/readout-value.ts';
import { useQuery } from '../kit/use-query.ts';
import { currentResult, Experiment, solverSpec } from '../solve/experiment.ts';
import { loadDescription, type SolverDescription } from '../solve/solver-description.ts';
import { answerOf } from '../solve/unit-words.ts';
import { draftOf, urlOf } from '../solve/url.ts';
import { usePictures } from '../solve/use-pictures.ts';
import { Proof } from './proof.ts';

declare const __HOME_EXPERIMENT__: { readonly solver: string; readonly example: string };

const DOORS = [
  {
    name: 'Simulate',
    path: '/gallery',
    text: 'Choose an experiment from physics, medicine or finance, change its inputs, and run it in your browser.',
  },
  {
    name: 'Laws',
    path: '/operators',
    text: 'Look up a law of science or engineering, enter numbers with units, and get the answer with its error.',
  },
  {
    name: 'Contracts',
    path: '/templates',
    text: 'Write an agreement as states and deadlines; the server keeps the time and records every step for good.',
  },
  {
    name: 'Verify',
    path: '/verify',
    text: 'Drop a receipt or a history to see who signed it and whether anything was changed since.',
  },
] as const;

export function HomePage() {
  const { solver: id, example: title } = __HOME_EXPERIMENT__;
  const { data: solver, error, refetch } = useQuery(id, loadDescription);
  const example = solver?.examples.find((one) => one.title === title);
  return h(
    'div',
    { class: 'page home' },
    h(
      'header',
      { class: 'home-head' },
      h(
        'h1',
        null,
        'svc computes science and runs timed contracts, and signs every result so that anyone can check it to the last bit.',
      ),
    ),
    error !== undefined
      ? h(Notice, {
          kind: 'error',
          title: 'The experiment of this page could not be fetched.',
          text: 'You may be offline. The pages below may still work.',
          action: { label: 'Try again', run: refetch },
        })
      : solver && example
        ? h(LiveExperiment, { solver, example })
        : h('div', { class: 'home-experiment', 'aria-busy': true }),
    h(Doors, null),
  );
}

interface ExperimentProps {
  readonly solver: SolverDescription;
  readonly example: Example;
}

function LiveExperiment({ solver, example }: ExperimentProps) {
  const experiment = useMemo(() => new Experiment(solverSpec(solver)), [solver]);
  useEffect(() => {
    void experiment.run(example.input);
    return () => experiment.cancel();
  }, [experiment]);
  const answer = answerOf(solver, draftOf(solver, example.input));
  return h(
    'div',
    { class: 'home-experiment' },
    h(Stage, { experiment, solver, example, answer }),
    h(Proof, { experiment, answer, onRetry: () => void experiment.run(example.input) }),
  );
}

interface StageProps extends ExperimentProps {
  readonly experiment: Experiment;
  readonly answer: AnswerWords | undefined;
}

/** The field while it is computed and when it is, and the number. */
function Stage({ experiment, solver, example, answer }: StageProps) {
  const { pictures, error } = usePictures();
  const run = experiment.localRun.value;
  const frame = run.state === 'running' ? run.liveFrame : undefined;
  const result = frame ? undefined : currentResult(run);
  return h(
    'section',
    { class: 'home-stage', 'aria-labelledby': 'home-experiment', 'aria-busy': run.state === 'running' },
    h('h2', { id: 'home-experiment' }, example.title),
    h('p', { class: 'home-look' }, example.look ?? solver.summary),
    h(
      'div',
      { class: 'home-picture' },
      run.state === 'failed' ? h(Notice, errorNotice(run.error)) : null,
      error === undefined ? null : h(Notice, { kind: 'error', title: 'The picture could not be loaded.' }),
      frame && pictures ? h(pictures.Live, { frame }) : null,
      result && pictures
        ? h(pictures.Picture, {
            key: result.sha256,
            solution: { ...result.solution, plots: result.solution.plots.slice(0, 1) },
          })
        : null,
    ),
    h('div', { class: 'home-readout' }, result === undefined ? null : h(Readout, { answer, result })),
    h(
      'p',
      null,
      h(
        'a',
        { class: 'button', href: urlOf(solver, draftOf(solver, example.input)), 'data-page': '' },
        'Change the inputs',
      ),
    ),
  );
}

interface ReadoutProps {
  readonly answer: AnswerWords | undefined;
  readonly result: NonNullable<ReturnType<typeof currentResult>>;
}

function Readout({ answer, result: { solution, pure, elapsedMs } }: ReadoutProps) {
  const { value, uncertainty } = solution;
  const unit = answer?.unit ?? pure.unit;
  return [
    h('p', { key: 'name', class: 'readout-name' }, answer?.name ?? 'Result'),
    h(ReadoutValue, { key: 'value', value, uncertainty, unit }),
    h(
      'p',
      { key: 'more', class: 'readout-more' },
      uncertaintyText({ value, uncertainty, unit }, pure.uncertainty_budget),
      h('span', null, `computed in this browser in ${formatMilliseconds(elapsedMs)}`),
    ),
  ];
}

function Doors() {
  return h(
    'nav',
    { class: 'home-doors', 'aria-label': 'What you can do here' },
    DOORS.map(({ name, path, text }) =>
      h(
        'div',
        { key: path, class: 'card' },
        h('p', { class: 'card-head' }, h('a', { class: 'card-link', href: path, 'data-page': '' }, name)),
        h('p', { class: 'card-text' }, text),
      ),
    ),
  );
}
