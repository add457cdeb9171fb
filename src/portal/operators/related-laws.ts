// Laws beside a law, each with the reason in words.

import { h } from 'preact';
import type { Meanings } from './formula.ts';
import { SymbolView } from './formula-view.ts';
import type { FullOperator } from './registry.ts';

type Related = FullOperator['related'][number];

/** What stands before and after the symbols. */
const WORDS: Readonly<Record<Related['relation'], readonly [before: string, after: string]>> = {
  gives: ['gives', ', which this law needs'],
  needs: ['needs', ', which this law gives'],
  same: ['also gives', ''],
  shares: ['also uses', ''],
};
/** More symbols than these are not named. */
const MAX_SYMBOLS = 4;

interface Props {
  readonly operator: FullOperator;
  readonly meanings: Meanings;
}

export function RelatedLaws({ operator: { related }, meanings }: Props) {
  if (related.length === 0) return null;
  return h(
    'section',
    { class: 'operator-related', 'aria-labelledby': 'related-title' },
    h('h2', { id: 'related-title' }, 'Related laws'),
    h(
      'ul',
      { class: 'related' },
      related.map(({ id, name, relation, symbols }) => {
        const [before, after] = WORDS[relation];
        return h(
          'li',
          { key: id, class: 'related-law' },
          h('a', { href: `/operators/${id}`, 'data-page': '' }, name),
          h(
            'span',
            { class: 'related-reason' },
            `${before} `,
            symbols
              .slice(0, MAX_SYMBOLS)
              .map((symbol, at) => [at === 0 ? '' : ', ', h(SymbolView, { key: symbol, name: symbol, meanings })]),
            symbols.length > MAX_SYMBOLS ? ' and more' : '',
            after,
          ),
        );
      }),
    ),
  );
}
