// An event into the chain: its name and what it carries. With a contract at hand, its events and their fields are offered.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import { noticeOf } from '../kit/errors.ts';
import { Notice } from '../kit/notice.ts';
import { key } from '../session.ts';
import { CodeField } from './code-field.ts';
import { KeyNeeded } from './key-needed.ts';
import { chainOf, write } from './node.ts';
import { inThousands } from './tick-words.ts';

interface Logged {
  readonly seq: number;
  readonly fired: readonly { readonly transition: string; readonly from: string; readonly to: string }[];
}

interface Props {
  readonly slug: string;
  /** An archived machine takes nothing. */
  readonly isOpen: boolean;
}

export function EventForm({ slug, isOpen }: Props) {
  const [name, setName] = useState('');
  const [payload, setPayload] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const [logged, setLogged] = useState<Logged | undefined>(undefined);
  const parsed = readPayload(payload);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (typeof parsed === 'string') {
      document.getElementById('event-payload')?.focus();
      return;
    }
    setBusy(true);
    setError(undefined);
    try {
      setLogged(
        await write<Logged>(`${chainOf(slug)}/event`, { name: name.trim(), ...(parsed && { payload: parsed }) }),
      );
    } catch (cause) {
      setLogged(undefined);
      setError(cause);
    } finally {
      setBusy(false);
    }
  };
  const mine = key.value;
  return h(
    'section',
    { class: 'panel event-form', 'aria-labelledby': 'event-title' },
    h('h2', { id: 'event-title' }, 'Log an event'),
    !isOpen
      ? h('p', { class: 'quiet-text' }, 'The machine is archived: nothing is written any more.')
      : mine === undefined
        ? h(KeyNeeded, { what: 'Writing' })
        : h(
            'form',
            { class: 'stack', onSubmit: submit },
            h('label', { for: 'event-name' }, 'Name'),
            h('input', {
              id: 'event-name',
              required: true,
              maxLength: 48,
              pattern: '[a-z][a-z0-9_]*',
              title: 'A small letter, then small letters, digits and _',
              autocomplete: 'off',
              autocapitalize: 'none',
              spellcheck: false,
              placeholder: 'request',
              value: name,
              onInput: (event: Event) => setName((event.target as HTMLInputElement).value),
            }),
            h(CodeField, {
              id: 'event-payload',
              label: 'Payload (JSON, optional)',
              placeholder: '{"amount": 3}',
              value: payload,
              fault: typeof parsed === 'string' ? parsed : undefined,
              onChange: setPayload,
            }),
            h('button', { type: 'submit', disabled: isBusy || name.trim() === '' }, isBusy ? 'Writing …' : 'Log it'),
          ),
    h(
      'div',
      { 'aria-live': 'polite' },
      error === undefined ? null : h(Notice, noticeOf(error)),
      logged === undefined ? null : h('p', { class: 'quiet-text' }, saidOf(logged)),
    ),
  );
}

/** @returns what is wrong with it, in words; undefined for nothing at all */
function readPayload(text: string): Readonly<Record<string, unknown>> | string | undefined {
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
    return 'An object is expected, like {"amount": 3}.';
  } catch {
    return 'This is not JSON yet.';
  }
}

export function saidOf({ seq, fired }: Logged): string {
  const moves = fired.map(({ transition, from, to }) => `${transition} (${from} → ${to})`);
  return `Row ${inThousands(seq)} was written; ${moves.length === 0 ? 'no contract moved' : `it fired ${moves.join(', ')}`}.`;
}
