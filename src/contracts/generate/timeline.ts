// Runs a generated contract on samples: its first timers, then each of its events with a payload that meets its conditions.

import { tickOfInstant } from '../calendar.ts';
import type { CompiledContract } from '../compiled.ts';
import { ContractReplay } from '../contract-replay.ts';
import type { Environment } from '../contract-state.ts';
import type { Definition, Scalar, ScalarType } from '../definition.ts';
import { CURRENT_ENGINE } from '../engine-edition.ts';

export interface TimelineEntry {
  /** Ticks after the deployment. */
  readonly after: number;
  readonly cause: string;
  readonly transition: string;
  readonly from: string;
  readonly to: string;
  readonly emitted: readonly string[];
}

/** A Monday at midnight, fixed so that a timeline does not depend on the current time. */
const START = '2024-01-01T00:00:00Z';
const MAX_TIMERS = 3;
const MAX_REPETITIONS = 5;
const MAX_ENTRIES = 12;
/** Sequence number of the deployment row, also used for every event. */
const SEQ = 1;

export function sampleTimeline(contract: CompiledContract, environment: Omit<Environment, 'balance'>): TimelineEntry[] {
  const startTick = tickOfInstant(START);
  const machineState = { balances: new Map<string, number>(), isMachineActive: true };
  const start = () =>
    ContractReplay.start(
      contract,
      { tick: startTick, seq: SEQ, engine: CURRENT_ENGINE },
      { contractId: contract.definition.name, environment, machineState, maxHops: 1 },
    );
  const timers = start();
  for (let i = 0; i < MAX_TIMERS && timers.nextDue !== undefined; i++) timers.wake(timers.nextDue, SEQ);
  const events = start();
  let tick = startTick;
  for (const event of Object.keys(contract.definition.events ?? {})) {
    const payload = sampleOf(contract.definition, event);
    for (let i = 0; i < MAX_REPETITIONS && events.fires.length < MAX_ENTRIES; i++) {
      tick++;
      const external = {
        kind: 'event',
        origin: 'external',
        isUndelivered: false,
        isSkippedMatch: false,
        sentBy: {},
        actor: 'operator',
      } as const;
      events.receive({ ...external, name: event, payload, tick, seq: SEQ });
      events.ownEvents.length = 0;
    }
  }
  return [...timers.fires, ...events.fires.filter(({ cause }) => cause === 'event')]
    .slice(0, MAX_ENTRIES)
    .map(({ tick: at, cause, transition, from, to, fired }) => {
      return { after: at - startTick, cause, transition, from, to, emitted: fired.emitted.map(({ event }) => event) };
    });
}

/** A payload for which the first condition on each field holds. */
function sampleOf({ events = {}, transitions }: Definition, event: string): Record<string, Scalar> {
  const listening = transitions.filter(({ trigger }) => 'event' in trigger && trigger.event === event);
  const texts = listening.flatMap(({ fires_when = '', trigger }) => [
    fires_when,
    ('filter' in trigger && trigger.filter) || '',
  ]);
  const fields = Object.entries(events[event]?.payload ?? {});
  return Object.fromEntries(fields.map(([field, type]) => [field, sample(texts.join(' and '), field, type)]));
}

function sample(conditions: string, field: string, type: ScalarType): Scalar {
  const at = conditions.indexOf(`event.${field} `);
  const [, operator = '>', operand = '0'] =
    at < 0 ? [] : (/^event\.\w+ (>=|>|<=|<|==|!=) (\(0 - [\d.]+\)|"[^"]*"|[\w.]+)/.exec(conditions.slice(at)) ?? []);
  if (type === 'string') return operator === '==' ? operand.replaceAll('"', '') : 'sample';
  if (type === 'boolean') return (operand === 'true') === (operator === '==');
  const limit = operand.startsWith('(') ? -Number(operand.slice(5, -1)) : Number(operand);
  return operator === '<' ? limit - 1 : operator === '>' || operator === '!=' ? limit + 1 : limit;
}
