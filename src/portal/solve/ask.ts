// A question in words on the start page of the solvers: what the node understood, with the words that each input came from, before
// anything runs. The link opens the form of the solver or law with these inputs.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiOutput } from '../../client/client.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { formatExact, withUnit } from '../kit/format.ts';
import { Notice } from '../kit/notice.ts';
import { useRequest } from '../kit/use-request.ts';
import { callApiAsVisitor } from '../session.ts';

type Answer = ApiOutput<'auto.read'>;
type Dispatch = Answer['dispatch'];
type Alternative = Dispatch['alternatives'][number];

const EXAMPLE = 'Price of a European call, spot 100, strike 105, volatility 20 %, 6 months';

export function AskBox() {
  const [query, setQuery] = useState('');
  const [answer, setAnswer] = useState<Answer | undefined>(undefined);
  const request = useRequest();
  const read = (target?: string) =>
    request.run(async () => {
      setAnswer(undefined);
      setAnswer(await callApiAsVisitor('auto.read', target === undefined ? { query } : { query, target }));
    });
  const submit = (event: Event) => {
    event.preventDefault();
    if (query.trim() !== '') void read();
  };
  const others = answer === undefined ? alternativesOf(request.error) : answer.dispatch.alternatives;
  return h(
    'section',
    { class: 'ask', 'aria-label': 'A question in words' },
    h(
      'form',
      { class: 'ask-form', onSubmit: submit },
      h('label', { class: 'filter-label', for: 'ask-query' }, 'Ask in words'),
      h(
        'div',
        { class: 'ask-line' },
        h('input', {
          id: 'ask-query',
          type: 'text',
          maxLength: LIMITS.auto.characters,
          autocomplete: 'off',
          placeholder: EXAMPLE,
          value: query,
          onInput: (event: Event) => setQuery((event.target as HTMLInputElement).value),
        }),
        h('button', { type: 'submit', disabled: request.isBusy }, request.isBusy ? 'Reading …' : 'Read'),
      ),
    ),
    h(
      'div',
      { class: 'ask-answer', role: 'status' },
      request.error === undefined ? null : h(Notice, errorNotice(request.error)),
      answer === undefined ? null : h(Understood, { answer }),
      others.length === 0 ? null : h(Alternatives, { others, onPick: read }),
    ),
  );
}

function Understood({ answer: { dispatch, request } }: { readonly answer: Answer }) {
  const { target, confidence, inputs, defaults, unused } = dispatch;
  return [
    h(
      'p',
      { key: 'choice' },
      'Understood as ',
      h('strong', null, target.title),
      ` (${target.kind === 'law' ? target.id : `solver ${target.id}`}, confidence ${Math.round(100 * confidence)} %).`,
    ),
    inputs.length === 0
      ? null
      : h(
          'table',
          { key: 'inputs', class: 'ask-inputs' },
          h(
            'thead',
            null,
            h('tr', null, h('th', null, 'Input'), h('th', null, 'Value'), h('th', null, 'From the words')),
          ),
          h(
            'tbody',
            null,
            inputs.map(({ name, label, value, unit, words }) =>
              h(
                'tr',
                { key: name },
                h('th', { scope: 'row' }, label, ' ', h('code', null, name)),
                h('td', null, valueText(value, unit)),
                h('td', null, words === '' ? '' : `“${words}”`),
              ),
            ),
          ),
        ),
    unused.length === 0
      ? null
      : h(
          'p',
          { key: 'unused', class: 'ask-unused' },
          `Without a place: ${unused.join(', ')}. Check the inputs before you run.`,
        ),
    defaults.length === 0
      ? null
      : h(
          'p',
          { key: 'defaults', class: 'ask-defaults' },
          `By default: ${defaults.map(({ label, value, unit }) => `${label} ${valueText(value, unit)}`).join(', ')}.`,
        ),
    h(
      'a',
      { key: 'open', class: 'button primary', href: pageOf(dispatch, request), 'data-page': '' },
      'Open with these inputs',
    ),
  ];
}

function Alternatives({
  others,
  onPick,
}: {
  readonly others: readonly Alternative[];
  readonly onPick: (target: string) => void;
}) {
  return h(
    'p',
    { class: 'ask-others' },
    'Or: ',
    others.map(({ id, title }) =>
      h('button', { key: id, type: 'button', class: 'quiet', onClick: () => onPick(id) }, `${title} (${id})`),
    ),
  );
}

function valueText(value: unknown, unit: string): string {
  if (typeof value === 'number') return withUnit(formatExact(value), unit);
  return typeof value === 'string' ? value.replaceAll('\n', '; ') : JSON.stringify(value);
}

/** The page of the target with its inputs filled in. */
function pageOf({ target }: Pick<Dispatch, 'target'>, { body }: Answer['request']): string {
  const inputs = (target.kind === 'law' ? body.inputs : body) as Readonly<Record<string, unknown>>;
  const query = new URLSearchParams(
    Object.entries(inputs).map(([name, value]): [string, string] => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  ).toString();
  const path = target.kind === 'law' ? `/operators/${target.id}` : `/solve/${target.id}`;
  return query === '' ? path : `${path}?${query}`;
}

/** Those that a refusal lists. */
function alternativesOf(error: unknown): readonly Alternative[] {
  const listed = error instanceof DomainError ? error.facts.alternatives : undefined;
  return Array.isArray(listed) ? (listed as Alternative[]) : [];
}
