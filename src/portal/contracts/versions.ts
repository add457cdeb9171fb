// Versions of a contract; every change creates a new version.

import { h } from 'preact';
import { dateTimeText } from '../kit/date-text.ts';
import { groupHex } from '../kit/format.ts';
import { useQuery } from '../kit/use-query.ts';
import { listVersions } from '../machines/machine-api.ts';
import { tickDate } from '../machines/tick-format.ts';
import { currentKey } from '../session.ts';

interface Props {
  readonly slug: string;
  readonly id: string;
  readonly current: number;
}

export function Versions({ slug, id, current }: Props) {
  const apiKey = currentKey.value;
  const { data, error } = useQuery(apiKey === undefined ? undefined : `${apiKey.keyPrefix} ${current}`, (_, signal) =>
    listVersions(slug, id, signal),
  );
  return h(
    'section',
    { class: 'panel versions', 'aria-labelledby': 'versions-title' },
    h('h2', { id: 'versions-title' }, 'Versions'),
    apiKey === undefined
      ? h('p', { class: 'quiet-text' }, `Version ${current} is current; enter a key to see all versions.`)
      : error !== undefined
        ? h('p', { class: 'quiet-text' }, `Version ${current} is current. The others could not be loaded.`)
        : h(
            'ol',
            { class: 'version-list' },
            (data ?? []).map(({ no, svcond, reason, definition_hash }) =>
              h(
                'li',
                { key: no, 'aria-current': no === current ? 'true' : undefined },
                h('strong', null, String(no)),
                h('span', null, reason),
                h('time', { dateTime: tickDate(svcond).toISOString() }, dateTimeText(tickDate(svcond))),
                h('code', { class: 'version-hash' }, groupHex(definition_hash.slice(0, 16))),
              ),
            ),
          ),
  );
}
