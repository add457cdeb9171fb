// Form that logs an event, with an optional JSON payload, on a machine.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import { DomainError } from '../../core/errors.ts';
import { parseStrictJson } from '../../core/strict-json.ts';
import { formatCount } from '../kit/format.ts';
import { Refused, useRefusals } from '../kit/use-refusals.ts';
import { callApiAsMember, currentKey } from '../session.ts';
import { JsonField } from './json-field.ts';
import { KeyRequired } from './key-required.ts';
import type { EventResult } from './records.ts';

interface Props {
  readonly slug: string;
  /** False for an archived machine. */
  readonly isOpen: boolean;
}

export function EventForm({ slug, isOpen }: Props) {
  const [name, setName] = useState('');
  const [payload, setPayload] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const [result, setResult] = useState<EventResult | undefined>(undefined);
  const parsed = parsePayload(payload);
  const refused = useRefusals(error, { names: ['name', 'payload'] });
  const submit = async (event: Event) => {
    event.preventDefault();
    if (typeof parsed === 'string') {
      document.getElementById('event-payload')?.focus();
      return;
    }
    setBusy(true);
    setError(undefined);
    try {
      setResult(
        await callApiAsMember('machine.event', { slug, name: name.trim(), ...(parsed && { payload: parsed }) }),
      );
    } catch (cause) {
      setResult(undefined);
      setError(cause);
    } finally {
      setBusy(false);
    }
  };
  const apiKey = currentKey.value;
  return h(
    'section',
    { class: 'panel event-form', 'aria-labelledby': 'event-title' },
    h('h2', { id: 'event-title' }, 'Log an event'),
    !isOpen
      ? h('p', { class: 'quiet-text' }, 'This machine is archived and accepts no new rows.')
      : apiKey === undefined
        ? h(KeyRequired, { action: 'Logging an event' })
        : h(
            'form',
            { ref: refused.form, class: 'stack', onSubmit: submit },
            h('label', { for: 'event-name' }, 'Name'),
            h('input', {
              id: 'event-name',
              required: true,
              maxLength: 48,
              pattern: '[a-z][a-z0-9_]*',
              title: 'A lower-case letter, then lower-case letters, digits and _',
              autocomplete: 'off',
              autocapitalize: 'none',
              spellcheck: false,
              placeholder: 'request',
              value: name,
              'aria-invalid': refused.faults.name === undefined ? undefined : true,
              'aria-describedby': refused.faults.name === undefined ? undefined : 'event-name-help',
              onInput: (event: Event) => {
                refused.onEdit('name');
                setName((event.target as HTMLInputElement).value);
              },
            }),
            refused.faults.name === undefined
              ? null
              : h(
                  'p',
                  { class: 'field-help', id: 'event-name-help' },
                  h('strong', { class: 'field-fault' }, refused.faults.name),
                ),
            h(JsonField, {
              id: 'event-payload',
              label: 'Payload (JSON, optional)',
              placeholder: '{"amount": 3}',
              value: payload,
              fault: typeof parsed === 'string' ? parsed : refused.faults.payload,
              onChange: (text: string) => {
                refused.onEdit('payload');
                setPayload(text);
              },
            }),
            h('button', { type: 'submit', disabled: isBusy || name.trim() === '' }, isBusy ? 'Logging …' : 'Log event'),
          ),
    h(
      'div',
      { 'aria-live': 'polite' },
      error === undefined ? null : h(Refused, { error, refused }),
      result === undefined ? null : h('p', { class: 'quiet-text' }, eventResultText(result)),
    ),
  );
}

/** @returns the payload, an error message, or undefined for an empty text */
function parsePayload(text: string): Readonly<Record<string, unknown>> | string | undefined {
  if (text.trim() === '') return undefined;
  try {
    const value = parseStrictJson(text);
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
    return 'A JSON object is expected, for example {"amount": 3}.';
  } catch (error) {
    return error instanceof DomainError ? error.message : 'This is not valid JSON.';
  }
}

export function eventResultText({ seq, fired }: EventResult): string {
  const transitions = fired.map(({ transition, from, to }) => `${transition} (${from} → ${to})`);
  return `Row ${formatCount(seq)} was written; ${transitions.length === 0 ? 'no transition fired' : `fired ${transitions.join(', ')}`}.`;
}
