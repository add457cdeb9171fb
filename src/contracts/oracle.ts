// The oracle of a contract: where its readings come from, which of them count, and what its conditions see of them.

import { DomainError, type ErrorDetail } from '../core/errors.ts';
import { type Pointer, parsePointer } from '../core/json-pointer.ts';
import { parseUnit } from '../core/units.ts';
import type { Definition } from './definition.ts';

type Source = NonNullable<Definition['oracle']>;
export type OracleKind = NonNullable<Source['kind']>;
export type OracleFunction = Source['fn'];

/** An oracle with its numbers filled in. */
export interface CompiledOracle {
  readonly kind: OracleKind;
  /** `event`: what is read. `machine`: what is read there. Otherwise the event that each reading is heard as. */
  readonly event: string | undefined;
  readonly field: string;
  readonly url: string | undefined;
  readonly pointer: Pointer;
  readonly operator: string | undefined;
  readonly machine: string | undefined;
  /** Ticks between two questions; undefined where nobody asks by the clock. */
  readonly every: number | undefined;
  /** In which all of its readings are. */
  readonly unit: string | undefined;
  readonly min: number;
  readonly max: number;
  readonly fn: OracleFunction;
  /** Readings that count: (now - within, now]. Undefined where only the newest does. */
  readonly within: number | undefined;
  readonly maxAge: number | undefined;
  readonly minSources: number;
}

/** As it is recorded. `stale`: it was too old when it came; such readings and those out of range are told, never used. */
export interface Reading {
  readonly value: number;
  readonly status: 'ok' | 'stale' | 'out_of_range';
  readonly source: string;
  /** The tick that it is about: for what another machine said, the one at which it said so. */
  readonly tick: number;
}

/** Often enough for what is outside: about ten seconds. */
const LEAST_EVERY = 13;
const USUAL_EVERY = 77;

/** What each kind needs, and what it may have. */
const FIELDS: Readonly<Record<OracleKind, { needs: readonly (keyof Source)[]; takes: readonly (keyof Source)[] }>> = {
  event: { needs: ['event'], takes: [] },
  push: { needs: [], takes: ['event'] },
  http: { needs: ['url'], takes: ['event', 'pointer', 'every'] },
  operator: { needs: ['operator'], takes: ['event', 'every'] },
  machine: { needs: ['machine', 'event'], takes: ['every'] },
};
const PARTICULAR = ['event', 'url', 'pointer', 'operator', 'machine', 'every'] as const;

/** @param ticks  a number of ticks, or that of a parameter; it notes its own faults */
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
  const { needs, takes } = FIELDS[kind];
  for (const name of PARTICULAR) {
    if (needs.includes(name) && oracle[name] === undefined) fault(name, 'MISSING', `is missing; ${kind} needs it`);
    if (!needs.includes(name) && !takes.includes(name) && oracle[name] !== undefined) {
      fault(name, 'NOT_ALLOWED', `is given; an oracle of kind ${kind} does without it`);
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
    fault('operator', 'UNKNOWN_NAME', `names ${operator}, which operators do not declare`);
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
    (error) => fault('pointer', 'POINTER', `is wrong: ${error}`),
  );
  if (unit !== undefined)
    attempt(
      () => parseUnit(unit),
      undefined,
      (error) => fault('unit', 'UNIT_INVALID', `is wrong: ${error}`),
    );
  if (min !== undefined && max !== undefined && min > max) fault('min', 'OUT_OF_RANGE', `is ${min}, above max, ${max}`);
  const within = oracle.within === undefined ? undefined : ticks('oracle.within', oracle.within);
  const maxAge = oracle.max_age === undefined ? undefined : ticks('oracle.max_age', oracle.max_age);
  if (within === undefined && fn !== 'last')
    fault('within', 'MISSING', `is missing; ${fn} needs the ticks that it looks back`);
  if (within === undefined && minSources > 1) {
    fault('within', 'MISSING', 'is missing; min_sources counts the sources of so many ticks');
  }
  const isAsked = kind === 'http' || kind === 'machine';
  const every = oracle.every === undefined ? (isAsked ? USUAL_EVERY : undefined) : ticks('oracle.every', oracle.every);
  if (every !== undefined && every < LEAST_EVERY)
    fault('every', 'OUT_OF_RANGE', `is ${every}; ${LEAST_EVERY} ticks or more are expected`);
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

/** A value as a reading. @param now  the tick of its row; `tick` lies before it where it is reported late */
export function readingOf(
  { min, max, maxAge }: CompiledOracle,
  { value, source, tick }: Omit<Reading, 'status'>,
  now: number = tick,
): Reading {
  const isOld = maxAge !== undefined && now - tick > maxAge;
  const status = value < min || value > max ? 'out_of_range' : isOld ? 'stale' : 'ok';
  return { value, status, source, tick };
}

/** The event that a reading is heard as, if it is. */
export function heardAs(
  { kind, event, field }: CompiledOracle,
  { value, status, source }: Reading,
): { readonly name: string; readonly payload: Readonly<Record<string, unknown>> } | undefined {
  if (event === undefined || kind === 'event' || kind === 'machine' || status !== 'ok') return undefined;
  return { name: event, payload: { [field]: value, source } };
}

/** What is measured, in words that compare: readings of something else are not readings of this. */
export function subjectOf({ kind, event, field, url, pointer, operator, machine, unit }: CompiledOracle): string {
  const measured = kind === 'event' || kind === 'machine' ? [event, field] : [];
  return JSON.stringify([kind, ...measured, url, pointer, operator, machine, unit].map((one) => one ?? null));
}

function attempt<Value, Otherwise>(
  work: () => Value,
  otherwise: Otherwise,
  failed: (reason: string) => void,
): Value | Otherwise {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    failed(error.message.replace(/\.$/, ''));
    return otherwise;
  }
}
