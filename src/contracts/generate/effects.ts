// Parses the effects of a rule: emit, webhook, log, token move, set, and a move into another state.

import type { Action, Scalar } from '../definition.ts';
import { identifier, parseName, skipArticles } from './names.ts';
import { parseCount, parseNumber, skipUnits } from './quantities.ts';
import { type TokenCursor, words } from './token-cursor.ts';

export type Outcome = 'success' | 'failure' | 'cancelled' | 'expired';

export interface Move {
  readonly state: string;
  readonly outcome: Outcome;
}

export type Effect =
  | { readonly kind: 'action'; readonly action: Action; readonly description: string }
  | { readonly kind: 'set'; readonly name: string; readonly value: Scalar }
  /** `of` is the object of the verb: the door in `close the door`. */
  | ({ readonly kind: 'move'; readonly of?: string } & Move);

const EMIT: ReadonlySet<string> = words(
  'emit emits send sends raise raises announce announces signal signals issue issues report reports',
);
const CALL: ReadonlySet<string> = words(
  'call calls post posts ping pings notify notifies invoke invokes webhook hit hits',
);
const EVENT_NOUNS: ReadonlySet<string> = words('event events alert notification message');
const WEBHOOK: ReadonlySet<string> = words('the a webhook hook url endpoint to at');
const HOOK: ReadonlySet<string> = words('webhook webhooks hook');
const MINT: ReadonlySet<string> = words('mint mints award awards');
const TRANSFER: ReadonlySet<string> = words('pay pays transfer transfers give gives');
const SPEND: ReadonlySet<string> = words('spend spends charge charges burn burns take takes');

/** A verb, its target state, and the outcome if that state is terminal. */
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

export function parseEffects(cursor: TokenCursor): readonly Effect[] | undefined {
  return (
    cursor.attempt(parseWebhookCall) ??
    cursor.attempt(parseTokenMove) ??
    cursor.attempt(parseLog) ??
    cursor.attempt(parseSet) ??
    cursor.attempt(parseMove) ??
    cursor.attempt(parseEmit)
  );
}

/** The state that a word names: `paid` stays `paid`, `approve` becomes `approved`. */
export function stateOf(word: string): Move {
  return VERBS.get(word) ?? { state: identifier(word), outcome: 'success' };
}

/** The event that a word names: the command `stop` stays `stop`; `stops` becomes the event `stopped`. */
export function eventOf(word: string): string {
  return COMMANDS.has(word) ? word : stateOf(word).state;
}

/** `fails`, `opened`: a verb that is not a command. */
export function parseStateVerb(cursor: TokenCursor): Move | undefined {
  return cursor.attempt((at) => {
    const { kind, value } = at.next();
    return kind === 'word' && !COMMANDS.has(value) ? VERBS.get(value) : undefined;
  });
}

/** `emit report`, `send a reminder to https://…`. */
function parseEmit(at: TokenCursor): readonly Effect[] | undefined {
  if (!at.takeAny(EMIT)) return undefined;
  const event = parseName(at);
  // A webhook needs a URL, which parseWebhookCall looks for.
  if (event === undefined || HOOK.has(event)) return undefined;
  at.takeAny(EVENT_NOUNS);
  const emit: Effect = { kind: 'action', action: { emit: event }, description: `emits ${event}` };
  const url = at.attempt((rest) => (rest.take('to') ? parseAddress(rest) : undefined));
  return url === undefined ? [emit] : [emit, webhook(url)];
}

/** `call webhook https://…`, `send a webhook to https://…`, `post to https://…`, or a URL alone. */
function parseWebhookCall(at: TokenCursor): readonly Effect[] | undefined {
  const sentHook = at.attempt((rest) => {
    if (rest.takeAny(EMIT) === undefined) return undefined;
    skipArticles(rest);
    return rest.takeAny(HOOK);
  });
  if (sentHook === undefined) at.takeAny(CALL);
  const url = parseAddress(at);
  return url === undefined ? undefined : [webhook(url)];
}

function parseAddress(at: TokenCursor): string | undefined {
  while (at.takeAny(WEBHOOK));
  const { kind, value } = at.next();
  return kind === 'url' && value.length <= MAX_URL_LENGTH && URL.canParse(value) ? value : undefined;
}
const MAX_URL_LENGTH = 500;

const webhook = (url: string): Effect => ({
  kind: 'action',
  action: { webhook: { url } },
  description: `calls ${url}`,
});

/** `pay 10 credits from bob to alice`, `mint 5 points to bob`, `charge 1 credit from carol`. */
function parseTokenMove(at: TokenCursor): readonly Effect[] | undefined {
  const op = at.takeAny(MINT) ? 'mint' : at.takeAny(TRANSFER) ? 'transfer' : at.takeAny(SPEND) ? 'spend' : undefined;
  const amount = op && parseCount(at);
  const token = amount === undefined ? undefined : parseName(at);
  if (op === undefined || token === undefined) return undefined;
  const from = parseHolder(at, 'from');
  const to = parseHolder(at, 'to');
  const payer = from ?? parseHolder(at, 'from');
  if ((payer === undefined) !== (op === 'mint') || (to === undefined) !== (op === 'spend')) return undefined;
  const [fromText, toText] = [payer, to].map((holder) => (holder === undefined ? undefined : JSON.stringify(holder)));
  const action: Action = {
    token: {
      op,
      token,
      amount: String(amount),
      ...(fromText === undefined ? {} : { from: fromText }),
      ...(toText === undefined ? {} : { to: toText }),
    },
  };
  const holders = [...(payer === undefined ? [] : [`from ${payer}`]), ...(to === undefined ? [] : [`to ${to}`])];
  return [{ kind: 'action', action, description: `${op}s ${amount} ${token} ${holders.join(' ')}` }];
}

const parseHolder = (cursor: TokenCursor, preposition: 'from' | 'to'): string | undefined =>
  cursor.attempt((at) => (at.take(preposition) ? parseName(at) : undefined));

/** `log "all is well"`. */
function parseLog(at: TokenCursor): readonly Effect[] | undefined {
  if (!at.take('log') && !at.take('logs') && !at.take('record')) return undefined;
  const { kind } = at.peek();
  const text = kind === 'text' ? at.next().value.slice(1, -1) : parseName(at);
  // Braces would be parsed as expressions.
  const plain = text?.replaceAll(/[{}]/g, ' ').trim();
  return plain
    ? [{ kind: 'action', action: { log: plain.slice(0, 300) }, description: `logs ${JSON.stringify(plain)}` }]
    : undefined;
}

/** Bare, these stand for a value of the event or of a variable, which `set` cannot read. */
const QUANTITIES: ReadonlySet<string> = words(
  'amount price value total sum count number quantity level temperature pressure balance limit rate score size time',
);

/** `set level to 3`. */
function parseSet(at: TokenCursor): readonly Effect[] | undefined {
  if (!at.take('set') && !at.take('sets')) return undefined;
  const variable = parseName(at);
  if (variable === undefined || !(at.take('to') || at.take('='))) return undefined;
  const found = parseNumber(at);
  if (found !== undefined) skipUnits(at);
  const { kind, value } = at.peek();
  if (found === undefined && (value === 'true' || value === 'false')) {
    return [{ kind: 'set', name: variable, value: at.next().value === 'true' }];
  }
  const scalar = found ?? (kind === 'text' ? at.next().value.slice(1, -1) : parseName(at));
  return scalar === undefined || QUANTITIES.has(String(scalar))
    ? undefined
    : [{ kind: 'set', name: variable, value: scalar }];
}

/** `approve`, `is approved`, `expire it`, `close the ticket`, `go to state frozen`. */
function parseMove(at: TokenCursor): readonly Effect[] | undefined {
  if (at.take('go', 'to') || at.take('move', 'to') || at.take('enter') || at.take('switch', 'to')) {
    at.take('the');
    at.take('state');
    const target = parseName(at);
    return target === undefined ? undefined : [{ kind: 'move', ...stateOf(target) }];
  }
  at.takeAny(BECOMES);
  const verb = VERBS.get(at.next().value);
  if (verb === undefined) return undefined;
  const object = at.takeAny(OBJECT)
    ? undefined
    : at.attempt((rest) => (rest.take('the') ? parseName(rest) : undefined));
  skipArticles(at);
  return [{ kind: 'move', ...verb, ...(object === undefined ? {} : { of: object }) }];
}
