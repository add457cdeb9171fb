// The value of an operator, how far it can be trusted, and the equations with numbers in place of symbols.

import type { Signal } from '@preact/signals';
import { h } from 'preact';
import type { Quantities } from '../../protocol/chain-request.ts';
import { noticeOf } from '../kit/errors.ts';
import { inFull, inMilliseconds, inShort, withUnit } from '../kit/format.ts';
import { Notice } from '../kit/notice.ts';
import { ReadoutValue } from '../kit/readout-value.ts';
import { type Here, solvedIn } from '../solve/experiment.ts';
import type { Solved } from '../work/messages.ts';
import type { FullOperator } from './registry.ts';

interface ResultProps {
  readonly operator: FullOperator;
  readonly quantities: Quantities;
  readonly here: Signal<Here>;
}

export function Result({ operator, quantities, here }: ResultProps) {
  const now = here.value;
  const solved = solvedIn(now);
  return h(
    'section',
    { class: `stage stage-${now.state} value-stage`, 'aria-label': 'Result', 'aria-busy': now.state === 'running' },
    now.state === 'failed' ? h(Notice, noticeOf(now.error)) : null,
    now.state === 'idle'
      ? h('div', { class: 'stage-idle' }, h('p', null, now.why ?? 'Nothing has been computed yet.'))
      : null,
    solved === undefined ? null : h(Shown, { operator, quantities, solved }),
  );
}

interface ShownProps extends Omit<ResultProps, 'here'> {
  readonly solved: Solved;
}

function Shown({ operator, quantities, solved }: ShownProps) {
  const { pure, elapsedMs } = solved;
  const { value, unit, uncertainty, verification, equations, precisionBound } = pure;
  const example = operator.examples.find(({ inputs }) => isSame(inputs, quantities));
  return [
    h(
      'div',
      { class: 'readout' },
      h(ReadoutValue, { value, unit }),
      h(
        'p',
        { class: 'readout-more' },
        h('span', null, `± ${withUnit(inShort(uncertainty, 2), unit)}`),
        h('span', null, `computed in this browser in ${inMilliseconds(elapsedMs)}`),
      ),
    ),
    h(
      'dl',
      { class: 'facts' },
      fact('second way', verification.method),
      fact('gives', `${withUnit(inFull(verification.reference), unit)}, ${apart(verification.ulp)}`),
      fact('claimed bound', `${inShort(precisionBound, 2)} of the value`),
      example === undefined
        ? null
        : fact('the example says', `${withUnit(inFull(example.expected), unit)} (${example.source})`),
    ),
    h('h3', { class: 'equations-title' }, 'Equations with their numbers'),
    h(
      'ol',
      { class: 'equations' },
      equations.map((text) => h('li', { key: text }, h('code', null, text))),
    ),
  ];
}

const fact = (name: string, text: string) => h('div', { key: name }, h('dt', null, name), h('dd', null, text));

const apart = (ulp: number) =>
  ulp === 0 ? 'the same bits' : ulp === 1 ? 'one last binary place apart' : `${ulp} last binary places apart`;

function isSame(inputs: Quantities['inputs'], { inputs: given, units, uncertainties }: Quantities): boolean {
  if (units !== undefined || uncertainties !== undefined) return false;
  const names = new Set([...Object.keys(inputs), ...Object.keys(given)]);
  return [...names].every((name) => inputs[name] === given[name]);
}
