// Keys of instances: the field of an event that says which instance of a contract it is for.

import { LIMITS } from '../../core/limits.ts';
import { type Definition, listOf, type Scalars } from '../definition.ts';

/** How a definition divides its events among instances. */
export interface KeyRule {
  /** Field of the payload. */
  readonly field: string;
  /** Names of the events that create an instance. */
  readonly spawn: ReadonlySet<string>;
  /** Whether a finished key may begin anew. */
  readonly respawns: boolean;
}

/** A value that is no key: its place, and what is expected there. */
export interface KeyFault {
  readonly path: string;
  readonly got: unknown;
  readonly expected: string;
}

const RULES = new WeakMap<Definition, KeyRule>();

/** Undefined for a definition without instances. */
export function keyRuleOf(definition: Definition): KeyRule | undefined {
  const { key, spawn, respawn } = definition;
  if (key === undefined) return undefined;
  const known = RULES.get(definition);
  if (known !== undefined) return known;
  const rule = { field: key.slice('event.'.length), spawn: new Set(listOf(spawn ?? [])), respawns: respawn === true };
  RULES.set(definition, rule);
  return rule;
}

const { keyCharacters: MAX_CHARACTERS } = LIMITS.contracts.instances;

const EXPECTED = `a text of 1 to ${MAX_CHARACTERS} characters without control characters, or a whole number`;

/** Names that addresses treat as steps between folders. */
const STEPS: ReadonlySet<string> = new Set(['.', '..']);

/** The key that a value stands for; undefined if it is none. */
export function keyOfValue(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value === 0 ? 0 : value) : undefined;
  if (typeof value !== 'string' || value.length === 0 || value.length > MAX_CHARACTERS) return undefined;
  return STEPS.has(value) || !value.isWellFormed() || /\p{Cc}/u.test(value) ? undefined : value;
}

/** The key of an event, or what is wrong with it. */
export function keyOfEvent({ field }: KeyRule, payload: Readonly<Record<string, unknown>>): string | KeyFault {
  const got = Object.hasOwn(payload, field) ? payload[field] : undefined;
  return keyOfValue(got) ?? { path: `payload.${field}`, got: shortened(got), expected: EXPECTED };
}

/** The field of an event that names an instance, as the event declares it; none without a key. */
export function keyFields(definition: Definition, name: string, key: string | undefined): Scalars {
  const rule = keyRuleOf(definition);
  if (rule === undefined || key === undefined) return {};
  const isNumber = definition.events?.[name]?.payload?.[rule.field] === 'integer';
  return { [rule.field]: isNumber ? Number(key) : key };
}

/** A long value would make the refusal as long as the event. */
export const shortened = (value: unknown) =>
  typeof value === 'string' && value.length > MAX_CHARACTERS ? `${value.slice(0, MAX_CHARACTERS)}…` : value;
