// Activities of a contract that wait for a try, or for the contract; operators see them.

import { h } from 'preact';
import { pluralise } from '../kit/format.ts';
import { useQuery } from '../kit/use-query.ts';
import { listActivities } from '../machines/machine-api.ts';
import { formatTickDuration } from '../machines/tick-format.ts';
import { currentKey } from '../session.ts';

interface Props {
  readonly slug: string;
  readonly id: string;
  /** Newest row of the machine: a row starts them and tells their results. */
  readonly seq: number;
}

export function WaitingActivities({ slug, id, seq }: Props) {
  const apiKey = currentKey.value;
  const canList = apiKey !== undefined && !apiKey.isDemo;
  const { data = [] } = useQuery(canList ? `${apiKey.keyPrefix} ${slug} ${seq}` : undefined, (_, signal) =>
    listActivities(slug, signal),
  );
  const own = data.filter(({ contract }) => contract === id);
  if (own.length === 0) return null;
  return h(
    'section',
    { class: 'panel', 'aria-labelledby': 'activities-title' },
    h('h2', { id: 'activities-title' }, 'Activities'),
    h(
      'ol',
      { class: 'next-list' },
      own.map(({ seq: row, no, instance, call, tries, tries_max, has_result, created_svcond, next_svcond }) =>
        h(
          'li',
          { key: `${row} ${no}` },
          h('span', null, `${instance === null ? '' : `${instance}: `}${call}`),
          h(
            'span',
            { class: 'quiet-text' },
            has_result
              ? 'done, told when the contract runs'
              : `${pluralise(tries, 'try', 'tries')} of ${tries_max}, next ${formatTickDuration(Math.max(0, next_svcond - created_svcond))} after its start`,
          ),
        ),
      ),
    ),
  );
}
