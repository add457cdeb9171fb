// The versions of a contract: every change is a new one, and none is lost.

import { h } from 'preact';
import { useAsked } from '../kit/asked.ts';
import { inGroups } from '../kit/format.ts';
import { readVersions } from '../machines/node.ts';
import { dateOfTick } from '../machines/tick-words.ts';
import { key } from '../session.ts';

interface Props {
  readonly slug: string;
  readonly id: string;
  readonly current: number;
}

export function Versions({ slug, id, current }: Props) {
  const mine = key.value;
  const { answer, error } = useAsked(mine === undefined ? undefined : `${mine.keyPrefix} ${current}`, (_, signal) =>
    readVersions(slug, id, signal),
  );
  return h(
    'section',
    { class: 'panel versions', 'aria-labelledby': 'versions-title' },
    h('h2', { id: 'versions-title' }, 'Versions'),
    mine === undefined
      ? h('p', { class: 'quiet-text' }, `It is at version ${current}; any key shows all of them.`)
      : error !== undefined
        ? h('p', { class: 'quiet-text' }, `It is at version ${current}. The others cannot be shown now.`)
        : h(
            'ol',
            { class: 'version-list' },
            (answer ?? []).map(({ no, svcond, reason, definition_hash }) =>
              h(
                'li',
                { key: no, 'aria-current': no === current ? 'true' : undefined },
                h('strong', null, String(no)),
                h('span', null, reason),
                h('time', { dateTime: dateOfTick(svcond).toISOString() }, dateOfTick(svcond).toLocaleString()),
                h('code', { class: 'version-hash' }, inGroups(definition_hash.slice(0, 16))),
              ),
            ),
          ),
  );
}
