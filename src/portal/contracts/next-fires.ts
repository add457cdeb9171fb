// Next timer of a contract; account keys also see the following ones.

import { h } from 'preact';
import { dateTimeText } from '../kit/date-text.ts';
import { formatCount } from '../kit/format.ts';
import { useQuery } from '../kit/use-query.ts';
import { Countdown } from '../machines/countdown.ts';
import { listNextFires } from '../machines/machine-api.ts';
import type { ContractRecord } from '../machines/records.ts';
import { tickDate } from '../machines/tick-format.ts';
import { currentKey } from '../session.ts';

interface Props {
  readonly slug: string;
  readonly contract: ContractRecord;
  readonly isActive: boolean;
}

export function NextFires({ slug, contract, isActive }: Props) {
  const { id, next_fire, fire_count, status } = contract;
  const apiKey = currentKey.value;
  const canList = apiKey !== undefined && !apiKey.isDemo && next_fire !== null;
  const { data } = useQuery(canList ? `${apiKey.keyPrefix} ${next_fire} ${fire_count}` : undefined, (_, signal) =>
    listNextFires(slug, id, signal),
  );
  const first = data?.find(({ svcond }) => svcond === next_fire)?.transition;
  const later = next_fire === null ? [] : (data ?? []).filter(({ svcond }) => svcond > next_fire);
  return h(
    'section',
    { class: 'panel next-fires', 'aria-labelledby': 'next-title' },
    h('h2', { id: 'next-title' }, 'Next timer'),
    next_fire === null || !isActive
      ? h('p', { class: 'quiet-text' }, idleText(status, isActive))
      : [
          h('p', { class: 'next-first' }, h(Countdown, { tick: next_fire })),
          h(
            'p',
            { class: 'quiet-text' },
            `${first === undefined ? '' : `${first}, `}tick ${formatCount(next_fire)}, ${dateTimeText(tickDate(next_fire))}`,
          ),
          later.length === 0
            ? null
            : h(
                'ol',
                { class: 'next-list' },
                later.map(({ svcond, transition }) =>
                  h(
                    'li',
                    { key: `${svcond} ${transition}` },
                    h('span', null, transition),
                    h('time', { dateTime: tickDate(svcond).toISOString() }, dateTimeText(tickDate(svcond))),
                  ),
                ),
              ),
        ],
  );
}

function idleText(status: ContractRecord['status'], isActive: boolean): string {
  if (status === 'paused') return 'Paused: nothing fires; events are still counted.';
  if (status === 'completed') return 'Completed.';
  if (status === 'failed') return 'Failed: too many consecutive fires were refused. Resume reactivates it.';
  if (status === 'frozen') return 'Permanently frozen.';
  return isActive ? 'No timer is armed; waiting for an event.' : 'The machine is not active.';
}
