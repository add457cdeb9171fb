// Compiles activities, and starts them: their inputs are computed by the transition, so that its row says what is asked.

import { canonicalJson } from '../../core/canonical-json.ts';
import { DomainError } from '../../core/errors.ts';
import { parsePointer } from '../../core/json-pointer.ts';
import { LIMITS } from '../../core/limits.ts';
import { utf8 } from '../../core/sha256.ts';
import type { StartedCall, StartedRequest } from '../contract-state.ts';
import type { Definition, Scalars } from '../definition.ts';
import type { Type, TypedExpression } from '../typed-expressions.ts';
import type { CallAction } from './check.ts';

type Bindings = readonly { readonly name: string; readonly expression: TypedExpression }[];

export interface CompiledCall {
  readonly kind: 'call';
  /** All but what the transition computes. */
  readonly fixed: Omit<StartedCall, 'inputs' | 'http'> & {
    readonly http?: Omit<StartedRequest, 'payload'> | undefined;
  };
  /** Of a law or a solver. */
  readonly inputs: Bindings | undefined;
  /** Of a request. */
  readonly payload: Bindings | undefined;
}

interface CompileContext {
  bindings(path: string, given: Readonly<Record<string, string>> | undefined, expected?: Type): Bindings;
  ticks(path: string, given: number | string): number;
  fault(path: string, code: string, text: string): void;
  unknown(path: string, kind: string, name: string, known: Iterable<string>): void;
}

export function compileCall(
  path: string,
  call: CallAction,
  definition: Definition,
  context: CompileContext,
): CompiledCall {
  const { operator, solver, http, inputs, unit, into, on_error, retry = {} } = call;
  const { tries, backoffTicks, maxDelayTicks } = LIMITS.contracts.calls;
  if (operator !== undefined && !definition.operators.includes(operator))
    context.unknown(`${path}.operator`, 'declared operator', operator, definition.operators);
  const backoff = retry.backoff === undefined ? backoffTicks : context.ticks(`${path}.retry.backoff`, retry.backoff);
  if (backoff > maxDelayTicks)
    context.fault(`${path}.retry.backoff`, 'OUT_OF_RANGE', `is ${backoff} ticks; at most ${maxDelayTicks} are allowed`);
  const isLaw = inputs !== undefined;
  const fixed = {
    ...(operator === undefined ? {} : { operator }),
    ...(solver === undefined ? {} : { solver }),
    ...(unit === undefined ? {} : { unit }),
    ...(http === undefined ? {} : { http: compileRequest(`${path}.http`, http, into, definition, context) }),
    into,
    on_error,
    tries: retry.tries ?? tries,
    backoff,
  };
  return {
    kind: 'call',
    fixed,
    inputs: isLaw ? context.bindings(`${path}.inputs`, inputs, 'number') : undefined,
    payload: http?.payload === undefined ? undefined : context.bindings(`${path}.http.payload`, http.payload),
  };
}

function compileRequest(
  path: string,
  { url, method, fields }: NonNullable<CallAction['http']>,
  into: string,
  { events = {} }: Definition,
  context: CompileContext,
): NonNullable<CompiledCall['fixed']['http']> {
  if (!/^https?:/.test(url)) context.fault(`${path}.url`, 'URL', `is ${url}; http or https is expected`);
  if (fields === undefined) return { url, method };
  const types = events[into]?.payload ?? {};
  const read = Object.entries(fields).map(([name, at]) => {
    try {
      parsePointer(at);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      context.fault(`${path}.fields.${name}`, 'POINTER', `is ${JSON.stringify(at)}; ${error.message}`);
    }
    return [name, { at, type: String(types[name] ?? 'string') }] as const;
  });
  return { url, method, fields: Object.fromEntries(read) };
}

/** @throws DomainError VALIDATION_FAILED if a value has no number, or more is sent than is allowed */
export function startedCall(
  { fixed, inputs, payload }: CompiledCall,
  values: (bindings: Bindings) => Scalars,
): StartedCall {
  const { http, ...call } = fixed;
  if (inputs !== undefined) return { ...call, inputs: values(inputs) as Readonly<Record<string, number>> };
  if (http === undefined) return call;
  const sent = payload === undefined ? undefined : values(payload);
  const bytes = utf8(canonicalJson(sent ?? {})).length;
  const { payloadBytes: max } = LIMITS.contracts.calls;
  if (bytes <= max) return { ...call, http: { ...http, ...(sent === undefined ? {} : { payload: sent }) } };
  const message = `What is sent to ${http.url} has ${bytes} bytes; at most ${max} are allowed.`;
  throw new DomainError('VALIDATION_FAILED', message);
}

/** The activity in a few words: `CM9 measured`, `POST https://example.org rated`. */
export function nameOfCall({ operator, solver, http, into }: StartedCall): string {
  return `${operator ?? solver ?? `${http?.method} ${http?.url}`} ${into}`;
}
