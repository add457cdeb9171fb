// What a definition says, in words: what moves a transition, on what condition, and what it does then.

import type { Action, Definition, Scalar, Scalars, Transition } from '../../contracts/definition.ts';
import { ticksOfDuration } from '../../contracts/durations.ts';
import { inFull, withUnit } from '../kit/format.ts';
import { inTime, manyOf } from '../machines/tick-words.ts';

/** With the defaults of those that were not given. */
export function parametersOf({ parameters = {} }: Definition, given: Scalars): Scalars {
  const defaults = Object.entries(parameters).map(([name, one]) => [name, one.default] as const);
  return { ...Object.fromEntries(defaults), ...given };
}

export function scalarWords(value: Scalar, unit = ''): string {
  if (typeof value === 'number') return withUnit(numberWords(value), unit === 'ticks' && value === 1 ? 'tick' : unit);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === '') return '“”';
  const ticks = ticksOfDuration(value);
  return ticks === undefined ? value : `${value} (${inTime(ticks)})`;
}

/** Every digit; of a large number that ends in zeros, without the zeros. */
function numberWords(value: number): string {
  const full = inFull(value);
  const power = value.toExponential().replace('e+', 'e').replaceAll('-', '−');
  return Math.abs(value) >= 1e9 && power.length < full.length ? power : full;
}

type Ticks = number | string;

/** `60 ticks (47 s)`, also of a parameter. */
function ticksWords(ticks: Ticks, parameters: Scalars): string {
  if (typeof ticks === 'number') return `${manyOf(ticks, 'tick')} (${inTime(ticks)})`;
  const value = Object.hasOwn(parameters, ticks) ? parameters[ticks] : undefined;
  const count = typeof value === 'string' ? ticksOfDuration(value) : Number(value);
  return count === undefined || !Number.isFinite(count) ? ticks : `${manyOf(count, 'tick')} (${inTime(count)})`;
}

const textOf = (text: string, parameters: Scalars) =>
  Object.hasOwn(parameters, text) ? `${String(parameters[text])} (${text})` : text;

export function triggerWords({ trigger }: Transition, parameters: Scalars): string {
  const ticks = (one: Ticks) => ticksWords(one, parameters);
  switch (trigger.kind) {
    case 'event':
      return `when ${trigger.event} arrives`;
    case 'on_aggregate': {
      const { fn, event, field, within } = trigger;
      return `${fn} of ${event}${field === undefined ? '' : `.${field}`} within ${ticks(within)}`;
    }
    case 'one_shot':
      return `${ticks(trigger.after)} after ${trigger.anchor === 'deploy' ? 'deployment' : 'entry'}`;
    case 'recurring':
      return `every ${ticks(trigger.every)}`;
    case 'cron':
      return `at ${textOf(trigger.cron, parameters)}, ${textOf(trigger.tz ?? 'UTC', parameters)}`;
  }
}

export const conditionWords = ({ fires_when }: Transition): string =>
  fires_when === undefined ? '' : `if ${fires_when}`;

function actionWords(action: Action): string {
  if ('emit' in action) return `emit ${typeof action.emit === 'string' ? action.emit : action.emit.event}`;
  if ('set' in action)
    return Object.entries(action.set)
      .map(([name, text]) => `${name} := ${text}`)
      .join(', ');
  if ('compute' in action) return `${action.compute.into} := ${action.compute.operator ?? action.compute.solver ?? ''}`;
  if ('webhook' in action) return `tell ${action.webhook.url}`;
  if ('token' in action) return `${action.token.op} ${action.token.amount} ${action.token.token ?? 'token'}`;
  return `log “${action.log}”`;
}

export const actionsOf = ({ pre = [], post = [] }: Transition): readonly string[] => [...pre, ...post].map(actionWords);
