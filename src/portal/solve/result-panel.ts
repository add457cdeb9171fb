// Result of a solver run: live and final picture, value, and the evidence for its accuracy.

import type { Signal } from '@preact/signals';
import { h } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Solution } from '../../solvers/definition.ts';
import { type QuantityWords, quantityWords } from '../../solvers/quantity-words.ts';
import type { AnswerWords, UnitWords } from '../../solvers/solver-form.ts';
import { fact } from '../kit/fact.ts';
import { formatExact, formatMilliseconds, formatRounded, withUnit } from '../kit/format.ts';
import { Budget, measuredText, uncertaintyText } from '../kit/measured-value.ts';
import { Notice } from '../kit/notice.ts';
import { ReadoutValue } from '../kit/readout-value.ts';
import { type Refusals, Refused } from '../kit/use-refusals.ts';
import type { RunResult } from '../worker/messages.ts';
import { currentResult, type LocalRun } from './experiment.ts';
import { StaleNote } from './stale-note.ts';
import { inUnitWords, unitMeanings, withUnitWords } from './unit-words.ts';
import { usePictures } from './use-pictures.ts';

interface ResultPanelProps {
  readonly localRun: Signal<LocalRun>;
  readonly answer: AnswerWords | undefined;
  /** Of the quantities. */
  readonly words: QuantityWords | undefined;
  /** Of the units that are scales of the problem. */
  readonly units: readonly UnitWords[];
  /** Whether what is shown is of earlier inputs. */
  readonly isStale: boolean;
  /** What is said at the fields of the form. */
  readonly refused: Refusals;
}

export function ResultPanel({ localRun, answer, words = {}, units, isStale, refused }: ResultPanelProps) {
  const { pictures, error } = usePictures();
  const run = localRun.value;
  const liveFrame = run.state === 'running' ? run.liveFrame : undefined;
  const result = liveFrame ? undefined : currentResult(run);
  const solution = useMemo(() => result && withUnitWords(result.solution, units), [result, JSON.stringify(units)]);
  return h(
    'section',
    { class: `stage stage-${run.state}`, 'aria-label': 'Result', 'aria-busy': run.state === 'running' },
    h(Progress, { run }),
    run.state === 'failed' && !isStale ? h(Refused, { error: run.error, refused }) : null,
    run.state === 'failed' && isStale ? h(Idle, { reason: 'The inputs have changed.' }) : null,
    error === undefined
      ? null
      : h(Notice, {
          kind: 'error',
          title: 'The pictures could not be loaded.',
          text: 'The numbers below are still complete.',
        }),
    run.state === 'idle' ? h(Idle, { reason: run.reason }) : null,
    liveFrame && pictures ? h(pictures.Live, { frame: liveFrame }) : null,
    result !== undefined && isStale ? h(StaleNote, null) : null,
    result === undefined || solution === undefined
      ? null
      : h(
          'div',
          // Of earlier inputs nothing can be saved, copied or read out as the result.
          { class: 'stage-content', inert: isStale },
          h(Readout, { result, answer, units }),
          pictures ? h(pictures.Picture, { key: result.sha256, solution }) : null,
          h(Evidence, { result, solution, words }),
        ),
  );
}

function Progress({ run }: { readonly run: LocalRun }) {
  const fraction = run.state === 'running' ? run.fraction : 0;
  return h('progress', {
    class: 'stage-progress',
    max: 1,
    value: fraction,
    'aria-label': 'Progress of the run',
    'aria-hidden': run.state !== 'running',
  });
}

function Idle({ reason }: { readonly reason: string | undefined }) {
  return h(
    'div',
    { class: 'stage-idle' },
    h('p', null, reason ?? 'No result yet.'),
    h('p', null, 'Press Run to compute in this browser and on the server, and compare the results.'),
  );
}

interface ReadoutProps {
  readonly result: RunResult;
  readonly answer: AnswerWords | undefined;
  readonly units: readonly UnitWords[];
}

function Readout({ result, answer, units }: ReadoutProps) {
  const { value, uncertainty, converged } = result.solution;
  const { unit: sealed, uncertainty_budget: budget } = result.pure;
  const unit = inUnitWords(answer?.unit ?? sealed, units);
  const { series, fields, quantities } = result.solution;
  const meanings = unitMeanings([sealed, ...[...series, ...fields, ...quantities].map((part) => part.unit)], units);
  return h(
    'div',
    { class: 'readout' },
    answer === undefined ? null : h('p', { class: 'readout-name' }, answer.name),
    h(ReadoutValue, { value, uncertainty, unit }),
    h(
      'p',
      { class: 'readout-more' },
      uncertaintyText({ value, uncertainty, unit }, budget),
      converged ? null : h('strong', { class: 'warn' }, 'not converged'),
      h('span', null, `computed in this browser in ${formatMilliseconds(result.elapsedMs)}`),
    ),
    meanings.length === 0 ? null : h('p', { class: 'readout-units' }, meanings.join(' ')),
    h(Budget, { value, uncertainty, unit, budget }),
  );
}

interface EvidenceProps {
  readonly result: RunResult;
  /** Of the result, with words for its units. */
  readonly solution: Solution;
  readonly words: QuantityWords;
}

function Evidence({ result: { pure }, solution, words }: EvidenceProps) {
  const { witness, quantities, notes } = solution;
  return h(
    'div',
    { class: 'evidence' },
    h(
      'div',
      null,
      h('h2', null, 'Evidence'),
      h(
        'dl',
        { class: 'facts' },
        fact('reference method', witness.method),
        fact('reference value', formatExact(witness.reference)),
        witness.observedOrder === undefined ? null : fact('observed order', formatRounded(witness.observedOrder, 3)),
        pure.invariants.map(({ name, label = name, drift, bound, holds }) =>
          fact(
            label,
            `${holds ? 'satisfied' : 'VIOLATED'}: drift ${formatRounded(drift, 2)}, limit ${formatRounded(bound, 2)}`,
          ),
        ),
      ),
    ),
    h(
      'div',
      null,
      h('h2', null, 'Quantities'),
      h(
        'dl',
        { class: 'facts' },
        quantities.map(({ name, value, unit, uncertainty }) =>
          fact(
            quantityWords(words, name) ?? name.replaceAll('_', ' '),
            uncertainty === undefined
              ? withUnit(formatRounded(value, 6), unit)
              : measuredText({ value, uncertainty, unit }),
          ),
        ),
      ),
    ),
    notes.length === 0
      ? null
      : h(
          'ul',
          { class: 'notes' },
          notes.map((note) => h('li', { key: note }, note)),
        ),
  );
}
