// Result of an operator: value, uncertainty, reference value and the equations with numbers inserted.

import type { Signal } from '@preact/signals';
import { h } from 'preact';
import type { Quantities } from '../../protocol/chain-request.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { fact } from '../kit/fact.ts';
import { formatExact, formatMilliseconds, formatRounded, withUnit } from '../kit/format.ts';
import { Budget, measuredText, uncertaintyText } from '../kit/measured-value.ts';
import { Notice } from '../kit/notice.ts';
import { ReadoutValue } from '../kit/readout-value.ts';
import { currentResult, type LocalRun } from '../solve/experiment.ts';
import { StaleNote } from '../solve/stale-note.ts';
import type { RunResult } from '../worker/messages.ts';
import type { FullOperator } from './registry.ts';

interface ResultProps {
  readonly operator: FullOperator;
  readonly quantities: Quantities;
  readonly localRun: Signal<LocalRun>;
  /** Whether what is shown is of earlier inputs. */
  readonly isStale: boolean;
}

export function OperatorResult({ operator, quantities, localRun, isStale }: ResultProps) {
  const run = localRun.value;
  const result = currentResult(run);
  return h(
    'section',
    { class: `stage stage-${run.state} value-stage`, 'aria-label': 'Result', 'aria-busy': run.state === 'running' },
    run.state === 'failed' && !isStale ? h(Notice, errorNotice(run.error)) : null,
    run.state === 'idle' ? h('div', { class: 'stage-idle' }, h('p', null, run.reason ?? 'No result yet.')) : null,
    result !== undefined && isStale ? h(StaleNote, null) : null,
    result === undefined
      ? null
      : h('div', { class: 'stage-content', inert: isStale }, h(ResultDetails, { operator, quantities, result })),
  );
}

interface ResultDetailsProps extends Omit<ResultProps, 'localRun' | 'isStale'> {
  readonly result: RunResult;
}

function ResultDetails({ operator, quantities, result }: ResultDetailsProps) {
  const { pure, elapsedMs } = result;
  const { value, unit, uncertainty, uncertainty_budget: budget, verification, equations, precisionBound } = pure;
  const example = operator.examples.find(({ inputs }) => isEqual(inputs, quantities));
  return [
    h(
      'div',
      { class: 'readout' },
      h(ReadoutValue, { value, uncertainty, unit }),
      h(
        'p',
        { class: 'readout-more' },
        h('span', null, uncertaintyText({ value, uncertainty, unit }, budget)),
        h('span', null, `computed in this browser in ${formatMilliseconds(elapsedMs)}`),
      ),
    ),
    h(Budget, { value, uncertainty, unit, budget }),
    h(
      'dl',
      { class: 'facts' },
      ...rootFacts(pure),
      fact('reference method', verification.method),
      fact('reference value', `${withUnit(formatExact(verification.reference), unit)}, ${ulpText(verification.ulp)}`),
      fact('error bound', `${formatRounded(precisionBound, 2)} of the value`),
      example === undefined
        ? null
        : fact('example', `${withUnit(formatExact(example.expected), unit)} (${example.source})`),
    ),
    h('h3', { class: 'equations-title' }, 'Equations with values'),
    h(
      'ol',
      { class: 'equations' },
      equations.map((text) => h('li', { key: text }, h('code', null, text))),
    ),
  ];
}

/** All roots of the unknown, and whether that is proved. */
function rootFacts({ solve_for: symbol, quantities, complete }: RunResult['pure']) {
  if (symbol === undefined) return [];
  const proof = complete === true ? 'all in its range, as proved' : 'found in its range; there may be others';
  const roots = quantities.map(({ value, unit, uncertainty = 0 }) => measuredText({ value, unit, uncertainty }));
  return [fact(`${symbol}, ${proof}`, roots.join(', '))];
}

const ulpText = (ulp: number) => (ulp === 0 ? 'identical bits' : `${ulp} ulp apart`);

function isEqual(inputs: Quantities['inputs'], { inputs: given, units, uncertainties }: Quantities): boolean {
  if (units !== undefined || uncertainties !== undefined) return false;
  const names = new Set([...Object.keys(inputs), ...Object.keys(given)]);
  return [...names].every((name) => inputs[name] === given[name]);
}
