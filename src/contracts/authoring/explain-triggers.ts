// The triggers of transitions, in words.

import { resultNamesOf } from '../calls/check.ts';
import type { Definition, PartyNames, Transition, Trigger } from '../definition.ts';
import { counted, spoken, type Words } from './words.ts';

type TriggerOf<Kind extends Trigger['kind']> = Extract<Trigger, { kind: Kind }>;

/** The beginning of a sentence: "When the buyer sends “pay”". */
export function triggerWords(
  definition: Definition,
  { trigger, by }: Transition,
  words: Words,
  saying: (given: PartyNames) => string,
): string {
  switch (trigger.kind) {
    case 'event': {
      if (resultNamesOf(definition).has(trigger.event))
        return `When “${trigger.event}” tells what became of an activity`;
      const { events = {}, parties } = definition;
      const from = by ?? events[trigger.event]?.from;
      const sender = from !== undefined ? saying(from) : parties === undefined ? 'somebody' : 'anybody';
      const own = trigger.self === true ? ', or this contract announces it' : '';
      return `When ${sender} sends “${trigger.event}”${own}`;
    }
    case 'on_aggregate':
      return aggregateWords(trigger, words);
    case 'windows':
      return 'Whenever an event enters a window that the condition reads, or grows too old for it';
    case 'quorum':
      return quorumWords(trigger, words, saying);
    case 'one_shot': {
      const { after, anchor } = trigger;
      return `${capital(words.length(after))} after ${anchorWords(anchor)}${retryWords(trigger, words)}${catchUpWords(trigger, words)}`;
    }
    case 'recurring': {
      const { every, offset, anchor, max_fires: max } = trigger;
      const first = offset === undefined ? '' : `, the first ${words.length(offset)} later`;
      const most = max === undefined ? '' : `, at most ${times(max)}`;
      return `Every ${words.length(every)} from ${anchorWords(anchor)} on${first}${most}${catchUpWords(trigger, words)}`;
    }
    case 'cron': {
      const { cron, tz = 'UTC' } = trigger;
      const at = /^[a-z]/.test(cron) ? words.expression(cron) : `“${cron}”`;
      return `At the times ${at} (minute, hour, day, month, weekday) in ${tz}${catchUpWords(trigger, words)}`;
    }
    case 'deadline': {
      const { after, at, since, extended_by: extension, anchor, past } = trigger;
      const begin = at ?? since;
      const longer = extension === undefined ? '' : `, extended by ${words.span(extension)}`;
      const when =
        after === undefined
          ? `On ${words.instant(at ?? '')}`
          : `${capital(lengthWords(after, words))} after ${begin === undefined ? anchorWords(anchor) : words.instant(begin)}${longer}`;
      const fired = past === 'fire' ? ', at once if that has passed' : '';
      return `${when}${placeWords(trigger)}${fired}${retryWords(trigger, words)}${catchUpWords(trigger, words)}`;
    }
    case 'schedule': {
      const { every, at, since, until, max_fires: max, anchor } = trigger;
      const begin = `from ${since === undefined ? anchorWords(anchor) : words.instant(since)} on`;
      const first = at === undefined ? begin : `from ${words.instant(at)} on`;
      const last = until === undefined ? '' : `, until ${words.instant(until)}`;
      const most = max === undefined ? '' : `, at most ${times(max)}`;
      return `Every ${lengthWords(every, words)} ${first}${last}${most}${placeWords(trigger)}${catchUpWords(trigger, words)}`;
    }
  }
}

const times = (max: number) => counted(max, 'time');

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const anchorWords = (anchor: 'entry' | 'deploy' | undefined) =>
  anchor === 'deploy' ? 'the deployment' : 'this state is entered';

/** What a window gives of its events. */
export const AGGREGATES: Readonly<Record<TriggerOf<'on_aggregate'>['fn'], string>> = {
  count: 'the number',
  sum: 'the sum',
  avg: 'the mean',
  min: 'the smallest',
  max: 'the largest',
  last: 'the last',
  distinct: 'the number of different values',
  range: 'the difference of the largest and the smallest',
};

function aggregateWords(trigger: TriggerOf<'on_aggregate'>, words: Words): string {
  const { event, fn, field, within, filter, min_count: least, since, evaluate } = trigger;
  const of = field === undefined ? '' : ` of ${spoken(field)}`;
  const chosen = filter === undefined ? '' : ` of those for which ${words.expression(filter)}`;
  const entry = since === 'entry' ? ' since this state was entered' : '';
  const moment = evaluate === 'arrival_and_expiry' ? 'arrives, or one grows too old' : 'arrives';
  const minimum =
    least === undefined ? '' : `, if there are at least ${typeof least === 'number' ? least : words.length(least)}`;
  return `Whenever “${event}” ${moment}: by ${AGGREGATES[fn]}${of} of “${event}” in the last ${words.length(within)}${entry}${chosen}${minimum}`;
}

function quorumWords(trigger: TriggerOf<'quorum'>, words: Words, saying: (given: PartyNames) => string): string {
  const { event, of, at_least: least, distinct, within, filter, veto, changes } = trigger;
  const needed = words.expression(String(least));
  const what = distinct === 'parties' ? 'parties' : 'voters';
  const parts = [
    `When ${needed} ${what} (${saying(of)}) have voted by “${event}”`,
    ...(within === undefined ? [] : [`within ${words.length(within)}`]),
    ...(filter === undefined ? [] : [`counting votes for which ${words.expression(filter)}`]),
    ...(veto === undefined ? [] : [`unless a vote stands for which ${words.expression(veto)}`]),
    changes === true ? 'where a later vote replaces the earlier one' : 'each once',
  ];
  return parts.join(', ');
}

const lengthWords = (given: string | { readonly business: string; readonly calendar: string }, words: Words) =>
  typeof given === 'string'
    ? words.span(given)
    : `${words.span(given.business)} of business by ${spoken(given.calendar)}`;

const ROLLS = {
  following: 'the next business day',
  modified_following: 'the next business day of that month, otherwise the last one before',
  preceding: 'the last business day before',
  modified_preceding: 'the last business day before in that month, otherwise the next one',
} as const;

/** Where and how a date is read. */
function placeWords(trigger: TriggerOf<'deadline'> | TriggerOf<'schedule'>): string {
  const { tz, calendar, roll, time, gap, overlap } = trigger;
  const parts = [
    ...(time === undefined ? [] : [`at ${time}`]),
    ...(tz === undefined ? [] : [`in ${tz}`]),
    ...(calendar === undefined ? [] : [`by the calendar ${spoken(calendar)}`]),
    ...(roll === undefined ? [] : [`moved to ${ROLLS[roll]} if that is no business day`]),
    ...(gap === 'shift' ? ['shifted if summer time skips it'] : []),
    ...(overlap === 'last' ? ['the later one if summer time repeats it'] : []),
  ];
  return parts.length === 0 ? '' : `, ${parts.join(', ')}`;
}

interface Retried {
  readonly retry_every?: number | string | undefined;
  readonly max_retries?: number | undefined;
}

function retryWords({ retry_every: every, max_retries: most }: Retried, words: Words): string {
  if (every === undefined) return '';
  return ` (tried again every ${words.length(every)}, at most ${counted(most ?? 100, 'time')}, while the condition is false)`;
}

interface CaughtUp {
  readonly catch_up?: 'one' | 'all' | 'skip' | undefined;
  readonly max_catch_up?: number | undefined;
  readonly grace?: number | string | undefined;
}

/** What happens to occurrences that were missed; one fire for all of them is not said. */
function catchUpWords({ catch_up: mode, max_catch_up: most, grace }: CaughtUp, words: Words): string {
  const parts = [
    ...(mode === 'skip' ? ['missed times are dropped'] : []),
    ...(mode === 'all' ? [`up to ${most ?? 100} missed times are made up for`] : []),
    ...(mode !== 'all' && most !== undefined ? [`up to ${most} missed times count`] : []),
    ...(grace === undefined ? [] : [`not if more than ${words.length(grace)} late`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}
