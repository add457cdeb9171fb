// Where a key is missing: what for, and where keys are kept.

import { h } from 'preact';

export function KeyNeeded({ what }: { readonly what: string }) {
  return h(
    'p',
    { class: 'quiet-text' },
    `${what} needs a key of a member. `,
    h('a', { href: '/keys', 'data-page': '' }, 'Enter yours'),
    ' or ',
    h('a', { href: '/machines', 'data-page': '' }, 'spin up a machine'),
    ' of your own.',
  );
}
