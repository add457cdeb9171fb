// What a generated contract would do: its first timers, then each event that it listens to, with values that it looks for.

import { tickOfInstant } from '../calendar.ts';
import type { CompiledContract } from '../compiled.ts';
import type { Definition, Scalar, ScalarType } from '../definition.ts';
import type { World } from '../reaction.ts';
import { Replayed } from '../replayed.ts';

export interface Moment {
  /** Ticks after the deployment. */
  readonly after: number;
  readonly cause: string;
  readonly transition: string;
  readonly from: string;
  readonly to: string;
  readonly emitted: readonly string[];
}

/** A Monday at midnight, so that a timeline does not depend on when it is asked for. */
const START = '2024-01-01T00:00:00Z';
const MOST_TIMERS = 3;
const MOST_TIMES = 5;
const MOST_MOMENTS = 12;
/** Deployment, its first row, and numbers for what follows. */
const FIRST_NUMBER = 1;

export function timelineOf(contract: CompiledContract, world: Omit<World, 'balance'>): Moment[] {
  const start = tickOfInstant(START);
  const before = { balances: new Map<string, number>(), isMachineActive: true };
  const begin = () => Replayed.begun(contract, { tick: start, seq: FIRST_NUMBER }, { world, before, hops: 1 });
  const timed = begin();
  for (let i = 0; i < MOST_TIMERS && timed.nextDue !== undefined; i++) timed.wake(timed.nextDue, FIRST_NUMBER);
  const sent = begin();
  let tick = start;
  for (const event of Object.keys(contract.definition.events ?? {})) {
    const payload = sampleOf(contract.definition, event);
    for (let i = 0; i < MOST_TIMES && sent.fires.length < MOST_MOMENTS; i++) {
      tick++;
      const told = { kind: 'event', origin: 'outside', isLost: false, isSwallowed: false } as const;
      sent.hear({ ...told, name: event, payload, tick, seq: FIRST_NUMBER });
      sent.own.length = 0;
    }
  }
  return [...timed.fires, ...sent.fires.filter(({ cause }) => cause === 'event')]
    .slice(0, MOST_MOMENTS)
    .map(({ tick: at, cause, transition, from, to, fired }) => {
      return { after: at - start, cause, transition, from, to, emitted: fired.emitted.map(({ event }) => event) };
    });
}

/** A payload for which the first condition on each field holds. */
function sampleOf({ events = {}, transitions }: Definition, event: string): Record<string, Scalar> {
  const heard = transitions.filter(({ trigger }) => 'event' in trigger && trigger.event === event);
  const texts = heard.flatMap(({ fires_when = '', trigger }) => [
    fires_when,
    ('filter' in trigger && trigger.filter) || '',
  ]);
  const fields = Object.entries(events[event]?.payload ?? {});
  return Object.fromEntries(fields.map(([field, type]) => [field, sample(texts.join(' and '), field, type)]));
}

function sample(conditions: string, field: string, type: ScalarType): Scalar {
  const at = conditions.indexOf(`event.${field} `);
  const [, operator = '>', shown = '0'] =
    at < 0 ? [] : (/^event\.\w+ (>=|>|<=|<|==|!=) (\(0 - [\d.]+\)|"[^"]*"|[\w.]+)/.exec(conditions.slice(at)) ?? []);
  if (type === 'string') return operator === '==' ? shown.replaceAll('"', '') : 'sample';
  if (type === 'boolean') return (shown === 'true') === (operator === '==');
  const limit = shown.startsWith('(') ? -Number(shown.slice(5, -1)) : Number(shown);
  return operator === '<' ? limit - 1 : operator === '>' || operator === '!=' ? limit + 1 : limit;
}
