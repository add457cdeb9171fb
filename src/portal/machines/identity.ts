// What a machine is called outside this node, worked out here from its name and its first row.

import { h } from 'preact';
import { addressOf, idHash } from '../../chain/identity.ts';
import { CopyButton } from '../kit/copy-button.ts';
import { inGroups } from '../kit/format.ts';
import type { MachineRecord } from './records.ts';
import { dateOfTick, inThousands } from './tick-words.ts';

export function Identity({ machine }: { readonly machine: MachineRecord }) {
  const { slug, genesis_tick, genesis_hash, id_hash, address, head } = machine;
  const isOwn = isWorkedOut(machine);
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
        h('dd', null, h('code', null, inGroups(id_hash))),
        h(
          'dd',
          { class: 'identity-check', 'data-ok': isOwn },
          isOwn
            ? '✓ Follows from the name and the first row, worked out here.'
            : `✗ Does not follow from the name ${slug} and the first row.`,
        ),
      ),
      fact('first row', h('code', null, inGroups(genesis_hash)), null),
      fact('began', `${dateOfTick(genesis_tick).toLocaleString()}, tick ${inThousands(genesis_tick)}`, null),
      fact(
        'newest row',
        [
          `${inThousands(head.seq)}, tick ${inThousands(head.svcond)}`,
          h('br', null),
          h('code', null, inGroups(head.row_hash)),
        ],
        null,
      ),
    ),
  );
}

function isWorkedOut({ slug, genesis_hash, id_hash, address }: MachineRecord): boolean {
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
