// Describes a definition as text: triggers, conditions and actions of its transitions.

import { type DataAction, isDataAction } from '../../contracts/data/action-shapes.ts';
import {
  type Action,
  type Definition,
  listOf,
  type Scalar,
  type Scalars,
  type Transition,
} from '../../contracts/definition.ts';
import { ticksOfDuration } from '../../contracts/durations.ts';
import { formatExact, pluralise, withUnit } from '../kit/format.ts';
import { formatTickDuration } from '../machines/tick-format.ts';
import { timeText } from './time-text.ts';

/** Fills in the defaults of parameters not given. */
export function withDefaults({ parameters = {} }: Definition, given: Scalars): Scalars {
  const defaults = Object.entries(parameters).map(([name, parameter]) => [name, parameter.default] as const);
  return { ...Object.fromEntries(defaults), ...given };
}

export function scalarText(value: Scalar, unit = ''): string {
  if (typeof value === 'number') return withUnit(numberText(value), unit === 'ticks' && value === 1 ? 'tick' : unit);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === '') return '“”';
  const ticks = ticksOfDuration(value);
  return ticks === undefined ? value : `${value} (${formatTickDuration(ticks)})`;
}

/** All digits; exponential notation for large numbers with trailing zeros. */
function numberText(value: number): string {
  const full = formatExact(value);
  const exponential = value.toExponential().replace('e+', 'e').replaceAll('-', '−');
  return Math.abs(value) >= 1e9 && exponential.length < full.length ? exponential : full;
}

type Ticks = number | string;

/** `60 ticks (47 s)`; accepts the name of a parameter. */
function ticksText(ticks: Ticks, parameters: Scalars): string {
  if (typeof ticks === 'number') return `${pluralise(ticks, 'tick')} (${formatTickDuration(ticks)})`;
  const value = Object.hasOwn(parameters, ticks) ? parameters[ticks] : undefined;
  const count = typeof value === 'string' ? ticksOfDuration(value) : Number(value);
  return count === undefined || !Number.isFinite(count)
    ? ticks
    : `${pluralise(count, 'tick')} (${formatTickDuration(count)})`;
}

const parameterText = (text: string, parameters: Scalars) =>
  Object.hasOwn(parameters, text) ? `${String(parameters[text])} (${text})` : text;

export function triggerText(
  { trigger, by }: Transition,
  parameters: Scalars,
  events: Definition['events'] = {},
): string {
  const ticks = (value: Ticks) => ticksText(value, parameters);
  switch (trigger.kind) {
    case 'event': {
      const senders = by ?? events[trigger.event]?.from;
      return senders === undefined
        ? `when ${trigger.event} arrives`
        : `when ${listOf(senders).join(' or ')} sends ${trigger.event}`;
    }
    case 'on_aggregate': {
      const { fn, event, field, within } = trigger;
      return `${fn} of ${event}${field === undefined ? '' : `.${field}`} within ${ticks(within)}`;
    }
    case 'windows':
      return 'when its windows change';
    case 'quorum': {
      const { of, event, at_least: needed, distinct, within } = trigger;
      const unit = distinct === 'parties' ? 'parties' : 'votes';
      const time = within === undefined ? '' : ` within ${ticks(within)}`;
      return `when ${needed} ${unit} of ${listOf(of).join(' and ')} by ${event} count for it${time}`;
    }
    case 'one_shot':
      return `${ticks(trigger.after)} after ${trigger.anchor === 'deploy' ? 'deployment' : 'entry'}`;
    case 'recurring':
      return `every ${ticks(trigger.every)}`;
    case 'cron':
      return `at ${parameterText(trigger.cron, parameters)}, ${parameterText(trigger.tz ?? 'UTC', parameters)}`;
    case 'deadline':
    case 'schedule':
      return timeText(trigger);
  }
}

export const conditionText = ({ fires_when }: Transition): string =>
  fires_when === undefined ? '' : `if ${fires_when}`;

function dataActionText(action: DataAction): string {
  if ('put' in action) return `${action.put.into}[${action.put.key}] := ${action.put.value}`;
  if ('append' in action) return `append ${action.append.value} to ${action.append.to}`;
  if ('add' in action) return `add ${action.add.value} to ${action.add.to}`;
  if ('remove' in action) return `remove ${action.remove.entry} from ${action.remove.from}`;
  if ('take' in action) return `${action.take.into} := first of ${action.take.from}, removed`;
  if ('clear' in action) return `clear ${action.clear}`;
  return `distribute ${action.distribute.amount} by ${action.distribute.by}`;
}

function actionText(action: Action): string {
  if ('emit' in action) return `emit ${typeof action.emit === 'string' ? action.emit : action.emit.event}`;
  if ('set' in action)
    return Object.entries(action.set)
      .map(([name, text]) => `${name} := ${text}`)
      .join(', ');
  if ('compute' in action) return `${action.compute.into} := ${action.compute.operator ?? action.compute.solver ?? ''}`;
  if ('webhook' in action) return `call ${action.webhook.url}`;
  if (isDataAction(action)) return dataActionText(action);
  if ('send' in action) return `send ${action.send.event} to ${action.send.to}`;
  if ('call' in action) {
    const { operator, solver, http, into } = action.call;
    return `start ${operator ?? solver ?? `${http?.method} ${http?.url}`}, then ${into}`;
  }
  if ('token' in action) return `${action.token.op} ${action.token.amount} ${action.token.token ?? 'token'}`;
  if ('rearm' in action) return `set the deadline of ${action.rearm} again`;
  return `log “${action.log}”`;
}

export const actionTexts = ({ pre = [], post = [] }: Transition): readonly string[] =>
  [...pre, ...post].map(actionText);
