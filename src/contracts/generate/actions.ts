// What a contract does: emit, call, log, move tokens, remember, and go into another state.

import type { Action, Scalar } from '../definition.ts';
import { type Cursor, words } from './cursor.ts';
import { identifier, name, skipArticles } from './names.ts';
import { count, number, skipUnits } from './quantities.ts';

export type Outcome = 'success' | 'failure' | 'cancelled' | 'expired';

export interface Move {
  readonly state: string;
  readonly outcome: Outcome;
}

export type Deed =
  | { readonly kind: 'action'; readonly action: Action; readonly said: string }
  | { readonly kind: 'set'; readonly name: string; readonly value: Scalar }
  /** `of` is what is moved: the door of `close the door`. */
  | ({ readonly kind: 'move'; readonly of?: string } & Move);

const EMIT: ReadonlySet<string> = words(
  'emit emits send sends raise raises announce announces signal signals issue issues report reports',
);
const CALL: ReadonlySet<string> = words(
  'call calls post posts ping pings notify notifies invoke invokes webhook hit hits',
);
const NOTHING_MORE: ReadonlySet<string> = words('event events alert notification message');
const WEBHOOK: ReadonlySet<string> = words('the a webhook hook url endpoint to at');
const HOOK: ReadonlySet<string> = words('webhook webhooks hook');
const GAIN: ReadonlySet<string> = words('mint mints award awards');
const GIVE: ReadonlySet<string> = words('pay pays transfer transfers give gives');
const LOSE: ReadonlySet<string> = words('spend spends charge charges burn burns take takes');

/** A verb, the state that it leads into, and how that ends where it is the end. */
const VERB_STATES = [
  ['approve', 'approved', 'success'],
  ['accept', 'accepted', 'success'],
  ['complete', 'completed', 'success'],
  ['finish', 'finished', 'success'],
  ['close', 'closed', 'success'],
  ['publish', 'published', 'success'],
  ['archive', 'archived', 'success'],
  ['release', 'released', 'success'],
  ['confirm', 'confirmed', 'success'],
  ['resolve', 'resolved', 'success'],
  ['settle', 'settled', 'success'],
  ['refund', 'refunded', 'success'],
  ['ship', 'shipped', 'success'],
  ['activate', 'activated', 'success'],
  ['unlock', 'unlocked', 'success'],
  ['open', 'opened', 'success'],
  ['start', 'started', 'success'],
  ['escalate', 'escalated', 'failure'],
  ['reject', 'rejected', 'failure'],
  ['fail', 'failed', 'failure'],
  ['block', 'blocked', 'failure'],
  ['lock', 'locked', 'failure'],
  ['suspend', 'suspended', 'failure'],
  ['cancel', 'cancelled', 'cancelled'],
  ['stop', 'stopped', 'cancelled'],
  ['terminate', 'terminated', 'cancelled'],
  ['expire', 'expired', 'expired'],
  ['lapse', 'lapsed', 'expired'],
  ['shut', 'shut', 'success'],
  ['grant', 'granted', 'success'],
  ['enable', 'enabled', 'success'],
  ['deny', 'denied', 'failure'],
  ['revoke', 'revoked', 'failure'],
  ['freeze', 'frozen', 'failure'],
  ['disable', 'disabled', 'cancelled'],
  ['pause', 'paused', 'cancelled'],
] as const satisfies readonly (readonly [string, string, Outcome])[];
const VERBS: ReadonlyMap<string, Move> = new Map(
  VERB_STATES.flatMap(([verb, state, outcome]) => [
    [verb, { state, outcome }],
    [`${verb}s`, { state, outcome }],
    [state, { state, outcome }],
  ]),
);
const COMMANDS: ReadonlySet<string> = new Set(VERB_STATES.map(([verb]) => verb));
const BECOMES: ReadonlySet<string> = words('is are becomes become gets be');
const OBJECT: ReadonlySet<string> = words('it them this');

export function deed(cursor: Cursor): readonly Deed[] | undefined {
  return (
    cursor.attempt(called) ??
    cursor.attempt(tokens) ??
    cursor.attempt(logged) ??
    cursor.attempt(remembered) ??
    cursor.attempt(moved) ??
    cursor.attempt(emitted)
  );
}

/** The state that a word speaks of: `paid` stays `paid`, `approve` is `approved`. */
export function stateOf(word: string): Move {
  return VERBS.get(word) ?? { state: identifier(word), outcome: 'success' };
}

/** The event that a word speaks of: `stop` is what somebody says; `stops` is what something does, which is `stopped`. */
export function eventOf(word: string): string {
  return COMMANDS.has(word) ? word : stateOf(word).state;
}

/** `fails`, `opened`: what something does or did, which is no command. */
export function happened(cursor: Cursor): Move | undefined {
  return cursor.attempt((at) => {
    const { kind, value } = at.next();
    return kind === 'word' && !COMMANDS.has(value) ? VERBS.get(value) : undefined;
  });
}

/** `emit report`, `send a reminder to https://…`. */
function emitted(at: Cursor): readonly Deed[] | undefined {
  if (!at.takeOne(EMIT)) return undefined;
  const event = name(at);
  // A webhook has an address, or it is none.
  if (event === undefined || HOOK.has(event)) return undefined;
  at.takeOne(NOTHING_MORE);
  const emit: Deed = { kind: 'action', action: { emit: event }, said: `emits ${event}` };
  const url = at.attempt((one) => (one.take('to') ? address(one) : undefined));
  return url === undefined ? [emit] : [emit, webhook(url)];
}

/** `call webhook https://…`, `send a webhook to https://…`, `post to https://…`, an address alone. */
function called(at: Cursor): readonly Deed[] | undefined {
  const isSent = at.attempt((one) => {
    if (one.takeOne(EMIT) === undefined) return undefined;
    skipArticles(one);
    return one.takeOne(HOOK);
  });
  if (isSent === undefined) at.takeOne(CALL);
  const url = address(at);
  return url === undefined ? undefined : [webhook(url)];
}

function address(at: Cursor): string | undefined {
  while (at.takeOne(WEBHOOK));
  const { kind, value } = at.next();
  return kind === 'url' && value.length <= LONGEST_URL && URL.canParse(value) ? value : undefined;
}
const LONGEST_URL = 500;

const webhook = (url: string): Deed => ({ kind: 'action', action: { webhook: { url } }, said: `calls ${url}` });

/** `pay 10 credits to alice`, `mint 5 points to bob`, `charge 1 credit from carol`. */
function tokens(at: Cursor): readonly Deed[] | undefined {
  const op = at.takeOne(GAIN) ? 'mint' : at.takeOne(GIVE) ? 'transfer' : at.takeOne(LOSE) ? 'spend' : undefined;
  const amount = op && count(at);
  const token = amount === undefined ? undefined : name(at);
  const isTo = op !== 'spend' && at.take('to');
  if (op === undefined || token === undefined || (!isTo && !at.take('from'))) return undefined;
  const holder = name(at);
  if (holder === undefined || isTo === (op === 'spend')) return undefined;
  const end = JSON.stringify(holder);
  const action: Action = { token: { op, token, amount: String(amount), ...(isTo ? { to: end } : { from: end }) } };
  return [{ kind: 'action', action, said: `${op}s ${amount} ${token} ${isTo ? 'to' : 'from'} ${holder}` }];
}

/** `log "all is well"`. */
function logged(at: Cursor): readonly Deed[] | undefined {
  if (!at.take('log') && !at.take('logs') && !at.take('record')) return undefined;
  const { kind } = at.peek();
  const text = kind === 'text' ? at.next().value.slice(1, -1) : name(at);
  // Braces are for expressions.
  const plain = text?.replaceAll(/[{}]/g, ' ').trim();
  return plain
    ? [{ kind: 'action', action: { log: plain.slice(0, 300) }, said: `logs ${JSON.stringify(plain)}` }]
    : undefined;
}

/** `set level to 3`. */
function remembered(at: Cursor): readonly Deed[] | undefined {
  if (!at.take('set') && !at.take('sets')) return undefined;
  const variable = name(at);
  if (variable === undefined || !(at.take('to') || at.take('='))) return undefined;
  const found = number(at);
  if (found !== undefined) skipUnits(at);
  const { kind, value } = at.peek();
  if (found === undefined && (value === 'true' || value === 'false')) {
    return [{ kind: 'set', name: variable, value: at.next().value === 'true' }];
  }
  const scalar = found ?? (kind === 'text' ? at.next().value.slice(1, -1) : name(at));
  return scalar === undefined ? undefined : [{ kind: 'set', name: variable, value: scalar }];
}

/** `approve`, `is approved`, `expire it`, `close the ticket`, `go to state frozen`. */
function moved(at: Cursor): readonly Deed[] | undefined {
  if (at.take('go', 'to') || at.take('move', 'to') || at.take('enter') || at.take('switch', 'to')) {
    at.take('the');
    at.take('state');
    const target = name(at);
    return target === undefined ? undefined : [{ kind: 'move', ...stateOf(target) }];
  }
  at.takeOne(BECOMES);
  const verb = VERBS.get(at.next().value);
  if (verb === undefined) return undefined;
  const object = at.takeOne(OBJECT) ? undefined : at.attempt((one) => (one.take('the') ? name(one) : undefined));
  skipArticles(at);
  return [{ kind: 'move', ...verb, ...(object === undefined ? {} : { of: object }) }];
}
