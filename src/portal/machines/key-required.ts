// Note that an action requires a member's key, with links to get one.

import { h } from 'preact';

export function KeyRequired({ action }: { readonly action: string }) {
  return h(
    'p',
    { class: 'quiet-text' },
    `${action} requires the key of a member. `,
    h('a', { href: '/keys', 'data-page': '' }, 'Enter your key'),
    ' or ',
    h('a', { href: '/machines', 'data-page': '' }, 'spin up your own machine'),
    '.',
  );
}
