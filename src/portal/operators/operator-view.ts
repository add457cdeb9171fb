// Page of one operator: equation, symbols, validity, source and a form to try it.

import { type ComponentChildren, h } from 'preact';
import { useEffect } from 'preact/hooks';
import { DomainError } from '../../core/errors.ts';
import { parseEquation, parseExpression } from '../../expressions/parse.ts';
import { nodeCount } from '../../expressions/tree.ts';
import { PULSE_OPERATOR } from '../../operators/operator.ts';
import { accuracyText } from '../../operators/range.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { fact } from '../kit/fact.ts';
import { formatExact, formatUnit, withFullStop, withUnit } from '../kit/format.ts';
import { Notice } from '../kit/notice.ts';
import { useQuery } from '../kit/use-query.ts';
import { LAWS_PAGE } from '../page-paths.ts';
import { rangeLabel } from './form.ts';
import { casesOf, type Meanings, termsOf } from './formula.ts';
import { Formula, SymbolView } from './formula-view.ts';
import { type FullOperator, getOperator } from './registry.ts';
import { RelatedLaws } from './related-laws.ts';
import { TryOperator } from './try-operator.ts';
import { WorkedExamples } from './worked-examples.ts';

const TIERS = ['a definition', 'a fundamental law or exact result', 'a derived or empirical relation', 'advanced'];

export function OperatorView({ id }: { readonly id: string }) {
  const { data: operator, error, refetch } = useQuery(id, getOperator);
  useEffect(() => {
    document.title = `${operator === undefined ? id : `${operator.name} (${id})`} · svc`;
  }, [id, operator]);
  return h(
    'div',
    { class: 'page operator', 'aria-busy': operator === undefined && error === undefined },
    h(OperatorBreadcrumbs, { id, operator }),
    error === undefined ? null : h(Failure, { id, error, retry: refetch }),
    operator === undefined ? null : h(OperatorDetails, { operator }),
  );
}

interface FailureProps {
  readonly id: string;
  readonly error: unknown;
  readonly retry: () => void;
}

/** Offers a retry unless the operator is unknown. */
function Failure({ id, error, retry }: FailureProps) {
  const isUnknown = error instanceof DomainError && error.code === 'OPERATOR_UNKNOWN';
  const notice = errorNotice(error);
  return [
    h('h1', null, id),
    isUnknown
      ? h(Notice, { ...notice, kind: 'empty' })
      : h(Notice, { ...notice, action: { label: 'Try retry', run: retry } }),
    isUnknown
      ? h('p', null, h('a', { href: `/operators?q=${encodeURIComponent(id)}`, 'data-page': '' }, `Search for ${id}`))
      : null,
  ];
}

function OperatorBreadcrumbs({ id, operator }: { readonly id: string; readonly operator: FullOperator | undefined }) {
  return h(
    'nav',
    { class: 'breadcrumbs', 'aria-label': 'Breadcrumbs' },
    h('a', { href: LAWS_PAGE.path, 'data-page': '' }, LAWS_PAGE.name),
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

function OperatorDetails({ operator }: { readonly operator: FullOperator }) {
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
        { class: 'panel operator-law', 'aria-label': 'Equation' },
        h(Formula, { equation, where, meanings }),
        h('p', { class: 'operator-text' }, h('code', null, equation)),
      ),
      h(
        'section',
        { class: 'operator-symbols', 'aria-labelledby': 'symbols-title' },
        h('h2', { id: 'symbols-title' }, 'Symbols'),
        h(Symbols, { operator, meanings }),
      ),
      h(SourceSection, { operator }),
    ),
    h(
      'section',
      { class: 'operator-try', 'aria-labelledby': 'try-title' },
      h('h2', { id: 'try-title' }, 'Try it'),
      id === PULSE_OPERATOR
        ? h(Notice, {
            kind: 'empty',
            title: `${PULSE_OPERATOR} is part of every computation.`,
            text: 'It is the first operator of every chain and cannot run alone. See the equations of any other operator.',
          })
        : h(TryOperator, { operator }),
    ),
    h(
      'div',
      { class: 'operator-more' },
      h(WorkedExamples, { operator, meanings }),
      h(RelatedLaws, { operator, meanings }),
    ),
  ];
}

/** A term with more nodes is wider than half a window. */
const MAX_TERM_NODES = 20;

function isLong({ equation, where = {} }: FullOperator): boolean {
  const trees = [parseEquation(equation).expression, ...Object.values(where).map((text) => parseExpression(text))];
  const terms = trees.flatMap(casesOf).flatMap(({ value }) => termsOf(value));
  return terms.some((term) => nodeCount(term) > MAX_TERM_NODES);
}

/** Units and descriptions of all symbols, for their notation. */
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
    { name: output.symbol, meaning: output.description ?? 'the result', more: unitText(output.unit) },
    ...Object.entries(inputs).map(([name, input]) => ({
      name,
      meaning: input.description,
      more: [
        rangeLabel(input) || unitText(input.unit),
        input.default === undefined ? '' : `, default ${formatExact(input.default)}`,
      ],
    })),
    ...Object.entries(constants).map(([name, { value, unit, note }]) => ({
      name,
      meaning: note,
      more: withUnit(formatExact(value), unit),
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

const unitText = (unit: string) => (unit === '1' ? 'dimensionless' : `in ${formatUnit(unit)}`);

function SourceSection({ operator }: { readonly operator: FullOperator }) {
  const { requires, validity, accuracy, output, source, variantOf, analogOf } = operator;
  const { cite, locator, doi } = source;
  const relation = (title: string, other: FullOperator['variantOf']) =>
    other === undefined
      ? null
      : fact(
          title,
          h('a', { href: `/operators/${other.id}`, 'data-page': '' }, other.id),
          `: ${withFullStop(other.reason)}`,
        );
  return h(
    'section',
    { class: 'operator-origin', 'aria-labelledby': 'origin-title' },
    h('h2', { id: 'origin-title' }, 'Validity and source'),
    h(
      'dl',
      { class: 'facts' },
      requires === undefined ? null : fact('requires', withFullStop(requires.join(', '))),
      fact('valid for', withFullStop(validity)),
      accuracy === undefined ? null : fact('accuracy', withFullStop(accuracyText(accuracy, output.unit))),
      fact(
        'source',
        withFullStop(`${cite}, ${locator}`),
        doi === undefined
          ? null
          : [' ', h('a', { href: `https://doi.org/${doi}`, rel: 'noreferrer', target: '_blank' }, `doi:${doi}`)],
      ),
      relation('variant of', variantOf),
      relation('analogue of', analogOf),
    ),
  );
}
