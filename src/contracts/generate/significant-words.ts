// Advice on how to rephrase what was not understood, by the kind of word: a negation, a condition, a time, a payment.

import { PEOPLE, singular } from './names.ts';
import { NUMBER_WORDS } from './quantities.ts';
import { words } from './token-cursor.ts';
import type { Token } from './tokens.ts';

const NEGATIONS: ReadonlySet<string> = words(
  'not no never none nor neither nobody nothing cannot without dont doesnt wont cant unless except excepting excluding ignoring hardly rarely stops stopped longer',
);
const CHOICES: ReadonlySet<string> = words('or either otherwise else instead but');
const CONDITIONS: ReadonlySet<string> = words(
  'if when whenever once until till while whilst before after since provided only upon above below over under between more less least most than greater higher lower fewer exceeds exceed equal equals',
);
/** Names of times, which are no events. */
export const TIMES: ReadonlySet<string> = words(
  'second seconds minute minutes hour hours day days week weeks month months year years tick ticks every each per during within twice times daily hourly weekly monthly yearly annually quarterly today tomorrow tonight night morning evening noon midnight am pm sunday sundays monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday saturdays weekday weekdays weekend weekends january february march april may june july august september october november december',
);
const ZONES: ReadonlySet<string> = words(
  'est edt cst cdt mst mdt pst pdt cet cest bst ist jst aest gmt local timezone',
);
const PAYMENTS: ReadonlySet<string> = words('pay pays transfer transfers give gives charge charges bill bills');
const CALLS: ReadonlySet<string> = words('webhook webhooks');

type Significance =
  | 'negation'
  | 'choice'
  | 'condition'
  | 'clock'
  | 'zone'
  | 'time'
  | 'number'
  | 'address'
  | 'payment'
  | 'people';

/** What an unparsed token would have changed; undefined for any other word. */
function significanceOf({ kind, value }: Token): Significance | undefined {
  switch (kind) {
    case 'clock':
      return 'clock';
    case 'zone':
      return 'zone';
    case 'url':
      return 'address';
    case 'number':
    case 'text':
      return 'number';
    case 'sign':
      return /^[<>=]/.test(value) ? 'condition' : undefined;
    case 'word':
      return significanceOfWord(value);
    case 'end':
      return undefined;
  }
}

function significanceOfWord(word: string): Significance | undefined {
  if (NEGATIONS.has(word) || word.endsWith("n't")) return 'negation';
  if (CHOICES.has(word)) return 'choice';
  if (CONDITIONS.has(word)) return 'condition';
  if (ZONES.has(word)) return 'zone';
  if (TIMES.has(word)) return 'time';
  if (CALLS.has(word)) return 'address';
  if (PAYMENTS.has(word)) return 'payment';
  if (PEOPLE.has(singular(word))) return 'people';
  return NUMBER_WORDS.has(word) ? 'number' : undefined;
}

/** How to rephrase each kind; of several, the first in this list helps most. */
const ADVICE: readonly (readonly [Significance, string])[] = [
  ['clock', 'A time of day is 00:00 to 23:59, 9am or noon: "every day at 09:00 Europe/Berlin emit report".'],
  ['zone', 'A time zone is UTC or a name such as Europe/Berlin.'],
  ['address', 'A webhook needs an address: "when payment arrives call webhook https://example.org/hook".'],
  [
    'payment',
    'A payment says how much, who pays and who is paid: "when order arrives pay 10 credits from bob to alice", "every day charge 1 credit from carol".',
  ],
  [
    'people',
    'Events are counted, not people, of whom one may act twice; name an event for each: "when first_approval arrives emit half. when second_approval arrives approve".',
  ],
  [
    'choice',
    'Say each case as a sentence of its own: "when temperature above 80 emit alarm. when temperature below 10 emit alarm".',
  ],
  [
    'negation',
    'Say when it does happen, or what ends it: "when temperature is at most 80 emit calm", "after 30 days expire unless paid", "when there is no heartbeat for 30 minutes emit lost".',
  ],
  [
    'time',
    'How long is said of a number of events: "when temperature above 80 for 3 times within 5 minutes emit alarm", "when the minimum temperature over 5 minutes is above 80 emit alarm"; how often as "every 5 minutes" or "every monday at 09:00".',
  ],
];
const GENERAL_ADVICE =
  'Say what sets it off, an event by one name, and what it does: emit, call webhook, log, set, pay, or a verb such as approve, close, lock, shut: "when temperature above 80 emit alarm. when signup arrives approve".';

/**
 * @param unparsed  tokens that no rule matched
 * @param hasRules  without rules an unparsed time is not the main problem
 */
export function adviceFor(unparsed: readonly Token[], hasRules: boolean): string {
  const kinds = new Set(unparsed.map(significanceOf));
  if (!hasRules) kinds.delete('time');
  return ADVICE.find(([kind]) => kinds.has(kind))?.[1] ?? GENERAL_ADVICE;
}
