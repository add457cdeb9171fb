// The sources of ± as one stacked bar with its legend, and as the table behind it.

import { h } from 'preact';
import type { UncertaintyPart } from '../../protocol/pure-fields.ts';
import { SOURCE_WORDS, shareText } from '../../protocol/words/budget.ts';
import { formatRounded, withUnit } from './format.ts';

type Share = UncertaintyPart & { readonly share: number };

/** A part of the bar; `of` names the input that it is from. */
type Piece = Pick<Share, 'source' | 'share'> & { readonly of?: string };

interface BarProps {
  readonly parts: readonly Share[];
  /** Of the part of the inputs, by symbol. */
  readonly inputShares?: Readonly<Record<string, number>> | undefined;
}

/** Nothing for a single source, which the text beside ± names. */
export function BudgetBar({ parts, inputShares }: BarProps) {
  const shown = parts.flatMap((part) => piecesOf(part, inputShares)).filter(({ share }) => share > 0);
  if (shown.length < 2) return null;
  const text = shown.map(({ source, share, of }) => `${source}${ofText(of)} ${shareText(share)}`).join(', ');
  return h(
    'figure',
    { class: 'budget-figure' },
    h('figcaption', null, 'Where ± comes from'),
    h(
      'div',
      { class: 'budget-bar', role: 'img', 'aria-label': `Shares of ±: ${text}.` },
      shown.map(({ share }, at) =>
        h('span', { key: at, class: `budget-part budget-part-${at % COLOURS}`, style: { flexGrow: share } }),
      ),
    ),
    h(
      'ul',
      { class: 'budget-legend' },
      shown.map(({ source, share, of }, at) =>
        h(
          'li',
          { key: at },
          h('span', { class: `budget-swatch budget-part-${at % COLOURS}`, 'aria-hidden': true }),
          h('strong', null, `${shareText(share)} ${source}${ofText(of)}`),
          `: ${SOURCE_WORDS[source]}`,
        ),
      ),
    ),
  );
}

const ofText = (of: string | undefined) => (of === undefined ? '' : ` (${of})`);

function piecesOf({ source, share }: Share, inputShares: BarProps['inputShares'] = {}): readonly Piece[] {
  const inputs = Object.entries(inputShares);
  if ((source !== 'inputs' && source !== 'propagation') || inputs.length === 0) return [{ source, share }];
  return inputs.map(([of, part]) => ({ source, share: share * part, of }));
}

/** Colours of the series of a chart. */
const COLOURS = 5;

export function BudgetTable({ parts, unit }: Pick<BarProps, 'parts'> & { readonly unit: string }) {
  return h(
    'div',
    // Wide tables scroll in narrow windows, also by keyboard.
    { class: 'budget-table', tabIndex: 0, role: 'group', 'aria-label': 'Sources of ±' },
    h(
      'table',
      null,
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          ['source', 'share of ±', 'size', 'derived from'].map((title) => h('th', { key: title, scope: 'col' }, title)),
        ),
      ),
      h(
        'tbody',
        null,
        parts.map(({ source, kind, value, basis, share }, at) =>
          h(
            'tr',
            { key: at },
            h('th', { scope: 'row' }, source),
            h('td', null, shareText(share)),
            h(
              'td',
              null,
              `${kind === 'bound' ? 'at most' : 'standard deviation'} ${withUnit(formatRounded(value, 2), unit)}`,
            ),
            h('td', null, basis === '' ? SOURCE_WORDS[source] : basis),
          ),
        ),
      ),
    ),
  );
}
