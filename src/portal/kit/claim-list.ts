// List of verified claims, each with its outcome and the reason for a failure.

import { h } from 'preact';
import { plainText } from '../../core/plain-text.ts';
import { type CheckedClaim, claimSentence } from '../../protocol/words/verdict.ts';

export type ClaimRow = CheckedClaim;

const OUTCOMES = {
  open: { mark: '·', word: 'not checked' },
  good: { mark: '✓', word: 'holds' },
  bad: { mark: '✗', word: 'fails' },
} as const;

const outcomeOf = ({ ok }: ClaimRow) => (ok === true ? 'good' : ok === false ? 'bad' : 'open');

export function ClaimList({ claims }: { readonly claims: readonly ClaimRow[] }) {
  return h(
    'ul',
    { class: 'claims' },
    claims.map((one) => {
      const { claim, reason } = one;
      const outcome = outcomeOf(one);
      const { mark, word } = OUTCOMES[outcome];
      return h(
        'li',
        { key: claim, class: `claim claim-${outcome}`, 'data-claim': claim },
        h('span', { class: 'claim-mark', 'aria-hidden': true }, mark),
        h(
          'span',
          { class: 'claim-text' },
          claimSentence(claim),
          h('span', { class: 'claim-word' }, word),
          reason === undefined || reason === '' ? null : h('span', { class: 'claim-reason' }, plainText(reason)),
        ),
      );
    }),
  );
}
