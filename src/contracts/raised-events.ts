// Events that only the engine raises: what became of an event to another machine, or of an activity.

import type { ErrorDetail } from '../core/errors.ts';
import { type Definition, listOf } from './definition.ts';

/**
 * Faults of an event that a caller, a party or the contract itself could send.
 *
 * @param only  who sends it and when: "comes from the engine alone, if …"
 */
export function raisedFaults(definition: Definition, name: string, only: string): ErrorDetail[] {
  const { events = {}, emits = [], spawn } = definition;
  const { from, signed, open } = events[name] ?? {};
  const fault = (path: string, text: string) => ({ path, code: 'NOT_ALLOWED', message: `${path} ${text}.` });
  return [
    ...(from === undefined ? [] : [fault(`events.${name}.from`, only)]),
    ...(signed === undefined ? [] : [fault(`events.${name}.signed`, only)]),
    ...(open === undefined ? [] : [fault(`events.${name}.open`, only)]),
    ...(emits.includes(name) ? [fault('emits', `name ${name}, which ${only}`)] : []),
    ...(listOf(spawn ?? []).includes(name) ? [fault('spawn', `names ${name}, which ${only}`)] : []),
  ];
}

/** The field of an event that names the instance, whose key stands beside what the engine tells. */
export const keyFieldOf = ({ key }: Definition): string | undefined => key?.slice('event.'.length);
