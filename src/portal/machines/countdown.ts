// How long until a tick, in ticks and in time of people.

import { h } from 'preact';
import { useTick } from './present-tick.ts';
import { dateOfTick, inThousands, inTime } from './tick-words.ts';

export function Countdown({ tick }: { readonly tick: number }) {
  const now = useTick();
  const left = now === undefined ? undefined : tick - now;
  const date = dateOfTick(tick);
  const text =
    left === undefined
      ? `at ${date.toLocaleString()}`
      : left <= 0
        ? 'now'
        : `in ${inTime(left)} (${inThousands(left)} ${left === 1 ? 'tick' : 'ticks'})`;
  return h('time', { class: 'countdown', dateTime: date.toISOString(), title: date.toLocaleString() }, text);
}
