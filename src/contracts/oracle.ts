// Compiles the oracle of a contract: the source of its readings, which of them are valid, and how they are aggregated.

import { DomainError, type ErrorDetail } from '../core/errors.ts';
import { type Pointer, parsePointer } from '../core/json-pointer.ts';
import { parseReadingUnit } from '../core/temperature-scales.ts';
import type { Definition } from './definition.ts';

type OracleDefinition = NonNullable<Definition['oracle']>;
export type OracleKind = NonNullable<OracleDefinition['kind']>;
export type OracleFunction = OracleDefinition['fn'];

/** An oracle with its parameters filled in. */
export interface CompiledOracle {
  readonly kind: OracleKind;
  /** Kinds `event` and `machine`: the event that is read. Other kinds: the event that each reading is delivered as. */
  readonly event: string | undefined;
  readonly field: string;
  readonly url: string | undefined;
  readonly pointer: Pointer;
  readonly operator: string | undefined;
  readonly machine: string | undefined;
  /** Polling interval in ticks; undefined for kinds that are not polled. */
  readonly every: number | undefined;
  /** Unit of all readings. */
  readonly unit: string | undefined;
  readonly min: number;
  readonly max: number;
  readonly fn: OracleFunction;
  /** Readings in (now - within, now] are aggregated; undefined if only the newest is used. */
  readonly within: number | undefined;
  readonly maxAge: number | undefined;
  readonly minSources: number;
}

/** A recorded reading. Readings that arrived too old (`stale`) or are out of range are reported, never used. */
export interface Reading {
  readonly value: number;
  readonly status: 'ok' | 'stale' | 'out_of_range';
  readonly source: string;
  /** The tick that the reading is about; for another machine's event, the tick of that event. */
  readonly tick: number;
  /** Who sent it, if it was sent. */
  readonly actor?: string | undefined;
}

/** Shortest polling interval, about ten seconds. */
const MIN_EVERY = 13;
const DEFAULT_EVERY = 77;

/** Required and optional fields by kind. */
const FIELDS: Readonly<
  Record<OracleKind, { required: readonly (keyof OracleDefinition)[]; optional: readonly (keyof OracleDefinition)[] }>
> = {
  event: { required: ['event'], optional: [] },
  push: { required: [], optional: ['event'] },
  http: { required: ['url'], optional: ['event', 'pointer', 'every'] },
  operator: { required: ['operator'], optional: ['event', 'every'] },
  machine: { required: ['machine', 'event'], optional: ['every'] },
};
const KIND_FIELDS = ['event', 'url', 'pointer', 'operator', 'machine', 'every'] as const;

/** @param ticks  resolves a number of ticks or the name of a parameter, and records its own faults */
export function compileOracle(
  { oracle, events = {}, operators }: Definition,
  ticks: (path: string, given: number | string) => number,
): { readonly oracle: CompiledOracle | undefined; readonly faults: readonly ErrorDetail[] } {
  if (oracle === undefined) return { oracle: undefined, faults: [] };
  const faults: ErrorDetail[] = [];
  const fault = (field: string, code: string, text: string) =>
    faults.push({ path: `oracle.${field}`, code, message: `oracle.${field} ${text}.` });
  const {
    kind = 'event',
    event,
    field,
    url,
    machine,
    operator,
    unit,
    min,
    max,
    fn,
    min_sources: minSources = 1,
  } = oracle;
  const { required, optional } = FIELDS[kind];
  for (const name of KIND_FIELDS) {
    if (required.includes(name) && oracle[name] === undefined) fault(name, 'MISSING', `is missing; ${kind} needs it`);
    if (!required.includes(name) && !optional.includes(name) && oracle[name] !== undefined) {
      fault(name, 'NOT_ALLOWED', `is not allowed for an oracle of kind ${kind}`);
    }
  }
  if (event !== undefined && kind !== 'machine') {
    const payload = Object.hasOwn(events, event) ? (events[event]?.payload ?? {}) : undefined;
    if (payload === undefined) fault('event', 'UNKNOWN_NAME', `names the event ${event}, which is not declared`);
    else if (payload[field] !== 'number' && payload[field] !== 'integer') {
      fault('field', 'TYPE', `is ${field}; a number in the payload of ${event} is expected`);
    } else if (kind !== 'event') {
      const others = Object.entries(payload).filter(
        ([name, type]) => name !== field && !(name === 'source' && type === 'string'),
      );
      for (const [name] of others) {
        fault(
          'event',
          'PAYLOAD',
          `is ${event}, which declares ${name}; a reading carries ${field} and source (a string)`,
        );
      }
    }
  }
  if (url !== undefined && !/^https?:\/\//i.test(url)) fault('url', 'URL', `is ${url}; http or https is expected`);
  if (operator !== undefined && !operators.includes(operator)) {
    fault('operator', 'UNKNOWN_NAME', `names ${operator}, which is not declared in operators`);
  }
  if (machine !== undefined && !/^[a-z0-9-]{3,63}$/.test(machine)) {
    fault(
      'machine',
      'SLUG',
      `is ${JSON.stringify(machine)}; the name of a machine is expected: 3 to 63 of a-z, 0-9 and -`,
    );
  }
  const pointer = attempt(
    () => parsePointer(oracle.pointer ?? ''),
    [],
    (error) => fault('pointer', 'POINTER', `is invalid: ${error}`),
  );
  if (unit !== undefined)
    attempt(
      () => parseReadingUnit(unit),
      undefined,
      (error) => fault('unit', 'UNIT_INVALID', `is invalid: ${error}`),
    );
  if (min !== undefined && max !== undefined && min > max) fault('min', 'OUT_OF_RANGE', `is ${min}, above max, ${max}`);
  const within = oracle.within === undefined ? undefined : ticks('oracle.within', oracle.within);
  const maxAge = oracle.max_age === undefined ? undefined : ticks('oracle.max_age', oracle.max_age);
  if (within === undefined && fn !== 'last') fault('within', 'MISSING', `is missing; ${fn} needs a window in ticks`);
  if (within === undefined && minSources > 1) {
    fault('within', 'MISSING', 'is missing; min_sources counts the sources within a window of ticks');
  }
  const isPolled = kind === 'http' || kind === 'machine';
  const every =
    oracle.every === undefined ? (isPolled ? DEFAULT_EVERY : undefined) : ticks('oracle.every', oracle.every);
  if (every !== undefined && every < MIN_EVERY)
    fault('every', 'OUT_OF_RANGE', `is ${every}; it must be at least ${MIN_EVERY} ticks`);
  const compiled: CompiledOracle = {
    kind,
    event,
    field,
    url,
    pointer,
    operator,
    machine,
    every,
    unit,
    min: min ?? Number.NEGATIVE_INFINITY,
    max: max ?? Number.POSITIVE_INFINITY,
    fn,
    within,
    maxAge,
    minSources,
  };
  return { oracle: compiled, faults };
}

/** Creates a reading with its status. @param now  the tick of its row; later than `tick` for a late report */
export function readingOf(
  { min, max, maxAge }: CompiledOracle,
  { value, source, tick, actor }: Omit<Reading, 'status'>,
  now: number = tick,
): Reading {
  const isStale = maxAge !== undefined && now - tick > maxAge;
  const status = value < min || value > max ? 'out_of_range' : isStale ? 'stale' : 'ok';
  return { value, status, source, tick, ...(actor === undefined ? {} : { actor }) };
}

/** The event that a valid reading is delivered as; undefined if the oracle names none. */
export function readingAsEvent(
  { kind, event, field }: CompiledOracle,
  { value, status, source }: Reading,
): { readonly name: string; readonly payload: Readonly<Record<string, unknown>> } | undefined {
  if (event === undefined || kind === 'event' || kind === 'machine' || status !== 'ok') return undefined;
  return { name: event, payload: { [field]: value, source } };
}

/** Key of what is measured: oracles with the same key can share readings. */
export function subjectOf({ kind, event, field, url, pointer, operator, machine, unit }: CompiledOracle): string {
  const measured = kind === 'event' || kind === 'machine' ? [event, field] : [];
  return JSON.stringify([kind, ...measured, url, pointer, operator, machine, unit].map((part) => part ?? null));
}

function attempt<Value, Fallback>(
  work: () => Value,
  fallback: Fallback,
  onError: (reason: string) => void,
): Value | Fallback {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    onError(error.message.replace(/\.$/, ''));
    return fallback;
  }
}
