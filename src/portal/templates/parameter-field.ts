// Field of one parameter: description, range, default and meaning.

import { h } from 'preact';
import { currencyOf, isMoney } from '../../contracts/data/types.ts';
import type { Parameter } from '../../contracts/definition.ts';
import { ticksOfDuration } from '../../contracts/durations.ts';
import { capitalise, formatBound, formatCount, withFullStop } from '../kit/format.ts';
import { formatTickDuration } from '../machines/tick-format.ts';
import { defaultText } from './draft.ts';
import { typedDuration } from './typed-duration.ts';

interface Props {
  readonly name: string;
  readonly parameter: Parameter;
  /** Ids of the transitions that depend on it. */
  readonly usedBy: readonly string[];
  readonly text: string;
  readonly fault: string | undefined;
  readonly onText: (text: string) => void;
}

export function ParameterField({ name, parameter, usedBy, text, fault, onText }: Props) {
  const { type, unit, description } = parameter;
  const id = `parameter-${name}`;
  const choices = choicesOf(parameter);
  const shared = {
    id,
    name,
    value: text,
    'aria-describedby': `${id}-help`,
    'aria-invalid': fault === undefined ? undefined : true,
    onInput: (event: Event) => onText((event.target as HTMLInputElement | HTMLSelectElement).value),
  };
  const isNumber = type === 'number' || type === 'integer' || type === 'ticks' || isMoney(type);
  return h(
    'div',
    { class: `field${fault === undefined ? '' : ' is-wrong'}` },
    h(
      'label',
      { for: id },
      h('span', { class: 'field-name' }, name.replaceAll('_', ' ')),
      h('span', { class: 'field-range' }, rangeLabel(parameter)),
    ),
    h(
      'div',
      { class: 'field-control' },
      choices === undefined
        ? h('input', {
            ...shared,
            type: 'text',
            inputMode: isNumber ? 'decimal' : 'text',
            autocomplete: 'off',
            spellcheck: false,
            placeholder: defaultText(parameter),
          })
        : h(
            'select',
            shared,
            choices.map(([value, label]) => h('option', { key: value, value }, label)),
          ),
      choices === undefined && unit !== undefined ? h('span', { class: 'field-unit' }, unit) : null,
    ),
    h(
      'p',
      { class: 'field-help', id: `${id}-help` },
      fault === undefined ? null : h('strong', { class: 'field-fault' }, fault),
      [
        description === undefined ? '' : withFullStop(capitalise(description)),
        durationText(parameter, text),
        defaultNote(parameter, text),
        usedBy.length === 0 ? '' : `Used by the transition${usedBy.length === 1 ? '' : 's'} ${usedBy.join(', ')}.`,
      ]
        .filter((sentence) => sentence !== '')
        .join(' '),
    ),
  );
}

function choicesOf({ type, enum: values }: Parameter): readonly (readonly [string, string])[] | undefined {
  if (values !== undefined) return values.map((value) => [String(value), String(value)]);
  return type === 'boolean'
    ? [
        ['true', 'yes'],
        ['false', 'no'],
      ]
    : undefined;
}

function rangeLabel({ type, min, max }: Parameter): string {
  if (min === undefined && max === undefined) return typeLabel(type);
  if (max === undefined) return `from ${formatBound(min ?? 0)}`;
  return min === undefined ? `up to ${formatBound(max)}` : `${formatBound(min)} – ${formatBound(max)}`;
}

const typeLabel = (type: Parameter['type']): string => TYPE_LABELS[type] ?? `whole minor units of ${currencyOf(type)}`;

const TYPE_LABELS: Readonly<Record<string, string>> = {
  number: 'a number',
  integer: 'a whole number',
  boolean: '',
  string: 'text',
  ticks: 'ticks',
  duration: 'a duration, like 2 days or 30 s',
  cron: 'a cron expression of five fields',
};

/** Converts a valid duration or number of ticks for display. */
function durationText({ type }: Parameter, text: string): string {
  if (type === 'ticks') {
    const ticks = Number(text);
    return text.trim() !== '' && Number.isFinite(ticks) && ticks > 0 ? `Equals ${formatTickDuration(ticks)}.` : '';
  }
  const ticks = type === 'duration' ? ticksOfDuration(typedDuration(text.trim())) : undefined;
  return ticks === undefined ? '' : `Equals ${formatTickDuration(ticks)}, ${formatCount(ticks)} ticks.`;
}

function defaultNote(parameter: Parameter, text: string): string {
  const standard = defaultText(parameter);
  return [standard, String(parameter.default)].includes(text.trim()) ? '' : `Default ${standard}.`;
}
