// Countdown to a tick, as a duration and in ticks.

import { h } from 'preact';
import { dateTimeText } from '../kit/date-text.ts';
import { formatCount } from '../kit/format.ts';
import { useCurrentTick } from './current-tick.ts';
import { formatTickDuration, tickDate } from './tick-format.ts';

interface Props {
  readonly tick: number;
  /** Without the ticks, where many stand below each other. */
  readonly isBrief?: boolean;
}

export function Countdown({ tick, isBrief = false }: Props) {
  const now = useCurrentTick();
  const left = now === undefined ? undefined : tick - now;
  const date = tickDate(tick);
  const text =
    left === undefined
      ? `at ${dateTimeText(date)}`
      : left <= 0
        ? 'now'
        : `in ${formatTickDuration(left)}${isBrief ? '' : ` (${formatCount(left)} ${left === 1 ? 'tick' : 'ticks'})`}`;
  return h('time', { class: 'countdown', dateTime: date.toISOString(), title: dateTimeText(date) }, text);
}
