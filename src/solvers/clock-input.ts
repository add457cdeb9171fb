// The time of a request as an input: where a solver has a field for it and the request gives none, the clock's time stands in
// the receipt, so that the answer follows from its inputs and a replay needs no clock.

import { secondsFromNs } from '../core/clock.ts';
import { isRecord } from '../core/record.ts';
import type { SolverDefinition } from './definition.ts';

/** The fields of a request, with the time if the solver has a field for one and neither fields, inputs nor a sweep give it. */
export function withClock<Body extends Readonly<Record<string, unknown>>>(
  { clock: name, inputs: schema }: Pick<SolverDefinition, 'clock' | 'inputs'>,
  body: Body,
  now: () => bigint,
): Body {
  if (name === undefined) return body;
  // Of a solver with a field `inputs`, that field holds the symbols of a law.
  const inputs = Object.hasOwn(schema.shape, 'inputs') ? undefined : body.inputs;
  const given = [body, inputs, body.sweep].some(
    (fields) => isRecord(fields) && Object.hasOwn(fields, name) && fields[name] !== undefined,
  );
  return given ? body : { ...body, [name]: secondsFromNs(now()) };
}
