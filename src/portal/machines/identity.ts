// Identity of a machine, recomputed in the browser from its name and first row.

import { h } from 'preact';
import { addressOf, idHash } from '../../chain/identity.ts';
import { CopyButton } from '../kit/copy-button.ts';
import { dateTimeText } from '../kit/date-text.ts';
import { formatCount, groupHex } from '../kit/format.ts';
import type { MachineRecord } from './records.ts';
import { tickDate } from './tick-format.ts';

export function Identity({ machine }: { readonly machine: MachineRecord }) {
  const { slug, genesis_tick, genesis_hash, id_hash, address, head } = machine;
  const isValid = matchesFirstRow(machine);
  return h(
    'section',
    { class: 'panel identity', 'aria-labelledby': 'identity-title' },
    h('h2', { id: 'identity-title' }, 'Identity'),
    h(
      'dl',
      { class: 'stacked-facts' },
      fact('address', h('code', null, address), h(CopyButton, { label: 'Copy', text: () => address })),
      h(
        'div',
        null,
        h('dt', null, 'id_hash'),
        h('dd', null, h('code', null, groupHex(id_hash))),
        h(
          'dd',
          { class: 'identity-check', 'data-ok': isValid },
          isValid
            ? '✓ Matches the name and the first row (computed in this browser).'
            : `✗ Does not match the name ${slug} and the first row.`,
        ),
      ),
      fact('first row', h('code', null, groupHex(genesis_hash)), null),
      fact('created', `${dateTimeText(tickDate(genesis_tick))}, tick ${formatCount(genesis_tick)}`, null),
      fact(
        'newest row',
        [
          `${formatCount(head.seq)}, tick ${formatCount(head.svcond)}`,
          h('br', null),
          h('code', null, groupHex(head.row_hash)),
        ],
        null,
      ),
    ),
  );
}

function matchesFirstRow({ slug, genesis_hash, id_hash, address }: MachineRecord): boolean {
  try {
    const id = idHash(slug, genesis_hash);
    return id === id_hash && addressOf(id) === address;
  } catch {
    return false;
  }
}

const fact = (name: string, value: unknown, action: unknown) =>
  h(
    'div',
    { key: name },
    h('dt', null, name),
    h('dd', null, value as string),
    action ? h('dd', null, action as string) : null,
  );
