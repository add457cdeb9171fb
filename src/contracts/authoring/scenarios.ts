// Scenarios as people write them: their schema, and what is wrong with one before it runs.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { nearestNames } from '../../core/nearest.ts';
import { multiLine, singleLine } from '../../core/text-schema.ts';
import { tickOfInstant } from '../calendar.ts';
import type { CompiledContract } from '../compiled.ts';
import type { Definition } from '../definition.ts';
import { isDurationText, MAX_TICKS, ticksOfDuration } from '../durations.ts';
import { keyOfValue } from '../instances/keys.ts';
import { type Scenario, tickOfStep } from '../simulate.ts';
import type { Finding } from './draft.ts';

const { scenarios: MAX_SCENARIOS, steps: MAX_STEPS, times: MAX_TIMES } = LIMITS.contracts.draft;

const name = singleLine(64);
const scalar = z.union([z.number(), z.boolean(), multiLine(500)]);
const scalars = z.record(name, scalar);
const instant = z.iso
  .datetime({ offset: true, error: 'an instant such as 2026-03-01T09:00:00Z is expected' })
  .describe('An ISO 8601 instant.');

const Expected = z
  .strictObject({
    instance: z
      .union([z.int(), singleLine(LIMITS.contracts.instances.keyCharacters, 1)])
      .optional()
      .describe('Of a contract with a key: the instance that state, context and collections are of.'),
    state: name.optional(),
    emitted: z.array(name).max(1_000).optional().describe('All events emitted since the previous step, in order.'),
    sent: z
      .array(singleLine(120, 1))
      .max(1_000)
      .optional()
      .describe('All events sent to other machines since the previous step, in order, as "machine event".'),
    called: z
      .array(singleLine(600, 1))
      .max(1_000)
      .optional()
      .describe('All activities started since the previous step, in order, as "CM9 measured".'),
    context: scalars.optional().describe('Variables with their values; numbers may differ by 0.5 %.'),
    collections: z
      .record(
        name,
        z
          .array(z.union([scalar, z.tuple([multiLine(LIMITS.contracts.collections.keyCharacters, 1), scalar])]))
          .max(1_000),
      )
      .optional()
      .describe('Whole collections: pairs of key and value of a map, values of a list or set.'),
    refused: z
      .array(name)
      .max(1_000)
      .optional()
      .describe('Codes of all refusals since the previous step, in order, such as UNKNOWN_KEY.'),
    balances: z
      .record(name, z.record(singleLine(LIMITS.contracts.holderCharacters), z.number()))
      .optional()
      .describe('Balances by token and holder.'),
  })
  .describe('What must be true after the step.');

const Step = z.strictObject({
  at: z.int().min(0).max(MAX_TICKS).optional().describe('Ticks of 0.777000777 s after the deployment.'),
  after: z
    .union([z.int().min(0).max(MAX_TICKS), z.string().regex(/^P[0-9WDTHMS.]{1,38}$/)], {
      error: 'a number of ticks, or a duration of weeks, days, hours, minutes and seconds such as P7D, is expected',
    })
    .optional()
    .describe('Ticks, or an ISO 8601 duration, after the previous step.'),
  to: instant.optional().describe('Until this instant; timers on the way fire.'),
  outage_to: instant.optional().describe('Until this instant, with the scheduler down until then.'),
  send: name.optional().describe('The event that is sent.'),
  payload: z.record(name, z.unknown()).optional(),
  by: singleLine(LIMITS.contracts.holderCharacters)
    .optional()
    .describe(
      'Who sends it: a party, its second account as voters.2, or anybody. `operator` by default; `machine:depot` is another machine, and `engine` tells what became of an activity: its law is computed, and payload says what else it answers.',
    ),
  times: z.int().min(1).max(MAX_TIMES).optional().describe('How often it is sent; once by default.'),
  expect: Expected.optional(),
});

const ScenarioSchema = z
  .strictObject({
    name: singleLine(120),
    parameters: scalars.optional().describe('Values that replace the defaults.'),
    bound: z
      .record(name, z.int().min(1).max(64))
      .optional()
      .describe('Number of accounts of each party; the smallest that is allowed by default.'),
    start: instant.optional().describe('Instant of the deployment; tick 0 by default.'),
    steps: z.array(Step).min(1).max(MAX_STEPS),
  })
  .meta({ id: 'ContractScenario', description: 'A run of a contract on a simulated clock, with what is expected.' });

export const Scenarios = z.array(ScenarioSchema).min(1).max(MAX_SCENARIOS);

/** What cannot be meant: times that go back, and names that the contract does not have. */
export function scenarioFaults(contract: CompiledContract, scenario: Scenario): Finding[] {
  const { definition, reservedEvents } = contract;
  const found: Finding[] = [];
  const unknown = (pointer: string, kind: string, given: string, known: readonly string[]) => {
    if (known.includes(given)) return;
    const [nearest] = nearestNames(given, known, 1);
    const expected = known.length === 0 ? `no ${kind}` : `${kind}: ${known.slice(0, 12).join(', ')}`;
    found.push({
      pointer,
      code: 'UNKNOWN_NAME',
      message: `${pointer} names ${given}, which the contract does not have; ${expected}.`,
      got: given,
      expected,
      ...(nearest === undefined ? {} : { fix: `Write ${nearest}, if that is what you mean.` }),
    });
  };
  for (const party of Object.keys(scenario.bound ?? {})) {
    unknown(`/bound/${party}`, 'a party', party, Object.keys(definition.parties ?? {}));
  }
  found.push(...boundFaults(definition, scenario));
  const events = [...new Set([...Object.keys(definition.events ?? {}), ...reservedEvents])];
  for (const [i, { send, expect = {} }] of scenario.steps.entries()) {
    const at = `/steps/${i}`;
    if (send !== undefined) unknown(`${at}/send`, 'an event', send, events);
    if (expect.state !== undefined)
      unknown(`${at}/expect/state`, 'a state', expect.state, Object.keys(definition.states));
    for (const one of expect.emitted ?? [])
      unknown(`${at}/expect/emitted`, 'an event of emits', one, definition.emits ?? []);
    for (const one of Object.keys(expect.context ?? {}))
      unknown(`${at}/expect/context/${one}`, 'a context variable', one, Object.keys(definition.context ?? {}));
    for (const one of Object.keys(expect.collections ?? {}))
      unknown(`${at}/expect/collections/${one}`, 'a collection', one, Object.keys(definition.collections ?? {}));
  }
  return [...found, ...instanceFaults(definition, scenario), ...timeFaults(scenario)];
}

/** Expectations name an instance if, and only if, the contract has instances. */
function instanceFaults({ key }: Definition, { steps }: Scenario): Finding[] {
  return steps.flatMap(({ send, expect = {} }, i): Finding[] => {
    const pointer = `/steps/${i}/expect/instance`;
    const { instance, state, context, collections } = expect;
    if (key === undefined) {
      if (instance === undefined) return [];
      const message = `${pointer} is ${JSON.stringify(instance)}; the definition has no key, so it has no instances.`;
      return [{ pointer, code: 'NOT_ALLOWED', message, got: instance, fix: 'Remove it, or add key and spawn.' }];
    }
    const expected = `the value of ${key} of an instance`;
    if (instance === undefined) {
      const isOfInstance = state !== undefined || context !== undefined || collections !== undefined;
      if (send !== undefined || !isOfInstance) return [];
      const message = `${pointer} is missing; expected ${expected}, since the step sends no event.`;
      return [{ pointer, code: 'MISSING', message, got: null, expected, fix: 'Name the instance.' }];
    }
    if (keyOfValue(instance) !== undefined) return [];
    const message = `${pointer} is ${JSON.stringify(instance)}, which cannot be a key; expected ${expected}.`;
    return [{ pointer, code: 'TYPE', message, got: instance, expected }];
  });
}

function boundFaults({ parties = {} }: Definition, { bound = {} }: Scenario): Finding[] {
  return Object.entries(bound).flatMap(([party, number]): Finding[] => {
    const bind = Object.hasOwn(parties, party) ? parties[party]?.bind : undefined;
    if (bind !== undefined) {
      const message = `/bound/${party} is ${number}; each instance binds ${party} by ${bind}.`;
      return [{ pointer: `/bound/${party}`, code: 'NOT_ALLOWED', message, got: number, fix: 'Remove it.' }];
    }
    const { min, max } = parties[party]?.count ?? { min: 1, max: 1 };
    if (!Object.hasOwn(parties, party) || (number >= min && number <= max)) return [];
    const expected = min === max ? `${min}` : `${min} to ${max}`;
    const message = `/bound/${party} is ${number}; ${expected} is expected.`;
    return [{ pointer: `/bound/${party}`, code: 'COUNT', message, got: number, expected }];
  });
}

/** The fields that say when a step is. */
const TIMES = ['at', 'after', 'to', 'outage_to'] as const;

function timeFaults({ start, steps }: Scenario): Finding[] {
  const first = start === undefined ? 0 : tickOfInstant(start);
  let now = first;
  const found: Finding[] = [];
  for (const [i, step] of steps.entries()) {
    const fault = (field: string, code: string, got: unknown, expected: string, fix: string) => {
      const pointer = `/steps/${i}/${field}`;
      found.push({ pointer, code, message: `${pointer} is ${JSON.stringify(got)}; ${expected}.`, got, expected, fix });
    };
    const [field, other] = TIMES.filter((time) => step[time] !== undefined);
    if (other !== undefined)
      fault(other, 'ONE_OF', step[other], `one of ${field} and ${other} is expected`, 'Keep one of them.');
    if (typeof step.after === 'string' && ticksOfDuration(step.after) === undefined && isDurationText(step.after))
      fault('after', 'DURATION', step.after, 'a duration such as PT30S or P7D is expected', 'Write a duration.');
    if (step.send === undefined) {
      for (const needless of ['payload', 'by', 'times'] as const) {
        if (step[needless] === undefined) continue;
        fault(needless, 'NOT_ALLOWED', step[needless], 'it needs an event that is sent', 'Add send, or remove it.');
      }
    }
    const tick = tickOfStep(step, first, now);
    if (field !== undefined && tick < now)
      fault(
        field,
        'ORDER',
        step[field],
        `tick ${now - first} after the deployment or later is expected`,
        'Put the steps in order of time.',
      );
    now = Math.max(now, tick);
  }
  return found;
}
