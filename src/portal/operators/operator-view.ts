// One operator: what it says, what its symbols mean, where it holds and who wrote it, and a place to try it.

import { type ComponentChildren, h } from 'preact';
import { useEffect } from 'preact/hooks';
import { DomainError } from '../../core/errors.ts';
import { parseEquation, parseExpression } from '../../expressions/parse.ts';
import { nodeCount } from '../../expressions/tree.ts';
import { PULSE_OPERATOR } from '../../operators/operator.ts';
import { useAsked } from '../kit/asked.ts';
import { noticeOf } from '../kit/errors.ts';
import { asSentence, inFull, unitOf, withUnit } from '../kit/format.ts';
import { Notice } from '../kit/notice.ts';
import { rangeOf } from './form.ts';
import { casesOf, type Meanings, termsOf } from './formula.ts';
import { Formula, SymbolView } from './formula-view.ts';
import { type FullOperator, readOperator } from './registry.ts';
import { TryOperator } from './try-operator.ts';

const TIERS = ['a definition', 'a fundamental law or exact result', 'a derived or empirical relation', 'advanced'];

export function OperatorView({ id }: { readonly id: string }) {
  const { answer: operator, error, again } = useAsked(id, readOperator);
  useEffect(() => {
    document.title = `${operator === undefined ? id : `${operator.name} (${id})`} · svc`;
  }, [id, operator]);
  return h(
    'div',
    { class: 'page operator', 'aria-busy': operator === undefined && error === undefined },
    h(Trail, { id, operator }),
    error === undefined ? null : h(Failure, { id, error, again }),
    operator === undefined ? null : h(Whole, { operator }),
  );
}

interface FailureProps {
  readonly id: string;
  readonly error: unknown;
  readonly again: () => void;
}

/** There may be no such operator, or no answer; only the second is worth another try. */
function Failure({ id, error, again }: FailureProps) {
  const isUnknown = error instanceof DomainError && error.code === 'OPERATOR_UNKNOWN';
  const notice = noticeOf(error);
  return [
    h('h1', null, id),
    isUnknown
      ? h(Notice, { ...notice, kind: 'empty' })
      : h(Notice, { ...notice, action: { label: 'Try again', run: again } }),
    isUnknown
      ? h('p', null, h('a', { href: `/operators?q=${encodeURIComponent(id)}`, 'data-page': '' }, `Look for ${id}`))
      : null,
  ];
}

/** The way back, one level after the other. */
function Trail({ id, operator }: { readonly id: string; readonly operator: FullOperator | undefined }) {
  return h(
    'nav',
    { class: 'trail', 'aria-label': 'Where this is' },
    h('a', { href: '/operators', 'data-page': '' }, 'Operators'),
    operator === undefined
      ? null
      : [
          slash('first'),
          h(
            'a',
            { key: 'domain', href: `/operators?domain=${encodeURIComponent(operator.prefix)}`, 'data-page': '' },
            operator.domain,
          ),
        ],
    slash('last'),
    h('span', { 'aria-current': 'page' }, id),
  );
}

const slash = (key: string) => h('span', { key, 'aria-hidden': true }, '/');

function Whole({ operator }: { readonly operator: FullOperator }) {
  const { id, name, tier, equation, where } = operator;
  const meanings = meaningsOf(operator);
  return [
    h(
      'header',
      { class: 'operator-head' },
      h('h1', null, name),
      h(
        'p',
        { class: 'operator-kind' },
        h('span', { class: 'chip' }, id),
        h('span', null, `Tier ${tier}: ${TIERS[tier]}`),
      ),
    ),
    h(
      'div',
      { class: `operator-top${isLong(operator) ? ' is-long' : ''}` },
      h(
        'section',
        { class: 'panel operator-law', 'aria-label': 'The law' },
        h(Formula, { equation, where, meanings }),
        h('p', { class: 'operator-text' }, h('code', null, equation)),
      ),
      h(
        'section',
        { class: 'operator-symbols', 'aria-labelledby': 'symbols-title' },
        h('h2', { id: 'symbols-title' }, 'Symbols'),
        h(Symbols, { operator, meanings }),
      ),
      h(Origin, { operator }),
    ),
    h(
      'section',
      { class: 'operator-try', 'aria-labelledby': 'try-title' },
      h('h2', { id: 'try-title' }, 'Try it'),
      id === PULSE_OPERATOR
        ? h(Notice, {
            kind: 'empty',
            title: `${PULSE_OPERATOR} is in every computation already.`,
            text: 'It stands first in every chain and is not computed by itself. Any other operator shows it among its equations.',
          })
        : h(TryOperator, { operator }),
    ),
  ];
}

/** A term with more parts is wider than half a window. */
const LONGEST_TERM = 20;

function isLong({ equation, where = {} }: FullOperator): boolean {
  const trees = [parseEquation(equation).expression, ...Object.values(where).map((text) => parseExpression(text))];
  const terms = trees.flatMap(casesOf).flatMap(({ value }) => termsOf(value));
  return terms.some((term) => nodeCount(term) > LONGEST_TERM);
}

/** What is known of every symbol, for the way it is written. */
function meaningsOf({ inputs, constants, output }: FullOperator): Meanings {
  const notes = Object.entries(constants).map(([name, { unit, note }]) => [name, { unit, description: note }] as const);
  return { ...inputs, ...Object.fromEntries(notes), [output.symbol]: output };
}

interface SymbolRow {
  readonly name: string;
  readonly meaning: ComponentChildren;
  readonly more: ComponentChildren;
}

function Symbols({ operator, meanings }: { readonly operator: FullOperator; readonly meanings: Meanings }) {
  const { inputs, constants, output } = operator;
  const rows: readonly SymbolRow[] = [
    { name: output.symbol, meaning: output.description ?? 'the result', more: unitWords(output.unit) },
    ...Object.entries(inputs).map(([name, input]) => ({
      name,
      meaning: input.description,
      more: [
        rangeOf(input) || unitWords(input.unit),
        input.default === undefined ? '' : `, ${inFull(input.default)} if not given`,
      ],
    })),
    ...Object.entries(constants).map(([name, { value, unit, note }]) => ({
      name,
      meaning: note,
      more: withUnit(inFull(value), unit),
    })),
  ];
  return h(
    'dl',
    { class: 'symbols' },
    rows.map(({ name, meaning, more }) =>
      h(
        'div',
        { key: name },
        h('dt', null, h(SymbolView, { name, meanings })),
        h('dd', null, meaning),
        h('dd', { class: 'symbol-more' }, more),
      ),
    ),
  );
}

const unitWords = (unit: string) => (unit === '1' ? 'a pure number' : `in ${unitOf(unit)}`);

function Origin({ operator }: { readonly operator: FullOperator }) {
  const { validity, source, variantOf, analogOf } = operator;
  const { cite, locator, doi } = source;
  const relation = (title: string, other: FullOperator['variantOf']) =>
    other === undefined
      ? null
      : fact(
          title,
          h('a', { href: `/operators/${other.id}`, 'data-page': '' }, other.id),
          `: ${asSentence(other.reason)}`,
        );
  return h(
    'section',
    { class: 'operator-origin', 'aria-labelledby': 'origin-title' },
    h('h2', { id: 'origin-title' }, 'Validity and source'),
    h(
      'dl',
      { class: 'facts' },
      fact('holds for', asSentence(validity)),
      fact(
        'source',
        asSentence(`${cite}, ${locator}`),
        doi === undefined
          ? null
          : [' ', h('a', { href: `https://doi.org/${doi}`, rel: 'noreferrer', target: '_blank' }, `doi:${doi}`)],
      ),
      relation('variant of', variantOf),
      relation('analogue of', analogOf),
    ),
  );
}

const fact = (name: string, ...content: ComponentChildren[]) =>
  h('div', { key: name }, h('dt', null, name), h('dd', null, content));
