// Checks what a definition sends to other machines, and the events that tell when one was not taken.

import type { ErrorDetail } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Action, Definition } from '../definition.ts';
import { unknownName } from '../parameters.ts';
import { keyFieldOf, raisedFaults } from '../raised-events.ts';

type SendAction = Extract<Action, { send: unknown }>['send'];

/** What an event tells of one that was not taken; the key of the instance stands beside it. */
const OUTCOME_FIELDS = ['code', 'event', 'machine'] as const;

const MACHINE = /^(?:machine:)?([a-z0-9-]{3,63})$/;

const fault = (path: string, code: string, text: string): ErrorDetail => ({ path, code, message: `${path} ${text}.` });

/** The names of events that tell what became of others. Only the engine raises them. */
export const outcomesOf = ({ transitions }: Definition): ReadonlySet<string> =>
  new Set(
    transitions.flatMap(({ post = [] }) =>
      post.flatMap((action) => ('send' in action ? (action.send.on_refused ?? []) : [])),
    ),
  );

export function sendFaults(definition: Definition): ErrorDetail[] {
  const { edition, transitions } = definition;
  const { perTransition } = LIMITS.contracts.sends;
  const ofTransitions = transitions.flatMap(({ id, post = [] }) => {
    const sent = post.flatMap((action, i) => ('send' in action ? [{ i, send: action.send }] : []));
    const path = `transitions.${id}.post`;
    return [
      ...(sent.length > perTransition
        ? [fault(path, 'OUT_OF_RANGE', `sends ${sent.length} events; at most ${perTransition} are allowed`)]
        : []),
      ...sent.flatMap(({ i, send }) => [
        ...(edition === 2 ? [] : [fault(`${path}.${i}.send`, 'EDITION', 'needs "edition": 2 in the definition')]),
        ...machineFaults(definition, `${path}.${i}.send.to`, send),
        ...unknownOutcome(definition, `${path}.${i}.send.on_refused`, send),
      ]),
    ];
  });
  return [...ofTransitions, ...outcomeFaults(definition)];
}

function machineFaults({ parameters = {} }: Definition, path: string, { to }: SendAction): ErrorDetail[] {
  if (Object.hasOwn(parameters, to)) {
    const type = parameters[to]?.type;
    if (type === 'string') return [];
    return [fault(path, 'TYPE', `is ${to}, a parameter of type ${type}; expected one of type string`)];
  }
  if (machineNamed(to) !== undefined) return [];
  return [machineNameFault(path, to)];
}

/** What is wrong with the name of a machine; undefined if nothing is. */
export const machineNameFault = (path: string, name: string): ErrorDetail =>
  fault(path, 'SLUG', `is ${JSON.stringify(name)}; expected the name of a machine: 3 to 63 of a-z, 0-9 and -`);

/** The name of a machine that a text gives, plain or as the sender of an event; undefined if it gives none. */
export const machineNamed = (text: string): string | undefined => MACHINE.exec(text)?.[1];

function unknownOutcome({ events = {} }: Definition, path: string, { on_refused: name }: SendAction): ErrorDetail[] {
  if (name === undefined || Object.hasOwn(events, name)) return [];
  return [unknownName(path, 'event', name, Object.keys(events))];
}

/** Nobody but the engine sends them, so they have no other fields, and no other meaning. */
function outcomeFaults(definition: Definition): ErrorDetail[] {
  const { events = {} } = definition;
  const field = keyFieldOf(definition);
  const known: readonly string[] = [...OUTCOME_FIELDS, ...(field === undefined ? [] : [field])];
  return [...outcomesOf(definition)].flatMap((name) => {
    const { payload = {} } = events[name] ?? {};
    const path = `events.${name}`;
    return [
      ...raisedFaults(definition, name, 'comes from the engine alone, if a machine does not take an event'),
      ...Object.entries(payload).flatMap(([one, type]) => {
        if (!known.includes(one)) return [unknownName(`${path}.payload`, 'field', one, known)];
        if (one === field || type === 'string') return [];
        return [fault(`${path}.payload.${one}`, 'TYPE', `is of type ${type}; expected string`)];
      }),
    ];
  });
}
