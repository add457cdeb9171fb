// Numbers that others printed for a law, beside those that it gives here; without any, an example of the registry.

import { type ComponentChildren, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { formatExact, formatRounded, withFullStop, withUnit } from '../kit/format.ts';
import { workerClient } from '../worker/worker-client.ts';
import { draftOf, urlOf } from './draft.ts';
import type { Meanings } from './formula.ts';
import { SymbolView } from './formula-view.ts';
import type { FullOperator } from './registry.ts';

interface Props {
  readonly operator: FullOperator;
  readonly meanings: Meanings;
}

export function WorkedExamples({ operator, meanings }: Props) {
  const { published = [], examples } = operator;
  const [example] = examples;
  const isPublished = published.length > 0;
  if (!isPublished && example === undefined) return null;
  return h(
    'section',
    { class: 'operator-checks', 'aria-labelledby': 'checks-title' },
    h('h2', { id: 'checks-title' }, isPublished ? 'Check against the textbook' : 'Worked example'),
    isPublished
      ? published.map((value, at) => h(PublishedCheck, { key: at, operator, meanings, value }))
      : h(
          Check,
          { operator, meanings, inputs: example?.inputs ?? {} },
          ' this law gives ',
          h('strong', null, withUnit(formatExact(example?.expected ?? Number.NaN), operator.output.unit)),
          `. Checked: ${withFullStop(example?.source ?? '')}`,
        ),
  );
}

type Published = NonNullable<FullOperator['published']>[number];

function PublishedCheck({ operator, meanings, value: published }: Props & { readonly value: Published }) {
  const {
    inputs,
    value: printed,
    tolerance,
    source: { cite, locator, url },
  } = published;
  const own = useValue(operator, inputs);
  const { unit } = operator.output;
  return h(
    Check,
    { operator, meanings, inputs },
    ' the source prints ',
    h('strong', null, withUnit(`${formatExact(printed)} ± ${formatExact(tolerance)}`, unit)),
    own === undefined
      ? '. '
      : [
          ', this law gives ',
          h('strong', { key: 'own' }, withUnit(formatRounded(own, 8), unit)),
          Math.abs(own - printed) <= tolerance ? ': they agree. ' : ': they differ. ',
        ],
    h('a', { href: url, rel: 'noreferrer', target: '_blank' }, `${cite}, ${locator}`),
  );
}

interface CheckProps extends Props {
  readonly inputs: Readonly<Record<string, number>>;
  readonly children?: ComponentChildren;
}

function Check({ operator, meanings, inputs, children }: CheckProps) {
  const filled = draftOf(operator, { inputs, expected: Number.NaN, source: '' });
  return h(
    'div',
    { class: 'check' },
    h(
      'p',
      null,
      'With ',
      Object.entries(inputs).map(([name, value], at) => [
        at === 0 ? '' : ', ',
        h(SymbolView, { key: name, name, meanings }),
        ` = ${withUnit(formatExact(value), operator.inputs[name]?.unit ?? '1')}`,
      ]),
      children,
    ),
    h('a', { class: 'check-link', href: urlOf(operator, filled), 'data-page': '' }, 'Put these numbers in the form'),
  );
}

/** Of the law for these inputs, computed in the browser; undefined as long as it is not there. */
function useValue(operator: FullOperator, inputs: Published['inputs']): number | undefined {
  const [value, setValue] = useState<number | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    workerClient.request('compute', { operator, domain: operator.domain, quantities: { inputs } }).then(
      ({ pure }) => isCurrent && setValue(pure.value),
      // Without a value the numbers of the source stand alone.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [operator, inputs]);
  return value;
}
