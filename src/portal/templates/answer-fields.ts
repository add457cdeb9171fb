// Fields that a simulated answer to an activity has to give.

import type { ScalarType } from '../../contracts/definition.ts';

/** An activity without an answer, as a simulation lists it. */
interface WaitingCall {
  readonly into: string;
  readonly on_error: string;
  /** What the simulation does not compute of its result. */
  readonly fields: readonly string[];
}

type Fields = Readonly<Record<string, ScalarType>>;

/** Of the fields that the event declares those that the first activity that it tells of asks for; none without one. */
export function answerFields(declared: Fields, event: string, waiting: readonly WaitingCall[]): Fields {
  const asked = waiting.find(({ into, on_error }) => into === event || on_error === event);
  const given = asked === undefined ? [] : asked.into === event ? asked.fields : ['code'];
  return Object.fromEntries(Object.entries(declared).filter(([field]) => given.includes(field)));
}
