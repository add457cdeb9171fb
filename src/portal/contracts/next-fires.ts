// What moves the contract next by itself. The owner sees the next few; everybody sees the first.

import { h } from 'preact';
import { useAsked } from '../kit/asked.ts';
import { Countdown } from '../machines/countdown.ts';
import { readNextFires } from '../machines/node.ts';
import type { ContractRecord } from '../machines/records.ts';
import { dateOfTick, inThousands } from '../machines/tick-words.ts';
import { key } from '../session.ts';

interface Props {
  readonly slug: string;
  readonly contract: ContractRecord;
  readonly isAtWork: boolean;
}

export function NextFires({ slug, contract, isAtWork }: Props) {
  const { id, next_fire, fire_count, status } = contract;
  const mine = key.value;
  const isAsked = mine !== undefined && !mine.isDemo && next_fire !== null;
  const { answer } = useAsked(isAsked ? `${mine.keyPrefix} ${next_fire} ${fire_count}` : undefined, (_, signal) =>
    readNextFires(slug, id, signal),
  );
  const first = answer?.find(({ svcond }) => svcond === next_fire)?.transition;
  const others = next_fire === null ? [] : (answer ?? []).filter(({ svcond }) => svcond > next_fire);
  return h(
    'section',
    { class: 'panel next-fires', 'aria-labelledby': 'next-title' },
    h('h2', { id: 'next-title' }, 'Next by itself'),
    next_fire === null || !isAtWork
      ? h('p', { class: 'quiet-text' }, waitsFor(status, isAtWork))
      : [
          h('p', { class: 'next-first' }, h(Countdown, { tick: next_fire })),
          h(
            'p',
            { class: 'quiet-text' },
            `${first === undefined ? '' : `${first}, `}tick ${inThousands(next_fire)}, ${dateOfTick(next_fire).toLocaleString()}`,
          ),
          others.length === 0
            ? null
            : h(
                'ol',
                { class: 'next-list' },
                others.map(({ svcond, transition }) =>
                  h(
                    'li',
                    { key: `${svcond} ${transition}` },
                    h('span', null, transition),
                    h('time', { dateTime: dateOfTick(svcond).toISOString() }, dateOfTick(svcond).toLocaleString()),
                  ),
                ),
              ),
        ],
  );
}

function waitsFor(status: ContractRecord['status'], isAtWork: boolean): string {
  if (status === 'paused') return 'It is paused: nothing fires, events are still counted.';
  if (status === 'completed') return 'It has come to its end.';
  if (status === 'failed') return 'It has failed: too many fires in a row were refused. Resume brings it back.';
  if (status === 'frozen') return 'It is frozen for good.';
  return isAtWork ? 'No timer is armed: it waits for an event.' : 'The machine is not active.';
}
