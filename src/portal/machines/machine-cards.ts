// Cards of machines, linked to their pages.

import { h } from 'preact';
import { pluralise } from '../kit/format.ts';
import { machinePath } from './breadcrumbs.ts';
import type { ActiveMachine, MachineRecord } from './records.ts';
import { StatusChip } from './status-chip.ts';

export function MachineCards({ machines }: { readonly machines: readonly MachineRecord[] }) {
  return h(
    'ul',
    { class: 'cards' },
    machines.map(({ slug, name, status, is_public, head, role }) =>
      h(
        'li',
        { key: slug, class: 'card' },
        h(
          'div',
          { class: 'card-head' },
          h('a', { class: 'card-link', href: machinePath(slug), 'data-page': '' }, name),
          status === 'active' ? null : h(StatusChip, { status }),
        ),
        h(
          'p',
          { class: 'card-more' },
          h('code', null, slug),
          h('span', null, pluralise(head.seq + 1, 'row')),
          is_public ? null : h('span', null, 'private'),
          role ? h('span', null, role) : null,
        ),
      ),
    ),
  );
}

export function ActiveMachineList({ machines }: { readonly machines: readonly ActiveMachine[] }) {
  return h(
    'ol',
    { class: 'active-list' },
    machines.map(({ slug, name, transitions }) =>
      h(
        'li',
        { key: slug },
        h('a', { href: machinePath(slug), 'data-page': '' }, name),
        h('span', { class: 'active-count' }, pluralise(transitions, 'transition')),
      ),
    ),
  );
}
